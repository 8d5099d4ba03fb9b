import ActorDITestSupport
import Testing

@testable import ActorDI

private final class Locator: Sendable {
  let container: Container
  let resolver: Resolver
  init(container: Container, resolver: Resolver) {
    self.container = container
    self.resolver = resolver
  }
}

/// Containers and resolvers as services, and resolvers that outlive their call.
@Suite("Resolving the container itself", .timeLimit(.minutes(5)))
struct SelfResolutionTests {
  @Test func containerAndResolverAreServices() async throws {
    let container = Container(name: "own") { Setting(number: 3) }
    #expect(try await container.resolve(Container.self) === container)
    #expect(try sync { try container.resolve(Container.self) } === container)
    let resolver = try await container.resolve(Resolver.self)
    #expect(resolver.container === container)
    #expect(try await resolver.resolve(Setting.self).number == 3)
    #expect(try await container.resolve(Container?.self) === container)
    #expect(try await container.resolve(Lazy<Container>.self)() === container)
  }

  @Test func initialisersCanTakeTheContainerAndTheResolver() async throws {
    let container = Container { Registration(autowired: Locator.self, initializer: Locator.init) }
    for locator in [
      try await container.resolve(Locator.self), try sync { try container.resolve(Locator.self) },
    ] {
      #expect(locator.container === container)
      #expect(locator.resolver.container === container)
    }
  }

  @Test func aFactoryGetsTheContainerThatBuilds() async throws {
    let parent = Container(name: "parent") {
      Registration(autowired: Locator.self, scope: .singleton, initializer: Locator.init)
      Registration(autowired: Locator.self, initializer: Locator.init).key("transient")
    }
    let child = Container(name: "child", parent: parent)
    #expect(try await child.resolve(Locator.self).container === parent)
    #expect(try await child.resolve(Locator.self, key: "transient").container === child)
    #expect(try await child.resolve(Container.self) === child)
  }

  @Test func aRegistrationOfContainerOverridesTheContainerItself() async throws {
    let other = Container(name: "other")
    let container = Container { Registration(Container.self) { _ in other } }
    #expect(try await container.resolve(Container.self) === other)
  }

  @Test func aStoredResolverWorksAfterItsFactory() async throws {
    let kept = Shelf<[Resolver]>([])
    let container = Container {
      Registration(Probe.self, scope: .singleton) { r in
        kept.value.append(r)
        return Probe()
      }
      Registration(Stem.self, scope: .singleton) { r in
        await Task.yield()
        kept.value.append(r)
        return Stem()
      }
      Registration(Leaf.self) { r in
        kept.value.append(r)
        return Leaf(try r.resolve(Probe.self))
      }
      Registration(Alpha.self, scope: .graph) { _ in Alpha() }
    }
    let stem = try await container.resolve(Stem.self)
    let leaf = try sync { try container.resolve(Leaf.self) }
    let probe = try await container.resolve(Probe.self)
    #expect(kept.value.count == 3)
    for resolver in kept.value {
      #expect(try await resolver.resolve(Stem.self) === stem)
      #expect(try sync { try resolver.resolve(Probe.self) } === probe)
      #expect(try await resolver.resolve(Leaf.self) !== leaf, "No cycle: its factory has ended")
      #expect(try await resolver.resolve(Alpha.self) !== resolver.resolve(Alpha.self))
    }
  }

  @Test func aStoredResolverCanResolveItsOwnService() async throws {
    let kept = Shelf<Resolver?>(nil)
    let container = Container {
      Registration(Stem.self) { r in
        await Task.yield()
        kept.value = r
        return Stem()
      }
    }
    _ = try await container.resolve(Stem.self)
    let resolver = try #require(kept.value)
    _ = try await resolver.resolve(Stem.self)
    _ = try await resolver.resolve(Stem.self)
  }

  // A regression: the build, which the resolver held, held the disposal of the instance.
  @Test(arguments: [Scope.scoped, .singleton])
  func aDisposableInstanceWithItsResolverIsFreed(scope: Scope) async throws {
    let (freed, disposed) = (Counter(), Counter())
    let container = Container {
      Registration(Root.self, scope: scope) { r async throws in
        Root([DeinitCounter(freed), r] as [any Sendable])
      }.onDispose { _ in _ = disposed.increment() }
    }
    try await container.withScope { _ = try await $0.resolve(Root.self) }
    try await container.shutdown()
    await freed.wait(for: 1)
    #expect(disposed.count == 1)
  }
}
