// expected: nothing
// flags: -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature ExistentialAny
public import ActorDIMacros

public protocol Store: Sendable {}
struct Memory: Store {}
public struct Hidden: Sendable {}
public struct Users: Sendable { let store: any Store }

@Graph public struct Core: Sendable {
  let limit: Int
  @Provides(scope: .singleton) public func store(limit: Int) -> any Store { Memory() }
  @Provides func hidden() -> Hidden { Hidden() }
  @Provides public func users(store: any Store, later: Lazy<Hidden>?, all: [any Store]) -> Users { Users(store: store) }
  public init(limit: Int) { self.limit = limit }
}

typealias Name = String

@Graph struct AppGraph {
  @Include let core: Core
  @Provides func text(users: Users) throws -> String { "" }
  @Provides func size(name: Name, resolver: Resolver, container: Container) -> Int { 0 }
  @Provides func half(@Argument _ size: Int, users: Owned<Users>) async throws -> Double { 0 }
}

@Graph struct Empty {}

public func containers() throws -> [Container] {
  _ = Core(limit: 1).wired().store
  return [Container { AppGraph(core: Core(limit: 1)).registrations }, Container { Empty().registrations }]
}
