import ActorDI
import ActorDIHummingbird
import Dispatch
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import Testing

private struct Tenant: Sendable { let name: String }

/// A service that the requests of one tenant share.
private final class Ledger: Sendable {
  let tenant: Tenant
  private let count = Mutex(0)
  init(tenant: Tenant) { self.tenant = tenant }

  /// The tenant, and how many entries there are.
  func add() -> String { "\(tenant.name) \(count.withLock { $0 += 1; return $0 })" }
}

@Suite("ContainerMiddleware with scopes by key", .timeLimit(.minutes(2)))
struct KeyedMiddlewareTests {
  private let notes = Notes()
  private let app: Container

  init() {
    app = Container(name: "app") { [notes] in
      Registration(autowired: Ledger.self, scope: .scoped("tenant"), initializer: Ledger.init)
        .onDispose { ledger in notes.add("ledger of \(ledger.tenant.name)") }
      Registration(Unit.self, scope: .scoped("request")) { r in Unit(path: try r.resolve(Request.self).uri.path) }
        .onDispose { unit, outcome in notes.add("\(unit.path) \(outcome.brief)") }
    }
  }

  private func tenants(idleFor: Duration? = nil) -> KeyedScopes<String> {
    app.keyedScopes("tenant", idleFor: idleFor) { name in Registration(instance: Tenant(name: name)) }
  }

  /// The tenant that a header names.
  @Sendable private static func tenant(of request: Request, _ context: AppContext) async throws -> String {
    guard let name = request.headers[.authorization] else { throw HTTPError(.unauthorized) }
    if name.isEmpty { throw Refused() }
    return name
  }

  /// Runs a test with an application whose routes resolve a ledger and a unit.
  private func test(
    _ tenants: KeyedScopes<String>,
    _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void
  ) async throws {
    let router = Router(context: AppContext.self)
    router.add(middleware: ContainerMiddleware(tenants, key: Self.tenant))
    router.get("short") { _, context in
      _ = try await context.container.resolve(Unit.self)
      return try await context.container.resolve(Ledger.self).add()
    }
    router.get("failing") { _, context -> String in
      _ = try await context.container.resolve(Unit.self)
      throw HTTPError(.badRequest)
    }
    router.get("streamed") { [notes] _, context in
      _ = try await context.container.resolve(Unit.self)
      let ledger = try await context.container.resolve(Ledger.self)
      return Response(
        status: .ok,
        body: ResponseBody { writer in
          let same = try await Container.current.resolve(Ledger.self)
          try await writer.write(ByteBuffer(string: ledger === same ? ledger.add() : "another ledger"))
          notes.add("written")
          try await writer.finish(nil)
        })
    }
    router.get("leave") { request, context in
      _ = try await context.container.resolve(Unit.self)
      _ = try await context.container.resolve(Ledger.self)
      await tenants.end(try await Self.tenant(of: request, context))
      return "left"
    }
    router.get("leave/streamed") { request, context in
      _ = try await context.container.resolve(Unit.self)
      await tenants.end(try await Self.tenant(of: request, context))
      return Response(
        status: .ok,
        body: ResponseBody { writer in
          try await writer.write(ByteBuffer(string: "left"))
          try await writer.finish(nil)
        })
    }
    try await Application(router: router).test(.router, body)
  }

  // MARK: Sharing

  @Test func requestsOfATenantShareItsServices() async throws {
    let tenants = tenants(idleFor: .seconds(600))
    try await test(tenants) { (client: any TestClientProtocol) async throws in
      for (tenant, text) in [("a", "a 1"), ("b", "b 1"), ("a", "a 2"), ("b", "b 2")] {
        #expect(try await client.text("/short", of: tenant) == text)
      }
      #expect(try await client.text("/streamed", of: "a") == "a 3")
    }
    #expect(Set(tenants.open.map(\.key)) == ["a", "b"] && tenants.open.allSatisfy { $0.uses == 0 })
    #expect(notes.all == Array(repeating: "/short completed", count: 4) + ["written", "/streamed completed"])
    try await app.shutdown()
    #expect(notes.all.suffix(2).sorted() == ["ledger of a", "ledger of b"])
  }

