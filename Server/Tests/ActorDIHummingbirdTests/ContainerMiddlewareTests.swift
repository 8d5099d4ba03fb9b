import ActorDI
import ActorDIHummingbird
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import Logging
import NIOCore
import Synchronization
import Testing

struct AppContext: ContainerRequestContext {
  var coreContext: CoreRequestContextStorage
  var container = Container.current
  init(source: Source) { coreContext = .init(source: source) }
}

/// A context without a connection, and without a container.
struct LocalContext: RequestContext {
  struct Source: RequestContextSource { var logger = Logger(label: "test") }
  var coreContext: CoreRequestContextStorage
  init(source: Source) { coreContext = .init(source: source) }
}

/// What disposers have noted.
final class Notes: Sendable {
  private let notes = Mutex<[String]>([])
  var all: [String] { notes.withLock { $0 } }
  func add(_ note: String) { notes.withLock { $0.append(note) } }
}

final class Unit: Sendable {
  let path: String
  init(path: String) { self.path = path }
}

struct Refused: Error {}
private struct Broken: Error {}

private struct NoWriter: ResponseBodyWriter {
  mutating func write(_ buffer: ByteBuffer) async throws {}
  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

@Suite("ContainerMiddleware")
struct ContainerMiddlewareTests {
  private let notes = Notes()

  private func makeContainer() -> Container {
    Container(name: "app") { [notes] in
      Registration(Unit.self, scope: .scoped("request")) { r in Unit(path: try r.resolve(Request.self).uri.path) }
        .onDispose { unit, outcome in notes.add("\(unit.path) \(outcome.brief)") }
    }
  }

  /// Runs a test with an application whose routes resolve a unit.
  private func test<Result: Sendable>(
    _ container: Container, collecting: Int = 1 << 16,
    _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Result
  ) async throws -> Result {
    let router = Router(context: AppContext.self)
    router.add(middleware: ContainerMiddleware(container, collecting: collecting))
    router.get("short") { _, context in
      let unit = try await context.container.resolve(Unit.self)
      let same = try await Container.current.resolve(Unit.self)
      return unit === same ? unit.path : "different units"
    }
    router.get("failing") { _, context -> String in
      _ = try await context.container.resolve(Unit.self)
      throw HTTPError(.badRequest)
    }
    router.get("cancelled") { _, context -> String in
      _ = try await context.container.resolve(Unit.self)
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      throw CancellationError()
    }
    router.get("streamed") { [notes] _, context in
      let unit = try await context.container.resolve(Unit.self)
      return Response(
        status: .ok,
        body: ResponseBody { writer in
          for index in 0..<3 {
            let same = try await Container.current.resolve(Unit.self)
            try await writer.write(ByteBuffer(string: "\(index)\(unit === same ? "" : " another unit") "))
            notes.add("written \(index)")
          }
          try await writer.finish(nil)
        })
    }
    router.get("breaking") { _, context in
      _ = try await context.container.resolve(Unit.self)
      return Response(
        status: .ok,
        body: ResponseBody { writer in
          try await writer.write(ByteBuffer(string: "a"))
          throw Refused()
        })
    }
    router.get("trailers") { _, context in
      _ = try await context.container.resolve(Unit.self)
      return Response(
        status: .ok,
        body: ResponseBody(contentLength: 2) { writer in
          try await writer.write(ByteBuffer(string: "a"))
          try await writer.write(ByteBuffer(string: "b"))
          try await writer.finish([.contentLanguage: "en"])
        })
    }
    return try await Application(router: router).test(.router, body)
  }

