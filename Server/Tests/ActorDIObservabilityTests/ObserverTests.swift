import ActorDI
import ActorDILogging
import ActorDIMetrics
import InMemoryLogging
import Logging
import Metrics
import MetricsTestKit
import Testing

private final class Store: Sendable {}
private final class Users: Sendable { init(store: Store) {} }
private struct Refused: Error {}

private func makeContainer(_ observer: any ContainerObserver) -> Container {
  Container(name: "app", configuration: .init(observer: observer)) {
    Registration(Store.self, scope: .singleton) { _ in Store() }.onDispose { _ in throw Refused() }
    Registration(autowired: Users.self, scope: .scoped("request"), initializer: Users.init)
    Registration(Int.self) { _ in throw Refused() }.key("broken")
  }
}

@Suite("LoggingObserver")
struct LoggingObserverTests {
  private let handler: InMemoryLogHandler
  private let logger: Logger

  init() {
    let handler = InMemoryLogHandler()
    self.handler = handler
    var logger = Logger(label: "app") { _ in handler }
    logger.logLevel = .trace
    self.logger = logger
  }

  private func entries(_ level: Logger.Level) -> [InMemoryLogHandler.Entry] {
    handler.entries.filter { $0.level == level }
  }

  @Test func buildsAreDebugMessagesWithMetadata() async throws {
    let container = makeContainer(LoggingObserver(logger))
    try await container.withScope("request") { scope in _ = try await scope.resolve(Users.self) }
    let created = entries(.debug).filter { $0.message.description.contains("created") }
    #expect(created.map { $0.metadata["service"] } == ["Store", "Users"])
    #expect(created.first?.metadata["path"] == .array(["Users", "Store"]))
    #expect(created.last?.metadata["scope"] == "scoped(\"request\")")
    #expect(created.allSatisfy { $0.metadata["duration"] != nil })
    #expect(entries(.warning).isEmpty && entries(.error).isEmpty)
    #expect(entries(.trace).contains { $0.message.description.contains("registered Users") })
  }

  @Test func failuresAreErrors() async throws {
    let container = makeContainer(LoggingObserver(logger))
    _ = try await container.resolve(Store.self)
    await #expect(throws: Refused.self) { try await container.resolve(Int.self, key: "broken") }
    await #expect(throws: ShutdownError.self) { try await container.shutdown() }
    #expect(entries(.error).map { $0.metadata["service"] } == ["Int", "Store"])
    #expect(entries(.error).first?.metadata["key"] == "broken")
    #expect(entries(.error).allSatisfy { $0.metadata["error"] == "Refused()" })
  }

  @Test func slowBuildsAreWarnings() async throws {
    let container = makeContainer(LoggingObserver(logger, slow: .zero))
    _ = try await container.resolve(Store.self)
    #expect(entries(.warning).map { $0.metadata["service"] } == ["Store"])
  }

  @Test func aScopeThatEndsWithAnErrorIsANotice() async throws {
    let container = makeContainer(LoggingObserver(logger))
    _ = try? await container.withScope("request") { _ in throw Refused() }
    #expect(entries(.notice).map { $0.metadata["container"] } == ["request"])
  }
}

@Suite("MetricsObserver")
struct MetricsObserverTests {
  private let metrics = TestMetrics()

  @Test func buildsFailuresAndScopesAreRecorded() async throws {
    let container = makeContainer(MetricsObserver(factory: metrics))
    for _ in 0..<3 {
      try await container.withScope("request") { scope in
        _ = try await scope.resolve(Users.self)
        #expect(try metrics.expectMeter("actordi_open_scopes", [("container", "request")]).lastValue == 1)
      }
    }
    await #expect(throws: Refused.self) { try await container.resolve(Int.self, key: "broken") }
    await #expect(throws: ShutdownError.self) { try await container.shutdown() }

    let users = [("service", "Users"), ("scope", "scoped(\"request\")")]
    let store = [("service", "Store"), ("scope", "singleton")]
    let int = [("service", "Int"), ("scope", "transient")]
    #expect(try metrics.expectTimer("actordi_build_duration", users).values.count == 3)
    #expect(try metrics.expectTimer("actordi_build_duration", store).values.count == 1)
    #expect(try metrics.expectTimer("actordi_build_duration", int).values.count == 1)
    #expect(try metrics.expectCounter("actordi_build_failures", int).totalValue == 1)
    #expect(try metrics.expectCounter("actordi_disposal_failures", store).totalValue == 1)
    #expect(try metrics.expectMeter("actordi_open_scopes", [("container", "request")]).lastValue == 0)
    let scopes = [("container", "request"), ("outcome", "completed")]
    #expect(try metrics.expectTimer("actordi_scope_duration", scopes).values.count == 3)
  }
}
