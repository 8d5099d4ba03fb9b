import ActorDITestSupport
import Testing

@testable import ActorDI

/// `withScope`: a container that ends with an operation.
@Suite("withScope", .timeLimit(.minutes(5)))
struct WithScopeTests {
  private let journal = Journal<String>()

  private func app() -> Container {
    Container(name: "app") { [journal] in
      Registration(Connection.self, scope: .scoped) { r in Connection(r.container.name, journal) }
      Registration(Probe.self, scope: .scoped) { _ in Probe("value") }
      Registration(Leaf.self) { _ in Leaf() }
    }
  }

  @Test func withScopeReturnsTheOperationsResult() async throws {
    let app = app()
    let name = try await app.withScope("s") { scope in
      #expect(scope.parent === app && scope.name == "s")
      return try await scope.resolve(Probe.self).name
    }
    #expect(name == "value")
    try await app.withScope { #expect($0.name == "scope") }
  }

  @Test func withScopeDisposesOfItsInstancesBeforeItReturns() async throws {
    let app = app()
    try await app.withScope("s") { _ = try await $0.resolve(Connection.self) }
    #expect(journal.entries == ["s"])
    try await app.shutdown()
    #expect(journal.entries == ["s"])
  }

  @Test func withScopeDisposesOfItsInstancesWhenTheOperationThrows() async throws {
    let app = app()
    await #expect(throws: Boom(number: 5)) {
      try await app.withScope("s") { scope in
        _ = try await scope.resolve(Connection.self)
        throw Boom(number: 5)
      }
    }
    #expect(journal.entries == ["s"])
  }

  @Test func aCancelledScopeDisposesOfItsInstances() async throws {
    let app = app()
    let (gate, release) = (Gate(), Gate())
    let task = Task { [journal] in
      defer { journal.note("returned") }
      try await app.withScope("s") {
        Registration(Connection.self, scope: .singleton) { _ in Connection("gated", journal, gate: release) }.key(1)
      } operation: { scope in
        _ = try await scope.resolve(Connection.self)
        _ = try await scope.resolve(Connection.self, key: 1)
        gate.open()
        try await Gate().passed()
      }
    }
    try await gate.passed()
    task.cancel()
    try await until { app.children.isEmpty || app.children[0].lifecycle.isClosed }
    #expect(journal.entries.isEmpty, "The disposer has not ended")
    release.open()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(journal.entries == ["gated", "s", "returned"])
    #expect(app.children.isEmpty)
  }

  @Test func disposersOfACancelledScopeRunUncancelled() async throws {
    let app = Container { [journal] in
      Registration(Probe.self, scope: .scoped) { _ in Probe() }
        .onDispose { _ in
          await Task.yield()
          journal.note("cancelled: \(Task.isCancelled)")
        }
    }
    let task = Task {
      try await app.withScope { scope in
        _ = try await scope.resolve(Probe.self)
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        try Task.checkCancellation()
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(journal.entries == ["cancelled: false"])
  }

  @Test func anEndedScopeIsClosed() async throws {
    let app = app()
    _ = try await app.resolve(Probe.self)
    let (scope, provider, lazy) = try await app.withScope { scope in
      for _ in 0..<3 { _ = try await scope.resolve(Probe.self) }
      return (scope, scope.provider(for: Probe.self), try await scope.resolve(Lazy<Probe>.self))
    }
    let calls: [@Sendable () async throws -> Void] = [
      { _ = try await scope.resolve(Probe.self) }, { _ = try sync { try scope.resolve(Probe.self) } },
      { _ = try sync { try scope.resolve(Leaf.self) } }, { _ = try await scope.resolve(Leaf.self) },
      { _ = try await provider() }, { _ = try provider.synchronously() }, { _ = try await lazy() },
      { _ = try await scope.resolve([Probe].self) }, { _ = try await scope.resolve(Probe?.self) },
      { _ = try sync { try scope.withResolved(Probe.self) { _ in } } },
      { try await scope.withScope { _ in } }, { try await scope.start() },
      { try await scope.register(Registration(Alpha.self) { _ in Alpha() }) },
    ]
    for (number, call) in calls.enumerated() {
      let error = try await asyncResolutionError { try await call() }
      #expect(error.code == .closed, "call \(number)")
    }
    #expect(scope.resolveIfReady(Probe.self) == nil)
    #expect(try await app.resolve(Probe.self).name == "value", "The parent is open")
  }

  @Test func theClosedErrorNamesServiceAndScope() async throws {
    let scope = try await app().withScope("request") { $0 }
    let error = try await asyncResolutionError { try await scope.resolve(Probe.self) }
    #expect(error.container == "request" && error.path == ["Probe"] && error.description.contains("request"))
  }

  @Test func aClosedParentOpensNoScope() async throws {
    let app = app()
    try await app.shutdown()
    let error = try await asyncResolutionError {
      try await app.withScope { _ in Issue.record("The operation ran in a closed container") }
    }
    #expect(error.code == .closed && error.container == "app")
  }

  @Test func aNestedScopeEndsBeforeItsOuterScope() async throws {
    let app = app()
    try await app.withScope("outer") { outer in
      _ = try await outer.resolve(Connection.self)
      try await outer.withScope("inner") { _ = try await $0.resolve(Connection.self) }
      #expect(journal.entries == ["inner"])
    }
    #expect(journal.entries == ["inner", "outer"])
  }

  @Test func withScopeThrowsTheFailuresOfDisposers() async throws {
    let app = Container { [journal] in
      Registration(Connection.self, scope: .scoped) { _ in Connection("a", journal, failure: Boom(number: 1)) }
      Registration(Connection.self, scope: .scoped) { _ in Connection("b", journal) }.key(1)
    }
    do {
      try await app.withScope("s") { scope in
        _ = try await scope.resolve(Connection.self)
        _ = try await scope.resolve(Connection.self, key: 1)
      }
      Issue.record("withScope does not throw the failure")
    } catch let error as ShutdownError {
      #expect(error.container == "s" && error.failures.map(\.error).map { $0 as? Boom } == [Boom(number: 1)])
      #expect(error.failures[0].service == Connection.self && error.failures[0].container == "s")
    }
    #expect(journal.entries == ["b", "a"])
  }

  @Test func withScopeThrowsTheOperationsErrorDespiteAFailingDisposer() async throws {
    let app = Container { [journal] in
      Registration(Connection.self, scope: .scoped) { _ in Connection("a", journal, failure: Boom(number: 1)) }
    }
    await #expect(throws: Boom(number: 2)) {
      try await app.withScope { scope in
        _ = try await scope.resolve(Connection.self)
        throw Boom(number: 2)
      }
    }
    #expect(journal.entries == ["a"])
  }

  @Test func aScopesRegistrationsEndWithTheScope() async throws {
    let app = app()
    try await app.withScope("s") { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("own", journal) }.key("own")
    } operation: { scope in
      _ = try await scope.resolve(Connection.self, key: "own")
      #expect(scope.registrationCount == 1)
    }
    #expect(journal.entries == ["own"])
    let error = try await asyncResolutionError { try await app.resolve(Connection.self, key: "own") }
    #expect(error.code == .notRegistered)
  }

