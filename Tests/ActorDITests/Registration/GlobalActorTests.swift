import ActorDITestSupport
import Testing

@testable import ActorDI

@globalActor private actor DatabaseActor {
  static let shared = DatabaseActor()
}

/// A service whose initialiser can only run on the actor. The compiler enforces that, and the assertion checks it.
@DatabaseActor private final class Index {
  let clock: Alpha
  var entries = 0

  init() {
    DatabaseActor.shared.assertIsolated()
    clock = Alpha()
  }

  init(clock: Alpha) throws {
    DatabaseActor.shared.assertIsolated()
    self.clock = clock
  }

  init(clock: Alpha, number: Int) async {
    DatabaseActor.shared.assertIsolated()
    self.clock = clock
    entries = number
  }
}

extension ServiceKey where Service == Index {
  fileprivate static var main: Self { .init("main") }
}

@Suite("Factories on a global actor")
struct GlobalActorTests {
  @Test func aFactoryWithANamedActorRunsOnIt() async throws {
    let container = Container {
      Alpha()
      Registration(Index.self, scope: .singleton, isolation: DatabaseActor.self) { @DatabaseActor _ in Index() }
      Registration(Index.self, isolation: DatabaseActor.self) { @DatabaseActor r in
        DatabaseActor.shared.assertIsolated()
        return try Index(clock: try r.resolve())
      }.key("resolving")
      Registration(Index.self, isolation: DatabaseActor.self) { @DatabaseActor (_, clock: Alpha) in
        try Index(clock: clock)
      }
    }
    let index = try await container.resolve(Index.self)
    #expect(try await container.resolve(Index.self) === index)
    #expect(try sync { try container.resolve(Index.self) } === index, "Synchronous code resolves the built instance")
    #expect(try await container.resolve(Index.self, key: "resolving") !== index)
    let clock = Alpha()
    let given = try await container.resolve(Index.self, arguments: clock)
    #expect(given.clock === clock)
  }

  @Test func anAsynchronousIsolatedFactoryRunsOnItsActor() async throws {
    let container = Container {
      Alpha()
      Registration(Index.self, scope: .singleton) { @DatabaseActor r async in
        DatabaseActor.shared.assertIsolated()
        return Index()
      }
      Registration(Index.self) { @DatabaseActor r in
        let clock = try await r.resolve(Alpha.self)
        DatabaseActor.shared.assertIsolated()
        return try Index(clock: clock)
      }.key("awaits")
      Registration(Index.self) { _ in await Index() }.key("elsewhere")
      Registration(.main) { @DatabaseActor _ async in Index() }
    }
    _ = try await container.resolve(Index.self)
    _ = try await container.resolve(Index.self, key: "awaits")
    _ = try await container.resolve(Index.self, key: "elsewhere")
    _ = try await container.resolve(.main)
  }

  @Test func isolatedInitialisersAreAutowired() async throws {
    let container = Container {
      Alpha()
      7
      Registration(
        autowired: Index.self, scope: .singleton, isolation: DatabaseActor.self, initializer: Index.init(clock:))
      Registration(autowired: Index.self, initializer: Index.init(clock:number:)).key("async")
    }
    let index = try await container.resolve(Index.self)
    #expect(container.resolveIfReady(Index.self) === index)
    #expect(container.registrations.contains { $0.dependencies.map(\.description) == ["Alpha", "Int"] })
    let other = try await container.resolve(Index.self, key: "async")
    #expect(await other.entries == 7)
  }

  @Test func registerAndAutoregisterTakeIsolatedFactories() async throws {
    let container = Container { Alpha() }
    try await container.register(Index.self, key: "a", isolation: DatabaseActor.self) { @DatabaseActor _ in Index() }
    try await container.register(Index.self, isolation: DatabaseActor.self) { @DatabaseActor (_, clock: Alpha) in
      try Index(clock: clock)
    }
    try await container.autoregister(
      Index.self, key: "c", scope: .singleton, isolation: DatabaseActor.self, initializer: Index.init(clock:))
    _ = try await container.resolve(Index.self, key: "a")
    _ = try await container.resolve(Index.self, arguments: Alpha())
    let kept = try await container.resolve(Index.self, key: "c")
    #expect(container.resolveIfReady(Index.self, key: "c") === kept)
  }

  @Test func aSynchronousResolveOfAnIsolatedServiceThrows() async throws {
    let container = Container {
      Registration(Index.self, scope: .singleton, isolation: DatabaseActor.self) { @DatabaseActor _ in Index() }
    }
    let error = try sync { try resolutionError { try container.resolve(Index.self) } }
    #expect(error.code == .asyncRequired)
    // Not even on the actor itself, since the library cannot detect that the caller is isolated to it.
    let there = try await Self.attempt(container)
    #expect(there == .asyncRequired)
  }

  @DatabaseActor private static func attempt(_ container: Container) throws -> ResolutionError.Code {
    try resolutionError { try container.resolve(Index.self) }.code
  }

  @Test func concurrentTasksBuildAnIsolatedServiceOnce() async throws {
    let counter = Counter()
    let container = Container {
      Registration(Index.self, scope: .singleton, isolation: DatabaseActor.self) { @DatabaseActor _ in
        counter.increment()
        return Index()
      }
    }
    let all = try await withThrowingTaskGroup(of: Index.self) { group in
      for _ in 0..<32 { group.addTask { try await container.resolve() } }
      return try await group.reduce(into: [Index]()) { $0.append($1) }
    }
    #expect(counter.count == 1 && all.allSatisfy { $0 === all[0] })
  }
}
