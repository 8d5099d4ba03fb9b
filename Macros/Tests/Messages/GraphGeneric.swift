// expected: error: graph 'AppGraph' is generic, so its providers return no certain services: use concrete types
import ActorDIMacros

@Graph struct AppGraph<Value: Sendable> {
  let value: Value
}
