import ActorDITestSupport
import Testing

@testable import ActorDI

/// Builds that are in flight when their container is closed.
@Suite("Shutdown with builds in flight", .timeLimit(.minutes(5)))
struct ShutdownInFlightTests {
  private let journal = Journal<String>()

  private func code(of task: Task<some Sendable, any Error>) async throws -> ResolutionError.Code {
    try await asyncResolutionError { try await task.value }.code
  }

  @Test(arguments: [Scope.singleton, .scoped, .shared, .transient, .graph, .pooled(max: 1)])
  func shutdownDisposesOfALateInstanceAndItsCallerGetsClosed(scope: Scope) async throws {
    let (started, gate) = (Gate(), Gate())
    let app = Container { [journal] in
      Registration(Connection.self, scope: scope) { _ in
        started.open()
        await gate.wait()
        journal.note("built")
        return Connection("c", journal)
      }
    }
    let waiter = Task { try await app.resolve(Connection.self) }
    try await started.passed()
    let closing = Task { [journal] in
      try await app.shutdown()
      journal.note("closed")
    }
    try await until { app.lifecycle.isClosed }
    for _ in 0..<20 { await Task.yield() }
    #expect(journal.entries.isEmpty, "The shutdown waits for the build")
    gate.open()
    #expect(try await code(of: waiter) == .closed)
    try await closing.value
    if scope == .shared {
      // The container held the only reference.
      #expect(journal.entries.filter { $0 != "c" } == ["built", "closed"])
    } else {
      #expect(journal.entries == ["built", "c", "closed"])
    }
  }

  @Test func shutdownDisposesOfAnInstanceWhoseHookOrPostInitialisationIsRunning() async throws {
    for step in ["hook", "initialisation"] {
      let journal = Journal<String>()
      let (started, gate) = (Gate(), Gate())
      let app = Container {
        Registration(Staged.self, scope: .singleton) { _ in
          Staged(journal, initialising: step == "hook" ? nil : (started, gate))
        }
        .onCreated { _, _ in
          guard step == "hook" else { return }
          started.open()
          await gate.wait()
        }
      }
      let waiter = Task { try await app.resolve(Staged.self) }
      try await started.passed()
      let closing = Task { try await app.shutdown() }
      try await until { app.lifecycle.isClosed }
      gate.open()
      #expect(try await code(of: waiter) == .closed)
      try await closing.value
      #expect(journal.entries == ["disposed"], "\(step)")
    }
  }

