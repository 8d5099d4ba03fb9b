import ActorDITestSupport
import Testing

@testable import ActorDI

private struct Silent: ContainerObserver {}

/// The outcome of a scope, as reported to its disposers.
@Suite("Outcome of a scope", .timeLimit(.minutes(5)))
struct ScopeOutcomeTests {
  private let journal = Journal<String>()

  private static func name(_ outcome: ScopeOutcome) -> String {
    switch outcome {
    case .completed: "completed"
    case .failed(let error): "failed \(error)"
    case .cancelled: "cancelled"
    case .shutDown: "shut down"
    }
  }

  private final class UnitOfWork: Disposable {
    let journal: Journal<String>
    let isDisposedOf: Gate
    init(_ journal: Journal<String>, opening isDisposedOf: Gate = Gate()) {
      self.journal = journal
      self.isDisposedOf = isDisposedOf
    }
    func dispose() async throws { journal.note("dispose() of its own") }
    func dispose(after outcome: ScopeOutcome) async throws {
      journal.note("unit \(name(outcome))")
      isDisposedOf.open()
    }
  }

  private func app(_ scope: Scope = .scoped) -> Container {
    Container(name: "app") { [journal] in
      Registration(Probe.self, scope: scope) { _ in Probe() }
        .onDispose { _, outcome in journal.note("synchronous \(Self.name(outcome))") }
      Registration(Alpha.self, scope: scope) { _ in Alpha() }
        .onDispose { _, outcome in
          await Task.yield()
          journal.note("asynchronous \(Self.name(outcome))")
        }
      Registration(Leaf.self, scope: scope) { _ in Leaf() }
        .onDispose { @MainActor _, outcome in journal.note("main \(Self.name(outcome))") }
        .onDispose { _ in journal.note("plain") }
      Registration(UnitOfWork.self, scope: scope) { _ in UnitOfWork(journal) }
    }
  }

  private func make(in container: Container) async throws {
    _ = try await container.resolve(UnitOfWork.self)
    _ = try await container.resolve(Leaf.self)
    _ = try await container.resolve(Alpha.self)
    _ = try await container.resolve(Probe.self)
  }

  private func entries(_ outcome: String) -> [String] {
    ["synchronous \(outcome)", "asynchronous \(outcome)", "main \(outcome)", "plain", "unit \(outcome)"]
  }

  @Test func anOperationThatReturnsReportsCompleted() async throws {
    try await app().withScope { try await make(in: $0) }
    #expect(journal.entries == entries("completed"))
  }

  /// The code path of scopes in which nothing suspends.
  @Test func anOperationThatNeverSuspendsReportsItsOutcome() async throws {
    let app = app()
    try await app.withScope { _ = try await $0.resolve(Probe.self) }
    try? await app.withScope { scope in
      _ = try await scope.resolve(Probe.self)
      throw Boom(number: 1)
    }
    #expect(journal.entries == ["synchronous completed", "synchronous failed Boom(number: 1)"])
  }

