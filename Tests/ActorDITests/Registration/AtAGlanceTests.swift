import ActorDI
import Testing

private protocol Clock: Sendable { var now: Int { get } }
private struct SystemClock: Clock { var now = 12 }
private protocol Database: Sendable { var url: String { get } }
private struct DatabaseURL: Sendable { var text = "db://main" }
private final class PostgresDatabase: Database {
  let url: String
  init(url: DatabaseURL) async throws { self.url = url.text }
}
private struct ReadReplica: Database { var url = "db://replica" }
private protocol UserStore: Sendable { var database: any Database { get } }
private final class SQLUserStore: UserStore {
  let database: any Database
  init(database: any Database) { self.database = database }
}
private struct Greeting: Sendable {
  let name: String
  let clock: any Clock
}
private final class Mailer: Sendable {}
private struct Metrics: Sendable {}
private struct MetricsModule: Module {
  var registrations: Registrations {
    Registration(Metrics.self) { _ in Metrics() }
  }
}
extension ServiceKey where Service == any Database {
  fileprivate static var replica: Self { .init("replica") }
}

/// The example on the first page of the documentation.
struct AtAGlanceTests {
  private func container(metrics: Bool = false) -> Container {
    Container {
      Registration((any Clock).self, scope: .singleton) { _ in SystemClock() }
      Registration(DatabaseURL.self) { _ in DatabaseURL() }
      Registration((any Database).self, scope: .singleton) { r in
        try await PostgresDatabase(url: r.resolve(DatabaseURL.self))
      }
      Registration(
        autowired: (any UserStore).self, scope: .shared, initializer: SQLUserStore.init)
      Registration(Greeting.self) { (r, name: String) in
        Greeting(name: name, clock: try r.resolve())
      }
      Registration((any Database).self, scope: .singleton) { _ in ReadReplica() }.key("replica")
      if metrics { MetricsModule() }
    }
  }

  @Test func resolvesByTypeAndByInference() async throws {
    let container = container()
    let store = try await container.resolve((any UserStore).self)
    let inferred: any UserStore = try await container.resolve()
    #expect(store.database.url == "db://main")
    #expect(store as? SQLUserStore === inferred as? SQLUserStore)
  }

  @Test func resolvesWithArgumentsAndByKey() async throws {
    let container = container()
    let hello = try await container.resolve(Greeting.self, arguments: "Ada")
    #expect(hello.name == "Ada")
    #expect(hello.clock.now == 12)
    let replica = try await container.resolve((any Database).self, key: "replica")
    #expect(replica.url == "db://replica")
    #expect(try await container.resolve(.replica).url == "db://replica")
  }

  @Test func synchronousCodeUsesTheSameNames() throws {
    let container = container()
    let clock = try container.resolve((any Clock).self)
    #expect(clock.now == 12)
    let inferred: any Clock = try container.resolve()
    #expect(inferred.now == 12)
    #expect(try container.resolve(.replica).url == "db://replica")
    #expect(try container.resolve(Greeting.self, arguments: "Bob").name == "Bob")
  }

  @Test func registrationsCanBeAddedLater() async throws {
    let container = container()
    #expect(!container.contains(Mailer.self))
    try await container.register(Mailer.self) { _ in Mailer() }
    _ = try await container.resolve(Mailer.self)
    #expect(container.contains(Mailer.self))
  }

  @Test(arguments: [true, false])
  func aConditionDecidesWhetherAModuleIsRegistered(metrics: Bool) {
    #expect(container(metrics: metrics).contains(Metrics.self) == metrics)
  }
}
