import ActorDITestSupport
import Testing

@testable import ActorDI

extension ServiceKey where Service == any Stall {
  fileprivate static var k: Self { .init("k") }
}

@Suite("Decorators")
struct DecoratorTests {
  private static func container(_ scope: Scope) -> Container {
    Container {
      Registration((any Stall).self, scope: scope) { _ in PlainStall() }
      Registration((any Stall).self, scope: scope) { _ in PlainStall("keyed") }.key("k")
      Registration((any Stall).self, scope: scope) { (_, name: String) in PlainStall(name) }
    }
  }

  @Test(arguments: allScopes) func theLastDecoratorIsOutermost(scope: Scope) async throws {
    let container = Self.container(scope)
    try await container.decorate((any Stall).self) { _, inner in WrappedStall(inner, "a") }
    try await container.decorate((any Stall).self) { _, inner in WrappedStall(inner, "b") }
    #expect(try sync { try container.resolve((any Stall).self) }.name == "b(a(plain))")
    #expect(try await container.resolve((any Stall).self).name == "b(a(plain))")
    #expect(try await container.resolve((any Stall).self, key: "k").name == "b(a(keyed))")
    #expect(try await container.resolve((any Stall).self, arguments: "x").name == "b(a(x))")
    #expect(try await container.resolve([any Stall].self).map(\.name) == ["b(a(plain))", "b(a(keyed))"])
    #expect(container.registrationCount == 3)
    #expect(container.registrations.map(\.scope) == [scope, scope, scope])
  }

  @Test func aKeptServiceIsWrappedOnce() async throws {
    let (built, wrapped) = (Counter(), Counter())
    let container = Container {
      Registration((any Stall).self, scope: .singleton) { _ in
        built.increment()
        return PlainStall()
      }
    }
    try await container.decorate((any Stall).self) { _, inner in
      wrapped.increment()
      return WrappedStall(inner, "a")
    }
    let shops = await withTaskGroup(of: (any Stall)?.self) { group in
      for _ in 0..<50 { group.addTask { try? await container.resolve((any Stall).self) } }
      return await group.reduce(into: []) { $0.append($1 as? WrappedStall) }
    }
    #expect(shops.allSatisfy { $0 != nil && $0 === shops[0] })
    #expect(built.count == 1 && wrapped.count == 1)
    #expect(container.resolveIfReady((any Stall).self) as? WrappedStall === shops[0])
    await container.reset((any Stall).self)
    _ = try await container.resolve((any Stall).self)
    #expect(built.count == 2 && wrapped.count == 2)
  }

  @Test func aDecoratorWrapsLaterRegistrations() async throws {
    let container = Container()
    try await container.decorate((any Stall).self) { _, inner in WrappedStall(inner, "a") }
    try await container.register((any Stall).self) { _ in PlainStall("late") }
    #expect(try await container.resolve((any Stall).self).name == "a(late)")
    try await container.register((any Stall).self) { _ in PlainStall("later") }
    #expect(try await container.resolve((any Stall).self).name == "a(later)")
  }

  @Test func theNextResolveWrapsAnEarlierKeptInstance() async throws {
    let container = Self.container(.singleton)
    let plain = try await container.resolve((any Stall).self)
    let provider = container.provider(for: (any Stall).self)
    #expect(try provider.synchronously().name == "plain")
    try await container.decorate((any Stall).self) { _, inner in WrappedStall(inner, "a") }
    let wrapped = try #require(try await container.resolve((any Stall).self) as? WrappedStall)
    #expect(wrapped.inner as? PlainStall === plain as? PlainStall)
    #expect(try provider.synchronously() as? WrappedStall === wrapped)
  }

  @Test func aDecoratorWithAKeyWrapsOnlyThatKey() async throws {
    let container = Self.container(.transient)
    try await container.decorate((any Stall).self, key: "k") { _, inner in WrappedStall(inner, "a") }
    #expect(try await container.resolve([any Stall].self).map(\.name) == ["plain", "a(keyed)"])
  }

  @Test func aDecoratorWithATokenWrapsOnlyItsKey() async throws {
    let container = Self.container(.singleton)
    #expect(try sync { try container.resolve(.k) }.name == "keyed")
    try await container.decorate(.k) { _, inner in WrappedStall(inner, "a") }
    #expect(try await container.resolve(.k).name == "a(keyed)")
    #expect(try await container.resolve((any Stall).self, key: "k").name == "a(keyed)")
    #expect(try await container.resolve((any Stall).self).name == "plain")
  }

  @Test func anAsynchronousDecoratorWithATokenWrapsOnlyItsKey() async throws {
    let container = Self.container(.singleton)
    try await container.decorate(.k) { _, inner in
      await Task.yield()
      return WrappedStall(inner, "a")
    }
    let error = #expect(throws: ResolutionError.self) { try sync { try container.resolve(.k) } }
    #expect(error?.code == .asyncRequired)
    #expect(try await container.resolve(.k).name == "a(keyed)")
    #expect(try await container.resolve((any Stall).self).name == "plain")
  }

