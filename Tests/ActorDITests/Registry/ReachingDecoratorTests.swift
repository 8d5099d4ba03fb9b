import ActorDITestSupport
import Synchronization
import Testing

@testable import ActorDI

private final class Customer: Sendable {
  let shop: any Stall
  init(shop: any Stall) { self.shop = shop }
}

extension Container {
  fileprivate func wrapShops(_ mark: String) throws {
    try decorate((any Stall).self) { _, inner in WrappedStall(inner, mark) }
  }

  fileprivate nonisolated var shop: WrappedStall {
    get throws { try #require(try resolve((any Stall).self) as? WrappedStall) }
  }
}

/// A container's decorators of services that it finds in its parents and links.
@Suite(.timeLimit(.minutes(5)))
struct ReachingDecoratorTests {
  private static func parent(_ scope: Scope = .singleton) -> Container {
    Container {
      Registration((any Stall).self, scope: scope) { _ in PlainStall() }
      Registration((any Stall).self, scope: scope) { _ in PlainStall("keyed") }.key("k")
      Registration((any Stall).self, scope: scope) { (_, name: String) in PlainStall(name) }
    }
  }

  @Test(arguments: allScopes + [.scoped, .scoped("child"), .pooled(max: 2)])
  func aChildsDecoratorWrapsTheParentsService(scope: Scope) async throws {
    let parent = Self.parent(scope)
    let child = parent.makeChild(name: "child")
    try await child.wrapShops("a")
    try await child.wrapShops("b")
    let grandchild = child.makeChild()
    for container in [child, grandchild] {
      #expect(try sync { try container.resolve((any Stall).self) }.name == "b(a(plain))")
      #expect(try await container.resolve((any Stall).self).name == "b(a(plain))")
      #expect(try await container.resolve((any Stall).self, key: "k").name == "b(a(keyed))")
      #expect(try await container.resolve((any Stall).self, arguments: "x").name == "b(a(x))")
      #expect(try sync { try container.resolve([any Stall].self).map(\.name) == ["b(a(plain))", "b(a(keyed))"] })
      #expect(try sync { try container.resolve([String: any Stall].self).mapValues(\.name) == ["k": "b(a(keyed))"] })
      #expect(try sync { try container.resolve((any Stall)?.self)?.name == "b(a(plain))" })
      #expect(try sync { try container.resolve(Lazy<any Stall>.self).synchronously().name == "b(a(plain))" })
      #expect(try sync { try container.provider(for: (any Stall).self).synchronously().name == "b(a(plain))" })
      #expect(try sync { try container.withResolved((any Stall).self) { $0.name } == "b(a(plain))" })
      #expect(container.contains((any Stall).self))
    }
    if scope != .scoped("child") {
      #expect(try sync { try parent.resolve((any Stall).self) is PlainStall })
      #expect(try sync { try parent.resolve([any Stall].self).allSatisfy { $0 is PlainStall } })
    }
    #expect(child.registrationCount == 0)
  }

