import ActorDITestSupport
import ActorDITesting
import Testing

@testable import ActorDI

/// Shutdown with a time limit, by a clock that the test advances.
@Suite("Shutdown with a time limit", .timeLimit(.minutes(5)))
struct ShutdownTimeoutTests {
  private let journal = Journal<String>()
  private let clock = ManualClock()

  private func reasons(_ error: ShutdownError) -> [String] {
    error.failures.map { failure in
      switch failure.reason {
      case .failed: "failed"
      case .stillBuilding: "still building"
      case .stillDisposing: "still disposing"
      case .waiting: "waiting"
      }
    }
  }

  private func failure(of container: Container, after timeout: Duration) async -> ShutdownError? {
    do {
      try await container.shutdown(timeout: timeout)
      return nil
    } catch {
      return error
    }
  }

  /// Closes a container, and lets the time run out the given number of times.
  private func close(_ container: Container, runningOut count: Int = 1) async throws -> ShutdownError? {
    let closing = Task { await failure(of: container, after: .seconds(10)) }
    for _ in 0..<count {
      try await clock.waitForSleepers()
      clock.advance(by: .seconds(9))
      #expect(clock.sleeperCount == 1, "The limit has not run out yet")
      clock.advance(by: .seconds(1))
    }
    return await closing.value
  }

