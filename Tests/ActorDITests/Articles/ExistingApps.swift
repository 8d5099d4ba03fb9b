// The article's old code cannot throw.
// swift-format-ignore-file: NeverForceUnwrap, NeverUseForceTry

import ActorDI
import ActorDITestSupport
import ActorDITesting
import Synchronization
import Testing

private typealias Mailer = ExistingApps.Mailer
private typealias SMTPMailer = ExistingApps.SMTPMailer

// snippet: existing token
extension ServiceKey where Service == any Mailer {
  static var mail: Self {
    Self("mail") {
      Registration(autowired: (any Mailer).self, scope: .singleton) { SMTPMailer() }
    }
  }
}
// end

/// What the article "Adopting ActorDI in an existing app" shows.
@Suite("Existing apps", .timeLimit(.minutes(5)))
struct ExistingApps {
  // MARK: A token with a default

  protocol Mailer: AnyObject, Sendable {
    func send(_ text: String) throws
  }

  final class SMTPMailer: Mailer {
    func send(_ text: String) throws { throw Offline() }
  }

  final class FakeMailer: Mailer {
    func send(_ text: String) {}
  }

  struct Offline: Error {}

  // snippet: existing injected
  final class SignUp {
    @Injected(.mail) var mailer: any Mailer  // before: let mailer = SMTPMailer.shared

    func welcome(_ name: String) throws { try mailer.send("Welcome, \(name)") }
  }
  // end

  @Test func aTokenNeedsNoSetUp() throws {
    let root = Container(name: "root")
    try root.withCurrent { () throws in
      #expect(throws: Offline.self) { try SignUp().welcome("Ada") }
      #expect(SignUp().mailer === SignUp().mailer)
    }
    #expect(root.contains((any Mailer).self, key: "mail"))
  }

  /// The form for a Sendable class.
  final class Newsletter: Sendable {
    let mailer = Injected<any Mailer>(.mail)
    func send() throws { try mailer().send("News") }
  }

  @Test(.container { Registration(autowired: .mail) { FakeMailer() } })
  func aConstantIsInjected() throws {
    try Newsletter().send()
    #expect(try Newsletter().mailer() is FakeMailer)
  }

  // snippet: existing fake
  @Test(.container { Registration(autowired: .mail) { FakeMailer() } })
  func newUsersAreWelcomed() throws {
    try SignUp().welcome("Ada")
  }
  // end

  @Test func theContainerThatIsAskedDecidesWhereTheDefaultGoes() throws {
    let (root, app) = (Container(name: "root"), Container(name: "app"))
    _ = root.link(app)
    let mailer = try root.resolve(.mail)
    #expect(try app.resolve(.mail) !== mailer)

    let (otherRoot, registering) = (
      Container(name: "root"),
      Container(name: "app") {
        // snippet: existing registered token
        Registration(autowired: .mail, scope: .singleton) { SMTPMailer() }
        // end
      }
    )
    _ = otherRoot.link(registering)
    #expect(try otherRoot.resolve(.mail) === registering.resolve(.mail))
  }

  // MARK: Singletons

  enum Before {
    // snippet: existing singleton
    final class Analytics: Sendable {
      static let shared = Analytics()
      func note(_ event: String) {}
    }
    // end

    final class Checkout: Sendable {
      let analytics: Analytics
      init(analytics: Analytics) { self.analytics = analytics }
    }
  }

  @Test func aSingletonIsRegisteredAsItIs() async throws {
    typealias Analytics = Before.Analytics
    typealias Checkout = Before.Checkout
    // snippet: existing singleton registered
    let app = Container(name: "app") {
      Registration(autowired: Analytics.self) { Analytics.shared }
      Registration(autowired: Checkout.self, initializer: Checkout.init)  // takes Analytics
    }
    // end
    let checkout = try await app.resolve(Checkout.self)
    #expect(checkout.analytics === Analytics.shared)
  }

  class LogFile: @unchecked Sendable {
    func write(_ text: String) {}
  }

