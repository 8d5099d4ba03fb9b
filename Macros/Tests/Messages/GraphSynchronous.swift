// expected: error: 'users' is synchronous, but needs 'store', which is asynchronous: make 'users' 'async'
// expected: note: 'store' is here
import ActorDIMacros

struct Store {}
struct Users {}

@Graph struct AppGraph {
  @Provides func store() async -> Store { Store() }
  @Provides func users(store: Store) -> Users { Users() }
}
