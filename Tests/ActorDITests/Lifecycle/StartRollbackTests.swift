import ActorDITestSupport
import Testing

@testable import ActorDI

/// A failed start leaves no instances behind.
@Suite("Rollback of a failed start", .timeLimit(.minutes(5)))
struct StartRollbackTests {
  private let journal = Journal<String>()

  @Test func aFailedStartDisposesOfItsInstancesLastCreatedFirst() async throws {
    let fails = Shelf(true)
    let container = Container { [journal] in
      Registration(Cellar.self, scope: .singleton) { _ in Cellar(journal: journal) }
      Registration(autowired: Floor.self, scope: .singleton, initializer: Floor.init)
      Registration(autowired: Roof.self, scope: .singleton, initializer: Roof.init)
      Registration(Probe.self, scope: .singleton) { r in
        _ = try await r.resolve(Roof.self)
        if fails.value { throw Boom(number: 1) }
        return Probe()
      }.eager()
    }
    await #expect(throws: Boom(number: 1)) { try await container.start() }
    #expect(journal.entries == ["roof", "floor", "cellar"])
    #expect(container.resolveIfReady(Roof.self) == nil && container.resolveIfReady(Cellar.self) == nil)
    fails.value = false
    try await container.start()
    #expect(container.resolveIfReady(Roof.self) != nil && container.resolveIfReady(Probe.self) != nil)
    try await container.shutdown()
    #expect(journal.entries.count == 6)
  }

  @Test func aFailedStartKeepsInstancesThatExistedBefore() async throws {
    let container = Container { [journal] in
      Registration(Cellar.self, scope: .singleton) { _ in Cellar(journal: journal) }.eager()
      Registration(Floor.self, scope: .singleton) { r in Floor(cellar: try r.resolve()) }
      Registration(Probe.self, scope: .singleton) { r in
        _ = try await r.resolve(Floor.self)
        throw Boom()
      }.eager()
    }
    let cellar = try await container.resolve(Cellar.self)
    await #expect(throws: Boom()) { try await container.start() }
    #expect(journal.entries == ["floor"] && container.resolveIfReady(Cellar.self) === cellar)
  }