  @Test func withoutIdleTimeTheTenantEndsAfterItsRequest() async throws {
    let tenants = tenants()
    try await test(tenants) { (client: any TestClientProtocol) async throws in
      #expect(try await client.text("/short", of: "a") == "a 1")
      #expect(try await client.text("/short", of: "a") == "a 1")
      #expect(try await client.status("/failing", of: "a") == .badRequest)
    }
    // The last request has resolved no ledger.
    #expect(
      notes.all == [
        "/short completed", "ledger of a", "/short completed", "ledger of a", "/failing failed",
      ])
    #expect(tenants.open.isEmpty && app.openScopes.isEmpty)
  }

  @Test func theScopeHasItsNameAndRegistrations() async throws {
    let tenants = tenants()
    let middleware = ContainerMiddleware<LocalContext>(tenants, name: "call") { _, _ in
      "a"
    } registrations: { _, _ in
      Registration(instance: 17)
    }
    let names = Notes()
    _ = try await middleware.handle(.test, context: LocalContext(source: .init())) { _, _ in
      let scope = Container.current
      names.add("\(scope.name) in \(try await scope.resolve(Tenant.self).name)")
      #expect(try await scope.resolve(Int.self) == 17)
      #expect(!scope.contains(Request.self))
      return Response(status: .ok)
    }
    #expect(names.all == ["call in a"] && tenants.open.isEmpty)
  }

  @Test func aHandlerMayEndTheScopeOfItsKey() async throws {
    let tenants = tenants(idleFor: .seconds(600))
    try await test(tenants) { (client: any TestClientProtocol) async throws in
      #expect(try await client.text("/short", of: "a") == "a 1")
      #expect(try await client.text("/leave", of: "a") == "left")
      #expect(try await client.text("/leave/streamed", of: "a") == "left")
      #expect(try await client.text("/short", of: "a") == "a 1")
    }
    #expect(
      notes.all == [
        "/short completed", "/leave shutDown", "ledger of a", "/leave/streamed shutDown", "/short completed",
      ])
    try await app.shutdown()
  }

  @Test(arguments: [nil, 2] as [Int?])
  func anEndWhoseTimeIsUpMakesARequestUnavailable(contentLength: Int?) async throws {
    let tenants = tenants(idleFor: .seconds(600))
    let middleware = ContainerMiddleware<LocalContext>(tenants) { _, _ in "a" }
    let error = await #expect(throws: HTTPError.self) {
      try await middleware.handle(.test, context: LocalContext(source: .init())) { _, _ in
        _ = try await Container.current.resolve(Unit.self)
        // In another task, so that it waits for this one, whose time is up at once.
        await Task.detached { await tenants.end("a", timeout: .zero) }.value
        return Response(
          status: .ok,
          body: ResponseBody(contentLength: contentLength) { writer in
            try await writer.write(ByteBuffer(string: "ok"))
            try await writer.finish(nil)
          })
      }
    }
    #expect(error?.status == .serviceUnavailable)
    #expect(notes.all == ["/ shutDown"] && app.openScopes.isEmpty)
  }

  // MARK: The key

  @Test func anErrorOfTheKeyIsTheResponse() async throws {
    let tenants = tenants(idleFor: .seconds(600))
    try await test(tenants) { (client: any TestClientProtocol) async throws in
      #expect(try await client.status("/short", of: nil) == .unauthorized)
      #expect(try await client.status("/short", of: "") == .internalServerError)
    }
    #expect(tenants.open.isEmpty && notes.all.isEmpty)
  }

  // MARK: Streamed bodies

  @Test func aStreamedBodyKeepsTheTenantInUse() async throws {
    let tenants = tenants()
    try await test(tenants) { (client: any TestClientProtocol) async throws in
      #expect(try await client.text("/streamed", of: "a") == "a 1")
    }
    #expect(notes.all == ["written", "/streamed completed", "ledger of a"])
    #expect(tenants.open.isEmpty && app.openScopes.isEmpty)
  }

  @Test func aBodyThatIsDroppedEndsItsUseOfTheTenant() async throws {
    let ended = AsyncStream<String>.makeStream()
    let app = Container {
      Registration(Notes.self, scope: .scoped("tenant")) { _ in Notes() }
        .onDispose { _ in
          ended.continuation.yield("tenant")
          ended.continuation.finish()
        }
      Registration(Unit.self, scope: .scoped("request")) { _ in Unit(path: "") }
        .onDispose { _ in ended.continuation.yield("request") }
    }
    let tenants: KeyedScopes<String> = app.keyedScopes("tenant")
    let middleware = ContainerMiddleware<LocalContext>(tenants) { _, _ in "a" }
    _ = try await middleware.handle(.test, context: LocalContext(source: .init())) { _, _ in
      _ = try await Container.current.resolve(Notes.self)
      _ = try await Container.current.resolve(Unit.self)
      return Response(status: .ok, body: ResponseBody { writer in try await writer.finish(nil) })
    }
    // The response has been dropped.
    var all: [String] = []
    for await end in ended.stream { all.append(end) }
    #expect(all == ["request", "tenant"])
  }

  // MARK: The end of a key

  /// A middleware that calls a function when a request has arrived in the scope of its key, and is about to open its own.
  private func middleware(
    _ tenants: KeyedScopes<String>, whenArrived arrived: @escaping @Sendable () -> Void
  ) -> ContainerMiddleware<LocalContext> {
    ContainerMiddleware(tenants) { _, _ in
      "a"
    } registrations: { request, _ in
      arrived()
      return Registrations { Registration(instance: request) }
    }
  }

  @Test func anEndWaitsForARequestThatHasArrived() async throws {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let tenants = tenants(idleFor: .seconds(600))
    let ends = AsyncStream<Task<Void, Never>>.makeStream()
    let middleware = middleware(tenants) {
      // Immediately: the end has begun before the request opens its scope.
      ends.continuation.yield(Task.immediate { await tenants.end("a") })
    }
    let response = try await middleware.handle(.test, context: LocalContext(source: .init())) { _, _ in
      #expect(tenants.open.isEmpty)
      _ = try await Container.current.resolve(Unit.self)
      _ = try await Container.current.resolve(Ledger.self)
      return Response(status: .ok)
    }
    #expect(response.status == .ok)
    for await end in ends.stream {
      await end.value
      break
    }
    #expect(notes.all == ["/ completed", "ledger of a"] && app.openScopes.isEmpty)
  }

  @Test func anEndWhoseTimeIsUpMakesARequestThatHasArrivedUnavailable() async throws {
    let tenants = tenants(idleFor: .seconds(600))
    let middleware = middleware(tenants) {
      let ended = DispatchSemaphore(value: 0)
      Task.detached {
        await tenants.end("a", timeout: .zero)
        ended.signal()
      }
      ended.wait()
    }
    let request = Task(executorPreference: QueueExecutor()) {
      try await middleware.handle(.test, context: LocalContext(source: .init())) { _, _ in
        Issue.record("The request is handled")
        return Response(status: .ok)
      }
    }
    let error = await #expect(throws: HTTPError.self) { try await request.value }
    #expect(error?.status == .serviceUnavailable)
    #expect(tenants.open.isEmpty && app.openScopes.isEmpty)
  }

  // MARK: Shutdown

  @Test func aClosedContainerAnswersThatTheServiceIsUnavailable() async throws {
    let tenants = tenants(idleFor: .seconds(600))
    try await test(tenants) { [app] client in
      #expect(try await client.status("/short", of: "a") == .ok)
      try await app.shutdown()
      #expect(try await client.status("/short", of: "a") == .serviceUnavailable)
      #expect(try await client.status("/short", of: "b") == .serviceUnavailable)
    }
  }

  @Test func aShutdownWaitsForStreamedBodies() async throws {
    let (begun, mayEnd) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
    let router = Router(context: AppContext.self)
    router.add(middleware: ContainerMiddleware(tenants(idleFor: .seconds(600)), key: Self.tenant))
    router.get("slow") { [notes] _, context in
      _ = try await context.container.resolve(Unit.self)
      let ledger = try await context.container.resolve(Ledger.self)
      return Response(
        status: .ok,
        body: ResponseBody { writer in
          begun.continuation.yield()
          for await _ in mayEnd.stream { break }
          try await writer.write(ByteBuffer(string: ledger.add()))
          notes.add("written")
          try await writer.finish(nil)
        })
    }
    try await Application(router: router).test(.router) { [app, notes] client in
      async let response = client.text("/slow", of: "a")
      for await _ in begun.stream { break }
      async let end: Void = app.shutdown()
      mayEnd.continuation.yield()
      #expect(try await response == "a 1")
      try await end
      #expect(notes.all == ["written", "/slow completed", "ledger of a"])
    }
  }

  @Test(arguments: [nil, .seconds(600)] as [Duration?])
  func manyRequestsOfFewTenantsAtOnce(idleFor: Duration?) async throws {
    let tenants = tenants(idleFor: idleFor)
    try await test(tenants) { client in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for index in 0..<500 {
          let (uri, tenant) = (["/short", "/streamed", "/failing"][index % 3], "\(index % 5)")
          group.addTask { _ = try await client.status(uri, of: tenant) }
        }
        try await group.waitForAll()
      }
    }
    #expect(app.openScopes.count == tenants.open.count && tenants.open.count == (idleFor == nil ? 0 : 5))
    try await app.shutdown()
    #expect(notes.all.count { $0.hasPrefix("/") } == 500)
    if idleFor != nil { #expect(notes.all.count { $0.hasPrefix("ledger") } == 5) }
  }
}

/// Runs tasks on a thread of their own, which they may block.
private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "requests")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

extension Request {
  static var test: Request {
    Request(
      head: HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/"), body: RequestBody(buffer: ByteBuffer()))
  }
}

extension TestClientProtocol {
  private func get(_ uri: String, of tenant: String?) async throws -> TestResponse {
    let headers = tenant.map { HTTPFields([HTTPField(name: .authorization, value: $0)]) } ?? [:]
    return try await executeRequest(uri: uri, method: .get, headers: headers, body: nil)
  }

  fileprivate func text(_ uri: String, of tenant: String) async throws -> String {
    String(buffer: try await get(uri, of: tenant).body)
  }

  fileprivate func status(_ uri: String, of tenant: String?) async throws -> HTTPResponse.Status {
    try await get(uri, of: tenant).status
  }
}
