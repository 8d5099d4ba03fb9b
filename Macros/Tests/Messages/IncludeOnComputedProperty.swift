// A regression: the included providers were missing, without a word.
// expected: error: property 'core' is computed, so '@Include' has no effect: make it a stored property of the instance
import ActorDIMacros

@Graph struct Core {
  @Provides func number() -> Int { 7 }
}

@Graph struct AppGraph {
  @Include var core: Core { Core() }
  @Provides func text() -> String { "" }
}
