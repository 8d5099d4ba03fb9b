import ActorDITestSupport
import ActorDITesting
import Testing

@testable import ActorDI

/// The occasions on which a container disposes of an instance before its own end.
@Suite("Occasions of disposal", .timeLimit(.minutes(5)))
struct DisposalOccasionTests {
  private let journal = Journal<String>()

  private func container(_ scope: Scope = .singleton) -> Container {
    Container { [journal] in
      Registration(Connection.self, scope: scope) { _ in Connection("old", journal) }
      Registration(Connection.self, scope: scope) { _ in Connection("other", journal) }.key(1)
    }
  }

  @Test func unregisteringDisposesOfTheInstance() async throws {
    let container = container()
    _ = try await (container.resolve(Connection.self), container.resolve(Connection.self, key: 1))
    #expect(await container.unregister(Connection.self))
    #expect(journal.entries == ["old"], "The disposal ends before the call returns")
    #expect(await container.unregister(Connection.self, key: 1))
    #expect(await container.unregister(Connection.self) == false)
    try await container.shutdown()
    #expect(journal.entries == ["old", "other"])
  }

  @Test func clearingDisposesOfInstancesLastCreatedFirst() async throws {
    let container = container()
    _ = try await (container.resolve(Connection.self), container.resolve(Connection.self, key: 1))
    await container.clear()
    #expect(journal.entries == ["other", "old"])
  }

  @Test func resettingDisposesOfTheSelectedInstances() async throws {
    let container = container()
    let first = try await container.resolve(Connection.self)
    _ = try await container.resolve(Connection.self, key: 1)
    await container.reset(Connection.self, key: 1)
    #expect(journal.entries == ["other"])
    await container.reset(.scoped)
    #expect(journal.entries == ["other"])
    await container.reset(.singleton)
    #expect(journal.entries == ["other", "old"])
    #expect(try await container.resolve(Connection.self) !== first)
  }

  @Test func resettingAContainerDisposesOfItsScopesInstances() async throws {
    let app = Container(name: "app") { [journal] in
      Registration(Connection.self, scope: .scoped) { r in Connection(r.container.name, journal) }
    }
    try await app.withScope("s") { scope in
      _ = try await app.resolve(Connection.self)
      _ = try await scope.resolve(Connection.self)
      await app.reset()
      #expect(journal.entries == ["s", "app"])
      _ = try await scope.resolve(Connection.self)
    }
    #expect(journal.entries == ["s", "app", "s"])
  }

