import ActorDITestSupport
import ActorDITesting
import Testing

@testable import ActorDI

/// What the article of this name shows.
@Suite("Server applications", .timeLimit(.minutes(5)))
struct ServerApplications {
  // MARK: The driver and the server, which the article does not show

  struct Settings: Sendable { let journal: Journal<String> }
  struct Refused: Error {}

  actor ConnectionPool {
    private let journal: Journal<String>
    init(settings: Settings) async throws { journal = settings.journal }
    func lease() async throws -> Connection { Connection(journal: journal) }
    func close() async { journal.note("pool closed") }
  }

  /// A connection whose statements fail in a cancelled task. It refuses to commit the order "poison".
  struct Connection: Sendable {
    let journal: Journal<String>

    func execute(_ statement: String, _ values: String...) async throws {
      await Task.yield()
      try Task.checkCancellation()
      if statement == "COMMIT", journal.entries.last == "INSERT poison" { throw Refused() }
      journal.note(([String(statement.prefix { $0 != " " })] + values).joined(separator: " "))
    }

    func release() async {
      await Task.yield()
      journal.note("released")
    }
  }

  struct Server: Sendable {
    let router: Router
    func run() async throws { _ = await router.respond(to: Request(path: "/orders", body: "tea")) }
  }

  struct Request: Sendable {
    let path: String
    let body: String
  }

  struct Response: Sendable { let status: Int }
  struct Rejection: Error { let status: Int }

  struct Receipt: Sendable { let order: String }

  struct SendReceipt: Sendable {
    let receipt: Receipt
    let work: UnitOfWork
    func run() async throws { try await work.connection.execute("RECEIPT", receipt.order) }
  }

  let lines = Journal<String>()
  func log(_ text: String) { lines.note(text) }

  // MARK: What the article shows

  // snippet: server main
  func serve(_ settings: Settings) async throws {
    let app = makeContainer(settings)
    try await app.validate()  // a missing service ends the process here
    try await app.start()  // opens the pool
    // The port is open meanwhile.
    let end = await Task { try await Server(router: makeRouter(app)).run() }.result
    await close(app)  // waits for the requests, then closes the pool
    try end.get()
  }

  func close(_ app: Container) async {
    do {
      try await app.shutdown(timeout: .seconds(8))
    } catch {
      for scope in error.openScopes { log("still open: \(scope)") }
      for failure in error.failures { log("not closed: \(failure)") }
    }
  }
  // end

  // snippet: server container
  func makeContainer(
    _ settings: Settings, configuration: Container.Configuration = .init()
  ) -> Container {
    Container(name: "app", configuration: configuration) {
      Registration(instance: settings)
      Registration(
        autowired: ConnectionPool.self, scope: .singleton, initializer: ConnectionPool.init
      )
      .eager()
      .onDispose { pool in await pool.close() }

      RegistrationGroup(scope: .scoped("work")) {
        Registration(Connection.self) { r in
          try await r.resolve(ConnectionPool.self).lease()
        }
        .dependsOn(ConnectionPool.self)
        .onDispose { connection in await connection.release() }
        Registration(autowired: UnitOfWork.self, initializer: UnitOfWork.init)
          .onDispose { work, outcome in try await work.end(outcome) }
        Registration(autowired: PlaceOrder.self, initializer: PlaceOrder.init)
        Registration(autowired: SendReceipt.self, initializer: SendReceipt.init)
      }
    }
  }
  // end

  // snippet: server unit of work
  struct UnitOfWork: Sendable {
    let connection: Connection

    init(connection: Connection) async throws {
      self.connection = connection
      try await connection.execute("BEGIN")
    }

    func end(_ outcome: ScopeOutcome) async throws {
      switch outcome {
      case .completed: try await connection.execute("COMMIT")
      default: try await connection.execute("ROLLBACK")
      }
    }
  }
  // end

  // snippet: server router
  struct PlaceOrder: Sendable {
    let request: Request
    let work: UnitOfWork

    func respond() async throws -> Response {
      try await work.connection.execute("INSERT INTO orders VALUES ($1)", request.body)
      // Undoes the insertion.
      if request.body == "nothing" { throw Rejection(status: 400) }
      return Response(status: 201)
    }
  }

