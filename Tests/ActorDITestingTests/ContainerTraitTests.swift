import ActorDI
import ActorDITesting
import Synchronization
import Testing

private final class Store: Sendable {
  let name: String
  init(_ name: String) { self.name = name }
}

private final class Shop: Sendable {
  let store: Store
  init(store: Store) { self.store = store }
}

/// A container that all tests here share, like a program's container.
private let app = Container(name: "app") {
  Registration(Store.self, scope: .singleton) { _ in Store("real") }
  Registration(Shop.self, scope: .singleton) { resolver in Shop(store: try resolver.resolve()) }
}

/// A container whose store must not be opened.
private let storage = Container(name: "storage") {
  Registration(Store.self, scope: .singleton) { _ in
    Issue.record("The real store is opened")
    return Store("real")
  }
  Registration(autowired: Shop.self, scope: .singleton, initializer: Shop.init)
}

private struct Refused: Error {}

@Suite("The container trait", .container { Registration(Store.self, scope: .singleton) { _ in Store("suite") } })
struct ContainerTraitTests {
  @Injected private var store: Store

  @Test func theSuitesRegistrationsApplyToItsTests() async throws {
    let name = try await Container.current.resolve(Store.self).name
    #expect(name == "suite")
    #expect(store.name == "suite")
  }

  @Test(.container { Registration(Store.self) { _ in Store("test") } })
  func aTestsRegistrationReplacesTheSuites() async throws {
    let name = try await Container.current.resolve(Store.self).name
    #expect(name == "test")
  }

  @Test(.container { Registration(Int.self) { _ in 1 } })
  func aTestsRegistrationsAreAddedToTheSuites() async throws {
    let (number, name) = (
      try await Container.current.resolve(Int.self), try await Container.current.resolve(Store.self).name
    )
    #expect(number == 1 && name == "suite")
  }

  @Test(.container { try await asynchronousRegistrations() })
  func theClosureCanBeAsynchronous() async throws {
    let name = try await Container.current.resolve(Store.self).name
    #expect(name == "asynchronous")
  }

  private static func asynchronousRegistrations() async throws -> Registrations {
    await Task.yield()
    return Registrations { Registration(Store.self) { _ in Store("asynchronous") } }
  }

  @Test func aTestsOwnRegistrationsEndWithTheTest() async throws {
    try await Container.current.register(Double.self) { _ in 2 }
    let number = try await Container.current.resolve(Double.self)
    #expect(number == 2)
    #expect(!Container.root.contains(Double.self))
  }

  /// Each case has its own singleton, which differs from the program's.
  @Test(
    .container(overriding: app) { Registration(Store.self, scope: .singleton) { _ in Store("case") } },
    arguments: 0..<100)
  func eachCaseHasASingletonOfItsOwn(number: Int) async throws {
    let (store, shop) = (try await app.resolve(Store.self), try await app.resolve(Shop.self))
    #expect(store.name == "case" && shop.store === store)
    #expect(Cases.note(store))
    await Task.yield()
    let again = try await app.resolve(Store.self)
    #expect(again === store)
  }

  /// The real store must not be built.
  @Test(.container(overriding: storage) { Registration(Store.self, scope: .singleton) { _ in Store("fake") } })
  func validatingBuildsTheOverrides() async throws {
    try await storage.validate(building: true)
    await storage.validated(building: true)
  }

  @Test func aPropertyKeepsTheOverridesOfItsTest() async throws {
    let test = try #require(Test.current)
    let made = Mutex<Injected<Store>?>(nil)
    let trait = ContainerTrait.container(overriding: app) { Registration(Store.self) { _ in Store("fake") } }
    try await trait.provideScope(for: test, testCase: nil) {
      made.withLock { $0 = Injected(from: app) }
    }
    let property = try #require(made.withLock { $0 })
    #expect(property.wrappedValue.name == "fake")
  }

  @Test func theOverriddenContainerIsUnchanged() async throws {
    let shop = try await app.resolve(Shop.self)
    #expect(shop.store.name == "real")
  }

  @Test func theTestThrowsTheClosuresError() async throws {
    let test = try #require(Test.current)
    let trait = ContainerTrait.container { throw Refused() }
    await #expect(throws: Refused.self) {
      try await trait.provideScope(for: test, testCase: nil) { Issue.record("The test ran") }
    }
  }

  @Test func theEndOfATestDisposesOfItsInstances() async throws {
    let test = try #require(Test.current)
    let recorder = EventRecorder()
    let container = Container(configuration: .init(observer: recorder))
    let trait = ContainerTrait.container(overriding: container) {
      Registration(Store.self, scope: .singleton) { _ in Store("made") }.onDispose { _ in }
    }
    try await trait.provideScope(for: test, testCase: nil) {
      _ = try await container.resolve(Store.self)
      #expect(recorder.disposed(Store.self).isEmpty)
    }
    #expect(recorder.created(Store.self).count == 1)
    #expect(recorder.disposed(Store.self).count == 1)
  }
}

/// The stores that the cases have used; each case must have its own.
private enum Cases {
  private static let seen = Seen()

  /// Records a store.
  ///
  /// - Returns: Whether the store is new.
  static func note(_ store: Store) -> Bool { seen.add(store) }
}

/// Traits within traits.
@Suite(
  "Nested container traits",
  .container(overriding: storage) { Registration(Store.self, scope: .singleton) { _ in Store("suite") } })
struct NestedContainerTraitTests {
  @Test func aSingletonIsBuiltWithTheSuitesRegistrations() async throws {
    let (shop, other) = (try await Container.current.resolve(Shop.self), try await storage.resolve(Shop.self))
    #expect(shop.store.name == "suite" && shop === other)
  }

  @Test(.container { Registration(Store.self, scope: .singleton) { _ in Store("test") } })
  func aSingletonIsBuiltWithTheTestsRegistrations() async throws {
    let (shop, other) = (try await Container.current.resolve(Shop.self), try await storage.resolve(Shop.self))
    #expect(shop.store.name == "test" && shop === other)
  }

  /// A container that the test makes current is overridden itself.
  @Test func anotherCurrentContainerIsOverridden() async throws {
    let other = Container { Registration(Store.self) { _ in Store("other") } }
    let test = try #require(Test.current)
    let trait = ContainerTrait.container { Registration(Int.self) { _ in 1 } }
    try await Container.withCurrent(other) {
      try await trait.provideScope(for: test, testCase: nil) {
        let (number, name) = (try await other.resolve(Int.self), try await other.resolve(Store.self).name)
        #expect(number == 1 && name == "other")
      }
    }
  }
}