  enum After {
    // snippet: existing singleton moved
    final class Analytics: Sendable {
      static var shared: Analytics { try! Container.current.resolve() }

      private let file: LogFile
      init(file: LogFile) { self.file = file }
      func note(_ event: String) { file.write(event) }
    }
    // end

    static func buy() { Analytics.shared.note("bought") }
  }

  /// Counts what is written.
  final class MemoryLog: LogFile, @unchecked Sendable {
    let counter = Counter()
    override func write(_ text: String) { counter.increment() }
  }

  @Test func theContainerMakesTheSingleton() async throws {
    typealias Analytics = After.Analytics
    let app = Container(name: "app") {
      Registration(autowired: LogFile.self, scope: .singleton) { LogFile() }
      // snippet: existing singleton made
      Registration(
        autowired: Analytics.self, scope: .singleton, initializer: Analytics.init)
      // end
    }
    let root = Container(name: "root")
    _ = root.link(app)
    let own = try await app.resolve(Analytics.self)
    #expect(root.withCurrent { Analytics.shared } === own)
    // What uses `shared` sees overrides, too.
    let log = MemoryLog()
    try app.withOverrides {
      Registration(instance: log as LogFile)
    } operation: {
      root.withCurrent { After.buy() }
    }
    #expect(log.counter.count == 1)
    root.withCurrent { After.buy() }
    #expect(log.counter.count == 1)
  }

  @Test func aFactoryThatAsksForSharedIsACycle() {
    let container = Container(name: "app") {
      Registration(Int.self) { _ in try Container.current.resolve() }
    }
    let error = #expect(throws: ResolutionError.self) { try container.withCurrent { try container.resolve(Int.self) } }
    #expect(error?.code == .cycle)
  }

  @Test func aDisposableMadeElsewhereIsDisposedOf() async throws {
    final class Connection: Disposable {
      let ends = Counter()
      func dispose() { ends.increment() }
    }
    let (made, registered) = (Connection(), Connection())
    let app = Container {
      Registration(autowired: Connection.self) { made }
      Registration(instance: registered).key("instance")
    }
    #expect(try await app.resolve(Connection.self) === made)
    #expect(try await app.resolve(Connection.self, key: "instance") === registered)
    try await app.shutdown()
    #expect(made.ends.count == 1 && registered.ends.count == 0)
  }

  // MARK: Beside another container

  /// A container as in other libraries, with optional results. The tests use it from one thread at a time.
  final class OldContainer: @unchecked Sendable {
    private var factories: [ObjectIdentifier: () -> Any] = [:]
    private var kept: [ObjectIdentifier: Any] = [:]
    private var keepers: Set<ObjectIdentifier> = []

    func register<Service>(_ type: Service.Type, keeps: Bool = false, _ factory: @escaping () -> Service) {
      factories[ObjectIdentifier(type)] = factory
      if keeps { keepers.insert(ObjectIdentifier(type)) }
    }

    func resolve<Service>(_ type: Service.Type) -> Service? {
      let id = ObjectIdentifier(type)
      if let instance = kept[id] { return instance as? Service }
      let instance = factories[id]?()
      if keepers.contains(id) { kept[id] = instance }
      return instance as? Service
    }
  }

  protocol Store: AnyObject, Sendable {}
  final class DiskStore: Store {}
  final class FakeStore: Store {}

  final class Cart: Sendable {
    let store: any Store
    init(store: any Store) { self.store = store }
  }

  final class Receipts: Sendable {
    let cart: Cart
    init(cart: Cart) { self.cart = cart }
  }

  /// The containers of a program.
  private func containers(keepsReceipts: Bool = false) -> (OldContainer, Container) {
    let old = OldContainer()
    old.register((any Store).self, keeps: true) { DiskStore() }
    // snippet: existing new asks old
    let app = Container(name: "app") {
      // The old container still makes and keeps the store.
      Registration(autowired: (any Store).self) { old.resolve((any Store).self)! }
      Registration(autowired: Cart.self, scope: .singleton, initializer: Cart.init)
    }
    // end
    // snippet: existing old asks new
    old.register(Cart.self) { try! app.resolve() }
    // end
    old.register(Receipts.self, keeps: keepsReceipts) { Receipts(cart: old.resolve(Cart.self)!) }
    return (old, app)
  }

