import ActorDITestSupport
import ActorDITesting
import Synchronization
import Testing

@testable import ActorDI

/// The ends of scopes that are opened by a key.
@Suite("Ends of scopes by key", .timeLimit(.minutes(5)))
struct KeyedScopesEndTests {
  private let journal = Journal<String>()
  private let clock = ManualClock()
  private let app: Container

  init() {
    app = Container(name: "app", configuration: .init(clock: clock)) { [journal] in
      Registration(Connection.self, scope: .scoped("tenant")) { r in Connection("\(try r.resolve(Int.self))", journal) }
      Registration(Polite.self, scope: .singleton) { _ in Polite() }
    }
  }

  private func tenants(idleFor: Duration? = nil, max: Int? = nil, gate: Gate? = nil) -> KeyedScopes<Int> {
    app.keyedScopes("tenant", idleFor: idleFor, max: max) { [journal] (id: Int) in
      Registration(instance: id)
      if let gate { Registration(Connection.self, scope: .scoped) { _ in Connection("\(id)", journal, gate: gate) } }
    }
  }

  private func open(_ keys: Int..., in tenants: KeyedScopes<Int>) async throws {
    for key in keys { try await tenants.withScope(key) { _ = try await $0.resolve(Connection.self) } }
  }

  /// Begins an operation of a key, which lasts until a gate opens.
  private func use(
    _ key: Int, of tenants: KeyedScopes<Int>, until mayEnd: Gate
  ) async throws -> Task<Void, any Error> {
    let isOpen = Gate()
    let user = Task {
      try await tenants.withScope(key) { _ in
        isOpen.open()
        await mayEnd.wait()
      }
    }
    try await isOpen.passed()
    return user
  }

  /// Begins an operation that sleeps until it is cancelled.
  private func sleeper(in tenants: KeyedScopes<Int>) async throws -> Task<Void, any Error> {
    let user = Task {
      try await tenants.withScope(1) { _ in try await clock.sleep(for: .seconds(1 << 20)) }
    }
    try await clock.waitForSleepers(1)
    return user
  }

  /// Ends the scope of key 1 or all of them, opens a gate while it ends, and waits for a user whose operation ends then.
  private func end(
    _ tenants: KeyedScopes<Int>, byShutdown: Bool, during user: Task<Void, any Error>, opening mayGoOn: Gate
  ) async throws {
    let ending = Task { if byShutdown { try await app.shutdown() } else { await tenants.end(1) } }
    try await until { tenants.open.isEmpty }
    mayGoOn.open()
    try await user.value
    try await ending.value
  }

  // MARK: Idle scopes

  @Test func anIdleScopeEndsWhenItsTimeIsUp() async throws {
    let tenants = tenants(idleFor: .seconds(60))
    try await open(1, in: tenants)
    try await until { clock.sleeperCount == 1 }
    clock.advance(by: .seconds(30))
    try await open(2, in: tenants)
    // A use begins the time anew.
    try await open(1, in: tenants)
    clock.advance(by: .seconds(59))
    try await until { clock.sleeperCount == 1 }
    #expect(tenants.open.map(\.key) == [1, 2] && journal.entries.isEmpty)
    clock.advance(by: .seconds(1))
    try await until { journal.entries.count == 2 && tenants.open.isEmpty }
    #expect(Set(journal.entries) == ["1", "2"])
    try await until { clock.sleeperCount == 0 }
  }

  @Test func aScopeInUseIsNotIdle() async throws {
    let tenants = tenants(idleFor: .seconds(1))
    try await tenants.withScope(1) { scope in
      try await open(1, in: tenants)
      clock.advance(by: .seconds(100))
      #expect(tenants.open.map(\.uses) == [1])
      #expect(try await scope.resolve(Connection.self) === scope.resolve(Connection.self))
    }
    #expect(journal.entries.isEmpty)
    try await until { clock.sleeperCount == 1 }
    clock.advance(by: .seconds(1))
    try await until { app.openScopes.isEmpty }
    #expect(journal.entries == ["1"])
  }

  /// A key whose hash is that of all others.
  private struct CollidingKey: Hashable, Sendable {
    let number: Int
    var onComparison: @Sendable () -> Void = {}

    static func == (left: CollidingKey, right: CollidingKey) -> Bool {
      left.onComparison()
      right.onComparison()
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) {}
  }

