import ActorDI

protocol Clock: Sendable {
  var year: Int { get }
}

struct SystemClock: Clock {
  var year: Int { 2026 }
}

protocol Database: Sendable {
  var name: String { get }
}

struct DatabaseURL: Sendable {
  let text: String
}

final class PostgresDatabase: Database {
  let name: String

  init(url: DatabaseURL) async throws {
    await Task.yield()
    name = "postgres at \(url.text)"
  }
}

final class ReadReplica: Database {
  let name = "replica"
}

protocol UserStore: Sendable {
  var database: any Database { get }
}

final class SQLUserStore: UserStore {
  let database: any Database
  let clock: any Clock

  init(database: any Database, clock: any Clock) {
    self.database = database
    self.clock = clock
  }
}

struct Greeting: Sendable {
  let name: String
  let clock: any Clock
  var text: String { "Hello \(name), it is \(clock.year)" }
}

final class Mailer: Sendable {}

final class Metrics: Sendable {}

struct MetricsModule: Module {
  var registrations: Registrations {
    Registration(autowired: Metrics.self, scope: .singleton) { Metrics() }
  }
}

struct Flags {
  let metrics: Bool
}

extension ServiceKey where Service == any Database {
  static var replica: Self { .init("replica") }
}
