import ActorDI
import Checks

/// Injected properties and the current container.
func injecting(_ checks: Checks) async throws {
  let container = Container {
    Registration(autowired: (any Clock).self, scope: .singleton) { SystemClock() }
    Registration(autowired: (any Database).self, scope: .singleton) { ReadReplica() }.key("replica")
    Registration(autowired: (any Database).self, scope: .singleton) {
      try await PostgresDatabase(url: DatabaseURL(text: "injected"))
    }
    Registration(Greeting.self) { (r, name: String) in Greeting(name: name, clock: try r.resolve()) }
  }
  let activation = container.activate()
  let page = Page()
  checks.expect(page.clock.year == 2026, "an injected property")
  checks.expect(page.replica.name == "replica", "by token")
  checks.expect(page.keyed?.name == "replica", "by key")
  checks.expect(page.theme == nil && page.licences.isEmpty, "nil and empty")
  checks.expect(page.greeting.name == "Ada", "with an argument")
  checks.expect(!page.$database.isLoaded, "not loaded yet")
  try await page.$database.loadIfNeeded()
  checks.expect(page.database.name == "postgres at injected", "loaded before its use")

  let audit = Audit()
  checks.expect(try await audit.database().name == page.database.name, "in a Sendable class")
  let desk = Desk()
  checks.expect(try await desk.year() == 2026, "in an actor")
  let shelf = Shelf()
  checks.expect(shelf.clock.year == 2026, "in a structure")

  page.$theme.autoreload()
  var changes = container.changes.makeAsyncIterator()
  try await container.register { Theme.dark }
  checks.expect(page.theme == .dark, "follows the registry")
  checks.expect(await changes.next()?.added.count == 1, "a change")
  activation.cancel()
  checks.expect(page.theme == nil, "no container is active")

  let other = Container { Theme.light }
  try await Container.withCurrent(other) {
    let theme = try await Injected<Theme>()()
    checks.expect(theme == .light, "the task's container")
  }
  let app = App()
  checks.expect(Injected<Theme>().wrappedValue == .dark, "as long as the property lives")
  app.container = other
  checks.expect(Injected<Theme>().wrappedValue == .light, "swapped")

  let counting = Counting()
  _ = Container(configuration: .init(capacity: 10, observer: counting)) { Theme.dark }
  checks.expect(counting.log.texts.count == 1, "an observer")
}

private final class Page {
  @Injected var clock: any Clock
  @Injected(.replica) var replica: any Database
  @Injected(key: "replica") var keyed: (any Database)?
  @Injected var theme: Theme?
  @Injected var licences: [Licence]
  @Injected(arguments: "Ada") var greeting: Greeting
  @Injected var database: any Database
}

private final class Audit: Sendable {
  let database = Injected<any Database>()
}

private struct Shelf {
  @Injected var clock: any Clock
}

private actor Desk {
  @Injected var clock: any Clock

  func year() async throws -> Int {
    try await $clock.loadIfNeeded()
    return clock.year
  }
}

private final class App {
  @Dependencies var container = Container { Theme.dark }
}

private final class Counting: ContainerObserver {
  let log = Log()
  func container(_ container: Container, didRegister registration: RegistrationInfo) {
    log.append("\(registration)")
  }
}
