import ActorDITestSupport
import ActorDITesting
import Testing

@testable import ActorDI

/// Scopes that outlive their operations.
@Suite("Extended scopes", .timeLimit(.minutes(5)))
struct ScopeExtensionTests {
  private let ends = Journal<String>()
  private let clock = ManualClock()

  private func app(failing: Bool = false) -> Container {
    Container(name: "app", configuration: .init(clock: clock)) { [ends] in
      Registration(Leaf.self, scope: .scoped) { _ in Leaf() }
        .onDispose { _, outcome in
          ends.note(outcome.name)
          if failing { throw Boom(number: 1) }
        }
    }
  }

  /// Opens a scope and extends it.
  private func extended(_ app: Container, times: Int = 1) async throws -> (Container, [ScopeExtension]) {
    try await app.withScope("request") { scope in
      _ = try await scope.resolve(Leaf.self)
      return (scope, try (0..<times).map { _ in try scope.extendScope() })
    }
  }

  @Test func anExtendedScopeEndsWithItsLastExtension() async throws {
    let app = app()
    let (scope, extensions) = try await extended(app, times: 3)
    #expect(app.openScopes.map(\.name) == ["request"])
    for number in 0..<3 {
      #expect(ends.entries.isEmpty)
      let leaf = try await scope.resolve(Leaf.self)
      #expect(try await scope.resolve(Leaf.self) === leaf, "extension \(number)")
      // The second end of an extension does not end another one.
      for _ in 0..<2 { try await extensions[number].end(after: number == 1 ? .failed(Boom(number: 2)) : .completed) }
    }
    #expect(ends.entries == ["failed"], "The first outcome that is not completed")
    #expect(app.openScopes.isEmpty && scope.lifecycle.isClosed)
    #expect(try resolutionError { _ = try scope.extendScope() }.code == .closed)
  }

  @Test(arguments: [false, true]) func theOperationMayOutliveItsExtension(throwing: Bool) async throws {
    let app = app(failing: true)
    let error = await #expect(throws: (any Error).self) {
      try await app.withScope("request") { scope in
        _ = try await scope.resolve(Leaf.self)
        try await scope.extendScope().end()
        #expect(ends.entries.isEmpty)
        if throwing { throw Boom(number: 3) }
      }
    }
    #expect(throwing ? error is Boom : error is ShutdownError)
    #expect(ends.entries == [throwing ? "failed" : "completed"] && app.openScopes.isEmpty)
  }

  @Test func anExtensionCountsTheErrorOfTheOperationAndReportsFailedDisposals() async throws {
    let app = app(failing: true)
    let kept = Shelf<ScopeExtension?>(nil)
    await #expect(throws: Boom.self) {
      try await app.withScope("request") { scope in
        _ = try await scope.resolve(Leaf.self)
        kept.value = try scope.extendScope()
        throw Boom(number: 4)
      }
    }
    #expect(ends.entries.isEmpty)
    await #expect(throws: ShutdownError.self) { try await kept.value?.end() }
    #expect(ends.entries == ["failed"])
  }

  @Test func aReleasedExtensionEndsAsCancelled() async throws {
    let app = app()
    _ = try await extended(app)
    try await until { !ends.entries.isEmpty && app.openScopes.isEmpty }
    #expect(ends.entries == ["cancelled"])
  }

  @Test func containersThatAreNoScopesAreNotExtended() async throws {
    let app = app()
    let child = app.makeChild()
    for container in [app, child] { try await container.extendScope().end() }
    try await app.shutdown()
    try await child.extendScope().end()
    #expect(ends.entries.isEmpty)
  }

  @Test func shutdownWaitsForExtensions() async throws {
    let app = app()
    let (scope, extensions) = try await extended(app)
    let closing = Task { try await app.shutdown() }
    try await until { app.lifecycle.isDraining }
    #expect(try resolutionError { _ = try app.resolve(Leaf.self) }.code == .closed)
    _ = try await scope.resolve(Leaf.self)
    #expect(ends.entries.isEmpty && !app.lifecycle.isClosed)
    try await extensions[0].end()
    try await closing.value
    #expect(ends.entries == ["completed"])
  }

  @Test func shutdownClosesAnExtendedScopeWhenItsTimeIsUp() async throws {
    let app = app()
    let (_, extensions) = try await extended(app)
    let closing = Task { try await app.shutdown(timeout: .seconds(1)) }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(2))
    let error = await #expect(throws: ShutdownError.self) { try await closing.value }
    #expect(error?.openScopes.map(\.name) == ["request"])
    // A regression: the report said that a task was cancelled.
    #expect(error?.description.contains("was still open when the time was up") == true)
    #expect(ends.entries == ["shut down"])
    try await extensions[0].end()
    #expect(ends.entries == ["shut down"], "The end of the extension comes too late, and does nothing")
  }

  @Test func aScopeAboveClosesAnExtendedScope() async throws {
    let app = app()
    let inner = try await app.withScope("connection") { connection in
      let inner = try await extended(connection).1[0]
      #expect(ends.entries.isEmpty)
      return inner
    }
    #expect(ends.entries == ["completed"])
    try await inner.end()
    #expect(ends.entries.count == 1 && app.openScopes.isEmpty)
  }

  /// The end of the operation, two ends of extensions and a shutdown at once: one of them closes the scope, once.
  @Test func endsAndAShutdownAtOnceCloseOnce() async throws {
    for round in 0..<200 {
      let (app, ended) = (app(), Journal<String>())
      try await app.register {
        Registration(Root.self, scope: .scoped) { _ in Root(0) }.onDispose { _, outcome in ended.note(outcome.name) }
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        let scope = try await app.withScope("request") { scope in
          _ = try await scope.resolve(Root.self)
          for _ in 0..<2 {
            let lease = try scope.extendScope()
            group.addTask { try await lease.end() }
          }
          if round % 2 == 0 { group.addTask { try await app.shutdown() } }
          return scope
        }
        try await group.waitForAll()
        #expect(scope.lifecycle.isClosed && ended.entries == ["completed"], "round \(round)")
      }
      #expect(app.openScopes.isEmpty, "round \(round)")
    }
  }

  // A regression: the end of the extension ended the scope under its disposer, and observers learnt of the disposal last.
  @Test func aDisposerCanEndTheExtensionOfItsScope() async throws {
    let observer = EventJournal()
    let lease = Shelf<ScopeExtension?>(nil)
    let app = Container(name: "app", configuration: .init(observer: observer, clock: clock)) {
      Registration(Leaf.self, scope: .scoped) { _ in Leaf() }.onDispose { _ in try await lease.value?.end() }
    }
    try await app.withScope("request") { scope in
      _ = try await scope.resolve(Leaf.self)
      lease.value = try scope.extendScope()
    }
    let closing = Task { try await app.shutdown(timeout: .seconds(1)) }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    await #expect(throws: ShutdownError.self) { try await closing.value }
    try await until { observer.journal.entries.last == "closed request" }
    #expect(observer.journal.entries.suffix(2) == ["disposed Leaf", "closed request"])
  }

  private final class EventJournal: ContainerObserver {
    let journal = Journal<String>()
    func container(_ container: Container, didEmit event: ContainerEvent) { journal.note(event.summary) }
  }
}
