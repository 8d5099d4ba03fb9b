import ActorDI
import ActorDITestSupport
import Testing

/// Injected properties that follow the registry, and the objects that they keep alive.
@Suite("Automatic reloading of injected properties", .timeLimit(.minutes(5)))
struct InjectedAutoreloadTests {
  private struct Owner {
    @Injected var probe: Probe
    @Injected var maybe: Probe?
    @Injected var all: [Probe]

    init(_ container: Container, autoreloading: Bool = true) {
      _probe = Injected(from: container)
      _maybe = Injected(from: container)
      _all = Injected(from: container)
      $probe.autoreload(autoreloading)
      $maybe.autoreload(autoreloading)
      $all.autoreload(autoreloading)
    }
  }

  private func probe(_ name: String) -> Registration<Probe> {
    Registration(Probe.self) { _ in Probe(name) }
  }

  @Test func aPropertyFollowsTheRegistry() async throws {
    let container = Container { probe("first") }
    let owner = Owner(container)
    let still = Owner(container, autoreloading: false)
    #expect(owner.probe.name == "first" && still.probe.name == "first")
    #expect(owner.maybe?.name == "first" && owner.all.count == 1)
    try await container.register { probe("second") }
    #expect(owner.probe.name == "second" && still.probe.name == "first")
    try await container.register { probe("third").key(1) }
    #expect(owner.all.map(\.name) == ["second", "third"])
    await container.unregister(Probe.self)
    #expect(owner.maybe == nil)
    #expect(owner.all.map(\.name) == ["third"])
    // A property that requires a value keeps the old one.
    #expect(owner.probe.name == "second")
    #expect(try resolutionError { try owner.$probe.callAsFunction() }.code == .notRegistered)
    try await container.register { probe("fourth") }
    #expect(owner.probe.name == "fourth")
    #expect(owner.maybe?.name == "fourth")
  }

  @Test func aPropertyKeepsItsValueWithoutAChange() async throws {
    let counter = Counter()
    let container = Container {
      Registration(Probe.self) { _ in Probe("\(counter.increment())") }
      Registration(Alpha.self) { _ in Alpha() }.key("own")
    }
    let owner = Owner(container)
    #expect(owner.probe.name == "1")
    // Resolving a service is not a change, even if the container caches the look-up. Nor are changes of other containers.
    _ = try await container.resolve(.own)
    await container.reset()
    _ = Container(parent: container) { probe("child's") }
    try await Container().register { probe("another's") }
    #expect(owner.probe.name == "1")
    #expect(counter.count == 1)
  }

  @Test func aPropertyFollowsParentsAndLinks() async throws {
    let parent = Container { probe("parent's") }
    let container = Container(parent: parent)
    let owner = Owner(container)
    #expect(owner.probe.name == "parent's")
    try await parent.register { probe("parent's second") }
    #expect(owner.probe.name == "parent's second")
    let other = Container { probe("other's") }
    let link = container.link(other)
    #expect(owner.probe.name == "other's")
    try await other.register { probe("other's second") }
    #expect(owner.probe.name == "other's second")
    link.cancel()
    #expect(owner.probe.name == "parent's second")
  }

  @Test func aPropertyFollowsActivations() {
    final class Visitor: Sendable {}
    let visitor = Injected<Visitor?>()
    visitor.autoreload()
    #expect(visitor.wrappedValue == nil)
    let container = Container { Visitor() }
    let activation = container.activate()
    #expect(visitor.wrappedValue != nil)
    activation.cancel()
    #expect(visitor.wrappedValue == nil)
  }

  @Test func automaticReloadingCanBeTurnedOff() async throws {
    let container = Container { probe("first") }
    let owner = Owner(container)
    #expect(owner.probe.name == "first")
    owner.$probe.autoreload(false)
    try await container.register { probe("second") }
    #expect(owner.probe.name == "first")
    // Changes made meanwhile are noticed when reloading begins again.
    owner.$probe.autoreload()
    #expect(owner.probe.name == "second")
  }

  @Test func aPropertyKeepsAnAsynchronousServiceUntilTheNewOneIsLoaded() async throws {
    let container = Container {
      Registration(Probe.self) { _ in
        await Task.yield()
        return Probe("first")
      }
    }
    let owner = Owner(container)
    try await owner.$probe.loadIfNeeded()
    let gate = Gate()
    try await container.register(Probe.self) { _ in
      await gate.wait()
      return Probe("second")
    }
    #expect(owner.probe.name == "first")
    gate.open()
    try await owner.$probe.loadIfNeeded()
    #expect(owner.probe.name == "second")
  }

  @Test func usingAPropertyLoadsItsNewAsynchronousService() async throws {
    let container = Container { probe("first") }
    let owner = Owner(container)
    #expect(owner.probe.name == "first")
    let built = Gate()
    try await container.register(Probe.self) { _ in
      await Task.yield()
      return Probe("second")
    }
    try await container.register(Alpha.self) { r in
      _ = try await r.resolve(Probe.self)
      built.open()
      return Alpha()
    }
    let alpha = Injected<Alpha?>(from: container)
    alpha.autoreload()
    #expect(owner.probe.name == "first")
    while owner.probe.name == "first" { await Task.yield() }
    #expect(owner.probe.name == "second")
  }

  @Test func automaticReloadingKeepsNeitherOwnerNorContainerAlive() async throws {
    let lifetimes = [ObjectLifetime(), ObjectLifetime()]
    do {
      let container = Container {
        Registration(ObjectLifetime.Token.self, scope: .singleton) { _ in lifetimes[0].token() }
        Registration(ObjectLifetime.Token.self) { _ in lifetimes[1].token() }.key(1)
      }
      let kept = Injected<ObjectLifetime.Token>(from: container)
      kept.autoreload()
      _ = try await kept()
      do {
        let owned = Injected<ObjectLifetime.Token>(key: 1, from: container)
        owned.autoreload()
        _ = try await owned()
      }
      await lifetimes[1].ended.wait()
      #expect(!lifetimes[0].hasEnded)
    }
    await lifetimes[0].ended.wait()
  }

  @Test func aPropertyDoesNotKeepTheContainerOfItsOwnerAlive() async throws {
    final class Keeper: Sendable {
      let token: ObjectLifetime.Token
      let probe: Injected<Probe>
      init(_ token: ObjectLifetime.Token, _ container: Container) {
        self.token = token
        probe = Injected(from: container)
      }
    }
    let lifetime = ObjectLifetime()
    let probe: Injected<Probe>
    do {
      let container = Container {
        Registration(Probe.self) { _ in Probe("inner") }
        Registration(Keeper.self, scope: .singleton) { r in Keeper(lifetime.token(), r.container) }
      }
      probe = try await container.resolve(Keeper.self).probe
      #expect(try await probe().name == "inner")
    }
    await lifetime.ended.wait()
    #expect(probe.wrappedValue.name == "inner")
    // The container from which the property would be resolved is gone.
    #expect(try await asyncResolutionError { try await probe.reload() }.code == .closed)
    #expect(probe.wrappedValue.name == "inner")
  }
}

extension ServiceKey where Service == Alpha {
  fileprivate static var own: Self { .init("own") }
}
