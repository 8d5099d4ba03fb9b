import ActorDI
import Checks

/// The example that introduces the library.
func atAGlance(_ checks: Checks) async throws {
  let flags = Flags(metrics: true)

  let container = Container {
    Registration(autowired: (any Clock).self, scope: .singleton) { SystemClock() }
    Registration((any Database).self, scope: .singleton) { r in
      try await PostgresDatabase(url: r.resolve(DatabaseURL.self))
    }
    Registration(
      autowired: (any UserStore).self, scope: .shared, initializer: SQLUserStore.init)
    Registration(Greeting.self) { (r, name: String) in
      Greeting(name: name, clock: try r.resolve())
    }
    Registration(autowired: (any Database).self, scope: .singleton) { ReadReplica() }.key("replica")
    if flags.metrics { MetricsModule() }
    DatabaseURL(text: "db.example")
  }

  let store = try await container.resolve((any UserStore).self)
  let store2: any UserStore = try await container.resolve()
  let hello = try await container.resolve(Greeting.self, arguments: "Ada")
  let replica = try await container.resolve((any Database).self, key: "replica")
  let clock = try synchronousClock(of: container)
  try await container.register(Mailer.self) { _ in Mailer() }

  checks.expect(store.database.name == "postgres at db.example", "the store's database")
  checks.expect(store as? SQLUserStore === store2 as? SQLUserStore, "a shared store")
  checks.expect(hello.text == "Hello Ada, it is 2026", "the greeting: \(hello.text)")
  checks.expect(replica.name == "replica", "the keyed database")
  checks.expect(clock.year == 2026, "the clock")
  checks.expect(container.contains(Mailer.self), "the mailer")
  checks.expect(container.contains(Metrics.self), "the module's service")

  let byToken = try await container.resolve(.replica)
  checks.expect(byToken as? ReadReplica === replica as? ReadReplica, "a token is its string key")
}

/// Resolves in synchronous code: the same names, without `await`.
private func synchronousClock(of container: Container) throws -> any Clock {
  let clock = try container.resolve((any Clock).self)
  return clock
}