  @Test func anOperationThatThrowsReportsFailed() async throws {
    await #expect(throws: Boom(number: 3)) {
      try await app().withScope { scope in
        try await make(in: scope)
        throw Boom(number: 3)
      }
    }
    #expect(journal.entries == entries("failed Boom(number: 3)"))
  }

  @Test func aCancelledOperationReportsCancelled() async throws {
    let isOpen = Gate()
    let task = Task {
      try await app().withScope { scope in
        try await make(in: scope)
        isOpen.open()
        try await Gate().passed()
      }
    }
    try await isOpen.passed()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(journal.entries == entries("cancelled"))
  }

  @Test func aCancellationErrorThrownWithoutCancellationReportsFailed() async throws {
    try? await app().withScope { scope in
      _ = try await scope.resolve(Probe.self)
      throw CancellationError()
    }
    #expect(journal.entries == ["synchronous failed CancellationError()"])
  }

  @Test func aShutdownReportsShutDown() async throws {
    let singletons = app(.singleton)
    try await make(in: singletons)
    try await singletons.shutdown()
    #expect(journal.entries == entries("shut down"))
    let scoped = app()
    try await scoped.withScope { scope in
      try await make(in: scope)
      try await scoped.shutdown()
    }
    #expect(Array(journal.entries.dropFirst(5)) == entries("shut down"))
  }

  @Test(arguments: ["reset", "unregister", "managed", "owned", "overrides"])
  func anyOtherDisposalReportsCompleted(by occasion: String) async throws {
    let period = ManagedScope()
    let app = app(occasion == "managed" ? .managed(by: period) : .singleton)
    switch occasion {
    case "owned":
      let owned = try await Container { [journal] in
        Registration(Probe.self) { _ in Probe() }.onDispose { _, outcome in journal.note("\(Self.name(outcome))") }
      }.resolve(Owned<Probe>.self)
      await owned.dispose()
    case "overrides":
      try await app.withOverrides { [journal] in
        Registration(Probe.self, scope: .singleton) { _ in Probe() }
          .onDispose { _, outcome in journal.note("\(Self.name(outcome))") }
      } operation: { () async throws in
        _ = try await app.resolve(Probe.self)
      }
    default:
      _ = try await app.resolve(Probe.self)
      if occasion == "reset" { await app.reset() }
      if occasion == "unregister" { await app.unregister(Probe.self) }
      if occasion == "managed" { await period.invalidate() }
    }
    #expect(journal.entries.map { $0.split(separator: " ").last } == ["completed"])
  }

  @Test func anOverrideThatIsNotResolvedReportsNoOutcome() async throws {
    try? await app().withOverrides { [journal] in
      Registration(Probe.self, scope: .scoped) { _ in Probe() }
        .onDispose { _, outcome in journal.note("\(Self.name(outcome))") }
    } operation: { () async throws in
      throw Boom()
    }
    #expect(journal.entries.isEmpty)
  }

  @Test func aFailedHookReportsFailed() async throws {
    for scope in [Scope.singleton, .transient] {
      let app = Container { [journal] in
        Registration(Probe.self, scope: scope) { _ in Probe() }
          .onCreated { _, _ in
            await Task.yield()
            throw Boom(number: 2)
          }
          .onDispose { _, outcome in journal.note("\(scope): \(Self.name(outcome))") }
      }
      await #expect(throws: Boom(number: 2)) { try await app.resolve(Probe.self) }
      try await app.shutdown()
    }
    #expect(journal.entries == ["singleton: failed Boom(number: 2)", "transient: failed Boom(number: 2)"])
  }

  // A regression: the failed build released its weakly held instance, so that its disposal found none.
  @Test(arguments: [false, true], [false, true])
  func aFailedHookOfASharedInstanceReportsFailed(isAsynchronous: Bool, isObserved: Bool) async throws {
    let numbers = 1...20
    for number in numbers {
      let isDisposedOf = Gate()
      let app = Container(configuration: .init(observer: isObserved ? Silent() : nil)) { [journal] in
        let unit = Registration(UnitOfWork.self, scope: .shared) { _ in UnitOfWork(journal, opening: isDisposedOf) }
        if isAsynchronous {
          unit.onCreated { _, _ in
            await Task.yield()
            throw Boom(number: number)
          }
        } else {
          unit.onCreated { _, _ in throw Boom(number: number) }
        }
      }
      await #expect(throws: Boom(number: number)) { try await app.resolve(UnitOfWork.self) }
      try await isDisposedOf.passed()
    }
    #expect(journal.entries == numbers.map { "unit failed Boom(number: \($0))" })
  }

  @Test func aFailedHookOfASharedInstanceReportsFailedToASynchronousCaller() async throws {
    let numbers = 1...20
    for number in numbers {
      let isDisposedOf = Gate()
      let app = Container { [journal] in
        Registration(UnitOfWork.self, scope: .shared) { _ in UnitOfWork(journal, opening: isDisposedOf) }
          .onCreated { _, _ in throw Boom(number: number) }
      }
      #expect(throws: Boom(number: number)) { try sync { try app.resolve(UnitOfWork.self) } }
      try await isDisposedOf.passed()
    }
    #expect(journal.entries == numbers.map { "unit failed Boom(number: \($0))" })
  }

  @Test func aFailedStartReportsFailed() async throws {
    let app = Container { [journal] in
      Registration(Probe.self, scope: .singleton) { _ in Probe() }.eager()
        .onDispose { _, outcome in journal.note("\(Self.name(outcome))") }
      Registration(Leaf.self, scope: .singleton) { r in
        _ = try await r.resolve(Probe.self)
        throw Boom(number: 4)
      }.eager()
    }
    await #expect(throws: Boom(number: 4)) { try await app.start() }
    #expect(journal.entries == ["failed Boom(number: 4)"])
  }

  // A regression: the scope was released while its closing waited for a build, and its disposers learned that it had completed.
  @Test func aScopeThatCannotWaitForItsClosingPassesItsOutcomeOn() async throws {
    let outcomes = Journal<String>()
    let other = Container(name: "other")
    let app = Container(name: "app") {
      Registration(Leaf.self, scope: .scoped) { _ in Leaf() }.onDispose { _, outcome in outcomes.note(outcome.name) }
      Registration(Stem.self, scope: .scoped) { _ async throws in
        // Waits for the operation of the other container.
        try await other.shutdown()
        return Stem()
      }
    }
    await #expect(throws: Boom.self) {
      try await other.withScope { _ in
        try await app.withScope { scope in
          _ = try await scope.resolve(Leaf.self)
          Task { try await scope.resolve(Stem.self) }
          try await until { other.lifecycle.isDraining }
          throw Boom(number: 1)
        }
      }
    }
    try await until { !outcomes.entries.isEmpty }
    #expect(outcomes.entries == ["failed"])
    try await until { app.openScopes.isEmpty }
    try await app.shutdown()
  }
}