  @Test func eachServiceIsKeptByItsOwner() async throws {
    let (old, app) = containers()
    let receipts = try #require(old.resolve(Receipts.self))
    let cart = try await app.resolve(Cart.self)
    #expect(receipts.cart === cart)
    #expect(cart.store === old.resolve((any Store).self))
    #expect(try await app.validate().opaque.isEmpty)
  }

  @Test func overridesReplaceWhatTheOldContainerMakes() async throws {
    let (old, app) = containers()
    // snippet: existing border overridden
    try await app.withOverrides {
      Registration(autowired: (any Store).self) { FakeStore() }
    } operation: {
      let cart = try await app.resolve(Cart.self)
      #expect(cart.store is FakeStore)
    }
    // end
    #expect(old.resolve(Cart.self)?.store is DiskStore)
  }

  @Test func theOldContainerKeepsAFake() throws {
    let (old, app) = containers(keepsReceipts: true)
    try app.withOverrides {
      Registration(autowired: (any Store).self) { FakeStore() }
    } operation: {
      #expect(old.resolve(Receipts.self)?.cart.store is FakeStore)
    }
    #expect(old.resolve(Receipts.self)?.cart.store is FakeStore)
  }

  @MainActor private static let oldOnMainActor: OldContainer = {
    let old = OldContainer()
    old.register((any Store).self, keeps: true) { DiskStore() }
    return old
  }()

  @Test func anOldContainerStaysOnTheMainActor() async throws {
    let app = Container(name: "app") {
      Registration(autowired: (any Store).self) { @MainActor in Self.oldOnMainActor.resolve((any Store).self)! }
    }
    #expect(try await app.resolve((any Store).self) === app.resolve((any Store).self))
  }

  enum BesideAnotherModule {
    /// The type of the same name.
    struct Container {}
    static func makeContainer() -> ActorDI.Container { ActorDI.Container(name: "app") }
  }

  @Test func theModuleQualifiesTheContainer() {
    #expect(BesideAnotherModule.makeContainer().name == "app")
  }

  @Test func aCircleThroughBothIsAnError() {
    let old = OldContainer()
    let app = Container(name: "app") {
      Registration((any Store).self) { _ in
        guard let store = old.resolve((any Store).self) else { throw Offline() }
        return store
      }
    }
    let code = Mutex<ResolutionError.Code?>(nil)
    old.register((any Store).self) {
      do { return try app.resolve() } catch {
        code.withLock { $0 = (error as? ResolutionError)?.code }
        return FakeStore()
      }
    }
    #expect(throws: Never.self) { try app.resolve((any Store).self) }
    #expect(code.withLock { $0 } == .cycle)
  }

  // MARK: The container of the process

  @Test func theLastOfTwoLibrariesWins() async throws {
    let root = Container(name: "root")
    try await root.register { Registration(autowired: (any Store).self, scope: .singleton) { DiskStore() } }
    try await root.register { Registration(autowired: (any Store).self, scope: .singleton) { FakeStore() } }
    #expect(try await root.resolve((any Store).self) is FakeStore)
  }

  private func makeContainer() -> Container {
    Container(name: "app") { Registration(autowired: (any Store).self, scope: .singleton) { FakeStore() } }
  }

  @Test func codeWithoutAContainerFindsTheActiveOne() async throws {
    struct Page { @Injected var store: any Store }
    // snippet: existing activation
    let app = makeContainer()
    let activation = app.activate()  // keep it in a property: its release ends it
    // end
    #expect(try await Container.root.resolve((any Store).self) === app.resolve((any Store).self))
    #expect(try await Page().store === app.resolve((any Store).self))
    activation.cancel()
    #expect(!Container.root.contains((any Store).self))
  }
}
