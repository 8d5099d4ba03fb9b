import GRDB
import Hummingbird

struct User: Codable, Sendable, FetchableRecord, MutablePersistableRecord, ResponseCodable {
  var id: Int64?
  var name: String
  /// The password of the user's requests. An application stores a hash of it, and has it expire.
  var token: String

  mutating func didInsert(_ inserted: InsertionSuccess) { id = inserted.rowID }
}

/// The body of a request for a new user.
struct NewUser: Decodable, Sendable {
  var name: String
}

struct UserStore: Sendable {
  let work: UnitOfWork

  func add(_ user: User) async throws -> User {
    do {
      return try await work.write { db in try user.inserted(db) }
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
      throw HTTPError(.conflict, message: "There is a user of this name.")
    }
  }
}

/// Finds the user of a request by its token. No initialiser does so, because a refused request is no failure of the container.
struct Authentication: Sendable {
  let pool: DatabasePool

  func user(of request: Request) async throws -> Int64 {
    guard let header = request.headers[.authorization], header.hasPrefix("Bearer "),
      let id = try await user(withToken: String(header.dropFirst("Bearer ".count)))?.id
    else { throw HTTPError(.unauthorized) }
    return id
  }

  private func user(withToken token: String) async throws -> User? {
    try await pool.read { db in try User.filter(Column("token") == token).fetchOne(db) }
  }
}

/// Handles the requests about users.
struct UserController: Sendable {
  let users: UserStore

  func add(_ new: NewUser) async throws -> User {
    guard !new.name.isEmpty else { throw HTTPError(.badRequest, message: "The name is empty.") }
    var random = SystemRandomNumberGenerator()
    let token = (0..<4).map { _ in String(random.next(), radix: 36) }.joined()
    return try await users.add(User(name: new.name, token: token))
  }
}
