import ActorDI

/// P20 and P21: a request as in a server, in its own scope, which registers the request.
///
/// Its graph has five services. Three are scoped, and one of these is disposed of with the scope; two are transient. All are autowired,
/// and take the request and three singletons of the application.
struct Requests: Scenario {
  static let name = "request"
  static let summary = "withScope that registers a request: a graph of six objects, autowired, one call, one disposal"

  let lanes = Lanes.tasks([])
  let expectedAnswer = Request.answer

  func contenders() throws -> [Contender] {
    let app = try Self.container()
    let singletons = try Singletons(of: app)
    return [
      Contender(
        name: ContenderName.plain, role: .floor,
        answer: { Self.byHand(singletons) },
        work: .tasks { count in
          repeating(count) { _ = opaque(Self.byHand(singletons)) }
        }),
      Floors.arithmeticFromTasks(answer: Request.answer),
      Contender(
        name: ContenderName.container, role: .container,
        answer: { try await Self.handle(in: app) },
        work: .tasks { count in
          for _ in 0..<count { _ = opaque(try await Self.handle(in: app)) }
        }),
    ]
  }

  /// The number of objects of a request. The floor must allocate as many.
  static let objects = 6

  /// Handles one request. Inlined into the loop, like a handler in its server.
  @inline(__always)
  nonisolated(nonsending) static func handle(in app: Container) async throws -> Int {
    let request = Request()
    return try await app.withScope("request") {
      Registration(instance: request)
    } operation: { scope in
      try await scope.resolve(OrderHandler.self).respond()
    }
  }

  /// Makes the same objects, calls and disposal by hand.
  @inline(never)
  static func byHand(_ singletons: Singletons) -> Int {
    let (handler, transaction) = graph(singletons)
    let answer = handler.respond()
    transaction.close()
    return answer
  }

  /// A separate function: objects that it returns are allocated on the heap. In one function with the calls, the optimiser removes all
  /// of them.
  @inline(never)
  private static func graph(_ singletons: Singletons) -> (OrderHandler, RequestTransaction) {
    let request = Request()
    let session = RequestSession(request: request, users: singletons.users)
    let transaction = RequestTransaction(database: singletons.database)
    let log = RequestLog(request: request, log: singletons.log)
    let orders = OrderService(session: session, transaction: transaction)
    return (OrderHandler(orders: orders, log: log), transaction)
  }

  /// An application whose singletons are built.
  static func container() throws -> Container {
    let app = Container {
      Registration(autowired: UserStore.self, scope: .singleton, initializer: UserStore.init)
      Registration(autowired: Database.self, scope: .singleton, initializer: Database.init)
      Registration(autowired: Log.self, scope: .singleton, initializer: Log.init)
      Registration(autowired: RequestSession.self, scope: .scoped, initializer: RequestSession.init)
      Registration(autowired: RequestTransaction.self, scope: .scoped, initializer: RequestTransaction.init)
        .onDispose { $0.close() }
      Registration(autowired: RequestLog.self, scope: .scoped, initializer: RequestLog.init)
      Registration(autowired: OrderService.self, initializer: OrderService.init)
      Registration(autowired: OrderHandler.self, initializer: OrderHandler.init)
      for number in 0..<Fixtures.bystanders {
        Registration(Bystander.self, scope: .singleton) { _ in Bystander() }.key(number)
      }
    }
    _ = try Singletons(of: app)
    return app
  }

  /// The services that outlive a request.
  struct Singletons: Sendable {
    let users: UserStore
    let database: Database
    let log: Log

    init(of app: Container) throws {
      users = try app.resolve()
      database = try app.resolve()
      log = try app.resolve()
    }
  }
}

// MARK: - The services, in the same file as their factories: see Chain.swift

final class UserStore: Sendable { var weight: Int { 1 } }
final class Database: Sendable { var weight: Int { 1 } }
final class Log: Sendable { var weight: Int { 1 } }

final class Request: Sendable {
  /// The handler's response: the weights of all objects of a request, including singletons.
  static let answer = 9

  var weight: Int { 1 }
}

final class RequestSession: Sendable {
  private let request: Request
  private let users: UserStore

  init(request: Request, users: UserStore) {
    self.request = request
    self.users = users
  }

  var weight: Int { 1 + request.weight + users.weight }
}

final class RequestTransaction: Sendable {
  private let database: Database

  init(database: Database) {
    self.database = database
  }

  var weight: Int { 1 + database.weight }

  @inline(never)
  func close() { _ = opaque(weight) }
}

final class RequestLog: Sendable {
  private let request: Request
  private let log: Log

  init(request: Request, log: Log) {
    self.request = request
    self.log = log
  }

  /// Without the weight of the request, which the session adds.
  var weight: Int { 1 + log.weight }
}

final class OrderService: Sendable {
  private let session: RequestSession
  private let transaction: RequestTransaction

  init(session: RequestSession, transaction: RequestTransaction) {
    self.session = session
    self.transaction = transaction
  }

  var weight: Int { 1 + session.weight + transaction.weight }
}

final class OrderHandler: Sendable {
  private let orders: OrderService
  private let log: RequestLog

  init(orders: OrderService, log: RequestLog) {
    self.orders = orders
    self.log = log
  }

  @inline(never)
  func respond() -> Int { 1 + orders.weight + log.weight }
}
