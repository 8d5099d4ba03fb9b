import ActorDITestSupport
import ActorDITesting
import Testing

// swift-format-ignore: OrderedImports
// snippet: readme example
import ActorDI

let container = Container {
  Registration(autowired: Database.self, scope: .singleton) { try await Database(path: "users.db") }
  Registration(autowired: UserStore.self, scope: .singleton, initializer: UserStore.init)
  Registration(autowired: (any Mailer).self) { SMTPMailer() }
}

func greet(user id: Int) async throws {
  let store = try await container.resolve(UserStore.self)  // builds the database, then the store, once
  try await container.resolve((any Mailer).self).send("Hello, \(store.name(of: id))")
}
// end

private actor Database {
  init(path: String) async throws { await Task.yield() }
}

private final class UserStore: Sendable {
  let database: Database
  init(database: Database) { self.database = database }
  func name(of id: Int) -> String { "user \(id)" }
}

private protocol Mailer: Sendable {
  func send(_ text: String) throws
}
private struct SMTPMailer: Mailer {
  func send(_ text: String) throws { Issue.record("A mail was sent.") }
}
private struct FakeMailer: Mailer {
  static let sent = Journal<String>()
  func send(_ text: String) throws { Self.sent.note(text) }
}

private protocol HealthCheck: Sendable {}
private struct DiskCheck: HealthCheck {}
private struct TimedCheck: HealthCheck {
  let inner: any HealthCheck
  init(_ inner: any HealthCheck) { self.inner = inner }
}

private final class Accounts: Sendable {
  init(users: Users) {}
}
private final class Users: Sendable {
  init(accounts: Accounts) {}
}

private actor Transaction {
  static let commits = Counter()
  func run() {}
  func end(_ outcome: ScopeOutcome) throws {
    if case .completed = outcome { Self.commits.increment() }
  }
}

/// What README.md shows.
@Suite("The README", .timeLimit(.minutes(5)))
struct ReadMe {
  @Test func building() async throws {
    // snippet: readme building
    async let first = container.resolve(Database.self)  // starts the build
    async let second = container.resolve(Database.self)  // waits for the same build
    let isSame = try await first === second  // true
    // end
    #expect(isSame)
  }

  @Test func cycles() async throws {
    let container = Container {
      Registration(autowired: Accounts.self, scope: .singleton, initializer: Accounts.init)
      Registration(autowired: Users.self, scope: .singleton, initializer: Users.init)
    }
    let error = await #expect(throws: ResolutionError.self) { try await container.resolve(Accounts.self) }
    #expect(error?.code == .cycle && error?.path == ["Accounts", "Users", "Accounts"])
    #expect(throws: ValidationError.self) { try container.validate() }
  }

  @Test func scopes() async throws {
    // snippet: readme scopes
    let app = Container {
      Registration(autowired: Transaction.self, scope: .scoped("request"), initializer: Transaction.init)
        .onDispose { transaction, outcome in try await transaction.end(outcome) }
    }
    try await app.withScope("request") { request in try await request.resolve(Transaction.self).run() }
    // end
    #expect(Transaction.commits.count == 1)
  }

  @Test func decorators() async throws {
    // snippet: readme decorators
    let health = Container {
      Registration(autowired: (any HealthCheck).self) { DiskCheck() }.key("disk")
      Decorator((any HealthCheck).self) { _, check in TimedCheck(check) }
    }
    let all = try await health.resolve([any HealthCheck].self)  // each registration of HealthCheck, decorated
    let byName = try await health.resolve([String: any HealthCheck].self)  // by their keys
    // end
    #expect(all.count == 1 && all.allSatisfy { $0 is TimedCheck })
    #expect((byName["disk"] as? TimedCheck)?.inner is DiskCheck)
  }

  @Test func everythingCanBeBuilt() async {
    await container.validated()
  }

  // snippet: readme overrides
  @Test(.container(overriding: container) { Registration(autowired: (any Mailer).self) { FakeMailer() } })
  func greetingNeedsNoServer() async throws {
    try await greet(user: 1)  // sent by the fake, in this test alone
  }
  // end

  @Test(.container(overriding: container) { Registration(autowired: (any Mailer).self) { FakeMailer() } })
  func theFakeIsAsked() async throws {
    try await greet(user: 2)
    #expect(FakeMailer.sent.entries.contains("Hello, user 2"))
  }
}
