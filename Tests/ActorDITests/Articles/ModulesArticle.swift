public import ActorDI
import ActorDITestSupport
import Testing

// Declared here rather than in the suite, because a public extension must name it.
public protocol OrderBook: Sendable {
  func place(_ item: String) async throws -> Int
}

// snippet: modules token
enum OrderingKey: Hashable {
  case archive
}

extension ServiceKey where Service == any OrderBook {
  public static var archive: Self { .init(OrderingKey.archive) }
}
// end

/// What the article "Modules and larger programs" shows.
@Suite("Modules and larger programs", .timeLimit(.minutes(5)))
struct ModulesArticle {
  // MARK: The packages

  // snippet: modules billing
  public protocol Payments: Sendable {
    func charge(_ cents: Int) async throws
  }

  public struct BillingModule: Module {
    private let account: String
    public init(account: String) { self.account = account }

    public var registrations: Registrations {
      // Account and BankPayments are internal.
      Registration(instance: Account(id: account))
      Registration(
        autowired: BankPayments.self, scope: .singleton, initializer: BankPayments.init
      )
      .implements((any Payments).self) { $0 }
      .implements((any HealthCheck).self, key: "billing") { $0 }
    }
  }
  // end

  struct Account: Sendable {
    let id: String
  }

  actor BankPayments: Payments, HealthCheck {
    private let account: Account
    init(account: Account) { self.account = account }
    func charge(_ cents: Int) async throws { throw BankError.offline(account.id) }
    func problem() async -> String? { "the bank is offline" }
  }

  enum BankError: Error { case offline(String) }

  // snippet: modules ordering
  public struct OrderingModule: Module {
    public init() {}

    public var registrations: Registrations {
      RegistrationGroup(scope: .singleton) {
        // PaidOrders.init takes any Payments.
        Registration(autowired: (any OrderBook).self, initializer: PaidOrders.init)
        Registration(autowired: (any OrderBook).self, initializer: ArchivedOrders.init)
          .key(.archive)
        Registration(autowired: (any HealthCheck).self, initializer: ArchiveCheck.init)
          .key("ordering")
      }
    }
  }
  // end

  actor PaidOrders: OrderBook {
    private let payments: any Payments
    private var items: [String] = []
    init(payments: any Payments) { self.payments = payments }
    func place(_ item: String) async throws -> Int {
      try await payments.charge(100)
      items.append(item)
      return items.count
    }
  }

  actor ArchivedOrders: OrderBook {
    func place(_ item: String) -> Int { 0 }
  }

  struct ArchiveCheck: HealthCheck {
    func problem() async -> String? { nil }
  }

  // snippet: modules health
  public protocol HealthCheck: Sendable {
    func problem() async -> String?
  }

  public struct HealthPage: Sendable {
    public let checks: [String: any HealthCheck]  // what all modules contribute, by key
  }

  public struct HealthModule: Module {
    public init() {}

    public var registrations: Registrations {
      Registration(autowired: HealthPage.self, initializer: HealthPage.init)
    }
  }
  // end

  // snippet: modules decorator
  public struct SalesModule: Module {
    public init() {}

    public var registrations: Registrations {
      Registration(autowired: Sales.self, scope: .singleton, initializer: Sales.init)
      Decorator((any OrderBook).self) { r, orders in
        CountedOrders(orders, sales: try r.resolve())
      }
    }
  }
  // end

  actor Sales {
    private(set) var items: [String] = []
    func note(_ item: String) { items.append(item) }
  }

  struct CountedOrders: OrderBook {
    let orders: any OrderBook
    let sales: Sales
    init(_ orders: any OrderBook, sales: Sales) {
      self.orders = orders
      self.sales = sales
    }
    func place(_ item: String) async throws -> Int {
      await sales.note(item)
      return try await orders.place(item)
    }
  }

  public struct FreeBillingModule: Module {
    public init() {}

    public var registrations: Registrations {
      Registration(autowired: (any Payments).self, scope: .singleton) { FreePayments() }
    }
  }

  struct FreePayments: Payments {
    func charge(_ cents: Int) {}
  }

  @Test func aModuleDecoratesTheServicesOfOthers() async throws {
    let container = Container {
      SalesModule()
      OrderingModule()
      FreeBillingModule()
    }
    _ = try await container.resolve((any OrderBook).self).place("tea")
    _ = try await container.resolve(.archive).place("old tea")
    #expect(try await container.resolve(Sales.self).items == ["tea", "old tea"])
  }

  // MARK: The app

  struct Settings: Sendable {
    var account = "example"
    var hasHealthPage = true
  }

  // snippet: modules app
  func makeContainer(_ settings: Settings) -> Container {
    Container(name: "app", configuration: .init(duplicates: .error)) {
      BillingModule(account: settings.account)
      OrderingModule()
      if settings.hasHealthPage { HealthModule() }
    }
  }
  // end

  // snippet: modules validation
  @Test(arguments: [Settings(hasHealthPage: true), Settings(hasHealthPage: false)])
  func everyConfigurationIsComplete(settings: Settings) async throws {
    let report = try await makeContainer(settings).validate()
    #expect(report.opaque.isEmpty)
  }
  // end

  @Test func contributions() async throws {
    let app = makeContainer(Settings())
    let page = try await app.resolve(HealthPage.self)
    #expect(Set(page.checks.keys) == ["billing", "ordering"])
    #expect(await page.checks["billing"]?.problem() == "the bank is offline")
    #expect(try await app.resolve([any HealthCheck].self).count == 2)
    let archive = try await app.resolve(.archive)
    #expect(archive is ArchivedOrders)
    let overridden = try await app.withOverrides {
      FreeBillingModule()
    } operation: {
      try await app.resolve(HealthPage.self).checks["billing"]
    }
    #expect(overridden is BankPayments)
    #expect(try await Container { HealthModule() }.resolve(HealthPage.self).checks.isEmpty)
  }

