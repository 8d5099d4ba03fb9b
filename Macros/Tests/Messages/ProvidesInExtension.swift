// expected: error: '@Provides' has no effect here: '@Graph' sees only what the type's own declaration contains
import ActorDIMacros

@Graph struct AppGraph {}

extension AppGraph {
  @Provides func number() -> Int { 42 }
}
