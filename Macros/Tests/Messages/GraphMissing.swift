// expected: GraphMissing.swift:10:
// expected: error: 'provider(of:)' is unavailable: no provider of the graph returns the type of this parameter: add one, or a stored property of the type
import ActorDIMacros

final class Store {}
final class Users {}

@Graph struct AppGraph {
  @Provides func users(
    store: Store
  ) -> Users { Users() }
}

let container = Container { AppGraph().registrations }
