import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

/// What the article of this name shows.
@Suite("Observing", .timeLimit(.minutes(5)))
struct Observing {
  final class Store: Sendable {}
  final class Server: Sendable { init(store: Store) {} }

  /// For what the article's examples print.
  private static func fixed(_ text: String) -> String {
    text.replacing(/(in|for) [0-9.]+ (ns|µs|ms|s)/) { "\($0.1) 1.2 ms" }
      .replacing(/at [A-Za-z]+\/[A-Za-z]+\.swift:[0-9]+/, with: "at App/Services.swift:12")
  }

  @Test func changes() async throws {
    let (printed, count) = (Journal<String>(), Counter())
    let app = Container(name: "app")
    @Sendable func print(_ change: RegistryChange) {
      printed.note("\(change)")
      count.increment()
    }
    // snippet: observing changes
    let changes = app.changes
    let follower = Task {
      for await change in changes { print(change) }
    }
    try await app.register(Registration(autowired: Store.self, scope: .singleton) { Store() })
    try await app.register(Registration(autowired: Store.self, scope: .transient) { Store() })
    // end
    await count.wait(for: 2)
    follower.cancel()
    // output: observing changes
    let text = """
      + Store, singleton, at App/Services.swift:12
      - Store, singleton, at App/Services.swift:12
      + Store, transient, at App/Services.swift:12
      """
    // end
    #expect(Self.fixed(printed.entries.joined(separator: "\n")) == text)
  }

  @Test func events() async throws {
    let slow = Journal<String>()
    let printed = Journal<String>()
    let stream: AsyncStream<ContainerEvent>
    do {
      let container = Container(name: "app") {
        Registration(autowired: Store.self, scope: .singleton) { Store() }.onDispose { _ in throw Boom() }
        Registration(autowired: Server.self, scope: .singleton, initializer: Server.init)
      }
      stream = container.events()
      let app = container
      @Sendable func print(_ text: String) { slow.note(text) }
      // snippet: observing events
      let events = app.events(bufferingNewest: 256)
      let watcher = Task {
        for await event in events {
          if let duration = event.duration, duration > .milliseconds(100) {
            print("slow: \(event)")
          }
        }
      }
      // end
      _ = try await app.resolve(Server.self)
      _ = try await app.resolve(Server.self)
      try? await app.shutdown()
      // It ends by itself, with the shutdown.
      await watcher.value
    }
    for await event in stream { printed.note(Self.fixed("\(event)")) }
    // output: observing events
    let text = """
      [app] building Server, singleton
      [app] building Store, singleton: Server -> Store
      [app] created Store, singleton, in 1.2 ms: Server -> Store
      [app] created Server, singleton, in 1.2 ms
      [app] disposed of Store, singleton, in 1.2 ms; Boom(number: 0)
      """
    // end
    #expect(printed.entries.joined(separator: "\n") == text)
  }

  @Test func aResetThatFailsIsToldOf() async throws {
    let container = Container(name: "app") {
      Registration(autowired: Store.self, scope: .singleton) { Store() }.onDispose { _ in throw Boom() }
    }
    _ = try await container.resolve(Store.self)
    let stream = container.events()
    await container.reset()
    let events = try await stream.taken(from: container)
    #expect(events.summaries == ["reset", "disposed Store"])
    #expect(events.last?.error is Boom)
  }

