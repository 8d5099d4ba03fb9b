import ActorDI
import Testing

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
      Registration(CSVWriter.self) { _ in CSVWriter() }  // transient
      Registration(StepCounter.self, scope: .graph) { _ in StepCounter() }
      Registration(Thumbnails.self, scope: .shared) { _ in Thumbnails() }
      Registration(Database.self, scope: .singleton) { _ in Database() }
      Registration(Transaction.self, scope: .scoped("request")) { _ in Transaction() }
      Registration(Connection.self, scope: .pooled(max: 4)) { _ in Connection() }
      Registration(Profile.self, scope: .managed(by: login)) { _ in Profile() }
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

  @Test func captiveDependencies() {
    // snippet: scope captive
    let app = Container(name: "app") {
      Registration(Transaction.self, scope: .scoped("request")) { _ in Transaction() }
        .dependsOn()
      // Orders.init takes a Transaction.
      Registration(autowired: Orders.self, scope: .singleton, initializer: Orders.init)
    }
    let error = #expect(throws: ValidationError.self) { try app.validate() }
    #expect(error?.problems.map(\.kind) == [.captiveDependency])
    // end
  }

  @Test func outsideOfTheScope() async throws {
    let app = Container {
      Registration(Transaction.self, scope: .scoped("request")) { _ in Transaction() }
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
