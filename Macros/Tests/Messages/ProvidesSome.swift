// expected: error: provider 'numbers' returns no certain type: write 'any Sequence<Int>'
import ActorDIMacros

@Graph struct AppGraph {
  @Provides func numbers() -> some Sequence<Int> { [1, 2] }
}
