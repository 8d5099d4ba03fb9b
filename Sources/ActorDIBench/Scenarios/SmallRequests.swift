import ActorDI

/// P20 and P21: a request with a small graph, as most routes have. Its scope registers the request's value.
///
/// The graph has four objects: a scoped unit of work, which is disposed of with the scope, and two services and a handler, which are
/// transient. All are autowired, and take the request's value and singletons of the application.
struct SmallRequests: Scenario {
  static let name = "small-request"
  static let summary = "withScope that registers a request: a graph of four objects, autowired, one call, one disposal"

  let lanes = Lanes.tasks([])
  let expectedAnswer = RouteHandler.answer

  func contenders() throws -> [Contender] {
    let app = Self.container()
    let (database, log): (Database, Log) = (try app.resolve(), try app.resolve())
    return [
      Contender(
        name: ContenderName.plain, role: .floor,
        answer: { Self.byHand(database, log) },
        work: .tasks { count in
          repeating(count) { _ = opaque(Self.byHand(database, log)) }
        }),
      Floors.arithmeticFromTasks(answer: RouteHandler.answer),
      Contender(
        name: ContenderName.container, role: .container,
        answer: { try await Self.handle(in: app) },
        work: .tasks { count in
          for _ in 0..<count { _ = opaque(try await Self.handle(in: app)) }
        }),
    ]
  }

  /// Handles one request. Inlined into the loop, like a handler in its server.
  @inline(__always)
  private nonisolated(nonsending) static func handle(in app: Container) async throws -> Int {
    let route = Route(number: opaque(1))
    return try await app.withScope("request") {
      Registration(instance: route)
    } operation: { scope in
      try await scope.resolve(RouteHandler.self).respond()
    }
  }

  /// Makes the same objects, calls and disposal by hand.
  @inline(never)
  static func byHand(_ database: Database, _ log: Log) -> Int {
    let (handler, work) = graph(database, log)
    let answer = handler.respond()
    work.close()
    return answer
  }

  /// A separate function, as in ``Requests``.
  @inline(never)
  private static func graph(_ database: Database, _ log: Log) -> (RouteHandler, UnitOfWork) {
    let route = Route(number: opaque(1))
    let work = UnitOfWork(database: database)
    let handler = RouteHandler(
      reading: ReadingService(route: route, work: work), auditing: AuditingService(route: route, log: log))
    return (handler, work)
  }

  private static func container() -> Container {
    Container {
      Registration(autowired: Database.self, scope: .singleton, initializer: Database.init)
      Registration(autowired: Log.self, scope: .singleton, initializer: Log.init)
      Registration(autowired: UnitOfWork.self, scope: .scoped, initializer: UnitOfWork.init)
        .onDispose { $0.close() }
      Registration(autowired: ReadingService.self, initializer: ReadingService.init)
      Registration(autowired: AuditingService.self, initializer: AuditingService.init)
      Registration(autowired: RouteHandler.self, initializer: RouteHandler.init)
      for number in 0..<Fixtures.bystanders {
        Registration(Bystander.self, scope: .singleton) { _ in Bystander() }.key(number)
      }
    }
  }
}

// MARK: - The services, in the same file as their factories: see Chain.swift

/// The request's value: the route that it takes.
private struct Route: Sendable {
  let number: Int
}

private final class UnitOfWork: Sendable {
  private let database: Database

  init(database: Database) {
    self.database = database
  }

  var weight: Int { 1 + database.weight }

  @inline(never)
  func close() { _ = opaque(weight) }
}

private final class ReadingService: Sendable {
  private let route: Route
  private let work: UnitOfWork

  init(route: Route, work: UnitOfWork) {
    self.route = route
    self.work = work
  }

  var weight: Int { 1 + route.number + work.weight }
}

private final class AuditingService: Sendable {
  private let route: Route
  private let log: Log

  init(route: Route, log: Log) {
    self.route = route
    self.log = log
  }

  var weight: Int { 1 + log.weight }
}

private final class RouteHandler: Sendable {
  /// The response: the weights of the four objects, the route and two singletons.
  static let answer = 7

  private let reading: ReadingService
  private let auditing: AuditingService

  init(reading: ReadingService, auditing: AuditingService) {
    self.reading = reading
    self.auditing = auditing
  }

  @inline(never)
  func respond() -> Int { 1 + reading.weight + auditing.weight }
}
