import ActorDITestSupport
import Testing

@testable import ActorDI

private protocol Reader: Sendable { var id: ObjectIdentifier { get } }
private protocol Writer: Sendable { var id: ObjectIdentifier { get } }
private final class Store: Reader, Writer {
  let number: Int
  init(number: Int = 0) { self.number = number }
  var id: ObjectIdentifier { ObjectIdentifier(self) }
}

/// One service registered under several types.
struct ImplementsTests {
  private static func container(_ scope: Scope, hook: Counter = Counter()) -> Container {
    Container {
      Registration(Store.self, scope: scope) { _ in Store() }
        .implements((any Reader).self) { $0 }
        .implements((any Writer).self, key: "w") { $0 }
        .onCreated { _, _ in hook.increment() }
    }
  }

  @Test(arguments: [Scope.singleton, .shared, .automatic])
  func allTypesResolveOneKeptInstance(scope: Scope) async throws {
    let hook = Counter()
    let container = Self.container(scope, hook: hook)
    let reader = try await container.resolve((any Reader).self)
    let store = try await container.resolve(Store.self)
    let writer = try sync { try container.resolve((any Writer).self, key: "w") }
    #expect(reader.id == store.id && writer.id == store.id)
    #expect(hook.count == 1)
    #expect(!container.contains((any Writer).self))
    withExtendedLifetime((reader, store, writer)) {}
  }

  @Test func allTypesResolveOneInstancePerGraph() async throws {
    let hook = Counter()
    let container = Self.container(.graph, hook: hook)
    try await container.register([ObjectIdentifier].self) { r in
      let reader = try r.resolve((any Reader).self)
      let store = try r.resolve(Store.self)
      let writer = try r.resolve((any Writer).self, key: "w")
      return try withExtendedLifetime((reader, store, writer)) {
        [reader.id, store.id, writer.id, try r.resolve((any Reader).self).id]
      }
    }
    #expect(try await Set(container.resolve([ObjectIdentifier].self)).count == 1)
    #expect(hook.count == 1)
    #expect(try Set(sync { try container.resolve([ObjectIdentifier].self) }).count == 1)
    #expect(hook.count == 2)
  }

  @Test func eachTypeBuildsANewTransient() async throws {
    let hook = Counter()
    let container = Self.container(.transient, hook: hook)
    let reader = try await container.resolve((any Reader).self)
    let store = try await container.resolve(Store.self)
    #expect(reader.id != store.id)
    #expect(hook.count == 2)
  }

  @Test func anAsynchronousServiceCanHaveAliases() async throws {
    let container = Container {
      Registration(Store.self, scope: .singleton) { _ in
        await Task.yield()
        return Store()
      }
      .implements((any Reader).self) { $0 }
    }
    let error = try resolutionError { try container.resolve((any Reader).self) }
    #expect(error.code == .asyncRequired)
    let reader = try await container.resolve((any Reader).self)
    #expect(try sync { try container.resolve((any Reader).self) }.id == reader.id)
    #expect(try sync { try container.resolve(Store.self) }.id == reader.id)
  }

  @Test func anAliasInheritsTheRegistrationsKeyUnlessItHasItsOwn() throws {
    let container = Container {
      Registration(Store.self, scope: .singleton) { _ in Store() }
        .implements((any Reader).self) { $0 }
        .implements((any Writer).self, key: 5) { $0 }
        .key("main")
    }
    #expect(container.contains((any Reader).self, key: "main"))
    #expect(!container.contains((any Reader).self))
    #expect(container.contains((any Writer).self, key: 5))
    #expect(!container.contains((any Writer).self, key: "main"))
  }

  @Test func anAliasTakesTheRegistrationsArguments() async throws {
    let container = Container {
      Registration(Store.self) { (_, number: Int) in Store(number: number) }
        .implements((any Reader).self) { $0 }
    }
    let reader = try await container.resolve((any Reader).self, arguments: 8)
    #expect((reader as? Store)?.number == 8)
    #expect(
      (try sync { try container.resolve((any Reader).self, arguments: 9) } as? Store)?.number == 9)
  }

  @Test(arguments: [Scope.singleton, .shared])
  func aResetAffectsAllTypes(scope: Scope) async throws {
    let container = Self.container(scope)
    let before = try await container.resolve((any Reader).self)
    await container.reset()
    let after = try await container.resolve((any Reader).self)
    #expect(before.id != after.id)
    #expect(try await container.resolve(Store.self).id == after.id)
    await container.reset((any Writer).self, key: "w")
    let last = try await container.resolve(Store.self)
    #expect(last.id != after.id)
    #expect(try await container.resolve((any Reader).self).id == last.id)
  }

  @Test func replacingARegistrationRemovesItsAliases() async throws {
    let container = Self.container(.singleton)
    _ = try await container.resolve((any Reader).self)
    try await container.register {
      Registration(Store.self, scope: .singleton) { _ in Store(number: 2) }
        .implements((any Reader).self) { $0 }
    }
    let reader = try await container.resolve((any Reader).self)
    #expect((reader as? Store)?.number == 2)
    #expect(try await container.resolve(Store.self).id == reader.id)
    #expect(!container.contains((any Writer).self, key: "w"))
    try await container.register(Store.self) { _ in Store(number: 3) }
    #expect(!container.contains((any Reader).self))
    #expect(container.registrationCount == 1)
  }

  @Test func anAliasCanBeReplacedAndRemovedSeparately() async throws {
    let container = Self.container(.singleton)
    let store = try await container.resolve(Store.self)
    let other = Store(number: 7)
    try await container.register((any Reader).self) { _ in other }
    #expect(try await container.resolve((any Reader).self).id == other.id)
    #expect(try await container.resolve(Store.self) === store)
    #expect(await container.unregister((any Writer).self, key: "w"))
    #expect(try await container.resolve(Store.self) === store)
    #expect(await container.unregister(Store.self))
    #expect(try await container.resolve((any Reader).self).id == other.id)
    #expect(container.registrationCount == 1)
  }

  @Test func anInstanceCanBeRegisteredUnderAnotherType() async throws {
    let (store, other) = (Store(number: 1), Store(number: 2))
    let container = Container {
      Registration((any Reader).self, instance: store)
      Registration((any Reader).self, instance: other).key("other")
      Registration(instance: other)
    }
    #expect(try await container.resolve((any Reader).self).id == store.id)
    #expect(try sync { try container.resolve((any Reader).self, key: "other") }.id == other.id)
    #expect(try await container.resolve(Store.self) === other)
    #expect(container.registrations.map { $0.is((any Reader).self) } == [true, true, false])
    #expect(container.registrations[2].is(Store.self))
    try await container.validate()
  }

  @Test func anAliasCanConvertToAConcreteValue() async throws {
    let container = Container {
      Registration(Store.self, scope: .singleton) { _ in Store(number: 4) }
        .implements(Int.self) { $0.number }
        .implements(String.self, key: "text") { "\($0.number)" }
    }
    #expect(try await container.resolve(Int.self) == 4)
    #expect(try await container.resolve(String.self, key: "text") == "4")
  }
}