  @Test func aFrozenRegistryRefusesADecoratorWithAToken() async throws {
    let container = Self.container(.singleton)
    await container.freeze()
    let error = await #expect(throws: ResolutionError.self) {
      try await container.decorate(.k) { _, inner in inner }
    }
    #expect(error?.code == .frozen)
    #expect(try await container.resolve(.k).name == "keyed")
  }

  @Test func aDecoratorCanResolveAndSuspend() async throws {
    let container = Container {
      Registration((any Stall).self, scope: .singleton) { _ in PlainStall() }
      Registration(String.self) { _ in
        await Task.yield()
        return "mark"
      }
    }
    try await container.decorate((any Stall).self) { r, inner in
      WrappedStall(inner, try await r.resolve(String.self))
    }
    let error = #expect(throws: ResolutionError.self) { try container.resolve((any Stall).self) }
    #expect(error?.code == .asyncRequired)
    #expect(try await container.resolve((any Stall).self).name == "mark(plain)")
    #expect(try sync { try container.resolve((any Stall).self) }.name == "mark(plain)")
  }

  /// The asynchronous caller could not finish the build: the factory would fail again.
  @Test(arguments: allScopes) func aFailedSynchronousFactoryRunsOnce(scope: Scope) async throws {
    let runs = Counter()
    let container = Container {
      Registration((any Stall).self, scope: scope) { r in
        runs.increment()
        return PlainStall(try r.resolve())
      }
      Registration(String.self) { _ in
        await Task.yield()
        return "name"
      }
      Decorator((any Stall).self) { _, inner in inner }
    }
    let error = try await asyncResolutionError { try await container.resolve((any Stall).self) }
    #expect(error.code == .asyncRequired && error.is(String.self))
    #expect(runs.count == 1)
  }

  /// A regression: the service of another key was taken for the decorated one, since both have one type.
  @Test func aFailedSynchronousFactoryRunsOnceIfItNeedsItsTypeUnderAnotherKey() async throws {
    let runs = Counter()
    let container = Container {
      Registration((any Stall).self, scope: .singleton) { r in
        runs.increment()
        return PlainStall(try r.resolve((any Stall).self, key: "next").name)
      }
      Registration((any Stall).self) { _ in
        await Task.yield()
        return PlainStall("next")
      }
      .key("next")
      Decorator((any Stall).self) { _, inner in inner }
    }
    let error = try await asyncResolutionError { try await container.resolve((any Stall).self) }
    #expect(error.code == .asyncRequired && error.key as? String == "next")
    #expect(runs.count == 1)
  }

  @Test func anAsynchronousServiceCanBeDecorated() async throws {
    let container = Container {
      Registration((any Stall).self, scope: .singleton) { _ in
        await Task.yield()
        return PlainStall()
      }
    }
    try await container.decorate((any Stall).self) { _, inner in WrappedStall(inner, "a") }
    #expect(throws: ResolutionError.self) { try container.resolve((any Stall).self) }
    #expect(try await container.resolve((any Stall).self).name == "a(plain)")
  }

  @Test func decoratingAnAliasDoesNotDecorateItsTarget() async throws {
    let container = Container {
      Registration(PlainStall.self, scope: .singleton) { _ in PlainStall() }
        .implements((any Stall).self) { $0 }
    }
    try await container.decorate((any Stall).self) { _, inner in WrappedStall(inner, "a") }
    let plain = try await container.resolve(PlainStall.self)
    let shop = try #require(try await container.resolve((any Stall).self) as? WrappedStall)
    #expect(shop.inner as? PlainStall === plain)
    #expect(try await container.resolve((any Stall).self) as? WrappedStall === shop)
    await container.reset()
    let second = (try await container.resolve((any Stall).self) as? WrappedStall)?.inner as? PlainStall
    #expect(second !== plain)
    await container.reset(PlainStall.self)
    #expect((try await container.resolve((any Stall).self) as? WrappedStall)?.inner as? PlainStall !== second)
    await container.unregister(PlainStall.self)
    #expect(!container.contains((any Stall).self))
  }

  @Test func hooksRunBeforeTheDecorator() async throws {
    let log = Lock<[String]>([])
    let container = Container {
      Registration((any Stall).self, scope: .singleton) { _ in PlainStall() }
        .onCreated { shop, _ in log.withLock { $0.append("created \(shop.name)") } }
    }
    try await container.decorate((any Stall).self) { _, inner in
      log.withLock { $0.append("wrapped") }
      return WrappedStall(inner, "a")
    }
    _ = try await container.resolve((any Stall).self)
    #expect(log.withLock { $0 } == ["created plain", "wrapped"])
  }

  @Test func theResolveThrowsTheDecoratorsError() async throws {
    let container = Self.container(.singleton)
    let fails = Lock(true)
    try await container.decorate((any Stall).self) { _, inner in
      if fails.withLock({ $0 }) { throw Failure() }
      return WrappedStall(inner, "a")
    }
    #expect(throws: Failure.self) { try container.resolve((any Stall).self) }
    fails.withLock { $0 = false }
    #expect(try await container.resolve((any Stall).self).name == "a(plain)")
  }

  @Test func aDecoratorThatResolvesItsServiceIsACycle() async throws {
    let container = Self.container(.singleton)
    try await container.decorate((any Stall).self) { r, inner in
      WrappedStall(try r.resolve((any Stall).self), "a")
    }
    let error = #expect(throws: ResolutionError.self) { try container.resolve((any Stall).self) }
    #expect(error?.code == .cycle)
    #expect(error?.path == ["any Stall", "any Stall"])
  }

  @Test func unregisteringReleasesDecoratedInstances() async throws {
    let lifetime = ObjectLifetime()
    let container = Container {
      Registration(ObjectLifetime.Token.self, scope: .singleton) { _ in lifetime.token() }
    }
    try await container.decorate(ObjectLifetime.Token.self) { _, inner in inner }
    _ = try await container.resolve(ObjectLifetime.Token.self)
    await container.unregister(ObjectLifetime.Token.self)
    await lifetime.ended.wait()
  }

  private struct Failure: Error {}
}