  @Test func theParentsShutdownClosesOpenScopes() async throws {
    let app = app()
    try await app.withScope("s") { scope in
      _ = try await scope.resolve(Connection.self)
      _ = try await app.resolve(Connection.self)
      try await app.shutdown()
      #expect(journal.entries == ["s", "app"])
      let error = try await asyncResolutionError { try await scope.resolve(Connection.self) }
      #expect(error.code == .closed)
    }
    #expect(journal.entries == ["s", "app"])
  }

  @Test func aParentsSingletonOutlivesTheScope() async throws {
    let app = Container { [journal] in
      Registration(Connection.self, scope: .singleton) { _ in Connection("singleton", journal) }
    }
    let connection = try await app.withScope { try await $0.resolve(Connection.self) }
    #expect(journal.entries.isEmpty)
    #expect(try await app.resolve(Connection.self) === connection)
  }

  @Test func withScopeStaysOnItsCallersActor() async throws {
    let app = app()
    try await Task { @MainActor in
      try await app.withScope { _ in MainActor.assertIsolated() }
      MainActor.assertIsolated()
    }.value
  }

  // MARK: Many scopes

  @Test func tenThousandConcurrentScopesReleaseAllTheirInstances() async throws {
    let count = 10_000
    let (open, freed) = (Counter(), Counter())
    let close = Gate()
    let books = DisposalRecord()
    let app = Container {
      Registration(Root.self, scope: .scoped) { _ in Root(DeinitCounter(freed)) }
      Registration(RecordedService.self, scope: .scoped) { _ in RecordedService(books) }
    }
    let scopes = WeakList<Container>()
    let task = Task {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<count {
          group.addTask {
            try await app.withScope { scope in
              scopes.add(scope)
              for _ in 0..<3 { _ = try await scope.resolve(Root.self) }
              _ = try await scope.resolve(RecordedService.self)
              open.increment()
              await close.wait()
            }
          }
        }
        try await group.waitForAll()
      }
    }
    await open.wait(for: count)
    #expect(freed.count == 0 && app.children.count == count)
    close.open()
    try await task.value
    #expect(app.children.isEmpty && books.mistakes.isEmpty && books.made == count)
    // The reclaimer may release references later.
    try await until { scopes.all.isEmpty && freed.count == count }
    #expect(app.registrations.count == 2 && app.kept.all.isEmpty)
  }

  // MARK: Modules

  private struct Loaded: Module {
    let journal: Journal<String>
    /// Counts the end of the scope, which a task that runs the module would retain.
    var freed = Counter()
    var load: @Sendable (Container) async throws -> Void = { _ in }
    var registrations: Registrations {
      Registration(instance: DeinitCounter(freed))
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }.onDispose { [journal] _ in journal.note("disposed") }
    }
    func didLoad(_ container: Container) async throws {
      journal.note("loaded")
      try await load(container)
    }
  }

  // A regression: the modules of a scope ran before the parent had listed it.
  @Test func aRefusedScopeRunsNoModule() async throws {
    let journal = Journal<String>()
    let app = Container()
    try await app.shutdown()
    let freed = Counter()
    let error = try await asyncResolutionError {
      try await app.withScope {
        Loaded(journal: journal, freed: freed)
      } operation: { _ in
      }
    }
    #expect(error.code == .closed)
    let keyed = app.keyedScopes("keyed") { (_: Int) in Loaded(journal: journal, freed: freed) }
    let keyedError = try await asyncResolutionError { try await keyed.withScope(1) { _ in } }
    #expect(keyedError.code == .closed)
    await freed.wait(for: 2)
    #expect(journal.entries.isEmpty)
  }

  @Test func aModuleCanExtendItsScope() async throws {
    let journal = Journal<String>()
    let app = Container()
    let lease = Shelf<ScopeExtension?>(nil)
    try await app.withScope {
      Loaded(journal: journal) { scope in lease.value = try scope.extendScope() }
    } operation: { scope in
      _ = try await scope.resolve(Leaf.self)
    }
    #expect(journal.entries == ["loaded"])
    try await lease.value?.end()
    #expect(journal.entries == ["loaded", "disposed"])
  }

  // A regression: the operation ran beside the modules.
  @Test func theOperationBeginsWhenTheModulesHaveRun() async throws {
    let journal = Journal<String>()
    try await Container().withScope {
      Loaded(journal: journal) { scope in
        // Neither waits for the module that calls it.
        try await scope.start()
        try await scope.waitUntilLoaded()
        await Task.yield()
        journal.note("first")
      }
      Loaded(journal: journal) { scope in try await scope.register(Stem.self) { _ in Stem() } }
    } operation: { scope in
      journal.note("operation")
      _ = try await scope.resolve(Stem.self)
    }
    #expect(journal.entries == ["loaded", "first", "loaded", "operation"])
  }

  // A regression: the error vanished, and the operation ran.
  @Test func theErrorOfAModuleEndsTheScope() async throws {
    let journal = Journal<String>()
    await #expect(throws: Boom(number: 4)) {
      try await Container().withScope {
        Registration(Stem.self, scope: .singleton) { _ in Stem() }
          .onDispose { _, outcome in journal.note("stem \(outcome.name)") }
        Loaded(journal: journal) { scope in
          _ = try await scope.resolve(Stem.self)
          throw Boom(number: 4)
        }
        Loaded(journal: journal)
      } operation: { _ in
        journal.note("operation")
      }
    }
    #expect(journal.entries == ["loaded", "stem failed"])
  }

  @Test func aModuleCanCloseItsScopeOrAnAncestor() async throws {
    let journal = Journal<String>()
    for closesParent in [false, true] {
      let app = Container()
      try await app.withScope {
        Loaded(journal: journal) { scope in
          _ = try await scope.resolve(Leaf.self)
          try await (closesParent ? app : scope).shutdown(timeout: nil)
        }
      } operation: { scope async throws in
        #expect(try await asyncResolutionError { try await scope.resolve(Leaf.self) }.code == .closed)
      }
    }
    #expect(journal.entries == ["loaded", "disposed", "loaded", "disposed"])
  }

  @Test func aShutdownThatTimesOutCancelsTheModulesOfAScope() async throws {
    let (journal, begun, never) = (Journal<String>(), Gate(), Gate())
    let app = Container()
    let running = Task {
      try await app.withScope {
        Loaded(journal: journal) { _ in
          begun.open()
          try await never.passed()
        }
      } operation: { _ in
        journal.note("operation")
      }
    }
    try await begun.passed()
    await #expect(throws: ShutdownError.self) { try await app.shutdown(timeout: .milliseconds(10)) }
    await #expect(throws: CancellationError.self) { try await running.value }
    #expect(journal.entries == ["loaded"])
  }

  // A regression: the failure was lost.
  @Test(arguments: [false, true]) func aFailedDisposalOfAnInstanceKeptAboveIsThrown(isSuspending: Bool) async throws {
    let error = await #expect(throws: ShutdownError.self) {
      try await Container(name: "app").withScope {
        let leaf = Registration(Leaf.self, scope: .scoped("app")) { _ in Leaf() }
        if isSuspending {
          leaf.onDispose { _ in
            await Task.yield()
            throw Boom(number: 1)
          }
        } else {
          leaf.onDispose { _ in throw Boom(number: 1) }
        }
      } operation: { scope in
        _ = try await scope.resolve(Leaf.self)
      }
    }
    #expect(error?.failures.map { $0.error as? Boom } == [Boom(number: 1)])
    #expect(error?.failures.map(\.container) == ["app"])
  }
}
