import ActorDITestSupport
import ActorDITesting
import Testing

@testable import ActorDI

private struct PaymentError: Error {}

private protocol Payments: Sendable {
  func pay() async throws
}
private struct BankPayments: Payments {
  func pay() async throws { Issue.record("The bank was asked.") }
}
private struct BrokenPayments: Payments {
  func pay() async throws { throw PaymentError() }
}
private struct FreePayments: Payments {
  func pay() async throws {}
}

private final class Shop: Sendable {
  let payments: any Payments
  init(payments: any Payments) { self.payments = payments }
  func order(_ goods: String) async throws { try await payments.pay() }
}
private final class Catalog: Sendable {
  let goods = ["tea"]
}
private final class Basket: Sendable {}

// snippet: testing program
enum Program {
  static let container = Container(name: "app") {
    Registration(autowired: (any Payments).self, scope: .singleton) { BankPayments() }
    Registration(autowired: Shop.self, scope: .singleton, initializer: Shop.init)
    Registration(autowired: Catalog.self, scope: .singleton) { Catalog() }
  }
}
// end

/// What the article of this name shows.
@Suite("Testing")
struct TestingArticle {
  // snippet: testing overrides
  @Test func refusedOrders() async throws {
    try await Program.container.withOverrides {
      Registration(autowired: (any Payments).self) { BrokenPayments() }
    } operation: { () async throws in
      let shop = try await Program.container.resolve(Shop.self)
      await #expect(throws: PaymentError.self) { try await shop.order("tea") }
    }
  }
  // end

  @Test func theCatalogIsTheProgramsAllTheTime() async throws {
    let catalog = try await Program.container.resolve(Catalog.self)
    try await Program.container.withOverrides {
      Registration(autowired: (any Payments).self) { BrokenPayments() }
    } operation: { () async throws in
      let same = try await Program.container.resolve(Catalog.self)
      #expect(same === catalog)
    }
  }

  // snippet: testing injection
  @Test(.container { Registration(autowired: (any Payments).self) { FreePayments() } })
  func byInjection() async throws {
    struct Checkout { @Injected var payments: any Payments }
    #expect(Checkout().payments is FreePayments)
  }
  // end

  // snippet: testing unimplemented
  @Test(
    .container(overriding: Program.container) {
      Registration.unimplemented((any Payments).self)
    })
  func browsingCostsNothing() async throws {
    let catalog = try await Program.container.resolve(Catalog.self)
    #expect(catalog.goods.contains("tea"))
  }
  // end

  // snippet: testing recorder
  @Test func theCatalogIsMadeOnce() async throws {
    let recorder = EventRecorder()
    let container = Container(configuration: .init(observer: recorder)) {
      Registration(autowired: Catalog.self, scope: .singleton) { Catalog() }
    }
    try await withThrowingTaskGroup(of: Catalog.self) { group in
      for _ in 0..<100 { group.addTask { try await container.resolve() } }
      try await group.waitForAll()
    }
    #expect(recorder.created(Catalog.self).count == 1)
  }
  // end

  @Test func aContainerIsFollowed() async throws {
    let container = Container {
      Registration(autowired: Basket.self, scope: .scoped) { Basket() }.onDispose { _ in }
    }
    // snippet: testing following
    let events = try await EventRecorder.events(in: container) {
      try await container.withScope { scope in _ = try await scope.resolve(Basket.self) }
    }
    #expect(events.created(Basket.self).count == 1)
    #expect(events.disposed(Basket.self).count == 1)
    // end
  }
}

// snippet: testing trait
@Suite(
  .container(overriding: Program.container) {
    Registration(autowired: (any Payments).self) { FreePayments() }
  })
struct ShopTests {
  @Test func ordersArePaid() async throws {
    let shop = try await Program.container.resolve(Shop.self)
    try await shop.order("tea")
  }

  @Test(
    .container(overriding: Program.container) {
      Registration(autowired: (any Payments).self) { BrokenPayments() }
    })
  func ordersAreRefused() async throws {
    let shop = try await Program.container.resolve(Shop.self)
    await #expect(throws: PaymentError.self) { try await shop.order("tea") }
  }
}
// end

// snippet: testing external
extension Program {
  static let live = Container(name: "live") {
    Registration(autowired: (any Payments).self, scope: .singleton) { BankPayments() }.external()
    Registration(autowired: Shop.self, scope: .singleton, initializer: Shop.init)
    Registration(autowired: Catalog.self, scope: .singleton) { Catalog() }
  }
}
// end

// snippet: testing strict
@Suite(.container(overriding: Program.live, strict: true))
struct LiveTests {
  @Test func browsing() async throws {
    let catalog = try await Program.live.resolve(Catalog.self)
    #expect(catalog.goods.contains("tea"))
  }

  @Test(
    .container(overriding: Program.live) {
      Registration(autowired: (any Payments).self) { FreePayments() }
    })
  func orders() async throws {
    try await Program.live.resolve(Shop.self).order("tea")
  }
}
// end

@Suite("Testing: a strict test") private struct TestingAStrictTest {
  @Test func theMessage() async throws {
    try await Program.live.withOverrides(strict: true) {
    } operation: { () async throws in
      let error = try await asyncResolutionError { try await Program.live.resolve(Shop.self) }
      let text = "\(error)".replacing(/ActorDIArticlesTests.*:[0-9]+/, with: "App/Services.swift:3")
      // output: testing strict
      let expected = """
        any Payments is external, and no override replaces it in this strict test.
        Registered as external at App/Services.swift:3.
        Resolution path: Shop -> any Payments
        Override it for the test, or remove what resolves it.
        """
      // end
      #expect(text == expected)
    }
  }
}

@Suite("Testing: after the operation")
private struct TestingAfterTheOperation {
  // snippet: testing after the operation
  struct Checkout {
    @Injected(from: Program.container) var payments: any Payments
  }

  func makeCheckout() throws -> Checkout {
    try Program.container.withOverrides {
      Registration(autowired: (any Payments).self, scope: .singleton) { FreePayments() }
    } operation: { () throws in
      Checkout()
    }
  }

  @Test func checkoutIsFree() throws {
    // The property is loaded now, after the operation.
    #expect(try makeCheckout().payments is FreePayments)
  }
  // end
}