  // A regression: the end of a validity period could release the child, and user objects with it, under its lock.
  @Test func aWrapperIsForgottenWithoutReleasingItsContainer() async throws {
    let parent = Self.parent()
    // The optimiser releases a local variable's object after its last use.
    let child = Mutex<Container?>(parent.makeChild())
    weak let released = child.withLock(\.self)
    try await released?.wrapShops("a")
    _ = try await released?.resolve((any Stall).self)
    let binding = try #require(parent.locate(ServiceIdentity((any Stall).self))).binding
    do {
      let dropped = binding.forEachWrapperElsewhere(removing: false) { wrapper in
        child.withLock { $0 = nil }
        return wrapper.forget()
      }
      withExtendedLifetime(dropped) { #expect(released != nil) }
    }
    try await until { released == nil }
  }

  @Test func theChildKeepsTheWrapperAndTheParentTheService() async throws {
    let parent = Self.parent()
    let (one, other) = (parent.makeChild(), parent.makeChild())
    for child in [one, other] { try await child.wrapShops("a") }
    let plain = try sync { try parent.resolve((any Stall).self) as? PlainStall }
    let wrapped = try sync { try one.shop }
    #expect(try sync { try one.shop === wrapped && one.makeChild().shop === wrapped })
    #expect(one.resolveIfReady((any Stall).self) as? WrappedStall === wrapped)
    #expect(other.resolveIfReady((any Stall).self) == nil)
    #expect(try sync { try other.shop !== wrapped && other.shop.inner as? PlainStall === plain })
    #expect(wrapped.inner as? PlainStall === plain)
    #expect(one.instances.map { $0.service == (any Stall).self } == [true])
    try await one.shutdown(timeout: nil)
    #expect(try sync { try other.shop.inner as? PlainStall === plain })
  }

  @Test func concurrentResolvesWrapTheServiceOnce() async throws {
    let wrapped = Counter()
    let child = Self.parent().makeChild()
    try await child.decorate((any Stall).self) { _, inner in
      wrapped.increment()
      return WrappedStall(inner, "a")
    }
    let shops = await withTaskGroup(of: (any Stall)?.self) { group in
      for _ in 0..<50 { group.addTask { try? await child.resolve((any Stall).self) } }
      return await group.reduce(into: []) { $0.append($1 as? WrappedStall) }
    }
    #expect(shops.allSatisfy { $0 != nil && $0 === shops[0] })
    #expect(wrapped.count == 1)
  }

  @Test func aChangeOfTheServiceDropsTheWrapper() async throws {
    let parent = Self.parent()
    let child = parent.makeChild()
    try await child.wrapShops("a")
    var last = try sync { try child.shop }
    func isNew() throws -> Bool {
      let next = try sync { try child.shop }
      defer { last = next }
      return try sync { try next !== last && child.shop === next }
    }
    await parent.reset((any Stall).self)
    var inner = last.inner as? PlainStall
    #expect(try isNew() && last.inner as? PlainStall !== inner)
    inner = last.inner as? PlainStall
    await child.reset((any Stall).self)
    #expect(try isNew() && last.inner as? PlainStall === inner)
    await child.reset(.singleton)
    #expect(try isNew() && last.inner as? PlainStall === inner)
    await parent.reset()
    #expect(try isNew() && last.inner as? PlainStall !== inner)
    await parent.push()
    try await parent.register((any Stall).self, scope: .singleton) { _ in PlainStall("new") }
    #expect(try isNew() && last.name == "a(new)")
    await parent.pop()
    #expect(try isNew() && last.name == "a(plain)")
    try await child.register((any Stall).self, scope: .singleton) { _ in PlainStall("own") }
    #expect(try isNew() && last.name == "a(own)")
    await child.unregister((any Stall).self)
    await parent.unregister((any Stall).self)
    #expect(throws: ResolutionError.self) { try sync { try child.resolve((any Stall).self) } }
    #expect(!child.contains((any Stall).self))
  }

  @Test func addingOrRemovingADecoratorRebuildsTheWrapper() async throws {
    let parent = Self.parent()
    let child = parent.makeChild()
    let plain = try sync { try child.resolve((any Stall).self) as? PlainStall }
    try await child.wrapShops("a")
    #expect(try sync { try child.shop.inner as? PlainStall === plain })
    await child.push()
    try await child.wrapShops("b")
    #expect(try sync { try child.shop.name == "b(a(plain))" })
    await child.pop()
    #expect(try sync { try child.shop.name == "a(plain)" })
    try await child.decorate((any Stall).self, key: "k") { _, inner in WrappedStall(inner, "k") }
    #expect(try sync { try child.resolve((any Stall).self, key: "k").name == "k(a(keyed))" })
    #expect(try sync { try child.shop.name == "a(plain)" })
    try await parent.register((any Stall).self, key: "late") { _ in PlainStall("late") }
    #expect(try sync { try child.resolve((any Stall).self, key: "late").name == "a(late)" })
  }

  @Test func theDecoratorsOfEachAncestorApplyInOrder() async throws {
    let root = Self.parent()
    let parent = root.makeChild()
    let child = parent.makeChild()
    try await parent.wrapShops("parent")
    try await child.wrapShops("child")
    #expect(try sync { try child.shop.name == "child(parent(plain))" })
    #expect(try sync { try child.makeChild().shop === child.shop })
    #expect(try sync { try parent.shop === child.shop.inner as? WrappedStall })
    try await root.wrapShops("root")
    #expect(try sync { try child.shop.name == "child(parent(root(plain)))" })
  }

  @Test func aLinkedContainersServiceIsWrappedUntilTheLinkEnds() async throws {
    let linked = Container()
    let beyond = linked.makeChild()
    try await linked.register((any Stall).self, scope: .singleton) { _ in PlainStall("linked") }
    let container = Container()
    try await container.wrapShops("a")
    let link = container.link(beyond)
    let child = container.makeChild()
    #expect(try sync { try child.shop.name == "a(linked)" })
    try await beyond.wrapShops("beyond")
    #expect(try sync { try child.shop.name == "a(beyond(linked))" })
    #expect(try sync { try linked.resolve((any Stall).self).name == "linked" })
    linked.link(container)
    #expect(try sync { try child.shop === container.shop })
    link.cancel()
    #expect(throws: ResolutionError.self) { try sync { try child.resolve((any Stall).self) } }
    try await linked.shutdown(timeout: nil)
  }

  @Test func cancellingALinkReleasesTheLinkedContainer() async throws {
    let container = Container()
    try await container.wrapShops("a")
    weak var gone: Container?
    weak var wrapped: WrappedStall?
    do {
      let linked = Self.parent()
      gone = linked
      let link = container.link(linked)
      let shop = try sync { try container.shop }
      #expect(shop.name == "a(plain)")
      wrapped = shop
      link.cancel()
    }
    try await until {
      // A reader in another test may be pinned just now, which delays the release.
      Reclaimer.shared.collect()
      return gone == nil && wrapped == nil
    }
    #expect(container.registry.withLock { $0.wrappers.isEmpty })
    container.link(Self.parent())
    #expect(try sync { try container.shop.name == "a(plain)" })
  }

  @Test func onlyServicesBuiltThroughTheChildGetTheWrapper() async throws {
    let parent = Container {
      Registration((any Stall).self, scope: .singleton) { _ in PlainStall() }
      Registration(autowired: Customer.self, scope: .transient, initializer: Customer.init)
      Registration(autowired: Customer.self, scope: .singleton, initializer: Customer.init).key("parent's")
    }
    let child = parent.makeChild()
    try await child.wrapShops("a")
    #expect(try sync { try child.resolve(Customer.self).shop.name == "a(plain)" })
    #expect(try sync { try child.resolve(Customer.self, key: "parent's").shop.name == "plain" })
    #expect(try sync { try parent.resolve(Customer.self).shop.name == "plain" })
  }

  @Test func wrappingAParentsAliasDoesNotWrapItsTarget() async throws {
    let parent = Container {
      Registration(PlainStall.self, scope: .singleton) { _ in PlainStall() }.implements((any Stall).self) { $0 }
    }
    let child = parent.makeChild()
    try await child.wrapShops("a")
    let plain = try sync { try child.resolve(PlainStall.self) }
    #expect(try sync { try child.shop.inner as? PlainStall === plain && child.shop === child.shop })
    await parent.reset(PlainStall.self)
    #expect(try sync { try child.shop.inner as? PlainStall !== plain })
  }

  @Test func asynchronousServicesCanHaveAsynchronousDecorators() async throws {
    let parent = Container {
      Registration((any Stall).self, scope: .singleton) { _ in
        await Task.yield()
        return PlainStall()
      }
      Registration(String.self) { _ in "parent" }
    }
    let child = parent.makeChild()
    try await child.register(String.self) { _ in "child" }
    try await child.decorate((any Stall).self) { r, inner in
      await Task.yield()
      return WrappedStall(inner, try await r.resolve(String.self))
    }
    #expect(throws: ResolutionError.self) { try sync { try child.resolve((any Stall).self) } }
    let wrapped = try await child.resolve((any Stall).self)
    #expect(wrapped.name == "child(plain)")
    #expect(try sync { try child.resolve((any Stall).self) } as? WrappedStall === wrapped as? WrappedStall)
  }

  @Test func aDecoratorThatResolvesItsServiceIsACycle() async throws {
    let child = Self.parent().makeChild()
    try await child.decorate((any Stall).self) { r, inner in
      _ = try r.resolve((any Stall).self)
      return inner
    }
    let error = #expect(throws: ResolutionError.self) { try sync { try child.resolve((any Stall).self) } }
    #expect(error?.code == .cycle)
    #expect(throws: ResolutionError.self) { try sync { try child.resolve((any Stall).self) } }
  }

  @Test func anOverrideReplacesTheWrapperOrItsDependency() async throws {
    let parent = Container {
      Registration(String.self) { _ in "plain" }
      Registration((any Stall).self, scope: .singleton) { r in PlainStall(try r.resolve()) }.dependsOn(String.self)
    }
    let child = parent.makeChild()
    try await child.wrapShops("a")
    let wrapped = try sync { try child.shop }
    try parent.withOverrides {
      Registration((any Stall).self) { _ in PlainStall("override") }
    } operation: { () throws in
      #expect(try sync { try child.resolve((any Stall).self).name == "override" })
    }
    try parent.withOverrides {
      Registration(String.self) { _ in "override" }
    } operation: { () throws in
      #expect(try sync { try child.shop.name == "a(override)" })
      #expect(try sync { try child.shop === child.shop })
    }
    #expect(try sync { try child.shop === wrapped })
  }

  @Test func theDependencyGraphShowsTheChildsDecorator() async throws {
    let parent = Self.parent()
    let child = parent.makeChild()
    try await child.wrapShops("a")
    try await child.register { Registration(autowired: Customer.self, initializer: Customer.init) }
    _ = try await child.validate()
    let graph = child.dependencyGraph()
    let decorator = try #require(graph.nodes.first { $0.kind == .decorator })
    let edge = try #require(graph.edges.first { $0.kind == .decorates })
    #expect(edge.from == decorator.id)
    #expect(graph.nodes[edge.to].kind == .registration && graph.nodes[edge.to].container != decorator.container)
  }

  @Test func aDrainingScopeCanWrapAParentsService() async throws {
    let parent = Self.parent(.scoped)
    let (isOpen, isDraining) = (Gate(), Gate())
    async let name = parent.withScope("request") { scope in
      try await scope.wrapShops("a")
      isOpen.open()
      await isDraining.wait()
      return try sync { try scope.resolve((any Stall).self).name }
    }
    await isOpen.wait()
    async let report: Void? = try? parent.shutdown(timeout: nil)
    while !parent.lifecycle.isDraining { await Task.yield() }
    isDraining.open()
    #expect(try await name == "a(plain)")
    #expect(await report != nil)
  }

  // A regression: the objects of decorators that `pop` removes were released under the registry's lock.
  @Test func popReleasesDecoratorsOutsideOfTheLock() async throws {
    final class Held: Sendable {
      let onEnd: @Sendable () -> Void
      init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }
      deinit { onEnd() }
    }
    let counts = Journal<Int>()
    let container = Container { Registration(instance: 1) }
    await container.push()
    try await container.decorate(Probe.self) { [held = Held { counts.note(container.registrations.count) }] _, probe in
      withExtendedLifetime(held) { probe }
    }
    let isRestored = await container.pop()
    #expect(isRestored)
    #expect(counts.entries == [1])
  }

  // A regression: the error by which a decorated binding tells that it is gone reached the caller.
  @Test func aDecoratedTransientIsLookedUpAgainIfItIsRemovedDuringTheResolve() async throws {
    let (container, isArmed) = (Shelf<Container?>(nil), Shelf(false))
    let clock = WatchedClock {
      guard isArmed.value, let container = container.value else { return }
      isArmed.value = false
      let done = Gate()
      Task.detached {
        await container.unregister(Probe.self)
        done.open()
      }
      done.block()
    }
    let app = Container {
      Registration(Alpha.self) { _ in Alpha() }
      Registration(autowired: Probe.self, scope: .singleton) { (_: Alpha) in Probe() }
        .timeToLive(.seconds(100), clock: clock)
      Registration(autowired: Probe.self) { (_: Alpha, _: Setting) in Probe() }.alternative()
    }
    container.value = app
    try await app.decorate(Probe.self) { _, probe in probe }
    _ = try await onThread { try app.resolve(Probe.self) }
    isArmed.value = true
    let error = try await asyncResolutionError { try await onThread { try app.resolve(Probe.self) } }
    #expect(error.code == .notRegistered)
    container.value = nil
  }
}
