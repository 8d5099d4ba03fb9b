import ActorDITestSupport
import ActorDITesting
import Testing

@testable import ActorDI

/// What the article's table says: when an instance is disposed of.
@Suite("Lifecycle and scopes: who is disposed of when", .timeLimit(.minutes(5)))
struct LifecycleAndScopesTable {
  final class Item: Sendable {}
  final class User: Sendable { init(_ item: Item) {} }

  let ends = Counter()

  func item(_ scope: Scope) -> Registration<Item> {
    let ends = ends
    return Registration(autowired: Item.self, scope: scope) { Item() }.onDispose { _ in ends.increment() }
  }

  func container(_ scope: Scope) -> Container {
    let item = item(scope)
    return Container { item }
  }

  @Test(arguments: [Scope.transient, .graph])
  func whatIsNotKeptEndsWithTheContainerThatWasAsked(scope: Scope) async throws {
    let parent = container(scope)
    let child = parent.makeChild()
    _ = try await child.resolve(Item.self)
    await parent.reset()
    #expect(ends.count == 0)
    try await child.shutdown()
    #expect(ends.count == 1)
  }

  @Test(arguments: [Scope.singleton, .shared, .automatic])
  func whatTheOwnerKeepsDoesNotEndWithAScope(scope: Scope) async throws {
    let app = container(scope)
    let item = try await app.withScope { try await $0.resolve(Item.self) }
    #expect(ends.count == 0)
    try await app.shutdown()
    #expect(ends.count == 1)
    withExtendedLifetime(item) {}
  }

  @Test(arguments: [Scope.scoped, .scoped("request")])
  func whatIsScopedEndsWithItsScope(scope: Scope) async throws {
    let app = container(scope)
    try await app.withScope("request") { _ = try await $0.resolve(Item.self) }
    #expect(ends.count == 1)
  }

  @Test func whatIsSharedAndNotHeldIsNotDisposedOf() async throws {
    let app = container(.shared)
    _ = try await app.resolve(Item.self)
    try await app.shutdown()
    #expect(ends.count == 0)
  }

  @Test func resetAndUnregister() async throws {
    let app = container(.singleton)
    _ = try await app.resolve(Item.self)
    await app.reset()
    #expect(ends.count == 1)
    _ = try await app.resolve(Item.self)
    await app.reset(Item.self)
    #expect(ends.count == 2)
    _ = try await app.resolve(Item.self)
    await app.unregister(Item.self)
    #expect(ends.count == 3)
  }

  @Test func resetOfAPool() async throws {
    let app = container(.pooled(max: 3))
    try await app.withScope { _ = try await $0.resolve(Item.self) }
    #expect(ends.count == 0)
    await app.reset()
    #expect(ends.count == 1)
  }

  @Test func whatIsReplacedEndsAtOnceOrAtTheNextReset() async throws {
    let app = container(.singleton)
    _ = try await app.resolve(Item.self)
    try await app.register(item(.singleton))
    #expect(ends.count == 1)

    try await app.register(Registration(autowired: User.self, scope: .singleton, initializer: User.init))
    _ = try await app.resolve(User.self)
    try await app.register(item(.singleton))
    #expect(ends.count == 1)
    await app.reset()
    #expect(ends.count == 2)
  }

  @Test func managed() async throws {
    let session = ManagedScope("session")
    let app = container(.managed(by: session))
    _ = try await app.resolve(Item.self)
    await session.invalidate()
    #expect(ends.count == 1)
  }

  @Test func timeToLive() async throws {
    let clock = ManualClock()
    let item = item(.singleton).timeToLive(.seconds(60), clock: clock)
    let app = Container { item }
    _ = try await app.resolve(Item.self)
    clock.advance(by: .seconds(61))
    #expect(ends.count == 0)
    let next = try await app.resolve(Item.self)
    // The one who asked does not wait for that.
    await ends.wait(for: 1)
    try await app.shutdown()
    #expect(ends.count == 2)
    withExtendedLifetime(next) {}
  }

  @Test func owned() async throws {
    let app = container(.transient)
    let owned = try await app.resolve(Owned<Item>.self)
    #expect(ends.count == 0)
    await owned.dispose()
    #expect(ends.count == 1)
  }

  actor Ending: Disposable {
    let ends: Counter
    init(_ ends: Counter) { self.ends = ends }
    func dispose() async throws { ends.increment() }
  }

  @Test func instancesAreNotButWhatAFactoryReturnsIs() async throws {
    let given = Ending(ends)
    let app = Container {
      Registration(instance: given)
      Registration(autowired: Ending.self, scope: .singleton) { given }.key("from elsewhere")
    }
    _ = try await app.resolve(Ending.self)
    await app.reset()
    #expect(ends.count == 0)
    _ = try await app.resolve(Ending.self, key: "from elsewhere")
    try await app.shutdown()
    #expect(ends.count == 1)
  }

  @Test func oneObjectIsDisposedOfOnce() async throws {
    let ends = ends
    let app = Container {
      Registration(autowired: Ending.self, scope: .singleton) { Ending(ends) }
        .implements((any Disposable).self) { $0 }
      Registration(Ending.self, scope: .singleton) { r in try await r.resolve(Ending.self) }.key("the same")
    }
    _ = try await app.resolve((any Disposable).self)
    _ = try await app.resolve(Ending.self, key: "the same")
    try await app.shutdown()
    #expect(ends.count == 1)
  }

  @Test func whatADecoratorMakesIsNot() async throws {
    let (ends, wrapped) = (ends, Counter())
    let app = Container {
      Registration(autowired: (any Disposable).self, scope: .singleton) { Ending(ends) }
    }
    try await app.decorate((any Disposable).self) { _, _ in Ending(wrapped) }
    _ = try await app.resolve((any Disposable).self)
    try await app.shutdown()
    #expect(ends.count == 1 && wrapped.count == 0)
  }

  @Test func aContainerThatIsDroppedDisposesOfNothing() async throws {
    let lifetime = ObjectLifetime()
    var app: Container? = container(.singleton)
    try await app?.register(
      Registration(autowired: ObjectLifetime.Token.self, scope: .singleton) { lifetime.token() }.onDispose { [ends] _ in
        ends.increment()
      })
    _ = try await app?.resolve(Item.self)
    _ = try await app?.resolve(ObjectLifetime.Token.self)
    app = nil
    Reclaimer.shared.collect()
    try await lifetime.ended.passed()
    #expect(ends.count == 0)
  }
}