  /// The start has built the probe, which has been reset since. The probe's new build is not the start's.
  @Test func aFailedStartLeavesLaterBuildsToTheirCallers() async throws {
    let (begun, gate, isReset, builds) = (Gate(), Gate(), Gate(), Counter())
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        if builds.increment() == 2 {
          begun.open()
          await gate.wait()
        }
        return Probe()
      }
      Registration(Alpha.self, scope: .singleton) { r in
        _ = try await r.resolve(Probe.self)
        await r.container.reset(Probe.self)
        isReset.open()
        await begun.wait()
        throw Boom()
      }.eager()
    }
    let start = Task { try await container.start() }
    try await isReset.passed()
    async let probe = container.resolve(Probe.self)
    await #expect(throws: Boom.self) { try await start.value }
    gate.open()
    let built = try await probe
    #expect(container.resolveIfReady(Probe.self) === built)
  }

  /// The log refers to a once cell. Neither the cell nor, without a disposal, anything else holds its registration and its container.
  @Test func aFailedStartUndoesBuildsOfWhatHasBeenRemovedMeanwhile() async throws {
    final class Part: Sendable {}
    struct Removed: Sendable {
      nonisolated(unsafe) weak var binding: Binding?
      nonisolated(unsafe) weak var scope: Container?
    }
    let (removed, seen) = (Shelf(Removed()), Shelf<[Bool]>([]))
    do {
      let container = Container {
        Registration(Part.self, scope: .singleton) { _ in Part() }
        Registration(Part.self, scope: .scoped) { _ in Part() }.key("scoped")
        Registration(Probe.self, scope: .singleton) { r in
          let container = r.container
          _ = try await r.resolve(Part.self)
          unsafe removed.value.binding = container.locate(ServiceIdentity(Part.self))?.binding
          await container.unregister(Part.self)
          try await container.withScope { scope in
            unsafe removed.value.scope = scope
            _ = try await scope.resolve(Part.self, key: "scoped")
          }
          Reclaimer.shared.collect()
          seen.value = unsafe [removed.value.binding != nil, removed.value.scope != nil]
          throw Boom()
        }.eager()
      }
      await #expect(throws: Boom()) { try await container.start() }
    }
    #expect(seen.value == [true, true], "The log does not hold what it may have to undo")
    try await until {
      Reclaimer.shared.collect()
      return unsafe removed.value.binding == nil && removed.value.scope == nil
    }
  }

  @Test func aFailedStartKeepsInstancesOfTheParent() async throws {
    let parent = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("parent's", journal) }
    }
    let child = parent.makeChild { [journal] in
      Registration(Connection.self, scope: .singleton) { r in
        _ = try r.container.parent?.resolve(Connection.self)
        return Connection("child's", journal)
      }.key(1)
      Registration(Probe.self, scope: .singleton) { r in
        _ = try r.resolve(Connection.self, key: 1)
        throw Boom()
      }.eager()
    }
    await #expect(throws: Boom()) { try await child.start() }
    #expect(journal.entries == ["child's"])
    #expect(parent.resolveIfReady(Connection.self) != nil)
  }

  @Test func aFailedStartOfAChildKeepsTheParentsEagerInstances() async throws {
    let parent = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("parent's", journal) }.eager()
    }
    let child = parent.makeChild { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("child's", journal) }.key(1).eager()
      Registration(Probe.self, scope: .singleton) { r in
        _ = try await r.resolve(Connection.self, key: 1)
        throw Boom()
      }.eager()
    }
    try await parent.start()
    await #expect(throws: Boom()) { try await child.start() }
    #expect(journal.entries == ["child's"])
    try await child.shutdown()
    try await parent.shutdown()
    #expect(journal.entries == ["child's", "parent's"])
  }

  @Test func aFailedStartCancelsAndAwaitsOtherBuilds() async throws {
    let (started, ready) = (Gate(), Gate())
    let container = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in
        started.open()
        // The factory ignores its cancellation; the start disposes of its instance, too.
        try? await Gate().passed()
        journal.note("cancelled: \(Task.isCancelled)")
        return Connection("late", journal)
      }.key(1).eager()
      Registration(Connection.self, scope: .singleton) { _ in
        defer { ready.open() }
        return Connection("early", journal)
      }.key(2).eager()
      Registration(Probe.self, scope: .singleton) { r in
        try await started.passed()
        try await ready.passed()
        _ = try await r.resolve(Connection.self, key: 2)
        throw Boom(number: 4)
      }.eager()
    }
    await #expect(throws: Boom(number: 4)) { try await container.start() }
    #expect(journal.entries == ["cancelled: true", "late", "early"])
    #expect(container.resolveIfReady(Connection.self, key: 1) == nil)
    let isIdle = container.lifecycle.activity.isIdle
    #expect(isIdle)
  }

  @Test func aFailedStartThrowsItsErrorDespiteAFailingDisposer() async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("a", journal) }.key(1)
      Registration(Connection.self, scope: .singleton) { r in
        _ = try r.resolve(Connection.self, key: 1)
        return Connection("b", journal, failure: Boom(number: 8))
      }.key(2)
      Registration(Probe.self, scope: .singleton) { r in
        _ = try r.resolve(Connection.self, key: 2)
        throw Boom(number: 9)
      }.eager()
    }
    await #expect(throws: Boom(number: 9)) { try await container.start() }
    #expect(journal.entries == ["b", "a"])
  }

  @Test func aFailedStartDisposesOfAnInstanceWhoseHookFailed() async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("c", journal) }
        .onCreated { _, _ async throws in throw Boom() }
        .eager()
    }
    await #expect(throws: Boom()) { try await container.start() }
    try await until { journal.entries == ["c"] }
    try await container.shutdown()
    #expect(journal.entries == ["c"])
  }

  @Test func aFailedStartDisposesOfScopedAndManagedInstances() async throws {
    let container = Container { [journal] in
      Registration(Connection.self, scope: .scoped) { _ in Connection("scoped", journal) }.key(1).eager()
      Registration(Connection.self, scope: .managed(by: ManagedScope("m"))) { _ in Connection("managed", journal) }
        .key(2).eager()
      Registration(Probe.self, scope: .singleton) { r in
        _ = try await (r.resolve(Connection.self, key: 1), r.resolve(Connection.self, key: 2))
        throw Boom()
      }.eager()
    }
    await #expect(throws: Boom()) { try await container.start() }
    #expect(journal.entries.sorted() == ["managed", "scoped"])
  }

  @Test func aCancelledStartDoesNotDisturbAnotherCallerOfTheBuild() async throws {
    let (started, gate) = (Gate(), Gate())
    let container = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in
        started.open()
        await gate.wait()
        return Connection("c", journal)
      }.eager()
    }
    let first = Task { try await container.start() }
    try await started.passed()
    let stage = Stage()
    let second = await stage.start { _ in try await container.resolve(Connection.self) }
    first.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await first.value }
    let connection = try await second.value
    // The second caller has the instance. Whether the container keeps it depends on the start's rollback, but it is disposed of once.
    #expect(connection.name == "c")
    try await container.shutdown()
    #expect(journal.entries == ["c"])
  }

  @Test func aShutdownEndsAStartWithClosed() async throws {
    let started = Gate()
    let container = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in
        started.open()
        try await Gate().passed()
        return Connection("never", journal)
      }.eager()
      Registration(Connection.self, scope: .singleton) { _ in Connection("c", journal) }.key(1).eager()
    }
    let start = Task { try await container.start() }
    try await started.passed()
    try await until { container.resolveIfReady(Connection.self, key: 1) != nil }
    try await container.shutdown()
    #expect(try await asyncResolutionError { try await start.value }.code == .closed)
    #expect(journal.entries == ["c"])
  }

  /// For synchronous and asynchronous callers, on the fast and the slow path, as dependencies of kept and of failed services.
  @Test(arguments: [Scope.transient, .graph], [true, false])
  func aFailedStartDisposesOfTransientsBuiltForIt(scope: Scope, isSynchronous: Bool) async throws {
    let container = Container { [journal] in
      Registration((any Noted).self, scope: scope) { _ in Connection("existential", journal) }
      Registration(Connection.self, scope: scope) { (_, name: String) in Connection(name, journal) }
      Registration(Cellar.self, scope: .singleton) { r in
        _ = isSynchronous ? try sync { try r.resolve((any Noted).self) } : try await r.resolve((any Noted).self)
        return Cellar(journal: journal)
      }
      Registration(Probe.self, scope: .singleton) { r in
        _ =
          isSynchronous
          ? try sync { try r.resolve(Connection.self, arguments: "own") }
          : try await r.resolve(Connection.self, arguments: "own")
        _ = try await r.resolve(Cellar.self)
        _ = try await r.resolve(Connection.self, arguments: "last")
        throw Boom()
      }.eager()
    }
    let before = try await container.resolve(Connection.self, arguments: "before")
    await #expect(throws: Boom()) { try await container.start() }
    // With `.graph`, the call has one shared instance.
    let last = scope == .graph ? [] : ["last"]
    #expect(journal.entries == last + ["cellar", "existential", "own"])
    try await container.shutdown()
    #expect(journal.entries.last == before.name && journal.entries.count == last.count + 4)
  }

  @Test func aFailedStartKeepsTransientsOfOtherCallers() async throws {
    let (isResolved, started) = (Gate(), Gate())
    let parent = Container { [journal] in
      Registration(Connection.self) { (_, name: String) in Connection(name, journal) }
      Registration(Cellar.self, scope: .singleton) { r in
        _ = try r.resolve(Connection.self, arguments: "parent's")
        return Cellar(journal: journal)
      }
    }
    let child = parent.makeChild {
      Registration(Probe.self, scope: .singleton) { r in
        _ = try await r.resolve(Cellar.self)
        started.open()
        try await isResolved.passed()
        throw Boom()
      }.eager()
    }
    let start = Task { try await child.start() }
    try await started.passed()
    _ = try await child.resolve(Connection.self, arguments: "another caller's")
    isResolved.open()
    await #expect(throws: Boom()) { try await start.value }
    #expect(journal.entries.isEmpty)
    try await child.shutdown()
    try await parent.shutdown()
    #expect(journal.entries == ["another caller's", "cellar", "parent's"])
  }

  @Test func aFailedStartDisposesOfTransientsOfALateBuild() async throws {
    let started = Gate()
    let container = Container { [journal] in
      Registration(Connection.self) { _ in Connection("late", journal) }
      Registration(Cellar.self, scope: .singleton) { r in
        started.open()
        // The factory ignores its cancellation.
        try? await Gate().passed()
        _ = try await r.resolve(Connection.self)
        return Cellar(journal: journal)
      }.eager()
      Registration(Probe.self, scope: .singleton) { _ in
        try await started.passed()
        throw Boom()
      }.eager()
    }
    await #expect(throws: Boom()) { try await container.start() }
    #expect(journal.entries == ["cellar", "late"])
  }

  @Test func aFailedStartDisposesOfInstancesThatAnOverrideKeeps() async throws {
    let container = Container { [journal] in
      Registration(Cellar.self, scope: .singleton) { r in
        _ = try await r.resolve(Connection.self)
        return Cellar(journal: journal)
      }
      Registration(Connection.self) { _ in Connection("real", journal) }
    }
    try await container.withOverrides {
      Registration(Connection.self) { [journal] _ in Connection("fake", journal) }
      Registration(Probe.self, scope: .singleton) { r in
        _ = try await r.resolve(Cellar.self)
        throw Boom()
      }.eager()
    } operation: { () async throws in
      await #expect(throws: Boom()) { try await container.start() }
      #expect(journal.entries == ["cellar", "fake"])
    }
    try await container.shutdown()
    #expect(journal.entries == ["cellar", "fake"])
  }
}
