import Testing

@testable import ActorDI

private protocol Shop: Sendable { var name: String { get } }
private final class Plain: Shop {
  let name: String
  init(_ name: String = "plain") { self.name = name }
}
private final class Wrapped: Shop {
  let inner: any Shop
  let mark: String
  init(_ inner: any Shop, _ mark: String) {
    self.inner = inner
    self.mark = mark
  }
  var name: String { "\(mark)(\(inner.name))" }
}

@Suite("Decorators")
struct DecoratorTests {
  private static func container(_ scope: Scope) -> Container {
    Container {
      Registration((any Shop).self, scope: scope) { _ in Plain() }
      Registration((any Shop).self, scope: scope) { _ in Plain("keyed") }.key("k")
      Registration((any Shop).self, scope: scope) { (_, name: String) in Plain(name) }
    }
  }

  @Test(arguments: allScopes) func theLastOneIsOutermost(scope: Scope) async throws {
    let container = Self.container(scope)
    try await container.decorate((any Shop).self) { _, inner in Wrapped(inner, "a") }
    try await container.decorate((any Shop).self) { _, inner in Wrapped(inner, "b") }
    #expect(try sync { try container.resolve((any Shop).self) }.name == "b(a(plain))")
    #expect(try await container.resolve((any Shop).self).name == "b(a(plain))")
    #expect(try await container.resolve((any Shop).self, key: "k").name == "b(a(keyed))")
    #expect(try await container.resolve((any Shop).self, arguments: "x").name == "b(a(x))")
    #expect(try await container.resolve([any Shop].self).map(\.name) == ["b(a(plain))", "b(a(keyed))"])
    #expect(container.registrationCount == 3)
    #expect(container.registrations.map(\.scope) == [scope, scope, scope])
  }

  @Test func aKeptServiceIsWrappedOnce() async throws {
    let (built, wrapped) = (Counter(), Counter())
    let container = Container {
      Registration((any Shop).self, scope: .singleton) { _ in
        built.increment()
        return Plain()
      }
    }
    try await container.decorate((any Shop).self) { _, inner in
      wrapped.increment()
      return Wrapped(inner, "a")
    }
    let shops = await withTaskGroup(of: (any Shop)?.self) { group in
      for _ in 0..<50 { group.addTask { try? await container.resolve((any Shop).self) } }
      return await group.reduce(into: []) { $0.append($1 as? Wrapped) }
    }
    #expect(shops.allSatisfy { $0 != nil && $0 === shops[0] })
    #expect(built.count == 1 && wrapped.count == 1)
    #expect(container.resolveIfReady((any Shop).self) as? Wrapped === shops[0])
    await container.reset((any Shop).self)
    _ = try await container.resolve((any Shop).self)
    #expect(built.count == 2 && wrapped.count == 2)
  }

  @Test func whatIsRegisteredLaterIsWrappedToo() async throws {
    let container = Container()
    try await container.decorate((any Shop).self) { _, inner in Wrapped(inner, "a") }
    try await container.register((any Shop).self) { _ in Plain("late") }
    #expect(try await container.resolve((any Shop).self).name == "a(late)")
    try await container.register((any Shop).self) { _ in Plain("later") }
    #expect(try await container.resolve((any Shop).self).name == "a(later)")
  }

  @Test func anInstanceThatWasKeptBeforeIsWrappedAtTheNextResolve() async throws {
    let container = Self.container(.singleton)
    let plain = try await container.resolve((any Shop).self)
    let provider = container.provider(for: (any Shop).self)
    #expect(try provider.synchronously().name == "plain")
    try await container.decorate((any Shop).self) { _, inner in Wrapped(inner, "a") }
    let wrapped = try #require(try await container.resolve((any Shop).self) as? Wrapped)
    #expect(wrapped.inner as? Plain === plain as? Plain)
    #expect(try provider.synchronously() as? Wrapped === wrapped)
  }

  @Test func withAKeyOnlyWhatHasThatKeyIsWrapped() async throws {
    let container = Self.container(.transient)
    try await container.decorate((any Shop).self, key: "k") { _, inner in Wrapped(inner, "a") }
    #expect(try await container.resolve([any Shop].self).map(\.name) == ["plain", "a(keyed)"])
  }