  @Test func eachRequestHasAScope() async throws {
    let container = makeContainer()
    try await test(container) { client in
      for _ in 0..<3 {
        try await client.execute(uri: "/short", method: .get) { #expect(String(buffer: $0.body) == "/short") }
      }
    }
    #expect(notes.all == ["/short completed", "/short completed", "/short completed"])
    #expect(container.openScopes.isEmpty)
  }

  @Test func disposersLearnTheErrorOfTheHandler() async throws {
    try await test(makeContainer()) { client in
      try await client.execute(uri: "/failing", method: .get) { #expect($0.status == .badRequest) }
      _ = try? await client.execute(uri: "/cancelled", method: .get) { _ in }
    }
    #expect(notes.all == ["/failing failed", "/cancelled cancelled"])
  }

  @Test func aStreamedBodyKeepsItsScopeOpen() async throws {
    let container = makeContainer()
    try await test(container) { client in
      try await client.execute(uri: "/streamed", method: .get) { #expect(String(buffer: $0.body) == "0 1 2 ") }
    }
    #expect(notes.all == ["written 0", "written 1", "written 2", "/streamed completed"])
    #expect(container.openScopes.isEmpty)
  }

  @Test func anErrorWhileWritingIsTheOutcome() async throws {
    try await test(makeContainer()) { client in
      _ = try? await client.execute(uri: "/breaking", method: .get) { _ in }
    }
    #expect(notes.all == ["/breaking failed"])
  }

  @Test func aFailedDisposerOfABrokenBodyIsLogged() async throws {
    let log = InMemoryLogHandler()
    let container = Container {
      Registration(Unit.self, scope: .scoped("request")) { _ in Unit(path: "") }.onDispose { _ in throw Refused() }
    }
    let middleware = ContainerMiddleware<LocalContext>(container)
    let context = LocalContext(source: .init(logger: Logger(label: "test") { _ in log }))
    let response = try await middleware.handle(.test, context: context) { _, _ in
      _ = try await Container.current.resolve(Unit.self)
      return Response(status: .ok, body: ResponseBody { _ in throw Broken() })
    }
    await #expect(throws: Broken.self) { try await response.body.write(NoWriter()) }
    #expect(log.entries.map(\.level) == [.error])
    #expect(log.entries.allSatisfy { "\($0.message)".contains("Refused") })
  }

  @Test(arguments: [0, 1 << 16])
  func trailersArePreserved(collecting: Int) async throws {
    try await test(makeContainer(), collecting: collecting) { client in
      try await client.execute(uri: "/trailers", method: .get) { response in
        #expect(String(buffer: response.body) == "ab")
        #expect(response.trailerHeaders?[.contentLanguage] == "en")
      }
    }
    #expect(notes.all == ["/trailers completed"])
  }

  @Test func aBodyThatIsNeverWrittenEndsItsScope() async throws {
    let ended = AsyncStream<Void>.makeStream()
    let container = Container {
      Registration(Notes.self, scope: .scoped("request")) { _ in Notes() }.onDispose { _ in ended.continuation.yield() }
    }
    let request = Request(
      head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"), body: RequestBody(buffer: ByteBuffer()))
    _ = try await ContainerMiddleware<LocalContext>(container).handle(request, context: LocalContext(source: .init())) {
      _, _ in
      _ = try await Container.current.resolve(Notes.self)
      return Response(status: .ok, body: ResponseBody { writer in try await writer.finish(nil) })
    }
    // The response has been dropped.
    for await _ in ended.stream { break }
  }

  @Test func aFailedDisposerOfAShortResponseIsAnError() async throws {
    let container = Container {
      Registration(Unit.self, scope: .scoped("request")) { _ in Unit(path: "") }.onDispose { _ in throw Refused() }
    }
    try await test(container) { client in
      try await client.execute(uri: "/short", method: .get) { #expect($0.status == .internalServerError) }
    }
  }

  @Test func aClosedContainerAnswersThatTheServiceIsUnavailable() async throws {
    let container = makeContainer()
    try await container.shutdown()
    try await test(container) { client in
      try await client.execute(uri: "/short", method: .get) { #expect($0.status == .serviceUnavailable) }
    }
  }

  @Test(arguments: [true, false])
  func aShutdownWhoseTimeIsUpMakesAFailedRequestUnavailable(obeysCancellation: Bool) async throws {
    let container = makeContainer()
    let middleware = ContainerMiddleware<LocalContext>(container)
    // A task of its own, since the shutdown cancels it.
    let request = Task {
      try await middleware.handle(.test, context: LocalContext(source: .init())) { _, _ in
        _ = try await Container.current.resolve(Unit.self)
        // In another task, so that it waits for this one, whose time is up at once.
        await Task.detached { try? await container.shutdown(timeout: .zero) }.value
        if obeysCancellation { try Task.checkCancellation() }
        _ = try await Container.current.resolve(Unit.self)
        return Response(status: .ok)
      }
    }
    let error = await #expect(throws: HTTPError.self) { try await request.value }
    #expect(error?.status == .serviceUnavailable)
    #expect(notes.all == ["/ shutDown"] && container.openScopes.isEmpty)
  }

  @Test func aCancelledRequestWithAScopeThrowsItsError() async throws {
    let container = makeContainer()
    let middleware = ContainerMiddleware<LocalContext>(container)
    // A task of its own, since it is cancelled.
    let request = Task {
      try await middleware.handle(.test, context: LocalContext(source: .init())) { _, _ in
        _ = try await Container.current.resolve(Unit.self)
        unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
        throw Broken()
      }
    }
    await #expect(throws: Broken.self) { try await request.value }
    #expect(notes.all == ["/ failed"] && container.openScopes.isEmpty)
  }

  @Test func aShutdownWaitsForStreamedBodies() async throws {
    let container = makeContainer()
    let (begun, mayEnd) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    let router = Router(context: AppContext.self)
    router.add(middleware: ContainerMiddleware(container))
    router.get("slow") { [notes] _, context in
      _ = try await context.container.resolve(Unit.self)
      return Response(
        status: .ok,
        body: ResponseBody { writer in
          begun.continuation.yield()
          for await _ in mayEnd.stream { break }
          try await writer.write(ByteBuffer(string: "done"))
          notes.add("written")
          try await writer.finish(nil)
        })
    }
    try await Application(router: router).test(.router) { [notes] client in
      async let response = client.execute(uri: "/slow", method: .get) { String(buffer: $0.body) }
      for await _ in begun.stream { break }
      async let end: Void = container.shutdown()
      mayEnd.continuation.yield()
      #expect(try await response == "done")
      try await end
      #expect(notes.all == ["written", "/slow completed"])
    }
  }

  @Test func manyRequestsAtOnceLeaveNoScope() async throws {
    let container = makeContainer()
    try await test(container) { client in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<500 {
          let uri = ["/short", "/streamed", "/failing", "/trailers"][index % 4]
          group.addTask { _ = try await client.execute(uri: uri, method: .get) { $0.status } }
        }
        try await group.waitForAll()
      }
    }
    #expect(container.openScopes.isEmpty)
    #expect(notes.all.count { $0.hasPrefix("/") } == 500)
  }
}

extension ScopeOutcome {
  /// The outcome without its error.
  var brief: String { String("\(self)".prefix { $0 != "(" }) }
}