  /// Contributions without a key are one identity, unless all of them are aliases.
  @Test func contributionsWithoutAKey() async throws {
    struct OtherCheck: HealthCheck { func problem() async -> String? { nil } }
    let app = Container {
      Registration(autowired: ArchiveCheck.self) { ArchiveCheck() }.implements((any HealthCheck).self) { $0 }
      Registration(autowired: OtherCheck.self) { OtherCheck() }.implements((any HealthCheck).self) { $0 }
    }
    #expect(try await app.resolve([any HealthCheck].self).count == 2)
    for _ in 0..<2 { try await app.register { Registration(autowired: (any HealthCheck).self) { ArchiveCheck() } } }
    #expect(try await app.resolve([any HealthCheck].self).count == 1)
  }

  @Test func duplicates() async throws {
    let app = makeContainer(Settings())
    // snippet: modules duplicates
    let error = await #expect(throws: ResolutionError.self) {
      try await app.register { BillingModule(account: "second") }
    }
    #expect(error?.code == .duplicate)
    // end
    // output: modules duplicate
    let expected = """
      Account is registered already in container "app".
      It was registered first at Billing/BillingModule.swift:12.
      Remove one of them, give one a key, or set Container.Configuration.duplicates to .replace.
      """
    // end
    let text = "\(try #require(error))".replacing(/at .*swift:[0-9]+/, with: "at Billing/BillingModule.swift:12")
    #expect(text == expected)

    let faulty = Container(configuration: .init(duplicates: .error)) {
      BillingModule(account: "first")
      BillingModule(account: "second")
    }
    let problems = await #expect(throws: ValidationError.self) { try await faulty.validate() }
    #expect(problems?.problems.map(\.kind) == [.faultyRegistration, .faultyRegistration])
    #expect(try await asyncResolutionError { try await faulty.resolve((any Payments).self) }.code == .duplicate)
  }

  // snippet: modules overrides
  @Test func ordersAreCounted() async throws {
    let app = makeContainer(Settings())
    try await app.withOverrides {
      FreeBillingModule()
    } operation: { () async throws in
      let orders = try await app.resolve((any OrderBook).self)
      #expect(try await orders.place("tea") == 1)
    }
  }
  // end

  @Test func aPackageAlone() async throws {
    let ordering = Container {
      OrderingModule()
      FreeBillingModule()
    }
    #expect(try await ordering.validate().opaque.isEmpty)
    #expect(try await ordering.resolve((any OrderBook).self).place("tea") == 1)
    await #expect(throws: BankError.self) {
      try await makeContainer(Settings()).resolve((any OrderBook).self).place("tea")
    }
  }

  /// A module whose loading resolves a service of another module.
  struct Announcing: Module {
    let loads: Counter
    var registrations: Registrations { BillingModule(account: "announced") }
    func didLoad(_ container: Container) async throws {
      _ = try await container.resolve((any OrderBook).self)
      loads.increment()
    }
  }

  @Test func loading() async throws {
    let loads = Counter()
    let app = Container {
      Announcing(loads: loads)
      OrderingModule()
      BillingModule(account: "again")
    }
    try await app.start()
    #expect(loads.count == 1 && app.registrationCount == 7)
    #expect(try await app.resolve(Account.self).id == "again")
  }

  struct User: Sendable { let name: String }

  actor Cart {
    let orders: any OrderBook
    init(user: User, orders: any OrderBook) { self.orders = orders }
  }

  struct CartModule: Module {
    let user: String
    let ends: Journal<String>

    var registrations: Registrations {
      Registration(instance: User(name: user))
      Registration(autowired: Cart.self, scope: .singleton, initializer: Cart.init)
        .onDispose { [user] _ in ends.note(user) }
    }
  }

  @Test func children() async throws {
    let app = makeContainer(Settings())
    let ends = Journal<String>()
    // snippet: modules child
    let ada = app.makeChild(name: "session") { CartModule(user: "Ada", ends: ends) }
    let bob = app.makeChild(name: "session") { CartModule(user: "Bob", ends: ends) }
    let (first, second) = try await (ada.resolve(Cart.self), bob.resolve(Cart.self))
    #expect(first !== second && first.orders as? PaidOrders === second.orders as? PaidOrders)

    try await ada.shutdown()  // ends Ada's cart; Bob's and the orders stay
    #expect(ends.entries == ["Ada"])
    // end
    try await app.shutdown()
    #expect(ends.entries == ["Ada", "Bob"])
  }

  struct SalesReport: Sendable {
    let orders: any OrderBook
  }

  @Test func links() async throws {
    let app = makeContainer(Settings())
    // snippet: modules link
    let reports = Container(name: "reports") {
      Registration(
        autowired: SalesReport.self, scope: .singleton, initializer: SalesReport.init)
    }
    let link = reports.link(app)
    let report = try await reports.resolve(SalesReport.self)  // with the app's orders
    // end
    #expect(try await app.resolve((any OrderBook).self) as? PaidOrders === report.orders as? PaidOrders)
    #expect(!app.contains(SalesReport.self))
    #expect(try await reports.validate().opaque.isEmpty)
    link.cancel()
    #expect(!reports.contains((any OrderBook).self))
    try await reports.shutdown()
    #expect(try await app.resolve((any OrderBook).self) as? PaidOrders != nil)
  }
}
