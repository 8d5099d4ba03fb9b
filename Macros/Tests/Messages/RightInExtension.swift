// expected: nothing
// flags: -package-name app
public import ActorDIMacros

public struct Store: Sendable { public init() {} }
public enum Outer {}

public extension Outer {
  @Injectable struct Users: Sendable {
    let store: Store
    public init(store: Store) { self.store = store }
  }

  @Injectable internal struct Hidden: Sendable { let store: Store }

  @Graph struct AppGraph: Sendable {
    @Provides public func store() -> Store { Store() }
    @Provides func users(store: Store) -> Users { Users(store: store) }
  }
}

@inlinable public func users() -> Registration<Outer.Users> { Outer.Users.registration }
@inlinable public func services(_ graph: Outer.AppGraph) -> Registrations { graph.registrations }