  // A regression: the search for a key began an operation of another one with the same hash, which began that one's time anew.
  @Test func theUseOfAKeyLeavesAKeyOfTheSameHashIdle() async throws {
    let tenants: KeyedScopes<CollidingKey> = app.keyedScopes("tenant", idleFor: .seconds(60))
    for number in 1...2 { try await tenants.withScope(CollidingKey(number: number)) { _ in } }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(59))
    let uses = Journal<[Int]>()
    let key = CollidingKey(number: 1) { uses.note(tenants.open.map(\.uses)) }
    try await tenants.withScope(key) { _ in }
    #expect(!uses.entries.isEmpty && uses.entries.allSatisfy { $0 == [0, 0] })
    clock.advance(by: .seconds(1))
    // The sweeper has ended the scopes whose time is up, and waits for the next one.
    try await clock.waitForSleepers()
    #expect(tenants.open.map(\.key.number) == [1])
  }

  @Test(arguments: [nil, Duration.zero, .seconds(-1)]) func withoutAnIdleTimeAScopeEndsWithItsLastUse(
    idleFor: Duration?
  ) async throws {
    let tenants = tenants(idleFor: idleFor)
    try await tenants.withScope(1) { _ in
      try await open(1, in: tenants)
      #expect(journal.entries.isEmpty)
    }
    #expect(journal.entries == ["1"] && tenants.open.isEmpty && clock.sleeperCount == 0)
  }

  @Test func anEndlessIdleTimeIsNoTrap() async throws {
    let tenants = app.keyedScopes("tenant", idleFor: .seconds(Int64.max)) { (id: Int) in Registration(instance: id) }
    try await tenants.withScope(1) { _ in }
    try await until { clock.sleeperCount == 1 }
    #expect(tenants.open.count == 1)
    try await app.shutdown()
    #expect(tenants.open.isEmpty)
    let real: KeyedScopes<Int> = Container().keyedScopes("tenant", idleFor: .seconds(Int64.max))
    try await real.withScope(1) { _ in }
    await real.end(1)
    #expect(real.open.isEmpty)
  }

  // A regression: each end of the only scope cancelled the sleep of the task that ends idle scopes. The timer stayed until the time was up.
  @Test func theEndOfTheOnlyScopeCancelsNoSleep() async throws {
    let tenants = tenants(idleFor: .seconds(60))
    for _ in 0..<3 {
      try await open(1, in: tenants)
      try await clock.waitForSleepers()
      await tenants.end(1)
      #expect(clock.sleeperCount == 1)
    }
    clock.advance(by: .seconds(30))
    try await open(1, in: tenants)
    clock.advance(by: .seconds(30))
    // The task has found the scope idle for half of its time.
    try await clock.waitForSleepers()
    #expect(tenants.open.map(\.idleFor) == [.seconds(30)])
    clock.advance(by: .seconds(30))
    try await until { tenants.open.isEmpty && clock.sleeperCount == 0 }
  }

  @Test func theSleepForAnEndedScopeKeepsNothingAlive() async throws {
    weak var freed: Container?
    do {
      let app = Container(configuration: .init(clock: clock))
      freed = app
      let tenants: KeyedScopes<Int> = app.keyedScopes("tenant", idleFor: .seconds(60))
      try await tenants.withScope(1) { _ in }
      try await clock.waitForSleepers()
      await tenants.end(1)
    }
    try await until { freed == nil && clock.sleeperCount == 0 }
  }

  @Test func anIdleScopeKeepsItsCollectionAlive() async throws {
    try await open(1, in: tenants(idleFor: .seconds(60)))
    try await clock.waitForSleepers()
    #expect(app.openScopes.map(\.name) == ["tenant"])
    clock.advance(by: .seconds(60))
    try await until { app.openScopes.isEmpty && clock.sleeperCount == 0 }
    #expect(journal.entries == ["1"])
  }

  @Test func aClockThatCannotSleepEndsAnIdleScope() async throws {
    struct Broken: Clock {
      struct Failure: Error {}
      var now: ContinuousClock.Instant { .now }
      var minimumResolution: Duration { .zero }
      func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws { throw Failure() }
    }
    let app = Container(configuration: .init(clock: Broken()))
    let tenants: KeyedScopes<Int> = app.keyedScopes("tenant", idleFor: .seconds(1 << 20))
    try await tenants.withScope(1) { _ in }
    try await until { tenants.open.isEmpty }
  }

  // MARK: The end of a key

  @Test func aCallerWaitsForTheEndAndOpensANewScope() async throws {
    let gate = Gate()
    let tenants = tenants(idleFor: .seconds(60), gate: gate)
    try await open(1, in: tenants)
    let end = Task { await tenants.end(1) }
    try await until { tenants.open.isEmpty }
    let caller = Task { try await tenants.withScope(1) { try await $0.resolve(Connection.self) } }
    let cancelled = Task { try await tenants.withScope(1) { _ in } }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(tenants.open.isEmpty && journal.entries.isEmpty)
    gate.open()
    await end.value
    #expect(journal.entries == ["1"])
    _ = try await caller.value
    #expect(tenants.open.map(\.key) == [1])
  }

  @Test func theEndOfAKeyWaitsForItsOperations() async throws {
    let tenants = tenants(idleFor: .seconds(60))
    let (isOpen, mayGoOn) = (Gate(), Gate())
    let user = Task {
      try await tenants.withScope(1) { scope in
        isOpen.open()
        await mayGoOn.wait()
        // The scope works as before, also for child tasks, and the user may enter it again.
        async let connection = scope.resolve(Connection.self)
        _ = try await (connection, scope.resolve(Polite.self))
        try await tenants.withScope(1) { #expect($0 === scope) }
        journal.note("operation")
      }
    }
    try await isOpen.passed()
    let end = Task {
      await tenants.end(1)
      journal.note("end")
    }
    try await until { tenants.open.isEmpty }
    mayGoOn.open()
    try await user.value
    await end.value
    #expect(journal.entries == ["operation", "1", "end"])
  }

  @Test func anOperationMayEndItsOwnScope() async throws {
    let tenants = tenants(idleFor: .seconds(60))
    try await tenants.withScope(1) { scope in
      _ = try await scope.resolve(Connection.self)
      await tenants.end(1)
      #expect(journal.entries == ["1"])
      #expect(try await asyncResolutionError { try await scope.resolve(Connection.self) }.code == .closed)
      let other = try await tenants.withScope(1) { $0 }
      #expect(other !== scope)
    }
    #expect(tenants.open.map(\.key) == [1])
  }

  @Test func aDisposerMayNotOpenTheScopeThatItEnds() async throws {
    let found = Shelf<(any Error)?>(nil)
    let scopes = Shelf<KeyedScopes<Int>?>(nil)
    scopes.value = app.keyedScopes("session") { (id: Int) in
      Registration(Probe.self, scope: .scoped) { _ in Probe() }.onDispose { _ in
        do { try await scopes.value?.withScope(id) { _ in } } catch { found.value = error }
        await scopes.value?.end(id)
      }
    }
    try await scopes.value?.withScope(1) { _ = try await $0.resolve(Probe.self) }
    let error = try #require(found.value as? ResolutionError)
    #expect(error.code == .closed)
    // A regression: the error named the container, which is open.
    #expect(error.container == "session")
    try await scopes.value?.withScope(1) { _ in }
    scopes.value = nil
  }

  @Test func endingWithATimeoutCancelsTheOperations() async throws {
    let tenants = tenants(idleFor: .seconds(60))
    let user = try await sleeper(in: tenants)
    let end = Task { await tenants.end(1, timeout: .seconds(1)) }
    try await until { clock.sleeperCount == 2 }
    clock.advance(by: .seconds(1))
    await end.value
    await #expect(throws: CancellationError.self) { try await user.value }
  }

  @Test func theScopesContainerMayBeShutDownItself() async throws {
    let tenants = tenants(idleFor: .seconds(60))
    let scope = try await tenants.withScope(1) { $0 }
    try await scope.shutdown()
    #expect(tenants.open.isEmpty)
    let other = try await tenants.withScope(1) { $0 }
    #expect(other !== scope)
  }

  @Test func endingAKeyThatIsNotOpenDoesNothing() async throws {
    let tenants = tenants(idleFor: .seconds(60))
    await tenants.end(1)
    try await open(2, in: tenants)
    await tenants.end(1)
    #expect(tenants.open.map(\.key) == [2])
  }

  // MARK: Shutdown

  @Test func shutdownWaitsForOperationsAndEndsAllScopes() async throws {
    let tenants = tenants(idleFor: .seconds(60))
    try await open(1, 2, in: tenants)
    let (isOpen, mayGoOn) = (Gate(), Gate())
    let user = Task {
      try await tenants.withScope(3) { scope in
        isOpen.open()
        await mayGoOn.wait()
        _ = try await scope.resolve(Connection.self)
        _ = try await app.resolve(Polite.self)
        try await scope.withScope("part") { _ = try await $0.resolve(Polite.self) }
        try await tenants.withScope(3) { #expect($0 === scope) }
        journal.note("operation")
      }
    }
    try await isOpen.passed()
    let closing = Task { try await app.shutdown() }
    try await until { app.lifecycle.isDraining }
    // Neither a new scope nor a further operation begins.
    for key in [1, 3, 4] {
      #expect(try await asyncResolutionError { try await tenants.withScope(key) { _ in } }.code == .closed, "\(key)")
    }
    mayGoOn.open()
    try await user.value
    try await closing.value
    #expect(journal.entries.first == "operation" && Set(journal.entries.dropFirst()) == ["1", "2", "3"])
    #expect(tenants.open.isEmpty)
  }

  @Test func anOperationMayShutDownTheContainer() async throws {
    let tenants = tenants(idleFor: .seconds(60))
    try await open(2, in: tenants)
    try await tenants.withScope(1) { scope in
      _ = try await scope.resolve(Connection.self)
      try await app.shutdown()
      #expect(journal.entries.sorted() == ["1", "2"])
      #expect(try await asyncResolutionError { try await scope.resolve(Connection.self) }.code == .closed)
    }
    #expect(tenants.open.isEmpty)
  }

  @Test func aShutdownReportsLateOperations() async throws {
    let tenants = tenants(idleFor: .seconds(60))
    let user = try await sleeper(in: tenants)
    let closing = Task { try await app.shutdown(timeout: .seconds(1)) }
    try await until { clock.sleeperCount == 2 }
    clock.advance(by: .seconds(1))
    let error = await #expect(throws: ShutdownError.self) { try await closing.value }
    #expect(error?.openScopes.map(\.name) == ["tenant"])
    await #expect(throws: CancellationError.self) { try await user.value }
  }

  @Test func aShutdownReportsAnExtendedScope() async throws {
    let lease = try await tenants().withScope(1) { try $0.extendScope() }
    let closing = Task { try await app.shutdown(timeout: .seconds(1)) }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    let error = await #expect(throws: ShutdownError.self) { try await closing.value }
    #expect(error?.openScopes.map(\.name) == ["tenant"])
    try await lease.end()
  }

  /// An actor whose tasks continue on the thread that wakes them, before that thread continues.
  private actor Bystander {
    private nonisolated let executor = Executor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    func openScopes(of container: Container, when latch: Latch, opening hasBegun: Gate) async -> [OpenScope] {
      hasBegun.open()
      _ = await latch.wait()
      return container.openScopes
    }

    private final class Executor: SerialExecutor {
      func enqueue(_ job: consuming ExecutorJob) {
        unsafe UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
      }
    }
  }

  // A regression: the scope was listed for a moment after its end had woken the waiters, such as a shutdown.
  @Test func aScopeThatHasEndedIsNotListed() async throws {
    let tenants = tenants(idleFor: .seconds(60))
    // Repeated, because the scope may end before the bystander waits.
    for _ in 0..<20 {
      let scope = try await tenants.withScope(1) { $0 }
      let (bystander, hasBegun, ended) = (Bystander(), Gate(), scope.lifecycle.endLatch())
      let listed = Task { await bystander.openScopes(of: app, when: ended, opening: hasBegun) }
      try await hasBegun.passed()
      await tenants.end(1)
      #expect(await listed.value.isEmpty)
    }
  }

  @Test func everythingIsReleasedAfterAShutdown() async throws {
    let (lifetime, ended) = (ObjectLifetime(), ObjectLifetime())
    try await {
      let app = Container(name: "app", configuration: .init(clock: clock)) { [token = ended.token()] in
        Registration(instance: token)
      }
      let tenants = app.keyedScopes("tenant", idleFor: .seconds(60)) { [token = lifetime.token()] (id: Int) in
        Registration(instance: id)
        Registration(ObjectLifetime.Token.self, scope: .scoped) { _ in token }
      }
      for key in 0..<10 { try await tenants.withScope(key) { _ = try await $0.resolve(ObjectLifetime.Token.self) } }
      try await app.shutdown()
    }()
    try await lifetime.ended.passed()
    try await ended.ended.passed()
  }

  @Test func aDroppedCollectionEndsItsIdleScopes() async throws {
    try await open(1, 2, in: tenants(idleFor: .seconds(60)))
    try await until { clock.sleeperCount == 1 }
    clock.advance(by: .seconds(60))
    try await until { journal.entries.count == 2 && app.openScopes.isEmpty }
  }

  // MARK: Extensions

  @Test(arguments: [nil, Duration.seconds(60)]) func anExtensionKeepsTheScopeInUse(idleFor: Duration?) async throws {
    let tenants = tenants(idleFor: idleFor)
    let (scope, lease) = try await tenants.withScope(1) { scope in (scope, try scope.extendScope()) }
    #expect(tenants.open.map(\.uses) == [1])
    _ = try await scope.resolve(Connection.self)
    #expect(journal.entries.isEmpty)
    try await lease.end()
    try await lease.end()
    #expect(tenants.open.map(\.uses) == (idleFor == nil ? [] : [0]))
    await tenants.end(1)
    #expect(journal.entries == ["1"])
    #expect(try resolutionError { try scope.extendScope() }.code == .closed)
  }

  @Test func aShutdownWaitsForAnExtension() async throws {
    let tenants = tenants(idleFor: .seconds(60))
    let lease = try await tenants.withScope(1) { try $0.extendScope() }
    let closing = Task { [journal] in
      try await app.shutdown()
      journal.note("closed")
    }
    try await until { app.lifecycle.isDraining && tenants.open.isEmpty }
    #expect(journal.entries.isEmpty)
    try await lease.end()
    try await closing.value
    #expect(journal.entries == ["closed"])
  }

  /// A container in which the opener of a scope extends it when it has started the scope's modules, and before it publishes the scope.
  ///
  /// - Parameter isEnded: Whether another caller then begins to end the scope.
  private func appThatExtends(
    andEnds isEnded: Bool = false, by lease: Shelf<ScopeExtension?>
  ) -> (app: Container, parent: Shelf<Container?>) {
    let parent = Shelf<Container?>(nil)
    // The opener reads the clock then.
    let watched = WatchedClock {
      guard lease.value == nil, let scope = parent.value?.scopes.first else { return }
      lease.value = try? scope.extendScope()
      if isEnded { scope.refuseNewWork() }
    }
    let app = Container(name: "app", configuration: .init(clock: watched))
    parent.value = app
    return (app, parent)
  }

  // A regression: a module could not extend its scope before the scope was published.
  @Test func aScopeThatIsOpeningIsExtended() async throws {
    let lease = Shelf<ScopeExtension?>(nil)
    let (app, parent) = appThatExtends(by: lease)
    let tenants: KeyedScopes<Int> = app.keyedScopes("tenant")
    try await tenants.withScope(1) { _ in }
    #expect(tenants.open.map(\.uses) == [1])
    try await lease.value?.end()
    #expect(lease.value != nil && tenants.open.isEmpty)
    parent.value = nil
  }

  @Test func theOpenerOfAnEndingScopeWaitsForAnExtension() async throws {
    let lease = Shelf<ScopeExtension?>(nil)
    let (app, parent) = appThatExtends(andEnds: true, by: lease)
    let tenants: KeyedScopes<Int> = app.keyedScopes("tenant")
    let opener = Task { try await asyncResolutionError { try await tenants.withScope(1) { _ in } }.code }
    try await until { lease.value != nil }
    let scope = try #require(app.scopes.first)
    for _ in 0..<100 { await Task.yield() }
    #expect(!scope.lifecycle.isClosed)
    try await lease.value?.end()
    #expect(try await opener.value == .closed)
    #expect(scope.lifecycle.hasEnded && app.openScopes.isEmpty)
    parent.value = nil
  }

  // MARK: Scopes below

  /// Runs an operation in a task, and waits for it until the test is cancelled.
  private func returned<Value: Sendable>(
    _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let (result, hasReturned) = (Shelf<Result<Value, any Error>?>(nil), Gate())
    Task {
      result.value = await Result { try await body() }
      hasReturned.open()
    }
    try await hasReturned.passed()
    return try #require(result.value).get()
  }

  /// Opens a scope below that of a key, and extends it.
  private func extendedBelow(_ key: Int, of tenants: KeyedScopes<Int>) async throws -> ScopeExtension {
    try await returned {
      try await tenants.withScope(key) { tenant in
        _ = try await tenant.resolve(Connection.self)
        return try await tenant.withScope("request") { try $0.extendScope() }
      }
    }
  }

  // A regression: the last operation waited for the extension, which its caller ends later.
  @Test(arguments: [nil, Duration.seconds(60)]) func anExtensionBelowKeepsTheScopeInUse(idleFor: Duration?) async throws
  {
    let tenants = tenants(idleFor: idleFor)
    let lease = try await extendedBelow(1, of: tenants)
    #expect(tenants.open.map(\.uses) == [0] && tenants.open.map(\.idleFor) == [nil])
    #expect(journal.entries.isEmpty && clock.sleeperCount == 0)
    try await lease.end()
    #expect(tenants.open.map(\.idleFor) == (idleFor == nil ? [] : [.zero]))
    await tenants.end(1)
    #expect(journal.entries == ["1"])
  }

  // A regression: the scope counted as idle, and began to end, so that further callers waited for the extension.
  @Test func anExtensionBelowDelaysTheIdleTime() async throws {
    let tenants = tenants(idleFor: .seconds(60))
    let lease = try await extendedBelow(1, of: tenants)
    clock.advance(by: .seconds(30))
    try await open(2, in: tenants)
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(30))
    // The sweeper waits for the time of the other key.
    try await clock.waitForSleepers()
    #expect(tenants.open.map(\.key) == [1, 2] && journal.entries.isEmpty)
    try await lease.end()
    #expect(tenants.open.map(\.idleFor) == [.zero, .seconds(30)])
    try await app.shutdown()
  }

  // A regression: a scope with a scope open below was ended as the longest idle one.
  @Test(arguments: [false, true]) func aScopeWithAnotherOneBelowIsNotEvicted(isExtended: Bool) async throws {
    let tenants = tenants(idleFor: .seconds(600), max: 2)
    let (isOpen, mayEnd) = (Gate(), Gate())
    let part: @Sendable () async throws -> Void
    if isExtended {
      let lease = try await extendedBelow(1, of: tenants)
      part = { try await lease.end() }
    } else {
      let job = try await tenants.withScope(1) { tenant in
        Task {
          try await tenant.withScope("job") { _ in
            isOpen.open()
            await mayEnd.wait()
          }
        }
      }
      try await isOpen.passed()
      part = {
        mayEnd.open()
        try await job.value
      }
    }
    clock.advance(by: .seconds(1))
    try await open(2, in: tenants)
    try await returned { [journal] in
      try await tenants.withScope(3) { _ in #expect(journal.entries == ["2"], "The evicted scope has ended") }
    }
    #expect(Set(tenants.open.map(\.key)) == [1, 3])
    try await part()
    try await app.shutdown()
  }

  @Test func theEndOfAScopeBelowMakesRoomForAWaiter() async throws {
    let tenants = tenants(idleFor: .seconds(600), max: 1)
    let lease = try await extendedBelow(1, of: tenants)
    let waiting = Task { [journal] in try await tenants.withScope(2) { _ in journal.note("2 runs") } }
    try await until { tenants.scopes.mapTables { $0.all.count }.reduce(0, +) == 2 }
    #expect(journal.entries.isEmpty)
    try await lease.end()
    try await waiting.value
    #expect(journal.entries == ["1", "2 runs"])
  }

  // A regression: the last operation waited for the scope of a task that it had started.
  @Test func aScopeEndsWithTheLastScopeBelow() async throws {
    let tenants = tenants()
    let (isOpen, mayEnd) = (Gate(), Gate())
    let job = try await returned {
      try await tenants.withScope(1) { tenant in
        _ = try await tenant.resolve(Connection.self)
        let job = Task {
          try await tenant.withScope("job") { scope in
            isOpen.open()
            await mayEnd.wait()
            _ = try await scope.resolve(Connection.self)
          }
        }
        try await isOpen.passed()
        return job
      }
    }
    #expect(journal.entries.isEmpty && tenants.open.map(\.idleFor) == [nil])
    mayEnd.open()
    try await job.value
    #expect(journal.entries == ["1"] && tenants.open.isEmpty)
  }

  @Test func theEndOfAnExtensionThrowsTheFailuresOfTheScopeAbove() async throws {
    let tenants = app.keyedScopes("tenant") { [journal] (_: Int) in
      Registration(Connection.self, scope: .scoped("tenant")) { _ in Connection("a", journal, failure: Boom()) }
    }
    let lease = try await extendedBelow(1, of: tenants)
    let error = await #expect(throws: ShutdownError.self) { try await lease.end() }
    #expect(error?.failures.map(\.container) == ["tenant"])
    #expect(tenants.open.isEmpty)
  }

  @Test(arguments: [false, true]) func anExtensionInACollectionBelowKeepsTheScopeInUse(isInRequest: Bool) async throws {
    let tenants = tenants()
    let lease = try await returned {
      try await tenants.withScope(1) { tenant in
        _ = try await tenant.resolve(Connection.self)
        let documents: KeyedScopes<Int> = tenant.makeChild().keyedScopes("document")
        return try await documents.withScope(1) { document in
          if !isInRequest { return try document.extendScope() }
          return try await document.withScope("request") { try $0.extendScope() }
        }
      }
    }
    #expect(journal.entries.isEmpty && tenants.open.map(\.idleFor) == [nil])
    try await lease.end()
    #expect(journal.entries == ["1"] && tenants.open.isEmpty && app.openScopes.isEmpty)
  }

  // MARK: The maximum

  @Test func aNewKeyEndsTheLongestIdleScope() async throws {
    let tenants = tenants(idleFor: .seconds(600), max: 2)
    try await open(1, in: tenants)
    clock.advance(by: .seconds(1))
    try await open(2, in: tenants)
    clock.advance(by: .seconds(1))
    try await open(1, in: tenants)
    clock.advance(by: .seconds(1))
    try await tenants.withScope(3) { _ in #expect(journal.entries == ["2"], "The evicted scope has ended") }
    #expect(Set(tenants.open.map(\.key)) == [1, 3])
  }

  @Test func aNewKeyWaitsUntilAScopeIsIdle() async throws {
    let tenants = tenants(idleFor: .seconds(600), max: 1)
    let (isOpen, mayGoOn) = (Gate(), Gate())
    let user = Task {
      try await tenants.withScope(1) { scope in
        _ = try await scope.resolve(Connection.self)
        isOpen.open()
        await mayGoOn.wait()
      }
    }
    try await isOpen.passed()
    let cancelled = Task { try await tenants.withScope(2) { _ in } }
    let waiting = Task { [journal] in
      try await tenants.withScope(3) { _ in journal.note("3 runs") }
    }
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(tenants.open.map(\.key) == [1])
    mayGoOn.open()
    try await user.value
    try await waiting.value
    #expect(journal.entries == ["1", "3 runs"])
    #expect(tenants.open.map(\.key) == [3])
  }

  @Test(arguments: [0, -3, 1]) func theMaximumIsAtLeastOne(max: Int) async throws {
    let tenants = tenants(max: max)
    for key in 1...3 { try await open(key, in: tenants) }
    #expect(journal.entries == ["1", "2", "3"])
  }

  @Test func waitersForASeatFailWhenTheContainerIsClosed() async throws {
    let tenants = tenants(idleFor: .seconds(600), max: 1)
    let mayGoOn = Gate()
    let user = try await use(1, of: tenants, until: mayGoOn)
    let waiters = (2...5).map { key in Task { try await tenants.withScope(key) { _ in } } }
    let closing = Task { try await app.shutdown() }
    try await until { app.lifecycle.isDraining }
    mayGoOn.open()
    try await user.value
    try await closing.value
    for waiter in waiters { #expect(try await asyncResolutionError { try await waiter.value }.code == .closed) }
  }

  // MARK: Refused scopes

  // A regression: the table released the scope under its lock.
  @Test func aRefusedScopeIsReleasedOutsideOfTheLock() async throws {
    final class Tenant: Sendable {
      let onEnd: @Sendable () -> Void
      init(_ onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
      deinit { onEnd() }
    }
    let shelf = Shelf<KeyedScopes<Int>?>(nil)
    let ended = Counter()
    let tenants = app.keyedScopes("refused") { (_: Int) in
      Registration(
        instance: Tenant {
          #expect(shelf.value?.open.isEmpty == true)
          ended.increment()
        })
    }
    shelf.value = tenants
    try await app.shutdown()
    let error = try await asyncResolutionError { try await tenants.withScope(1) { _ in } }
    #expect(error.code == .closed)
    // The scope is closed, so its registrations are freed once no reader of the process is in between.
    await ended.wait(for: 1)
    shelf.value = nil
  }

  /// Closes the first scope that it learns of, and retains it.
  private final class ClosingObserver: ContainerObserver {
    private let isAtOpening: Bool
    let closed = Journal<Container>()

    init(atOpening isAtOpening: Bool) { self.isAtOpening = isAtOpening }

    func container(_ container: Container, didRegister registration: RegistrationInfo) {
      if !isAtOpening { close(container) }
    }

    func container(_ container: Container, didEmit event: ContainerEvent) {
      if isAtOpening, case .opened = event.kind { close(container) }
    }

    private func close(_ container: Container) {
      guard container.lifecycle.isScope, closed.entries.isEmpty else { return }
      closed.note(container)
      _ = container.closeAtOnce(after: .shutDown)
    }
  }

  // A regression: the container listed the scope after its end, and did not retain it.
  @Test(arguments: [false, true]) func aScopeThatItsObserverClosesIsNotListed(atOpening: Bool) async throws {
    let observer = ClosingObserver(atOpening: atOpening)
    let app = Container(name: "app", configuration: .init(observer: observer, clock: clock))
    let tenants = app.keyedScopes("tenant", idleFor: .seconds(60), max: 1) { (id: Int) in Registration(instance: id) }
    #expect(try await asyncResolutionError { try await tenants.withScope(1) { _ in } }.code == .closed)
    #expect(observer.closed.entries.count == 1)
    #expect(app.openScopes.isEmpty && tenants.open.isEmpty)
    let scope = try await tenants.withScope(1) { $0 }
    #expect(scope !== observer.closed.entries.first && tenants.open.map(\.key) == [1])
  }

  // A regression: the entry and its scope retained each other.
  @Test func theEntryOfAnEndedScopeDoesNotHoldIt() throws {
    var table = KeyTable()
    let new = table.insert(TypedKey(1), 1, before: nil)
    let entry = try #require(new)
    _ = table.remove(entry)
    table.prepare(entry, Container())
    #expect(entry.scope == nil)
  }

  // MARK: Draining

  // A regression: the shutdown waited for the operation, which waited for the seat of a scope that was to end after it.
  @Test(arguments: [false, true]) func aShutdownRefusesCallersThatWaitForASeat(waitsBefore: Bool) async throws {
    let tenants = tenants(idleFor: .seconds(60), max: 1)
    let mayEnd = Gate()
    let user = try await use(1, of: tenants, until: mayEnd)
    if !waitsBefore {
      mayEnd.open()
      try await user.value
    }
    let (isOpen, mayGoOn) = (Gate(), Gate())
    let request = Task {
      try await app.withScope("request") { _ in
        isOpen.open()
        await mayGoOn.wait()
        let error = try await asyncResolutionError { try await tenants.withScope(2) { _ in } }
        #expect(error.code == .closed)
      }
    }
    try await isOpen.passed()
    if waitsBefore {
      mayGoOn.open()
      try await until { tenants.scopes.mapTables { $0.all.count }.reduce(0, +) == 2 }
    }
    let closing = Task { try await app.shutdown() }
    try await until { tenants.open.isEmpty }
    mayGoOn.open()
    try await request.value
    mayEnd.open()
    try await user.value
    try await closing.value
    #expect(tenants.scopes.mapTables { $0.all.isEmpty }.allSatisfy { $0 })
  }

  // A regression: the list of operations to wait for was made before the extension.
  @Test(arguments: [false, true]) func anEndWaitsForAnExtensionGrantedMeanwhile(byShutdown: Bool) async throws {
    let tenants = tenants(idleFor: .seconds(60))
    let (isOpen, mayGoOn) = (Gate(), Gate())
    let user = Task {
      try await tenants.withScope(1) { scope in
        isOpen.open()
        await mayGoOn.wait()
        return (scope, try scope.extendScope())
      }
    }
    try await isOpen.passed()
    let ending = Task {
      if byShutdown { try await app.shutdown() } else { await tenants.end(1) }
      journal.note("ended")
    }
    try await until { tenants.open.isEmpty }
    mayGoOn.open()
    let (scope, lease) = try await user.value
    for _ in 0..<100 { await Task.yield() }
    _ = try await scope.resolve(Connection.self)
    #expect(journal.entries.isEmpty)
    try await lease.end()
    try await ending.value
    #expect(journal.entries == ["1", "ended"])
  }

  // A regression: a child of the scope refused the scope's own operation.
  @Test(arguments: [false, true]) func whatIsBelowAnEndingScopeServesItsOperations(byShutdown: Bool) async throws {
    let tenants = tenants(idleFor: .seconds(60))
    let (isOpen, mayGoOn) = (Gate(), Gate())
    let user = Task {
      try await tenants.withScope(1) { scope in
        let child = scope.makeChild()
        let parts: KeyedScopes<Int> = scope.keyedScopes("part", idleFor: .seconds(60))
        try await parts.withScope(1) { _ in }
        isOpen.open()
        await mayGoOn.wait()
        _ = try await child.resolve(Polite.self)
        try await child.withScope { _ = try await $0.resolve(Polite.self) }
        try await parts.withScope(1) { _ = try await $0.resolve(Polite.self) }
      }
    }
    try await isOpen.passed()
    try await end(tenants, byShutdown: byShutdown, during: user, opening: mayGoOn)
  }

  // A regression: the shutdown waited for the operation, which waited for its child task.
  @Test func aChildTaskInANestedScopeCanShutDownTheContainer() async throws {
    let tenants = tenants(idleFor: .seconds(60))
    try await tenants.withScope(1) { tenant in
      async let part: Void = tenant.withScope("part") { _ in try await app.shutdown() }
      try await part
    }
    #expect(app.lifecycle.hasEnded)
  }

  // A regression: the shutdown had taken over the scope, but seemed to wait for its operation, and returned at once.
  @Test func anOperationMayShutDownTheContainerWhileItsKeyEnds() async throws {
    let tenants = tenants(idleFor: .seconds(60))
    try await app.register {
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }.onDispose { [journal] _ in
        await Task.yield()
        journal.note("leaf")
        throw Boom(number: 1)
      }
    }
    _ = try await app.resolve(Leaf.self)
    let (isOpen, mayGoOn) = (Gate(), Gate())
    let user = Task {
      try await tenants.withScope(1) { _ in
        isOpen.open()
        await mayGoOn.wait()
        await #expect(throws: ShutdownError.self) { try await app.shutdown() }
        #expect(journal.entries == ["leaf"])
      }
    }
    try await isOpen.passed()
    let ending = Task { await tenants.end(1) }
    try await until { tenants.open.isEmpty }
    mayGoOn.open()
    try await user.value
    await ending.value
  }

  private final class EventJournal: ContainerObserver {
    let journal = Journal<String>()
    func container(_ container: Container, didEmit event: ContainerEvent) {
      if event.container == "tenant" { journal.note(event.summary) }
    }
  }

  // A regression: the scope was found and closed before observers learnt of its opening.
  @Test func anObserverLearnsOfTheOpeningFirst() async throws {
    let (observer, parent) = (EventJournal(), Shelf<Container?>(nil))
    // The opener reads the clock after it has listed the scope, and before it publishes it.
    let watched = WatchedClock {
      for scope in parent.value?.scopes ?? [] { _ = scope.closeAtOnce(after: .shutDown) }
    }
    let app = Container(name: "app", configuration: .init(observer: observer, clock: watched))
    let tenants: KeyedScopes<Int> = app.keyedScopes("tenant", idleFor: .seconds(60))
    parent.value = app
    #expect(try await asyncResolutionError { try await tenants.withScope(1) { _ in } }.code == .closed)
    #expect(observer.journal.entries == ["opened tenant", "closed tenant"])
    parent.value = nil
  }

  // A regression: a scope below one that ended stayed open when its operation had returned, and kept its seat.
  @Test(arguments: [false, true]) func aScopeBelowAnEndingOneEndsWithItsOperation(byShutdown: Bool) async throws {
    let tenants = tenants(idleFor: .seconds(60))
    let (isOpen, mayGoOn) = (Gate(), Gate())
    let user = Task {
      try await tenants.withScope(1) { tenant in
        let documents: KeyedScopes<Int> = tenant.keyedScopes("document", max: 1) { [journal] _ in
          Registration(Leaf.self, scope: .scoped) { _ in Leaf() }
            .onDispose { _, outcome in journal.note(outcome.name) }
        }
        try await documents.withScope(1) { document in
          _ = try await document.resolve(Leaf.self)
          isOpen.open()
          await mayGoOn.wait()
          // As the end above does, which waits for the operation.
          #expect(document.lifecycle.uses?.operations.count == 1)
        }
        #expect(journal.entries == ["completed"] && documents.open.isEmpty)
        try await documents.withScope(2) { _ = try await $0.resolve(Leaf.self) }
      }
    }
    try await isOpen.passed()
    try await end(tenants, byShutdown: byShutdown, during: user, opening: mayGoOn)
    #expect(journal.entries == ["completed", "completed"])
  }

  // A regression: the caller got an extension of a scope that resolved nothing any more.
  @Test func aClosedScopeIsNotExtended() async throws {
    let gate = Gate()
    let tenants = tenants(idleFor: .seconds(60), gate: gate)
    try await tenants.withScope(1) { scope in
      _ = try await scope.resolve(Connection.self)
      let late = Task.detached {
        defer { gate.open() }
        try await until { scope.lifecycle.isClosed }
        return try resolutionError { _ = try scope.extendScope() }.code
      }
      await tenants.end(1)
      #expect(try await late.value == .closed)
    }
  }
}