  @Test func aDecoratorMayResolveAndSuspend() async throws {
    let container = Container {
      Registration((any Shop).self, scope: .singleton) { _ in Plain() }
      Registration(String.self) { _ in
        await Task.yield()
        return "mark"
      }
    }
    try await container.decorate((any Shop).self) { r, inner in
      Wrapped(inner, try await r.resolve(String.self))
    }
    let error = #expect(throws: ResolutionError.self) { try container.resolve((any Shop).self) }
    #expect(error?.code == .asyncRequired)
    #expect(try await container.resolve((any Shop).self).name == "mark(plain)")
    #expect(try sync { try container.resolve((any Shop).self) }.name == "mark(plain)")
  }

  @Test func aSuspendingServiceCanBeDecorated() async throws {
    let container = Container {
      Registration((any Shop).self, scope: .singleton) { _ in
        await Task.yield()
        return Plain()
      }
    }
    try await container.decorate((any Shop).self) { _, inner in Wrapped(inner, "a") }
    #expect(throws: ResolutionError.self) { try container.resolve((any Shop).self) }
    #expect(try await container.resolve((any Shop).self).name == "a(plain)")
  }

  @Test func whatAServiceImplementsIsDecoratedWithoutTouchingTheService() async throws {
    let container = Container {
      Registration(Plain.self, scope: .singleton) { _ in Plain() }
        .implements((any Shop).self) { $0 }
    }
    try await container.decorate((any Shop).self) { _, inner in Wrapped(inner, "a") }
    let plain = try await container.resolve(Plain.self)
    let shop = try #require(try await container.resolve((any Shop).self) as? Wrapped)
    #expect(shop.inner as? Plain === plain)
    #expect(try await container.resolve((any Shop).self) as? Wrapped === shop)
    await container.reset()
    let second = (try await container.resolve((any Shop).self) as? Wrapped)?.inner as? Plain
    #expect(second !== plain)
    await container.reset(Plain.self)
    #expect((try await container.resolve((any Shop).self) as? Wrapped)?.inner as? Plain !== second)
    await container.unregister(Plain.self)
    #expect(!container.contains((any Shop).self))
  }

  @Test func hooksRunBeforeIt() async throws {
    let log = Lock<[String]>([])
    let container = Container {
      Registration((any Shop).self, scope: .singleton) { _ in Plain() }
        .onCreated { shop, _ in log.withLock { $0.append("created \(shop.name)") } }
    }
    try await container.decorate((any Shop).self) { _, inner in
      log.withLock { $0.append("wrapped") }
      return Wrapped(inner, "a")
    }
    _ = try await container.resolve((any Shop).self)
    #expect(log.withLock { $0 } == ["created plain", "wrapped"])
  }

  @Test func itsErrorIsTheResolves() async throws {
    let container = Self.container(.singleton)
    let fails = Lock(true)
    try await container.decorate((any Shop).self) { _, inner in
      if fails.withLock({ $0 }) { throw Failure() }
      return Wrapped(inner, "a")
    }
    #expect(throws: Failure.self) { try container.resolve((any Shop).self) }
    fails.withLock { $0 = false }
    #expect(try await container.resolve((any Shop).self).name == "a(plain)")
  }

  @Test func aCycleThroughItIsAnError() async throws {
    let container = Self.container(.singleton)
    try await container.decorate((any Shop).self) { r, inner in
      Wrapped(try r.resolve((any Shop).self), "a")
    }
    let error = #expect(throws: ResolutionError.self) { try container.resolve((any Shop).self) }
    #expect(error?.code == .cycle)
    #expect(error?.path == ["Shop", "Shop"])
  }

  @Test func aServiceThatIsGoneTakesItsDecoratedInstancesAlong() async throws {
    let lifetime = Lifetime()
    let container = Container {
      Registration(Lifetime.Token.self, scope: .singleton) { _ in lifetime.token() }
    }
    try await container.decorate(Lifetime.Token.self) { _, inner in inner }
    _ = try await container.resolve(Lifetime.Token.self)
    await container.unregister(Lifetime.Token.self)
    await lifetime.ended.wait()
  }

  private struct Failure: Error {}
}
