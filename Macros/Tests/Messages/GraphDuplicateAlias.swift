// expected: error: invalid redeclaration of 'provider(of:)'
import ActorDIMacros

typealias Number = Int

@Graph struct AppGraph {
  @Provides func first() -> Int { 1 }
  @Provides func second() -> Number { 2 }
}