  @Test func logging() async throws {
    let printed = Journal<String>()
    // snippet: observing logging
    struct EventLog: ContainerObserver {
      let log: @Sendable (_ level: String, _ text: String) -> Void

      func container(_ container: Container, didRegister registration: RegistrationInfo) {
        log("debug", "registered \(registration)")
      }

      func container(_ container: Container, didEmit event: ContainerEvent) {
        log(event.error == nil ? "debug" : "error", "\(event)")
      }
    }
    // end
    let logging = EventLog { printed.note("\($0): \(Self.fixed($1))") }
    let app = Container(name: "app", configuration: .init(observer: logging)) {
      Registration(autowired: Store.self) { throw Boom() }
    }
    await #expect(throws: Boom.self) { try await app.resolve(Store.self) }
    #expect(
      printed.entries == [
        "debug: registered Store, transient, at App/Services.swift:12",
        "debug: [app] building Store, transient", "error: [app] failed Store, transient, in 1.2 ms; Boom(number: 0)",
      ])
  }

  @Test func inspecting() async throws {
    let printed = Journal<String>()
    @Sendable func print(_ line: any CustomStringConvertible) { printed.note(Self.fixed("\(line)")) }
    let app = Container(name: "app", configuration: .init(observer: Silent())) {
      Registration(autowired: Store.self, scope: .singleton) { Store() }
      Registration(autowired: Server.self, scope: .scoped, initializer: Server.init)
    }
    try await app.withScope("request") { scope in
      _ = try await scope.resolve(Server.self)
      // snippet: observing inspecting
      for instance in app.instances + scope.instances { print(instance) }
      for scope in app.openScopes { print(scope) }
      // end
    }
    // output: observing inspecting
    let text = """
      Store, singleton: Store, built in 1.2 ms
      Server, scoped: Server, built in 1.2 ms
      scope "request" (17) in container "app", open for 1.2 ms
      """
    // end
    #expect(printed.entries.joined(separator: "\n").replacing(/\([0-9]+\)/, with: "(17)") == text)
  }

  private struct Silent: ContainerObserver {}

  @Test func metrics() async throws {
    // snippet: observing metrics
    final class BuildCounter: ContainerObserver {
      struct Total {
        var count = 0
        var time = Duration.zero
      }
      private let totals = Mutex<[String: Total]>([:])

      func container(_ container: Container, didEmit event: ContainerEvent) {
        guard case .created(let duration) = event.kind, let service = event.service else {
          return
        }
        totals.withLock {
          $0["\(service)", default: Total()].count += 1
          $0["\(service)", default: Total()].time += duration
        }
      }

      func total(of service: any Any.Type) -> Total {
        totals.withLock { $0["\(service)"] ?? Total() }
      }
    }

    let metrics = BuildCounter()
    let app = Container(configuration: .init(observer: metrics)) {
      Registration(autowired: Store.self) { Store() }
      Registration(autowired: Server.self, scope: .scoped, initializer: Server.init)
    }
    for _ in 0..<3 {
      try await app.withScope { scope in
        _ = try await scope.resolve(Server.self)
        _ = try await scope.resolve(Server.self)  // is there: nothing is created
      }
    }
    #expect(metrics.total(of: Server.self).count == 3)
    // end
    #expect(metrics.total(of: Store.self).count == 3)
    #expect(metrics.total(of: Server.self).time >= metrics.total(of: Store.self).time)
  }

  @Test func tracing() async throws {
    // snippet: observing tracing
    struct Span {
      let name: String
      let parent: String?
      let time: Range<ContinuousClock.Instant>
      let isFailure: Bool
    }

    final class SpanRecorder: ContainerObserver {
      private let recorded = Mutex<[Span]>([])
      var spans: [Span] { recorded.withLock { $0 } }

      func container(_ container: Container, didEmit event: ContainerEvent) {
        guard let duration = event.duration, let name = event.path.last else { return }
        let end = ContinuousClock.now
        let span = Span(
          name: name, parent: event.path.dropLast().last,
          time: end.advanced(by: .zero - duration)..<end, isFailure: event.error != nil)
        recorded.withLock { $0.append(span) }
      }
    }
    // end
    let tracing = SpanRecorder()
    let app = Container(configuration: .init(observer: tracing)) {
      Registration(autowired: Store.self, scope: .singleton) { Store() }.onDispose { _ in }
      Registration(autowired: Server.self, scope: .singleton, initializer: Server.init)
    }
    _ = try await app.resolve(Server.self)
    try await app.shutdown()
    #expect(tracing.spans.map(\.name) == ["Store", "Server"])
    #expect(tracing.spans.map(\.parent) == ["Server", nil])
    #expect(tracing.spans.allSatisfy { !$0.isFailure })
    let (store, server) = (tracing.spans[0], tracing.spans[1])
    #expect(server.time.lowerBound <= store.time.upperBound && store.time.upperBound <= server.time.upperBound)
  }
}
