// expected: error: parameter 'store' has both '@Key' and '@Argument': keep one of them
import ActorDIMacros

struct Store {}
struct Users {}

@Graph struct AppGraph {
  @Provides func store() -> Store { Store() }
  @Provides func users(@Key("main") @Argument store: Store) -> Users { Users() }
}
