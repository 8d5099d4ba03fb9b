import ActorDITestSupport
import Testing

@testable import ActorDI

/// What the article of this name shows: scopes.
@Suite("Lifecycle and scopes", .timeLimit(.minutes(5)))
struct LifecycleAndScopes {
  struct Request: Sendable { let path: String }

  actor Database: Disposable {
    init() async throws {}
    func dispose() async throws {}
  }

  actor Transaction {
    static let ends = Counter()
    init(database: Database) {}
    func end(_ outcome: ScopeOutcome) async throws {
      if case .completed = outcome { Self.ends.increment() }
    }
  }

  final class Handler: Sendable {
    let request: Request
    let transaction: Transaction
    init(request: Request, transaction: Transaction) {
      (self.request, self.transaction) = (request, transaction)
    }
    func respond() async throws -> String { "200 \(request.path)" }
  }

  @Test func aServer() async throws {
    // snippet: lifecycle server
    let app = Container(name: "app") {
      Registration(autowired: Database.self, scope: .singleton, initializer: Database.init)
      Registration(
        autowired: Transaction.self, scope: .scoped("request"), initializer: Transaction.init
      )
      .onDispose { transaction, outcome in try await transaction.end(outcome) }
      Registration(autowired: Handler.self, initializer: Handler.init)
    }

    @Sendable func respond(to request: Request) async throws -> String {
      try await app.withScope("request") {
        Registration(instance: request)
      } operation: { scope in
        try await scope.resolve(Handler.self).respond()
      }
    }
    // end
    let paths = (0..<20).map { "/\($0)" }
    let answers = try await withThrowingTaskGroup(of: String.self) { group in
      for path in paths { group.addTask { try await respond(to: Request(path: path)) } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(answers == Set(paths.map { "200 \($0)" }))
    #expect(Transaction.ends.count == 20)
    let error = try await asyncResolutionError { try await app.resolve(Transaction.self) }
    #expect(error.code == .scopeNotFound)
    // output: lifecycle scopeNotFound
    let text = """
      Transaction was resolved outside of its scope.
      Its scope is scoped("request"). No container of that name was found. Searched: "app".
      Resolve it inside withScope of that name, or from a child container of that name.
      """
    // end
    #expect("\(error)" == text)
  }

  @Test func oneTransactionForAllOfARequest() async throws {
    let app = Container {
      Registration(autowired: Database.self, scope: .singleton, initializer: Database.init)
      Registration(autowired: Transaction.self, scope: .scoped("request"), initializer: Transaction.init)
      Registration(autowired: Handler.self, initializer: Handler.init)
    }
    try await app.withScope("request") {
      Registration(instance: Request(path: "/"))
    } operation: { scope in
      let first = try await scope.resolve(Handler.self)
      let second = try await scope.resolve(Handler.self)
      #expect(first !== second && first.transaction === second.transaction)
      let inner = try await scope.withScope { try await $0.resolve(Handler.self) }
      #expect(inner.transaction === first.transaction)
    }
  }

  final class Cart: Sendable {}
  final class Trace: Sendable {}

  @Test func nestedScopes() async throws {
    // snippet: lifecycle nested
    let app = Container {
      Registration(autowired: Cart.self, scope: .scoped("session")) { Cart() }
      Registration(autowired: Trace.self, scope: .scoped) { Trace() }
    }
    try await app.withScope("session") { session in
      let trace = try await session.resolve(Trace.self)
      let cart = try await session.resolve(Cart.self)
      try await session.withScope("request") { request in
        // In .scoped("session"): the session's cart.
        let same = try await request.resolve(Cart.self)
        let other = try await request.resolve(Trace.self)  // .scoped: the request's own
        #expect(same === cart && other !== trace)
      }
    }
    // end
    let session = app.makeChild(name: "session")
    let cart = try await session.resolve(Cart.self)
    try await session.shutdown()
    _ = cart
    let error = try await asyncResolutionError { try await session.resolve(Cart.self) }
    #expect(error.code == .closed)
  }

  /// The scope `.scoped` without a name takes whatever container is asked.
  @Test func anUnnamedScopeIsTheAppToo() async throws {
    let app = Container { Registration(autowired: Trace.self, scope: .scoped) { Trace() } }
    let trace = try await app.resolve(Trace.self)
    #expect(try await app.resolve(Trace.self) === trace)
  }

  actor Connection: Disposable {
    let closings: Counter
    init(_ closings: Counter) { self.closings = closings }
    func dispose() async throws { closings.increment() }
  }

  private typealias TenantID = Int
  private struct Tenant: Sendable { let id: TenantID }
  private actor Ledger {
    init(tenant: Tenant) {}
    func flush() {}
  }

  @Test func scopesByKey() async throws {
    let id = 1
    // snippet: lifecycle keyed
    let app = Container(name: "app") {
      Registration(autowired: Ledger.self, scope: .scoped("tenant"), initializer: Ledger.init)
        .onDispose { await $0.flush() }
    }
    let tenants = app.keyedScopes("tenant", idleFor: .seconds(600), max: 1_000) { (id: TenantID) in
      Registration(instance: Tenant(id: id))
    }
    let ledger = try await tenants.withScope(id) { tenant in
      try await tenant.resolve(Ledger.self)
    }
    let same = try await tenants.withScope(id) { tenant in
      try await tenant.withScope("request") { request in
        try await request.resolve(Ledger.self)
      }
    }
    #expect(same === ledger)
    // end
    try await app.shutdown()
    #expect(tenants.open.isEmpty)
  }

  @Test func pooling() async throws {
    let opened = Counter()
    let closed = Counter()
    // snippet: lifecycle pooled
    let app = Container {
      Registration(autowired: Connection.self, scope: .pooled(max: 1)) {
        opened.increment()
        return Connection(closed)
      }
    }
    for _ in 0..<10 {
      try await app.withScope { scope in
        _ = try await scope.resolve(Connection.self)  // one after the other: the same one
      }
    }
    // end
    #expect(opened.count == 1 && closed.count == 0)
    try await app.withScope { first in
      _ = try await first.resolve(Connection.self)
      try await app.withScope { second in
        _ = try await second.resolve(Connection.self)
      }
      #expect(opened.count == 2 && closed.count == 0)
    }
    // There is room for one.
    #expect(closed.count == 1)
    try await app.shutdown()
    #expect(closed.count == 2)
  }

  @Test func aScopeAfterItsEnd() async throws {
    let journal = Journal<String>()
    let app = Container {
      Registration(autowired: Cart.self, scope: .scoped) { Cart() }.onDispose { _ in journal.note("disposed of") }
    }
    // snippet: lifecycle escaped scope
    let (scope, cart) = try await app.withScope { scope in
      (scope, try await scope.resolve(Cart.self))
    }
    let error = await #expect(throws: ResolutionError.self) {
      try await scope.resolve(Cart.self)
    }
    #expect(error?.code == .closed)
    // end
    #expect(journal.entries == ["disposed of"])
    withExtendedLifetime(cart) {}
  }

  // MARK: Pitfalls

  actor Upload: Disposable {
    let ends: Counter
    init(_ ends: Counter) { self.ends = ends }
    func dispose() async throws { ends.increment() }
  }

  @Test func aTransientWithSomethingToDisposeOf() async throws {
    let ends = Counter()
    let lifetime = ObjectLifetime()
    let app = Container {
      Registration(autowired: Upload.self) { Upload(ends) }
      Registration(autowired: ObjectLifetime.Token.self) { lifetime.token() }.onDispose { _ in ends.increment() }
    }
    _ = try await app.resolve(Upload.self)
    _ = try await app.resolve(ObjectLifetime.Token.self)
    #expect(ends.count == 0 && !lifetime.hasEnded)
    for _ in 0..<3 {
      try await app.withScope { scope in
        _ = try await scope.resolve(Upload.self)  // disposed of with the scope
      }
    }
    #expect(ends.count == 3)
    try await app.shutdown()
    #expect(ends.count == 5)
    Reclaimer.shared.collect()
    try await lifetime.ended.passed()
  }

  final class Cache: Sendable {
    let transaction: Provider<Transaction>
    init(transaction: Provider<Transaction>) { self.transaction = transaction }
  }

  @Test func aProviderIsNoWayOutOfASingleton() async throws {
    let app = Container {
      Registration(autowired: Database.self, scope: .singleton, initializer: Database.init)
      Registration(autowired: Transaction.self, scope: .scoped("request"), initializer: Transaction.init)
      Registration(autowired: Cache.self, scope: .singleton, initializer: Cache.init)
    }
    try await app.withScope("request") { scope in
      let cache = try await scope.resolve(Cache.self)
      let error = try await asyncResolutionError { try await cache.transaction() }
      #expect(error.code == .scopeNotFound)
    }
    #expect(findings(app) == [])
  }
}