  struct Router: Sendable {
    typealias Handler = @Sendable (_ scope: Container) async throws -> Response
    let app: Container
    let routes: [String: Handler]

    func respond(to request: Request) async -> Response {
      guard let handler = routes[request.path] else { return Response(status: 404) }
      do {
        return try await app.withScope("work") {
          Registration(instance: request)
        } operation: { scope in
          try await Container.withCurrent(scope) { try await handler(scope) }
        }
      } catch let rejection as Rejection {
        return Response(status: rejection.status)
      } catch let error as ResolutionError where error.code == .closed {
        return Response(status: 503)  // the shutdown has begun
      } catch {
        return Response(status: 500)
      }
    }
  }

  func makeRouter(_ app: Container) -> Router {
    Router(
      app: app,
      routes: [
        "/orders": { scope in try await scope.resolve(PlaceOrder.self).respond() }
      ])
  }
  // end

  // snippet: server job
  func sendReceipts(_ receipts: AsyncStream<Receipt>, in app: Container) async {
    for await receipt in receipts {
      do {
        try await app.withScope("work") {
          Registration(instance: receipt)
        } operation: { scope in
          try await scope.resolve(SendReceipt.self).run()
        }
      } catch {
        // Rolled back; the next one gets a scope of its own.
        log("receipt for \(receipt.order): \(error)")
      }
    }
  }
  // end

  // snippet: server deadline
  func within(
    _ limit: Duration, by clock: any Clock<Duration>, _ handler: @escaping Router.Handler
  ) -> Router.Handler {
    { scope in
      try await withThrowingTaskGroup(of: Response.self) { group in
        group.addTask { try await handler(scope) }
        group.addTask {
          try await clock.sleep(for: limit)
          throw Rejection(status: 504)
        }
        defer { group.cancelAll() }
        return try await group.next() ?? Response(status: 500)
      }
    }
  }
  // end

  // MARK: Tests

  let journal = Journal<String>()

  @Test func theServer() async throws {
    try await serve(Settings(journal: journal))
    #expect(journal.entries == ["BEGIN", "INSERT tea", "COMMIT", "released", "pool closed"])
    #expect(lines.entries == [])
  }

