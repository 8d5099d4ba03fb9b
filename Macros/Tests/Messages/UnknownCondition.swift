// expected: error: a macro cannot evaluate this condition, such as 'canImport': put '#if' around the type, or into the body of a member
import ActorDIMacros

struct Store: Sendable {}

@Graph struct AppGraph {
  #if canImport(Foundation)
    @Provides func store() -> Store { Store() }
  #endif
}
