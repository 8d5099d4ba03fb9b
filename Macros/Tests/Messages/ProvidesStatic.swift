// expected: error: provider 'number' is static, but a graph calls its providers on an instance: remove 'static'
import ActorDIMacros

@Graph struct AppGraph {
  @Provides static func number() -> Int { 42 }
}