  @Test func rebuildingDisposesOfInstancesOfRemovedRegistrations() async throws {
    let hasOther = Shelf(true)
    let container = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("stays", journal) }
      if hasOther.value { Registration(Connection.self, scope: .singleton) { _ in Connection("goes", journal) }.key(1) }
    }
    _ = try await (container.resolve(Connection.self), container.resolve(Connection.self, key: 1))
    hasOther.value = false
    try await container.rebuild()
    try await until { !journal.entries.isEmpty }
    #expect(journal.entries == ["goes"])
    try await container.shutdown()
    #expect(journal.entries == ["goes", "stays"])
  }

  @Test func poppingDisposesOfInstancesBuiltAfterThePush() async throws {
    let container = container()
    _ = try await container.resolve(Connection.self)
    await container.push()
    try await container.register { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("pushed", journal) }.key(2)
      Registration(Connection.self, scope: .singleton) { _ in Connection("instead", journal) }
    }
    _ = try await (container.resolve(Connection.self), container.resolve(Connection.self, key: 2))
    await container.pop()
    try await until { !journal.entries.isEmpty }
    #expect(journal.entries.contains("pushed") && !journal.entries.contains("old"))
    #expect(try await container.resolve(Connection.self).name == "old")
    try await container.shutdown()
    #expect(journal.entries.sorted() == ["instead", "old", "pushed"])
  }

  @Test func invalidatingAManagedScopeDisposesOfItsInstances() async throws {
    let period = ManagedScope("p")
    let (first, second) = (container(.managed(by: period)), container(.managed(by: period)))
    _ = try await (
      first.resolve(Connection.self), second.resolve(Connection.self), first.resolve(Connection.self, key: 1)
    )
    await period.invalidate()
    #expect(journal.entries == ["other", "old", "old"], "In reverse order of creation, across containers")
    await period.invalidate()
    try await first.shutdown()
    try await second.shutdown()
    #expect(journal.entries.count == 3)
  }

  @Test func buildingASuccessorDisposesOfTheExpiredInstance() async throws {
    let clock = ManualClock()
    let names = Counter()
    let container = Container(configuration: .init(clock: clock)) { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("\(names.increment())", journal) }
        .timeToLive(.seconds(10))
    }
    _ = try await container.resolve(Connection.self)
    clock.advance(by: .seconds(11))
    #expect(journal.entries.isEmpty)
    #expect(try await container.resolve(Connection.self).name == "2")
    try await until { !journal.entries.isEmpty }
    clock.advance(by: .seconds(11))
    try await container.shutdown()
    #expect(journal.entries == ["1", "2"])
  }

  private struct LifecycleValue: Noted, PostInitialization, Disposable {
    let name: String
    let journal: Journal<String>
    func didInitialize() async throws { journal.note("initialized \(name)") }
    func dispose() async throws { journal.note(name) }
  }

  @Test func completingAnIncompleteSuccessorDisposesOfTheExpiredInstance() async throws {
    let clock = ManualClock()
    let names = Counter()
    let container = Container(configuration: .init(clock: clock)) { [journal] in
      Registration((any Noted).self, scope: .singleton) { _ in
        LifecycleValue(name: "\(names.increment())", journal: journal)
      }
      .timeToLive(.seconds(10))
    }
    _ = try await container.resolve((any Noted).self)
    clock.advance(by: .seconds(11))
    let error = try sync { try resolutionError { try container.resolve((any Noted).self) } }
    #expect(error.code == .asyncRequired)
    #expect(try await container.resolve((any Noted).self).name == "2")
    try await until { journal.entries.contains("1") }
    #expect(journal.entries == ["initialized 1", "initialized 2", "1"])
    try await container.shutdown()
    #expect(journal.entries == ["initialized 1", "initialized 2", "1", "2"])
  }

  @Test func shutdownAndResetDisposeOfAnIncompleteInstance() async throws {
    for ending in [{ @Sendable in try await $0.shutdown() }, { @Sendable (c: Container) in await c.reset() }] {
      let journal = Journal<String>()
      let container = Container {
        Registration((any Noted).self, scope: .singleton) { _ in LifecycleValue(name: "incomplete", journal: journal) }
      }
      _ = try sync { try resolutionError { try container.resolve((any Noted).self) } }
      try await ending(container)
      #expect(journal.entries == ["incomplete"])
      try await container.shutdown()
      #expect(journal.entries == ["incomplete"])
    }
  }

  @Test func replacingARegistrationDisposesOfItsUnusedInstanceAtOnce() async throws {
    let container = container()
    _ = try await container.resolve(Connection.self)
    try await container.register(
      Registration(Connection.self, scope: .singleton) { [journal] _ in Connection("new", journal) })
    try await until { !journal.entries.isEmpty }
    #expect(try await container.resolve(Connection.self).name == "new")
    try await container.shutdown()
    #expect(journal.entries == ["old", "new"])
  }

  @Test func resetOrShutdownDisposesOfAReplacedInstanceInUse() async throws {
    let container = container()
    try await container.register {
      for key in 0..<2 {
        Registration(Leaf.self, scope: .singleton) { r in
          Leaf(key == 0 ? try r.resolve(Connection.self) : try r.resolve(Connection.self, key: 1))
        }.key(key)
      }
    }
    _ = try await (container.resolve(Leaf.self, key: 0), container.resolve(Leaf.self, key: 1))
    try await container.register(
      Registration(Connection.self, scope: .singleton) { [journal] _ in Connection("new", journal) })
    _ = try await container.resolve(Connection.self)
    #expect(journal.entries.isEmpty)
    await container.reset()
    #expect(Set(journal.entries) == ["new", "old", "other"], "\(journal.entries)")
    _ = try await container.resolve(Leaf.self, key: 1)
    try await container.register(
      Registration(Connection.self, scope: .singleton) { [journal] _ in Connection("newer", journal) }.key(1))
    #expect(journal.entries.count == 3)
    try await container.shutdown()
    #expect(journal.entries.sorted() == ["new", "old", "other", "other"])
  }

  @Test func disposingOfAnOwnedDisposesOfItsServiceAndParts() async throws {
    let container = Container { [journal] in
      Registration(Connection.self) { r in
        _ = try r.resolve(Connection.self, key: 1)
        return Connection("owned", journal)
      }
      Registration(Connection.self, scope: .scoped) { _ in Connection("part", journal) }.key(1)
    }
    let owned = try await container.resolve(Owned<Connection>.self)
    #expect(journal.entries.isEmpty)
    await owned.dispose()
    #expect(journal.entries == ["owned", "part"])
    await owned.dispose()
    try await container.shutdown()
    #expect(journal.entries == ["owned", "part"])
    let other = try await asyncResolutionError { try await container.resolve(Owned<Connection>.self) }
    #expect(other.code == .closed)
  }

  @Test func resolvingAnOwnedThatFailsDisposesOfItsParts() async throws {
    let container = Container { [journal] in
      Registration(Probe.self) { r in
        _ = try r.resolve(Connection.self)
        throw Boom()
      }
      Registration(Connection.self, scope: .scoped) { _ in Connection("part", journal) }
    }
    await #expect(throws: Boom()) { try await container.resolve(Owned<Probe>.self) }
    try await until { journal.entries.count == 1 }
    #expect(throws: Boom()) { try sync { try container.resolve(Owned<Probe>.self) } }
    try await until { journal.entries.count == 2 }
  }

  @Test func aContainerFreedWithoutShutdownDisposesOfNothing() async throws {
    let lifetime = ObjectLifetime()
    weak var dropped: Container?
    do {
      let container = Container { [journal] in
        Registration(Root.self, scope: .singleton) { _ in Root(lifetime.token()) }.onDispose { _ in journal.note("end")
        }
        Registration(Connection.self, scope: .singleton) { _ in Connection("c", journal) }
        Registration(Connection.self, scope: .pooled(max: 1)) { _ in Connection("p", journal) }.key(1)
        Registration(Connection.self) { _ in Connection("t", journal) }.key(2)
      }
      _ = try await (container.resolve(Root.self), container.resolve(Connection.self))
      _ = try await (container.resolve(Connection.self, key: 1), container.resolve(Connection.self, key: 2))
      dropped = container
    }
    try await until { dropped == nil }
    try await lifetime.ended.passed()
    #expect(journal.entries.isEmpty)
  }

  private final class Repository: Sendable {
    let connection: Connection
    init(_ connection: Connection) { self.connection = connection }
  }

  // A regression: the disposal that was left to a later reset retained its instance.
  @Test func aReplacedWeaklyKeptInstanceIsNotRetained() async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: .shared) { _ in Connection("c", journal) }.onDispose { _ in }
      Registration(Repository.self, scope: .singleton) { Repository(try $0.resolve()) }
    }
    weak var connection: Connection?
    do { connection = try await container.resolve(Repository.self).connection }
    #expect(connection != nil)
    try await container.register(
      Registration(Connection.self, scope: .shared) { [journal] _ in Connection("d", journal) })
    #expect(connection != nil)
    await container.reset(Repository.self)
    try await until { connection == nil }
  }
}
