import ActorDITestSupport
import ActorDITesting
import Testing

@testable import ActorDI

/// What the article shows: beginnings and ends.
@Suite("Lifecycle and scopes: beginnings and ends", .timeLimit(.minutes(5)))
struct LifecycleAndScopesEnds {
  actor Worker: PostInitialization, ResolutionAware, Disposable {
    let journal: Journal<String>
    init(journal: Journal<String>) { self.journal = journal }

    func didInitialize() async throws { journal.note("2 didInitialize") }
    func didResolve() async throws { journal.note("4 didResolve") }
    func dispose() async throws { journal.note("6 dispose") }
  }

  @Test func theOrderOfALife() async throws {
    let journal = Journal<String>()
    // snippet: lifecycle order
    let container = Container {
      Registration(autowired: Worker.self, scope: .singleton) {
        journal.note("1 factory")
        return Worker(journal: journal)
      }
      .onCreated { _, _ in journal.note("3 onCreated") }
      .onDispose { _ in journal.note("5 onDispose") }
    }
    _ = try await container.resolve(Worker.self)
    try await container.shutdown()
    // end
    #expect(
      journal.entries == ["1 factory", "2 didInitialize", "3 onCreated", "4 didResolve", "5 onDispose", "6 dispose"])
  }

  final class Settings: Sendable {}
  final class Database: Sendable { init(settings: Settings) {} }
  final class Server: Sendable {
    init(database: Database) {}
    func run() async throws {}
  }

  @Test func aProgram() async throws {
    let journal = Journal<String>()
    // snippet: lifecycle program
    let app = Container(name: "app") {
      Registration(autowired: Server.self, scope: .singleton, initializer: Server.init)
        .eager()
        .onDispose { _ in journal.note("server") }
      Registration(autowired: Database.self, scope: .singleton, initializer: Database.init)
        .eager()
        .onDispose { _ in journal.note("database") }
      Registration(autowired: Settings.self, scope: .singleton, initializer: Settings.init)
        .onDispose { _ in journal.note("settings") }
    }
    try await app.start()
    try await app.resolve(Server.self).run()
    try await app.shutdown(timeout: .seconds(10))
    #expect(journal.entries == ["server", "database", "settings"])
    // end
  }

  @Test func aStartThatFails() async throws {
    let journal = Journal<String>()
    let app = Container {
      Registration(autowired: Settings.self, scope: .singleton, initializer: Settings.init)
        .onDispose { _ in journal.note("settings") }
      Registration(autowired: Database.self, scope: .singleton, initializer: Database.init)
        .onDispose { _ in journal.note("database") }
      Registration(autowired: Server.self, scope: .singleton) { (_: Database) async throws -> Server in
        throw Boom()
      }.eager()
    }
    await #expect(throws: Boom.self) { try await app.start() }
    #expect(journal.entries == ["database", "settings"])
    // It is as before, and can be tried again.
    #expect(app.resolveIfReady(Settings.self) == nil)
    await #expect(throws: Boom.self) { try await app.start() }
  }

  @Test func failures() async throws {
    let container = Container(name: "app") {
      Registration(autowired: Settings.self, scope: .singleton, initializer: Settings.init)
        .onDispose { _ in throw Boom() }
      Registration(autowired: Database.self, scope: .singleton, initializer: Database.init)
        .onDispose { _ in throw Boom(number: 1) }
    }
    _ = try await container.resolve(Database.self)
    var text = ""
    func print(_ error: ShutdownError) { text = "\(error)" }
    do {
      try await container.shutdown()
    } catch {
      print(error)
    }
    // output: lifecycle failures
    let expected = """
      2 failures when container "app" was closed:
      - Database in container "app" could not be disposed of: Boom(number: 1)
      - Settings in container "app" could not be disposed of: Boom(number: 0)
      """
    // end
    #expect(text == expected)
    // Once.
    try await container.shutdown()
  }

  @Test func buildsInFlight() async throws {
    let (begun, ends) = (Gate(), Counter())
    let container = Container {
      Registration(autowired: Settings.self, scope: .singleton) {
        begun.open()
        while !Task.isCancelled { await Task.yield() }
        return Settings()
      }.onDispose { _ in ends.increment() }
    }
    let resolve = Task { try await container.resolve(Settings.self) }
    try await begun.passed()
    try await container.shutdown()
    #expect(ends.count == 1)
    let error = try await asyncResolutionError { try await resolve.value }
    #expect(error.code == .closed)
  }

  @Test func anOperationThatDoesNotEnd() async throws {
    let (isOpen, clock) = (Gate(), ManualClock())
    let container = Container(name: "app", configuration: .init(clock: clock))
    let request = Task {
      try await container.withScope("request") { _ in
        isOpen.open()
        try await Gate().passed()
      }
    }
    try await isOpen.passed()
    let closing = Task { try await container.shutdown(timeout: .seconds(10)) }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(10))
    let error = try #require(await #expect(throws: ShutdownError.self) { try await closing.value })
    await #expect(throws: CancellationError.self) { try await request.value }
    // output: lifecycle open scope
    let expected = """
      1 failure when container "app" was closed:
      - scope "request" (17) in container "app", open for 12.3 s, was still open when the time was up.
      """
    // end
    let text = "\(error)".replacing(/\([0-9]+\)/, with: "(17)").replacing(
      /for [0-9.]+ (ns|µs|ms|s)/, with: "for 12.3 s")
    #expect(text == expected)
  }

  @Test func aDisposerThatDoesNotEnd() async throws {
    let (ended, journal) = (Gate(), Journal<String>())
    let clock = ManualClock()
    let configuration = Container.Configuration(clock: clock)
    let container = Container(name: "app", configuration: configuration) {
      Registration(autowired: Settings.self, scope: .singleton, initializer: Settings.init)
        .onDispose { _ in journal.note("settings") }
      Registration(autowired: Database.self, scope: .singleton, initializer: Database.init)
        .onDispose { _ in
          journal.note("began")
          await ended.wait()
          journal.note("database, cancelled: \(Task.isCancelled)")
        }
    }
    _ = try await container.resolve(Database.self)
    let closing = Task { try await container.shutdown(timeout: .seconds(10)) }
    // Not for builds, of which there are none: for the database.
    try await until { journal.entries.contains("began") && clock.sleeperCount == 1 }
    clock.advance(by: .seconds(10))
    let error = await #expect(throws: ShutdownError.self) { try await closing.value }
    // output: lifecycle timeout
    let expected = """
      2 failures when container "app" was closed:
      - Database in container "app" was still being disposed of when the time was up.
      - Settings in container "app" had not been disposed of when the time was up: others had not finished.
      """
    // end
    #expect("\(try #require(error))" == expected)
    ended.open()
    // Waits for the end of the first call.
    try await container.shutdown()
    #expect(journal.entries == ["began", "database, cancelled: true", "settings"])
  }

  @Test func childrenAreClosedFirst() async throws {
    let journal = Journal<String>()
    let parent = Container {
      Registration(autowired: Settings.self, scope: .singleton) { Settings() }.onDispose { _ in journal.note("parent") }
    }
    let child = parent.makeChild {
      Registration(autowired: Database.self, scope: .singleton) { Database(settings: Settings()) }
        .onDispose { _ in journal.note("child") }
    }
    _ = try await child.resolve(Database.self)
    _ = try await child.resolve(Settings.self)
    try await child.withScope { scope in
      _ = try await scope.resolve(Settings.self)
      #expect(journal.entries == [])
      try await parent.shutdown()
    }
    #expect(journal.entries == ["child", "parent"])
  }
}