  @Test func shutdownCancelsBuildsInFlight() async throws {
    let started = Gate()
    let app = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        started.open()
        try await Gate().passed()
        return Probe()
      }
    }
    let waiters = (0..<3).map { _ in Task { try await app.resolve(Probe.self) } }
    try await started.passed()
    try await app.shutdown()
    for waiter in waiters { #expect(try await code(of: waiter) == .closed) }
  }

  @Test func threadsThatWaitForASynchronousBuildGetClosed() async throws {
    let (started, gate, waiting) = (Gate(), Gate(), Counter())
    let app = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in
        started.open()
        gate.block()
        return Connection("c", journal)
      }
    }
    let builder = Task { try await onThread { try app.resolve(Connection.self) } }
    try await started.passed()
    let others = (0..<3).map { _ in
      Task {
        try await onThread {
          waiting.increment()
          return try app.resolve(Connection.self)
        }
      }
    }
    await waiting.wait(for: 3)
    let closing = Task { try await app.shutdown() }
    try await until { app.lifecycle.isClosed }
    gate.open()
    for task in [builder] + others { #expect(try await code(of: task) == .closed) }
    try await closing.value
    #expect(journal.entries == ["c"])
  }

  /// A shutdown need not wait for the factory of a plain transient: an instance made too late is disposed of at once. (It does
  /// wait while all resolves take the slow path, for example because of an override in another test.)
  @Test func theContainerDisposesOfATransientBuiltAfterTheClose() async throws {
    let (started, gate) = (Gate(), Gate())
    let app = Container { [journal] in
      Registration((any Noted).self) { _ -> any Noted in
        started.open()
        gate.block()
        return Connection("late", journal)
      }
    }
    let builder = Task { try await onThread { try app.resolve((any Noted).self) } }
    try await started.passed()
    let closing = Task { try await app.shutdown() }
    try await until { app.lifecycle.isClosed }
    gate.open()
    #expect(try await code(of: builder) == .closed)
    try await closing.value
    try await until { journal.entries == ["late"] }
  }

  /// A plain transient that is made while the container still waits for another build.
  @Test func theContainerDisposesOfATransientBuiltDuringTheShutdown() async throws {
    let (started, gate, slow, slowStarted) = (Gate(), Gate(), Gate(), Gate())
    let app = Container { [journal] in
      Registration((any Noted).self) { _ -> any Noted in
        started.open()
        gate.block()
        return Connection("late", journal)
      }
      Registration(Probe.self, scope: .singleton) { _ in
        slowStarted.open()
        await slow.wait()
        return Probe()
      }
    }
    let builder = Task { try await onThread { try app.resolve((any Noted).self) } }
    let other = Task { try await app.resolve(Probe.self) }
    try await started.passed()
    try await slowStarted.passed()
    let closing = Task { try await app.shutdown() }
    try await until { app.lifecycle.isClosed }
    gate.open()
    #expect(try await code(of: builder) == .closed, "The caller does not get an instance that the shutdown disposes of")
    slow.open()
    try await closing.value
    #expect(try await code(of: other) == .closed && journal.entries == ["late"])
  }

  @Test func shutdownWaitsForBuildsInScopes() async throws {
    let (started, gate) = (Gate(), Gate())
    let app = Container { [journal] in
      Registration(Connection.self, scope: .scoped) { _ in
        started.open()
        await gate.wait()
        return Connection("scoped", journal)
      }
    }
    let request = Task { try await app.withScope { _ = try await $0.resolve(Connection.self) } }
    try await started.passed()
    let closing = Task { [journal] in
      try await app.shutdown()
      journal.note("closed")
    }
    try await until { app.lifecycle.isDraining }
    gate.open()
    try await request.value
    try await closing.value
    #expect(journal.entries == ["scoped", "closed"])
  }

  @Test func aDependentOfABuildInFlightGetsClosed() async throws {
    let (started, gate) = (Gate(), Gate())
    let app = Container { [journal] in
      Registration(Floor.self, scope: .singleton) { r in Floor(cellar: try await r.resolve()) }
      Registration(Cellar.self, scope: .singleton) { _ in
        started.open()
        await gate.wait()
        return Cellar(journal: journal)
      }
    }
    let waiter = Task { try await app.resolve(Floor.self) }
    try await started.passed()
    let closing = Task { try await app.shutdown() }
    try await until { app.lifecycle.isClosed }
    gate.open()
    #expect(try await code(of: waiter) == .closed)
    try await closing.value
    #expect(journal.entries == ["cellar"])
  }

  @Test func aFactoryThatThrowsAfterTheCloseFailsAsClosed() async throws {
    let (started, gate) = (Gate(), Gate())
    let app = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        started.open()
        await gate.wait()
        throw Boom()
      }
    }
    let waiter = Task { try await app.resolve(Probe.self) }
    try await started.passed()
    let closing = Task { try await app.shutdown() }
    try await until { app.lifecycle.isClosed }
    gate.open()
    #expect(try await code(of: waiter) == .closed)
    try await closing.value
  }

  @Test func aWaiterCancelledDuringTheShutdownLeavesAtOnce() async throws {
    let (started, gate) = (Gate(), Gate())
    let app = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in
        started.open()
        await gate.wait()
        return Connection("c", journal)
      }
    }
    let waiter = Task { try await app.resolve(Connection.self) }
    try await started.passed()
    let closing = Task { try await app.shutdown() }
    try await until { app.lifecycle.isClosed }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    gate.open()
    try await closing.value
    #expect(journal.entries == ["c"])
  }

  @Test func shutdownCompletesInACancelledTask() async throws {
    let gate = Gate()
    let app = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("slow", journal, gate: gate) }
      Registration(Connection.self, scope: .singleton) { _ in Connection("other", journal) }.key(1)
    }
    _ = try await (app.resolve(Connection.self, key: 1), app.resolve(Connection.self))
    let closing = Task { [journal] in
      try await app.shutdown()
      journal.note("closed, cancelled: \(Task.isCancelled)")
    }
    closing.cancel()
    try await until { app.lifecycle.isClosed }
    gate.open()
    try await closing.value
    #expect(journal.entries == ["slow", "other", "closed, cancelled: true"])
  }

  @Test func shutdownWaitsForResetsInFlight() async throws {
    let gate = Gate()
    let app = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("reset", journal, gate: gate) }
      Registration(Connection.self, scope: .singleton) { _ in Connection("other", journal) }.key(1)
    }
    _ = try await (app.resolve(Connection.self), app.resolve(Connection.self, key: 1))
    let reset = Task { await app.reset(Connection.self) }
    try await until { app.resolveIfReady(Connection.self) == nil && !app.lifecycle.activity.isIdle }
    let closing = Task { [journal] in
      try await app.shutdown()
      journal.note("closed")
    }
    try await until { app.lifecycle.isClosed }
    gate.open()
    try await closing.value
    await reset.value
    #expect(journal.entries == ["reset", "other", "closed"])
  }

  @Test func shutdownWaitsForADisposalOnAnotherThread() async throws {
    let (started, gate) = (Gate(), Gate())
    let app = Container { [journal] in
      Registration(Probe.self, scope: .singleton) { _ in Probe("slow") }
        .onDispose { probe in
          started.open()
          gate.block()
          journal.note(probe.name)
        }
    }
    _ = try await app.resolve(Probe.self)
    let binding = try #require(app.ownBinding(of: ServiceIdentity(Probe.self)))
    let disposing = Task { try await onThread { binding.forget().release() } }
    try await started.passed()
    let closing = Task { [journal] in
      try await app.shutdown()
      journal.note("closed")
    }
    // The shutdown waits for the disposal in flight, or returns, which would be the error.
    try await until {
      app.lifecycle.state.withLock { !$0.idleLatches.isEmpty } || journal.entries.contains("closed")
    }
    gate.open()
    try await closing.value
    try await disposing.value
    #expect(journal.entries == ["slow", "closed"])
  }

  private final class Staged: PostInitialization, Disposable {
    let journal: Journal<String>
    let initialising: (started: Gate, gate: Gate)?
    init(_ journal: Journal<String>, initialising: (started: Gate, gate: Gate)?) {
      self.journal = journal
      self.initialising = initialising
    }
    func didInitialize() async throws {
      initialising?.started.open()
      await initialising?.gate.wait()
    }
    func dispose() async throws { journal.note("disposed") }
  }

  /// The container does not check a plain transient without disposal again, so the caller may get it. (While another test's
  /// override is in force, the resolve takes the slow path and is refused.)
  @Test func aTransientWithoutDisposalCanReachItsCallerAfterTheClose() async throws {
    var wasHandedOut = false
    for _ in 0..<200 where !wasHandedOut {
      let (started, gate) = (Gate(), Gate())
      let app = Container {
        Registration(PlainService.self) { _ in
          started.open()
          gate.block()
          return PlainService()
        }
      }
      let builder = Task { try await onThread { try app.resolve(PlainService.self) } }
      try await started.passed()
      let closing = Task { try await app.shutdown() }
      try await until { app.lifecycle.isClosed }
      gate.open()
      do {
        _ = try await builder.value
        wasHandedOut = true
      } catch let error as ResolutionError {
        #expect(error.code == .closed)
      }
      try await closing.value
      #expect(try resolutionError { try app.resolve(PlainService.self) }.code == .closed)
    }
    #expect(wasHandedOut)
  }
}
