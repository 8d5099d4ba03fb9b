// expected: error: '@Graph' applies to a struct, whose methods are the providers: make it a struct
import ActorDIMacros

@Graph final class AppGraph {
  @Provides func number() -> Int { 42 }
}
