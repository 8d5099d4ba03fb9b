public import ActorDIMacros
import Testing

struct Configuration: Sendable, Equatable { var path = "standard" }

typealias Settings = Configuration

protocol Database: AnyObject, Sendable { var path: String { get } }

final class SQLDatabase: Database {
  let path: String
  init(path: String) throws(Unavailable) {
    if path.isEmpty { throw Unavailable() }
    self.path = path
  }
  struct Unavailable: Error {}
}

final class UserStore {
  let database: any Database
  let cache: Cache
  init(database: any Database, cache: Cache) {
    self.database = database
    self.cache = cache
  }
}

struct Cache: Sendable { var name: String }

struct Handler {
  let users: UserStore
  let limit: Int
  let path: String
}

final class Session: Sendable {
  let later: Lazy<any Database>
  init(later: Lazy<any Database>) { self.later = later }
}

struct Report: Sendable { let text: String }

@MainActor final class ViewModel {
  let path: String
  init(path: String) { self.path = path }
}

@Graph struct AppGraph {
  let configuration: Configuration

  @Provides(scope: .singleton, eager: true) func database(configuration: Configuration) throws -> any Database {
    try SQLDatabase(path: configuration.path)
  }

  @Provides(key: "users") func userCache() -> Cache { Cache(name: "users") }

  @Provides func users(database: (any Database), @Key("users") cache: Cache) -> UserStore {
    UserStore(database: database, cache: cache)
  }

  // Another spelling of a type is the same service.
  @Provides func handler(_ users: UserStore, settings: Settings, @Argument limit: Int, @UseDefault prefix: String = "/")
    -> Handler
  {
    Handler(users: users, limit: limit, path: prefix + settings.path)
  }

  @Provides(scope: .scoped) func session(later: Lazy<any Database>) -> Session { Session(later: later) }

  @Provides func report(users: UserStore) async -> Report {
    let text = users.cache.name
    await Task.yield()
    return Report(text: text)
  }

  @MainActor @Provides func model(database: any Database) -> ViewModel { ViewModel(path: database.path) }

  /// Not a provider.
  func helper() -> Int { 7 }
}

@Graph public struct CoreGraph: Sendable {
  @Provides public func number() -> Int { 42 }
  @Provides func hidden(number: Int) -> Double { Double(number) / 2 }
  public init() {}
}

@Graph struct OuterGraph {
  @Include let core: CoreGraph
  @Provides func text(number: Int, app: Provider<Int>) throws -> String { "\(number) \(try app())" }
}

@Graph struct PackageGraph {
  @Provides package func number() -> Int { 7 }
}

/// Takes a service of the included graph, so that one is exported.
@Graph struct OverPackageGraph {
  @Include let inner: PackageGraph
  @Provides func text(number: Int) -> String { "\(number)" }
}

@Graph struct ReplacingGraph {
  @Include let core: CoreGraph
  @Provides func number() -> Int { 7 }
}

/// Its providers have the names of the parameters of generated code.
@Graph struct NamesGraph {
  @Provides func resolver() -> Int { 7 }
  @Provides func argument1(number: Int, @Argument factor: Int) -> Double { Double(number * factor) }
}

extension Container {
  /// Resolves synchronously, in asynchronous tests too.
  nonisolated func now<Service, each Argument: Sendable>(
    _ service: Service.Type, _ arguments: repeat each Argument
  ) throws -> sending Service {
    try resolve(service, arguments: repeat each arguments)
  }
}

@Suite struct GraphTests {
  private let graph = AppGraph(configuration: Configuration(path: "main"))

  @Test func aContainerResolvesTheProviders() async throws {
    let container = Container { graph.registrations }
    try await container.validate()
    try await container.start()
    let database = try container.now((any Database).self)
    #expect(database.path == "main")
    #expect(try container.now((any Database).self) === database)
    let users = try container.now(UserStore.self)
    #expect(users.database === database && users.cache.name == "users")
    #expect(try container.now(UserStore.self) !== users)
    let handler = try container.now(Handler.self, 5)
    #expect(handler.limit == 5 && handler.path == "/main")
    #expect(try container.now(Configuration.self) == graph.configuration)
    #expect(try await container.resolve(Report.self).text == "users")
    let path = try await MainActor.run { try container.now(ViewModel.self).path }
    #expect(path == "main")
    #expect(!container.contains(Double.self))
  }

  @Test func aScopeHasItsOwnInstances() async throws {
    let container = Container { graph.registrations }
    let first = try await container.withScope { scope in try await scope.resolve(Session.self) }
    try await container.withScope { scope in
      let session = try await scope.resolve(Session.self)
      #expect(try await scope.resolve(Session.self) === session)
      #expect(session !== first)
      #expect(try await session.later() === container.now((any Database).self))
    }
  }

  @Test func aWiringMakesTheServicesWithoutAContainer() async throws {
    let wiring = try graph.wired()
    #expect(wiring.database.path == "main")
    #expect(wiring.users().database === wiring.database)
    #expect(wiring.users() !== wiring.users())
    #expect(wiring.userCache().name == "users")
    #expect(await wiring.report().text == "users")
    #expect(await MainActor.run { wiring.model().path } == "main")
  }

  @Test func aWiringThrowsTheErrorOfAProvider() {
    #expect(throws: SQLDatabase.Unavailable.self) {
      try AppGraph(configuration: Configuration(path: "")).wired()
    }
  }

  @Test func aGraphIncludesAnother() throws {
    let container = Container { OuterGraph(core: CoreGraph()).registrations }
    try container.validate()
    #expect(try container.now(String.self) == "42 42")
    #expect(try container.now(Double.self) == 21)
    #expect(CoreGraph().wired().hidden() == 21)
  }

  @Test func aGraphExportsWhatIsMoreVisible() throws {
    let container = Container { OverPackageGraph(inner: PackageGraph()).registrations }
    #expect(try container.now(String.self) == "7")
  }

  @Test func aGraphReplacesAProviderOfAnIncludedGraph() throws {
    let graph = ReplacingGraph(core: CoreGraph())
    let container = Container { graph.registrations }
    #expect(try container.now(Int.self) == 7)
    #expect(try container.now(Double.self) == 3.5)
    #expect(graph.wired().number() == 7)
  }

  @Test func aProviderMayHaveAnyName() throws {
    let container = Container { NamesGraph().registrations }
    #expect(try container.now(Double.self, 3) == 21)
  }

  @Test func aRegistrationStatesItsProvider() throws {
    let container = Container { graph.registrations }
    let info = try #require(container.registrations.first { $0.is(UserStore.self) })
    #expect("\(info.source)".contains("GraphTests.swift"))
    #expect(info.dependencies.count == 2)
  }
}
