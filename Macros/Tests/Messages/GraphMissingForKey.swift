// expected: GraphMissingForKey.swift:11:
// expected: error: 'provider(of:key:)' is unavailable: no provider of the graph with this key returns the type of this parameter: add one
import ActorDIMacros

struct Store {}
struct Cache {}
struct Users {}

@Graph struct AppGraph {
  @Provides(key: "main") func store() -> Store { Store() }
  @Provides func users(@Key("main") cache: Cache) -> Users { Users() }
}
