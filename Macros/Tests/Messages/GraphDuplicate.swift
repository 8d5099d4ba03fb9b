// expected: error: 'second' and 'first' both provide 'any Store': remove one, or give it a key
// expected: note: 'first' is here
import ActorDIMacros

protocol Store {}
struct Memory: Store {}

@Graph struct AppGraph {
  @Provides func first() -> any Store { Memory() }
  @Provides func second() -> (any Store) { Memory() }
}

let store = AppGraph().wired().second()
