import ActorDI
import Checks

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

private final class Database: Sendable {
  let path: String
  init(path: String) async throws { self.path = path }
}

private protocol Store: AnyObject, Sendable {
  var path: String { get }
}

private final class DiskStore: Store {
  private let database: Database
  init(database: Database) { self.database = database }
  var path: String { database.path }
}

@MainActor private final class Model {
  let store: any Store
  init(store: any Store) { self.store = store }
}

private actor Transaction {
  private(set) var isCommitted = false
  init() {}
  func end(_ outcome: ScopeOutcome) { if case .completed = outcome { isCommitted = true } }
}

/// Uses the library in a target of the Swift 5 language mode. The manifest enables what the README names.
@main
struct Swift5Consumer {
  static func main() async throws {
    let checks = Checks()
    let container = Container {
      Registration(autowired: Database.self, scope: .singleton) { try await Database(path: "notes.db") }
      Registration(autowired: (any Store).self, scope: .singleton, initializer: DiskStore.init)
      Registration(autowired: Model.self, scope: .singleton, initializer: Model.init)
      Registration(autowired: Transaction.self, scope: .scoped("request"), initializer: Transaction.init)
        .onDispose { transaction, outcome in await transaction.end(outcome) }
    }
    let store = try await container.resolve((any Store).self)
    let model = try await container.resolve(Model.self)
    checks.expect(store.path == "notes.db", "an asynchronous factory")
    checks.expect(model.store === store, "a main-actor initialiser gets the same store")
    let transaction = try await container.withScope("request") { request in
      try await request.resolve(Transaction.self)
    }
    let isCommitted = await transaction.isCommitted
    checks.expect(isCommitted, "a scope ends with its outcome")
    let sessions = container.keyedScopes("session", idleFor: .seconds(60)) { (user: String) in
      Registration(instance: user)
    }
    let user = try await sessions.withScope("ada") { session in try await session.resolve(String.self) }
    checks.expect(user == "ada", "a scope by key")
    try await container.withOverrides {
      Registration(autowired: Database.self, scope: .singleton) { try await Database(path: "test.db") }
    } operation: { () async throws in
      checks.expect(try await container.resolve((any Store).self).path == "test.db", "an override")
    }
    let (text, isSuccess) = checks.report()
    print(text)
    exit(isSuccess ? EXIT_SUCCESS : EXIT_FAILURE)
  }
}
