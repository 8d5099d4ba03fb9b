import ActorDI
import ActorDITracing
import InMemoryTracing
import Testing
import Tracing

@Suite("TracingObserver", .timeLimit(.minutes(5)))
struct TracingTests {
  private struct Store: Sendable {}
  private struct Order: Sendable { let store: Store }
  private struct Mail: Sendable {}
  private struct Refused: Error {}

  private let tracer = InMemoryTracer()

  private func app() -> Container {
    Container(name: "app", configuration: .init(observer: TracingObserver(tracer: tracer))) {
      Registration(Store.self, scope: .scoped) { _ in
        await Task.yield()
        return Store()
      }
      .onDispose { _ in }
      Registration(Order.self, scope: .scoped) { r in Order(store: try await r.resolve()) }
      Registration(Mail.self, scope: .singleton) { _ in throw Refused() }
    }
  }

  /// The parents of the finished spans, by name.
  private var parents: [String: String?] {
    let spans = tracer.finishedSpans
    return Dictionary(
      uniqueKeysWithValues: spans.map { span in
        (span.operationName, spans.first { $0.spanID == span.parentSpanID }?.operationName)
      })
  }

  @Test func buildsBelongToTheirScopeAndToTheirRequesters() async throws {
    let app = app()
    await #expect(throws: Refused.self) {
      try await tracer.withSpan("request") { _ in
        try await app.withScope("unit") { scope in
          _ = try await scope.resolve(Order.self)
          throw Refused()
        }
      }
    }
    #expect(
      parents == [
        "request": nil, "scope unit": "request", "build Order": "scope unit", "build Store": "build Order",
        "dispose Store": "scope unit",
      ])
    #expect(tracer.activeSpans.isEmpty)
    let scope = try #require(tracer.finishedSpans.first { $0.operationName == "scope unit" })
    #expect(scope.errors.count == 1 && scope.status?.code == .error)
    #expect(scope.attributes["actordi.outcome"]?.toSpanAttribute() == .string("failed"))
    let store = try #require(tracer.finishedSpans.first { $0.operationName == "build Store" })
    #expect(store.attributes["actordi.scope"]?.toSpanAttribute() == .string("scoped"))
    #expect(store.attributes["actordi.container"]?.toSpanAttribute() == .string("unit"))
  }

  @Test func aSpanOfTheOperationIsTheParentOfItsBuilds() async throws {
    let app = app()
    try await app.withScope("unit") { scope in
      try await tracer.withSpan("step") { _ in _ = try await scope.resolve(Store.self) }
    }
    #expect(parents == ["scope unit": nil, "step": nil, "build Store": "step", "dispose Store": "scope unit"])
  }

  @Test func aFailedBuildIsASpanWithAnError() async throws {
    let app = app()
    _ = try? tracer.withSpan("request") { _ in try app.resolve(Mail.self) }
    #expect(parents == ["request": nil, "build Mail": "request"])
    let build = try #require(tracer.finishedSpans.first { $0.operationName == "build Mail" })
    #expect(build.errors.first?.error is Refused && build.status?.code == .error)
  }

  @Test func aWaitEndsWhenItIsRecorded() async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let (entered, mayEnd) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    let app = Container(configuration: .init(observer: TracingObserver(tracer: tracer))) {
      Registration(Store.self, scope: .singleton) { _ in
        entered.continuation.yield()
        for await _ in mayEnd.stream { break }
        return Store()
      }
    }
    async let first = app.resolve(Store.self)
    for await _ in entered.stream { break }
    // Immediately: it has joined the build when the factory is allowed to end.
    let second = Task.immediate { try await app.resolve(Store.self) }
    mayEnd.continuation.yield()
    _ = try await (first, second.value)
    let wait = try #require(tracer.finishedSpans.first { $0.operationName == "wait Store" })
    #expect(wait.startInstant.nanosecondsSinceEpoch <= wait.endInstant.nanosecondsSinceEpoch)
    #expect(tracer.finishedSpans.count { $0.operationName == "build Store" } == 1 && tracer.activeSpans.isEmpty)
  }

  @Test func concurrentScopesKeepTheirSpansApart() async throws {
    let app = app()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<50 {
        group.addTask { try await app.withScope("unit \(number)") { _ = try await $0.resolve(Order.self) } }
      }
      try await group.waitForAll()
    }
    let spans = tracer.finishedSpans
    #expect(spans.count == 200 && tracer.activeSpans.isEmpty)
    for scope in spans where scope.operationName.hasPrefix("scope") {
      let order = try #require(spans.first { $0.parentSpanID == scope.spanID && $0.operationName == "build Order" })
      #expect(spans.count { $0.parentSpanID == order.spanID } == 1)
    }
  }
}
