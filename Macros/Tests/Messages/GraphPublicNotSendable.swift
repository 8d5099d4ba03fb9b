// expected: error: graph 'AppGraph' is public, so it must state that it is Sendable: add ': Sendable'
import ActorDIMacros

@Graph public struct AppGraph {
  @Provides func number() -> Int { 42 }
}
