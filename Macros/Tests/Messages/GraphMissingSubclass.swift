// expected: GraphMissingSubclass.swift:10:
// expected: error: 'provider(of:)' is unavailable: no provider of the graph returns the type of this parameter
import ActorDIMacros

class Store {}
final class SQLStore: Store {}

@Graph struct AppGraph {
  @Provides func store() -> Store { SQLStore() }
  @Provides func count(store: SQLStore) -> Int { 0 }
}