  @Test func requests() async throws {
    let app = makeContainer(Settings(journal: journal))
    let router = makeRouter(app)
    let report = try await app.validate()
    #expect(report.expectedFromScopes.map(\.description) == ["Request", "Receipt"])
    #expect(report.opaque.isEmpty)
    #expect(journal.entries == [])
    #expect(await router.respond(to: Request(path: "/orders", body: "nothing")).status == 400)
    #expect(await router.respond(to: Request(path: "/orders", body: "poison")).status == 500)
    #expect(await router.respond(to: Request(path: "/", body: "")).status == 404)
    #expect(
      journal.entries == [
        "BEGIN", "INSERT nothing", "ROLLBACK", "released",
        "BEGIN", "INSERT poison", "released",
      ])
    try await app.shutdown()
    #expect(await router.respond(to: Request(path: "/orders", body: "late")).status == 503)
  }

  func audit(_ text: String) async throws {
    try await Container.current.resolve(UnitOfWork.self).connection.execute("AUDIT", text)
  }

  @Test func theCurrentContainer() async throws {
    let app = makeContainer(Settings(journal: journal))
    let routes: [String: Router.Handler] = [
      "/orders": { scope in
        let response = try await scope.resolve(PlaceOrder.self).respond()
        async let audit: Void = self.audit("order")
        try await audit
        return response
      }
    ]
    let router = Router(app: app, routes: routes)
    #expect(await router.respond(to: Request(path: "/orders", body: "tea")).status == 201)
    #expect(journal.entries == ["BEGIN", "INSERT tea", "AUDIT order", "COMMIT", "released"])
  }

  @Test func jobs() async throws {
    let app = makeContainer(Settings(journal: journal))
    let (receipts, continuation) = AsyncStream<Receipt>.makeStream()
    for order in ["tea", "coffee"] { continuation.yield(Receipt(order: order)) }
    continuation.finish()
    try await app.withOverrides {
      Registration(autowired: SendReceipt.self, scope: .scoped("work")) { (receipt: Receipt, work: UnitOfWork) in
        if receipt.order == "tea" { throw Refused() }
        return SendReceipt(receipt: receipt, work: work)
      }
    } operation: {
      await sendReceipts(receipts, in: app)
    }
    #expect(
      journal.entries == ["BEGIN", "ROLLBACK", "released", "BEGIN", "RECEIPT coffee", "COMMIT", "released"])
    #expect(lines.entries == ["receipt for tea: Refused()"])
  }

  /// A handler that works until it is cancelled.
  private static func patient(_ begun: Gate) -> Router.Handler {
    { scope in
      try await scope.resolve(UnitOfWork.self).connection.execute("INSERT", "slowly")
      begun.open()
      try await Gate().passed()
      return Response(status: 201)
    }
  }

  @Test func deadlinesAndCancellation() async throws {
    let app = makeContainer(Settings(journal: journal))
    let (clock, late, cancelled) = (ManualClock(), Gate(), Gate())
    let routes: [String: Router.Handler] = [
      "/late": within(.seconds(5), by: clock, Self.patient(late)),
      "/cancelled": within(.seconds(5), by: clock, Self.patient(cancelled)),
      "/in time": within(.seconds(5), by: clock) { _ in Response(status: 201) },
    ]
    let router = Router(app: app, routes: routes)
    #expect(await router.respond(to: Request(path: "/in time", body: "")).status == 201)

    async let answer = router.respond(to: Request(path: "/late", body: ""))
    try await late.passed()
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(5))
    #expect(await answer.status == 504)

    let request = Task { await router.respond(to: Request(path: "/cancelled", body: "")) }
    try await cancelled.passed()
    request.cancel()
    #expect(await request.value.status == 500)
    // The connection works although the request is cancelled: disposers run in a task of the container.
    let undone = ["BEGIN", "INSERT slowly", "ROLLBACK", "released"]
    #expect(journal.entries == undone + undone)
  }

  @Test func theReportOfAShutdown() async throws {
    let clock = ManualClock()
    let app = makeContainer(Settings(journal: journal), configuration: .init(clock: clock))
    let begun = Gate()
    let router = Router(app: app, routes: ["/": Self.patient(begun)])
    let request = Task { await router.respond(to: Request(path: "/", body: "")) }
    try await begun.passed()
    let closing = Task { await close(app) }
    try await clock.waitForSleepers()
    #expect(await router.respond(to: Request(path: "/", body: "late")).status == 503)
    clock.advance(by: .seconds(8))
    await closing.value
    #expect(await request.value.status == 500)
    // output: server report
    let expected = """
      still open: scope "work" (17) in container "app", open for 12.3 s
      """
    // end
    let text = lines.entries.joined(separator: "\n").replacing(/\([0-9]+\)/, with: "(17)")
      .replacing(/for [0-9.]+ (ns|µs|ms|s)/, with: "for 12.3 s")
    #expect(text == expected)
    #expect(journal.entries == ["BEGIN", "INSERT slowly", "ROLLBACK", "released", "pool closed"])
  }

  struct BuildCounter: ContainerObserver {
    let names = Journal<String>()

    func container(_ container: Container, didEmit event: ContainerEvent) {
      switch event.kind {
      case .closed(_, .completed): names.note("work.completed")
      case .closed: names.note("work.undone")
      case .created where event.scope == .singleton: names.note("build")
      case .disposed(_, .some): names.note("disposal.failed")
      default: break
      }
    }
  }

  @Test func measuring() async throws {
    let metrics = BuildCounter()
    let configuration = Container.Configuration(observer: metrics)
    let app = makeContainer(Settings(journal: journal), configuration: configuration)
    try await app.start()
    let router = makeRouter(app)
    for body in ["tea", "nothing", "poison"] { _ = await router.respond(to: Request(path: "/orders", body: body)) }
    #expect(metrics.names.entries == ["build", "work.completed", "work.undone", "disposal.failed", "work.completed"])
  }
}
