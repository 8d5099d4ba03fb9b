import ActorDI
import ActorDIInspector
import ActorDIMetrics
import ActorDITesting
import Configuration
import Foundation
import GRDB
import Hummingbird
import HummingbirdTesting
import Logging
import ServiceLifecycle
import Synchronization
import Testing

@testable import NotesApp

struct ProgramTests {
  @Test func registrationsAreComplete() async throws {
    let report = try await TestServer.container().validate()
    // The scopes of a request and of a user register them.
    #expect(report.expectedFromScopes.map { "\($0)" }.sorted() == ["ActiveUser", "Request"])
  }

  @Test func settingsReplaceTheDefaults() async throws {
    let settings = try await TestServer.container(TestServer.config(["http.port": 9000])).resolve(Settings.self)
    #expect(settings.port == 9000 && settings.host == "127.0.0.1")
  }

  @Test func theDatabaseMayHaveAnyPath() async throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "our notes-\(UUID())/Übersicht.sqlite")
    let path = file.path(percentEncoded: false)
    _ = try await TestServer.container(TestServer.config(database: path)).resolve(DatabasePool.self)
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test func aWrongSettingIsReported() async throws {
    let app = TestServer.container(TestServer.config(["http.port": "eighty"]))
    let error = await #expect(throws: ValidationError.self) { try await app.validate() }
    #expect(error.map { "\($0)" }?.contains("http.port") == true)
  }

  @Test func adminShowsTheMetricsAndTheContainer() async throws {
    let (board, inspector) = (MetricsBoard(), ContainerInspector())
    let app = TestServer.container(observers: [MetricsObserver(factory: board), inspector])
    try await TestServer.run(app) { server in _ = try await server.addUser("Ada") }
    let admin = makeAdminRouter(app, metrics: board, inspector: inspector)
    try await Application(router: admin, logger: TestServer.quiet).test(.router) { client in
      let metrics = try await client.text("/metrics")
      #expect(metrics.contains(#"actordi_scope_duration_count{container="request",outcome="completed"} 1"#))
      #expect(metrics.contains(#"actordi_open_scopes{container="request"} 0.0"#))
      let (page, state) = (try await client.text("/inspector"), try await client.text("/inspector.json"))
      #expect(page.hasPrefix("<!") && state.contains("NoteController"))
    }
  }

  @Test func theCollectorRemovesOldTrashUntilTheShutdown() async throws {
    let time = TestTime()
    let app = TestServer.container()
    try await app.register { Registration(instance: time.source) }
    try await TestServer.run(app) { server in
      let ada = try await server.addUser("Ada")
      let note = try await server.addNote("Tea", as: ada)
      _ = try await server.addNote("Coffee", as: ada)
      _ = try await server.send(.delete, "/notes/\(try #require(note.id))", as: ada)

      let collector = try await app.resolve(TrashCollector.self)
      let group = ServiceGroup(services: [collector], logger: TestServer.quiet)
      async let run: Void = group.run()
      var pauses = time.pauses.makeAsyncIterator()
      #expect(await pauses.next() == .seconds(3_600))
      let day = TimeInterval(24 * 3_600)
      for (days, notes) in [(29.0, 2), (2.0, 1)] {
        time.pass(days * day)
        _ = await pauses.next()
        #expect(try await app.resolve(DatabasePool.self).read { db in try Note.fetchCount(db) } == notes)
      }
      await group.triggerGracefulShutdown()
      try await run
      #expect(try await server.titles(as: ada) == ["Coffee"])
    }
  }

  @Test func aShutDownApplicationIsUnavailable() async throws {
    let app = TestServer.container()
    try await TestServer.run(app) { server in
      let ada = try await server.addUser("Ada")
      try await app.shutdown()
      #expect(try await server.send(.get, "/notes", as: ada).status == .serviceUnavailable)
      #expect(try await server.send(.get, "/health").status == .ok)
    }
  }
}

extension TestClientProtocol {
  fileprivate func text(_ path: String) async throws -> String {
    String(buffer: try await executeRequest(uri: path, method: .get, headers: [:], body: nil).body)
  }
}

/// Time that passes when a test says so.
final class TestTime: Sendable {
  /// The lengths of the pauses that have begun.
  let pauses: AsyncStream<Duration>
  private let begin: AsyncStream<Duration>.Continuation
  private let wakes: AsyncStream<Void>
  private let wake: AsyncStream<Void>.Continuation
  private let now = Mutex(Date(timeIntervalSince1970: 1_800_000_000))

  init() {
    (pauses, begin) = AsyncStream.makeStream()
    (wakes, wake) = AsyncStream.makeStream()
  }

  var source: TimeSource {
    TimeSource(
      now: { self.now.withLock { $0 } },
      sleep: { length in
        self.begin.yield(length)
        for await _ in self.wakes { return }
        throw CancellationError()
      })
  }

  /// Moves the time on, and ends the pause.
  func pass(_ seconds: TimeInterval) {
    now.withLock { $0 += seconds }
    wake.yield()
  }
}
