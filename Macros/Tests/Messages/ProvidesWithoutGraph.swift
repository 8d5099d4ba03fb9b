// expected: error: '@Provides' has no effect, because 'AppGraph' is not a graph: add '@Graph' to it
import ActorDIMacros

struct AppGraph {
  @Provides func number() -> Int { 42 }
}