  @Test func shutdownReportsABuildInFlightAndDisposesOfItsLateInstance() async throws {
    let (started, gate) = (Gate(), Gate())
    let app = Container(name: "app", configuration: .init(clock: clock)) { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in
        started.open()
        await gate.wait()
        journal.note("cancelled: \(Task.isCancelled)")
        return Connection("late", journal)
      }.key("slow")
      Registration(Connection.self, scope: .singleton) { _ in Connection("early", journal) }
    }
    _ = try await app.resolve(Connection.self)
    let waiter = Task { try await app.resolve(Connection.self, key: "slow") }
    try await started.passed()
    let error = try #require(try await close(app))
    #expect(reasons(error) == ["still building"] && error.failures[0].key as? String == "slow")
    #expect(error.description.contains("Connection[\"slow\"]") && error.description.contains("being built"))
    #expect(journal.entries == ["early"], "The shutdown disposes of the existing instance")
    gate.open()
    #expect(try await asyncResolutionError { try await waiter.value }.code == .closed)
    try await until { journal.entries.count == 3 }
    #expect(journal.entries == ["early", "cancelled: true", "late"])
  }

  // A regression: the builder could release the instance before the task that disposes of it retained it.
  @Test func aLateInstanceThatIsHeldWeaklyIsDisposedOf() async throws {
    // Repeated, because that depended on the timing of the task.
    for number in 1...50 {
      let (started, gate) = (Gate(), Gate())
      let app = Container { [journal] in
        Registration(Connection.self, scope: .shared) { _ in
          started.open()
          await gate.wait()
          return Connection("late \(number)", journal)
        }
      }
      let waiter = Task { try await app.resolve(Connection.self) }
      try await started.passed()
      await #expect(throws: ShutdownError.self) { try await app.shutdown(timeout: .zero) }
      gate.open()
      #expect(try await asyncResolutionError { try await waiter.value }.code == .closed)
      try await until { journal.entries.last == "late \(number)" }
    }
  }

  // A regression: neither did the shutdown cancel such a build, nor did the error name it.
  @Test(arguments: [false, true])
  func shutdownCancelsAndReportsTheBuildOfARemovedService(isReplaced: Bool) async throws {
    let (started, cancelled, gate) = (Gate(), Gate(), Gate())
    let app = Container(configuration: .init(clock: clock)) {
      Registration(Probe.self, scope: .singleton) { _ in
        started.open()
        await withTaskCancellationHandler {
          await gate.wait()
        } onCancel: {
          cancelled.open()
        }
        return Probe()
      }
    }
    let waiter = Task { try await app.resolve(Probe.self) }
    try await started.passed()
    if isReplaced {
      try await app.register(Probe.self, scope: .singleton) { _ in Probe() }
    } else {
      await app.unregister(Probe.self)
    }
    let closing = Task { try await close(app) }
    try await cancelled.passed()
    let error = try #require(try await closing.value)
    #expect(reasons(error) == ["still building"] && error.failures[0].service == Probe.self)
    gate.open()
    #expect(try await asyncResolutionError { try await waiter.value }.code == .closed)
  }

  @Test func shutdownDoesNotReportABuildThatEndsInTime() async throws {
    let started = Gate()
    let app = Container(configuration: .init(clock: clock)) {
      Registration(Probe.self, scope: .singleton) { _ in
        started.open()
        try await Gate().passed()
        return Probe()
      }
    }
    let waiter = Task { try await app.resolve(Probe.self) }
    try await started.passed()
    try await app.shutdown(timeout: .seconds(10))
    #expect(try await asyncResolutionError { try await waiter.value }.code == .closed)
    try await until { clock.sleeperCount == 0 }
  }

  @Test func shutdownReportsAHangingDisposerAndTheInstancesBehindIt() async throws {
    let (hanging, started) = (Gate(), Gate())
    let app = Container(name: "app", configuration: .init(clock: clock)) { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("last", journal) }.key(1)
      Registration(Connection.self, scope: .singleton) { _ in Connection("middle", journal) }.key(2)
        .onDispose { _ in
          started.open()
          await hanging.wait()
        }
      Registration(Connection.self, scope: .singleton) { _ in Connection("first", journal, failure: Boom()) }.key(3)
    }
    for key in 1...3 { _ = try await app.resolve(Connection.self, key: key) }
    let closing = Task { await failure(of: app, after: .seconds(10)) }
    try await started.passed()
    // The builds end in time; the disposal exceeds the limit.
    try await until { clock.sleeperCount == 1 }
    clock.advance(by: .seconds(10))
    let error = try #require(await closing.value)
    #expect(reasons(error) == ["failed", "still disposing", "waiting"])
    #expect(error.failures.map { $0.key as? Int } == [3, 2, 1] && journal.entries == ["first"])
    #expect(try await asyncResolutionError { try await app.resolve(Connection.self, key: 1) }.code == .closed)
    let second = Task { [journal] in
      try await app.shutdown()
      journal.note("closed")
    }
    hanging.open()
    try await second.value
    #expect(journal.entries == ["first", "middle", "last", "closed"])
  }

  @Test func shutdownCancelsAHangingDisposerAtItsTimeout() async throws {
    let started = Gate()
    let app = Container(configuration: .init(clock: clock)) { [journal] in
      Registration(Probe.self, scope: .singleton) { _ in Probe() }.key(1).onDispose { _ in journal.note("after") }
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
        .onDispose { _ in
          started.open()
          try await Gate().passed()
        }
    }
    _ = try await (app.resolve(Probe.self, key: 1), app.resolve(Probe.self))
    let closing = Task { await failure(of: app, after: .seconds(1)) }
    try await started.passed()
    try await until { clock.sleeperCount == 1 }
    clock.advance(by: .seconds(1))
    #expect(await closing.value != nil)
    try await until { journal.entries == ["after"] }
  }

  @Test func buildsAndDisposalsHaveTheTimeoutInTurn() async throws {
    let (started, gate, hanging) = (Gate(), Gate(), Gate())
    let app = Container(configuration: .init(clock: clock)) { [journal] in
      Registration(Probe.self, scope: .singleton) { _ in
        started.open()
        await gate.wait()
        return Probe()
      }
      Registration(Connection.self, scope: .singleton) { _ in Connection("c", journal, gate: hanging) }
    }
    _ = try await app.resolve(Connection.self)
    let waiter = Task { try await app.resolve(Probe.self) }
    try await started.passed()
    let error = try #require(try await close(app, runningOut: 2))
    #expect(reasons(error) == ["still building", "still disposing"])
    hanging.open()
    gate.open()
    #expect(try await asyncResolutionError { try await waiter.value }.code == .closed)
    try await app.shutdown()
    #expect(journal.entries == ["c"])
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func aZeroOrNegativeTimeoutReportsTheDisposalInFlight(timeout: Duration) async throws {
    let gate = Gate()
    let app = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("c", journal, gate: gate) }
    }
    _ = try await app.resolve(Connection.self)
    let error = await #expect(throws: ShutdownError.self) { try await app.shutdown(timeout: timeout) }
    #expect(error.map(reasons) == ["still disposing"])
    gate.open()
    try await app.shutdown()
    #expect(journal.entries == ["c"])
  }

  @Test func aSecondCallerHasItsOwnTimeout() async throws {
    let (hanging, started) = (Gate(), Gate())
    let app = Container(configuration: .init(clock: clock)) { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("c", journal) }.onDispose { _ in
        started.open()
        await hanging.wait()
      }
    }
    _ = try await app.resolve(Connection.self)
    let first = Task { try await app.shutdown() }
    try await started.passed()
    let second = Task { try await app.shutdown(timeout: .seconds(5)) }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(5))
    try await second.value
    #expect(journal.entries.isEmpty)
    hanging.open()
    try await first.value
    #expect(journal.entries == ["c"])
  }

  private static let scopes: [Scope] = [.transient, .graph, .singleton, .scoped]

  /// Builds whose instances the container does not keep are reported, too.
  @Test(arguments: scopes)
  func shutdownReportsASuspendedBuild(scope: Scope) async throws {
    let (started, gate) = (Gate(), Gate())
    let app = Container(name: "app", configuration: .init(clock: clock)) { [journal] in
      Registration(Connection.self, scope: scope) { _ in
        started.open()
        await gate.wait()
        return Connection("late", journal)
      }.key("slow").implements((any Noted).self) { $0 }
      Registration(Connection.self, scope: scope) { _ in
        await Task.yield()
        return Connection("early", journal)
      }
    }
    let child = app.makeChild(name: "child", configuration: .init(clock: clock))
    _ = try await child.resolve(Connection.self)
    let waiter = Task { try await child.resolve((any Noted).self, key: "slow") }
    try await started.passed()
    let error = try #require(try await close(app))
    #expect(reasons(error) == ["still building"] && error.failures.first?.key as? String == "slow")
    #expect(error.failures.first?.container == (scope == .singleton ? "app" : "child"))
    #expect(error.failures.first?.service == Connection.self)
    gate.open()
    #expect(try await asyncResolutionError { try await waiter.value }.code == .closed)
    try await until { journal.entries == ["early", "late"] }
    #expect(app.servicesInFlight.isEmpty && child.servicesInFlight.isEmpty)
  }

  @Test(arguments: scopes, [true, false])
  func shutdownReportsABuildThatBlocksItsThread(scope: Scope, isPartOfAnother: Bool) async throws {
    let (started, gate) = (Gate(), Gate())
    let app = Container(name: "app", configuration: .init(clock: clock)) { [journal] in
      Registration(Connection.self, scope: scope) { _ in
        started.open()
        gate.block()
        return Connection("late", journal)
      }.key("slow").implements((any Noted).self) { $0 }
      Registration(Stem.self, scope: scope) { r in Stem(try r.resolve(Connection.self, key: "slow")) }
        .onDispose { _ in journal.note("stem") }
    }
    let child = app.makeChild(name: "child", configuration: .init(clock: clock))
    let waiter = Task {
      try await onThread {
        if isPartOfAnother {
          _ = try child.resolve(Stem.self)
        } else {
          _ = try child.resolve((any Noted).self, key: "slow")
        }
      }
    }
    try await started.passed()
    let error = try #require(try await close(app))
    let services = error.failures.map { $0.service == Stem.self ? "stem" : $0.key as? String ?? "" }
    #expect(
      services.sorted() == (isPartOfAnother ? ["slow", "stem"] : ["slow"]) && Set(reasons(error)) == ["still building"])
    #expect(error.failures.allSatisfy { $0.container == (scope == .singleton ? "app" : "child") })
    gate.open()
    let refusal = try await asyncResolutionError { try await waiter.value }
    #expect(refusal.code == .closed)
    // A regression: the error had no path, or none but the service itself.
    let path = isPartOfAnother ? ["Stem", "Connection[\"slow\"]"] : ["any Noted[\"slow\"]", "Connection[\"slow\"]"]
    #expect(refusal.path.map(\.description) == path)
    try await until { journal.entries == ["late"] }
    #expect(app.servicesInFlight.isEmpty && child.servicesInFlight.isEmpty)
  }

  /// An uncontended build has no cell and no attempt.
  @Test(arguments: [Scope.singleton, .scoped])
  func shutdownReportsAnUncontendedBuildThatBlocksItsThread(scope: Scope) async throws {
    let (started, gate) = (Gate(), Gate())
    let app = Container(name: "app", configuration: .init(clock: clock)) {
      Registration(Probe.self, scope: scope) { _ in
        started.open()
        gate.block()
        return Probe()
      }
    }
    let waiter = Task { try await onThread { try app.resolve(Probe.self) } }
    try await started.passed()
    let error = try #require(try await close(app))
    #expect(reasons(error) == ["still building"] && error.failures.first?.service == Probe.self)
    gate.open()
    #expect(try await asyncResolutionError { try await waiter.value }.code == .closed)
  }

  // A regression: the deadline was beyond the range of the standard clock.
  @Test func aTimeoutMayBeAsLongAsADuration() async throws {
    let (started, gate) = (Gate(), Gate())
    let app = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        started.open()
        await gate.wait()
        return Probe()
      }
    }
    let waiter = Task { try await app.resolve(Probe.self) }
    try await started.passed()
    let closing = Task { try await app.shutdown(timeout: .seconds(Int64.max)) }
    try await until { app.lifecycle.isClosed }
    gate.open()
    try await closing.value
    _ = await waiter.result
  }

  /// A registration whose disposer opens two gates, when it begins and when it is cancelled, and waits for a third one.
  private static func leaf(
    _ scope: Scope, _ isDisposing: Gate, _ isCancelled: Gate, until mayEnd: Gate
  ) -> Registration<Leaf> {
    Registration(Leaf.self, scope: scope) { _ in Leaf() }.onDispose { _ in
      isDisposing.open()
      await withTaskCancellationHandler {
        await mayEnd.wait()
      } onCancel: {
        isCancelled.open()
      }
    }
  }

  // A regression: the shutdown neither reported nor cancelled the disposal.
  @Test func shutdownReportsAndCancelsTheDisposalOfAnInstanceKeptAbove() async throws {
    let (isDisposing, isCancelled, mayEnd) = (Gate(), Gate(), Gate())
    let app = Container(name: "app")
    let child = app.makeChild(configuration: .init(clock: clock)) {
      Self.leaf(.scoped("app"), isDisposing, isCancelled, until: mayEnd)
    }
    _ = try await child.resolve(Leaf.self)
    let closing = Task { await failure(of: child, after: .seconds(10)) }
    try await isDisposing.passed()
    // The builds end in time; the disposal exceeds the limit.
    try await until { clock.sleeperCount == 1 }
    clock.advance(by: .seconds(10))
    let error = try #require(await closing.value)
    #expect(reasons(error) == ["still disposing"] && error.failures[0].container == "app")
    try await isCancelled.passed()
    mayEnd.open()
  }

  // MARK: Other callers

  enum Occasion: CaseIterable { case reset, unregister, invalidate }

  // A regression: the shutdown waited for a disposal by another caller, and neither reported nor cancelled it when its time was up.
  @Test(arguments: Occasion.allCases)
  func shutdownReportsAndCancelsADisposalByAnotherCaller(occasion: Occasion) async throws {
    let (isDisposing, isCancelled, mayEnd) = (Gate(), Gate(), Gate())
    let period = ManagedScope()
    let scope = occasion == .invalidate ? Scope.managed(by: period) : .singleton
    let app = Container(name: "app", configuration: .init(clock: clock)) {
      Self.leaf(scope, isDisposing, isCancelled, until: mayEnd)
    }
    _ = try await app.resolve(Leaf.self)
    let caller = Task {
      switch occasion {
      case .reset: await app.reset()
      case .unregister: await app.unregister(Leaf.self)
      case .invalidate: await period.invalidate()
      }
    }
    try await isDisposing.passed()
    let error = try #require(try await close(app))
    #expect(reasons(error) == ["still disposing"] && error.failures[0].service == Leaf.self)
    try await isCancelled.passed()
    mayEnd.open()
    await caller.value
  }

  enum Owner: CaseIterable { case child, grandchild, owned, keyedScope, scope, extendedScope }

  // A regression: the shutdown waited for a closing by another caller, and neither reported nor cancelled it when its time was up.
  @Test(arguments: Owner.allCases)
  func shutdownReportsAndCancelsTheDisposalsOfAnotherClosing(owner: Owner) async throws {
    let (isDisposing, isCancelled, mayEnd) = (Gate(), Gate(), Gate())
    let app = Container(name: "app", configuration: .init(clock: clock)) {
      Self.leaf(owner == .owned ? .transient : .scoped, isDisposing, isCancelled, until: mayEnd)
    }
    let child = app.makeChild()
    let isCallerCancelled = Task {
      switch owner {
      case .child:
        _ = try await child.resolve(Leaf.self)
        try await child.shutdown()
      case .grandchild:
        let grandchild = child.makeChild()
        _ = try await grandchild.resolve(Leaf.self)
        try await child.shutdown()
      case .owned: _ = try await app.resolve(Owned<Leaf>.self)
      case .keyedScope:
        let keyed: KeyedScopes<Int> = app.keyedScopes("tenant")
        try await keyed.withScope(1) { _ = try await $0.resolve(Leaf.self) }
      case .scope: try await app.withScope { _ = try await $0.resolve(Leaf.self) }
      case .extendedScope:
        try await app.withScope { scope in
          _ = try await scope.resolve(Leaf.self)
          return try scope.extendScope()
        }.end()
      }
      return Task.isCancelled
    }
    try await isDisposing.passed()
    // The shutdown waits for the scope first as for an operation.
    let isOperation = owner == .scope || owner == .extendedScope
    let error = try #require(try await close(app, runningOut: isOperation ? 2 : 1))
    #expect(reasons(error) == ["still disposing"] && error.failures[0].service == Leaf.self)
    try await isCancelled.passed()
    mayEnd.open()
    // The operation had returned in time.
    #expect(error.openScopes.isEmpty)
    #expect(try await isCallerCancelled.value == false)
  }

  // A regression: the shutdown cancelled the task of the operation, and reported the scope.
  @Test func shutdownCancelsTheDisposalsAfterAnOperationThatReturnsInTime() async throws {
    let (isOpen, mayReturn) = (Gate(), Gate())
    let (isDisposing, isCancelled, mayEnd) = (Gate(), Gate(), Gate())
    let app = Container(name: "app", configuration: .init(clock: clock)) {
      Self.leaf(.scoped, isDisposing, isCancelled, until: mayEnd)
    }
    let isCallerCancelled = Task {
      try await app.withScope { scope in
        _ = try await scope.resolve(Leaf.self)
        isOpen.open()
        await mayReturn.wait()
      }
      return Task.isCancelled
    }
    try await isOpen.passed()
    let closing = Task { await failure(of: app, after: .seconds(10)) }
    try await clock.waitForSleepers()
    mayReturn.open()
    try await isDisposing.passed()
    for _ in 0..<2 {
      try await clock.waitForSleepers()
      clock.advance(by: .seconds(10))
    }
    let error = try #require(await closing.value)
    #expect(reasons(error) == ["still disposing"] && error.openScopes.isEmpty)
    try await isCancelled.passed()
    mayEnd.open()
    #expect(try await isCallerCancelled.value == false)
  }
}
