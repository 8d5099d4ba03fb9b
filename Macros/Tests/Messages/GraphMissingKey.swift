// expected: error: no provider of the graph has the key '"main"', which parameter 'store' needs: add one
import ActorDIMacros

struct Store {}
struct Users {}

@Graph struct AppGraph {
  @Provides func store() -> Store { Store() }
  @Provides func users(@Key("main") store: Store) -> Users { Users() }
}

let container = Container { AppGraph().registrations }
