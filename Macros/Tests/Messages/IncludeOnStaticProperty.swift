// A regression: the included providers were missing, without a word.
// expected: error: property 'core' is static, so '@Include' has no effect: make it a stored property of the instance
import ActorDIMacros

@Graph struct Core {
  @Provides func number() -> Int { 7 }
}

@Graph struct AppGraph {
  @Include static let core: Core = Core()
  @Provides func text() -> String { "" }
}
