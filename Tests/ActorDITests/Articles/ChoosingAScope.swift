import ActorDI
import ActorDITestSupport
import Testing

// snippet: scope name
extension ScopeName {
  static let request: Self = "request"
}
// end

/// What the article of this name shows.
@Suite("Choosing a scope", .timeLimit(.minutes(5)))
struct ChoosingAScope {
  final class CSVWriter: Sendable {}
  final class StepCounter: Sendable {}
  final class Thumbnails: Sendable {}
  final class Database: Sendable {}
  final class Transaction: Sendable {}
  final class Connection: Sendable {}
  final class Profile: Sendable {}

  final class Orders: Sendable {
    let transaction: Transaction
    init(transaction: Transaction) { self.transaction = transaction }
  }

  final class Download: Sendable {
    let (first, second): (StepCounter, StepCounter)
    init(first: StepCounter, second: StepCounter) { (self.first, self.second) = (first, second) }
  }

  @Test func aContainerWithAllOfThem() async throws {
    // snippet: scope container
    let login = ManagedScope("login")
    let app = Container(name: "app") {
      Registration(autowired: CSVWriter.self) { CSVWriter() }  // transient
      Registration(autowired: StepCounter.self, scope: .graph) { StepCounter() }
      Registration(autowired: Thumbnails.self, scope: .shared) { Thumbnails() }
      Registration(autowired: Database.self, scope: .singleton) { Database() }
      Registration(autowired: Transaction.self, scope: .scoped("request")) { Transaction() }
      Registration(autowired: Connection.self, scope: .pooled(max: 4)) { Connection() }
      Registration(autowired: Profile.self, scope: .managed(by: login)) { Profile() }
    }
    // end
    try await app.register { Registration(autowired: Download.self, initializer: Download.init) }
    #expect(try await app.resolve(CSVWriter.self) !== app.resolve(CSVWriter.self))

    let (download, other) = (try await app.resolve(Download.self), try await app.resolve(Download.self))
    #expect(download.first === download.second && download.first !== other.first)

    let thumbnails = try await app.resolve(Thumbnails.self)
    #expect(try await app.resolve(Thumbnails.self) === thumbnails)
    withExtendedLifetime(thumbnails) {}

    let database = try await app.resolve(Database.self)
    let connection = try await app.withScope("request") { request in
      let transaction = try await request.resolve(Transaction.self)
      try await request.withScope("step") { step in
        let (same, own) = (try await step.resolve(Transaction.self), try await step.resolve(Database.self))
        #expect(same === transaction && own === database)
      }
      return try await request.resolve(Connection.self)
    }
    try await app.withScope("request") { request in
      let again = try await request.resolve(Connection.self)
      #expect(again === connection, "Returned, and checked out again")
    }

    let profile = try await app.resolve(Profile.self)
    #expect(try await app.resolve(Profile.self) === profile)
    await login.invalidate()
    #expect(try await app.resolve(Profile.self) !== profile)
  }

  @Test func aDeclaredName() async throws {
    // snippet: scope named
    let app = Container {
      Registration(autowired: Transaction.self, scope: .scoped(.request)) { Transaction() }
    }
    let transaction = try await app.withScope(.request) { request in
      try await request.resolve(Transaction.self)
    }
    // end
    let next = try await app.withScope("request") { try await $0.resolve(Transaction.self) }
    #expect(next !== transaction)
  }

  @Test func captiveDependencies() {
    // snippet: scope captive
    let app = Container(name: "app") {
      Registration(autowired: Transaction.self, scope: .scoped("request")) { Transaction() }
      // Orders.init takes a Transaction.
      Registration(autowired: Orders.self, scope: .singleton, initializer: Orders.init)
    }
    let error = #expect(throws: ValidationError.self) { try app.validate() }
    #expect(error?.problems.map(\.kind) == [.captiveDependency])
    // end
  }

  @Test func outsideOfTheScope() async throws {
    let app = Container {
      Registration(autowired: Transaction.self, scope: .scoped("request")) { Transaction() }
    }
    // snippet: scope outside
    let error = await #expect(throws: ResolutionError.self) {
      try await app.resolve(Transaction.self)
    }
    #expect(error?.code == .scopeNotFound)
    try await app.withScope("request") { request in
      _ = try await request.resolve(Transaction.self)
    }
    // end
  }
}
