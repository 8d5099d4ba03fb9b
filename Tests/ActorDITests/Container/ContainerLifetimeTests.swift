import ActorDITestSupport
import Testing

@testable import ActorDI

private final class Held: Sendable {
  let token: ObjectLifetime.Token
  init(token: ObjectLifetime.Token) { self.token = token }
}

/// The objects that a container releases when it is freed.
@Suite("Lifetime of a container", .timeLimit(.minutes(5)))
struct ContainerLifetimeTests {
  private func weakly(_ make: () async throws -> Container) async throws -> () -> Container? {
    let container = try await make()
    return { [weak container] in container }
  }

  @Test(arguments: [Scope.singleton, .shared, .graph, .transient])
  func freeingAContainerFreesItsInstances(scope: Scope) async throws {
    let lifetime = ObjectLifetime()
    let container = try await weakly {
      let container = Container {
        Registration(ObjectLifetime.Token.self, scope: scope) { _ in lifetime.token() }
        Registration(autowired: Held.self, scope: scope, initializer: Held.init)
          .implements((any Sendable).self, key: 1) { $0 }
      }
      _ = try await container.resolve((any Sendable).self, key: 1)
      _ = try await container.resolve(Held.self)
      return container
    }
    await lifetime.ended.wait()
    #expect(container() == nil)
  }

  // MARK: Chains of parents

  private static let chainLength = 60_000

  /// A chain of containers; each has the one before as its parent, so the last one holds them all.
  private static func chain(_ make: (Container, Int) -> Container = { parent, _ in Container(parent: parent) }) -> (
    root: () -> Container?, last: Container
  ) {
    let root = Container()
    var last = root
    for index in 1...chainLength { last = make(last, index) }
    return ({ [weak root] in root }, last)
  }

  @Test func freeingALongChainOfParentsDoesNotRecurse() async throws {
    // With a stack as small as that of secondary threads on many systems.
    try await onThread(stackSize: 512 << 10) {
      func gone() -> () -> Container? { Self.chain().root }
      #expect(gone()() == nil)
    }
  }

  @Test func freeingALongChainStopsAtAContainerInUse() async throws {
    try await onThread(stackSize: 512 << 10) {
      let middle = Shelf<Container?>(nil)
      func gone() -> () -> Container? {
        Self.chain { parent, index in
          let container = parent.makeChild(name: "\(index)")
          if index == Self.chainLength / 2 { middle.value = container }
          return container
        }.root
      }
      let root = gone()
      #expect(root() != nil && middle.value?.children.isEmpty == true)
      middle.value = nil
      #expect(root() == nil)
    }
  }

  /// Each container keeps an object that holds a chain of its own.
  @Test func freeingAChainFreesTheChainsThatItHolds() async throws {
    final class Holder: Sendable {
      let other: Container
      init(_ other: Container) { self.other = other }
    }
    let freed = Counter()
    let length = 2000
    try await onThread(stackSize: 512 << 10) {
      var last = Container()
      for _ in 1...length {
        last = Container(parent: last) {
          Registration(Holder.self, scope: .singleton) { _ in
            Holder(Container(parent: Container(parent: Container { Registration(instance: DeinitCounter(freed)) })))
          }
        }
        _ = try last.resolve(Holder.self)
      }
    }
    // The reclaimer releases the contents of a registry later.
    await freed.wait(for: length)
  }

  @Test func concurrentThreadsFreeChainsWithACommonRoot() async throws {
    for _ in 0..<10 {
      func gone() async throws -> @Sendable () -> Container? {
        let root = Container()
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<4 {
            group.addTask {
              try await onThread(stackSize: 512 << 10) {
                _ = (1...5000).reduce(root) { container, _ in Container(parent: container) }
              }
            }
          }
          try await group.waitForAll()
        }
        return { [weak root] in root }
      }
      // The threads may still be exiting.
      let root = try await gone()
      try await until { root() == nil }
    }
  }

  @Test func freeingAContainerFreesInstancesOfAsynchronousFactories() async throws {
    let lifetime = ObjectLifetime()
    let container = try await weakly {
      let container = Container {
        Registration(ObjectLifetime.Token.self, scope: .singleton) { _ in
          await Task.yield()
          return lifetime.token()
        }
        Registration(Held.self, scope: .singleton) { r in
          Held(token: try await r.resolve(ObjectLifetime.Token.self))
        }
      }
      _ = try await container.resolve(Held.self)
      return container
    }
    await lifetime.ended.wait()
    #expect(container() == nil)
  }

  @Test func freeingAContainerReleasesTheCapturesOfItsFactories() async throws {
    let lifetime = ObjectLifetime()
    let container = try await weakly {
      let token = lifetime.token()
      return Container {
        Registration(ObjectLifetime.Token.self) { _ in token }
        Registration(Held.self, scope: .singleton) { _ in Held(token: token) }
          .implements((any Sendable).self) { $0 }
          .onCreated { _, _ in _ = token }
      }
    }
    await lifetime.ended.wait()
    #expect(container() == nil)
  }

  @Test func aChildKeepsItsParentAliveButNotTheReverse() async throws {
    let lifetime = ObjectLifetime()
    let parent = Container { Registration(Alpha.self, scope: .singleton) { _ in Alpha() } }
    let child = try await weakly {
      let child = Container(parent: parent) {
        Registration(ObjectLifetime.Token.self, scope: .singleton) { _ in lifetime.token() }
      }
      _ = try await child.resolve(ObjectLifetime.Token.self)
      return child
    }
    await lifetime.ended.wait()
    #expect(child() == nil)
    _ = try await parent.resolve(Alpha.self)
    let orphan = Container(parent: Container { Setting(number: 4) })
    #expect(try await orphan.resolve(Setting.self).number == 4)
  }

  @Test func resetAndUnregisterReleaseInstances() async throws {
    let lifetimes = [ObjectLifetime(), ObjectLifetime(), ObjectLifetime()]
    let next = Counter()
    let container = Container {
      Registration(ObjectLifetime.Token.self, scope: .singleton) { _ in
        lifetimes[next.increment() - 1].token()
      }
    }
    _ = try await container.resolve(ObjectLifetime.Token.self)
    await container.reset()
    await lifetimes[0].ended.wait()
    _ = try await container.resolve(ObjectLifetime.Token.self)
    await container.reset(ObjectLifetime.Token.self)
    await lifetimes[1].ended.wait()
    _ = try await container.resolve(ObjectLifetime.Token.self)
    #expect(!lifetimes[2].hasEnded)
    await container.unregister(ObjectLifetime.Token.self)
    await lifetimes[2].ended.wait()
  }

  @Test func aFailedBuildReleasesItsInstance() async throws {
    let lifetime = ObjectLifetime()
    let container = Container {
      Registration(ObjectLifetime.Token.self, scope: .singleton) { _ in lifetime.token() }
        .onCreated { _, _ in throw Boom() }
    }
    await #expect(throws: Boom()) { try await container.resolve(ObjectLifetime.Token.self) }
    await lifetime.ended.wait()
    _ = container.registrationCount
  }

  // MARK: After the end

  /// A way in which a registration captures its container.
  enum Capture: CaseIterable {
    case factory, asynchronousFactory, arguments, alias, hook, disposer, decorator, alternative, saved, builder
  }

  private func register(_ capture: Capture, in container: Container, _ token: ObjectLifetime.Token) async throws {
    @Sendable func probe() -> Probe { withExtendedLifetime((container, token)) { Probe() } }
    switch capture {
    case .factory: try await container.register(Probe.self, scope: .singleton) { _ in probe() }
    case .asynchronousFactory:
      try await container.register(Probe.self, scope: .shared) { _ in
        await Task.yield()
        return probe()
      }
    case .arguments: try await container.register(Probe.self) { (_, _: Int) in probe() }
    case .alias:
      try await container.register(
        Registration(Probe.self, scope: .singleton) { _ in probe() }.implements((any Sendable).self) { $0 })
    case .hook:
      try await container.register(Registration(Probe.self) { _ in Probe() }.onCreated { _, _ in _ = probe() })
    case .disposer:
      try await container.register(
        Registration(Probe.self, scope: .singleton) { _ in Probe() }.onDispose { _ in _ = probe() })
    case .decorator:
      try await container.register(Probe.self, scope: .scoped) { _ in Probe() }
      try await container.decorate(Probe.self) { _, _ in probe() }
    case .alternative:
      try await container.register {
        Registration(Probe.self) { _ in Probe() }
        Registration(autowired: Probe.self) { (_: Resolver) in probe() }.alternative()
      }
    case .saved:
      try await container.register(Probe.self, scope: .singleton) { _ in probe() }
      await container.push()
      await container.unregister(Probe.self)
    case .builder: break
    }
  }

  @Test(arguments: Capture.allCases)
  func aContainerThatItsOwnRegistrationCapturesIsFreedAfterItsShutdown(capture: Capture) async throws {
    let lifetime = ObjectLifetime()
    let container = try await weakly {
      let holder = Shelf<(Container, ObjectLifetime.Token)?>(nil)
      let container = Container(name: "captured") {
        let _ = capture == .builder ? holder.value : nil
      }
      let token = lifetime.token()
      if capture == .builder { holder.value = (container, token) }
      try await register(capture, in: container, token)
      _ = try await container.resolve(Probe?.self)
      try await container.shutdown()
      let error = try await asyncResolutionError { try await container.resolve(Probe.self) }
      #expect(error.code == .closed && error.is(Probe.self) && error.container == "captured")
      #expect(container.registrationCount == 0 && container.registrations.isEmpty)
      return container
    }
    await lifetime.ended.wait()
    try await until { container() == nil }
  }

  @Test(arguments: [false, true], Capture.allCases)
  func aScopeThatItsOwnRegistrationCapturesIsFreedAtItsEnd(isClosedFirst: Bool, capture: Capture) async throws {
    let lifetime = ObjectLifetime()
    let app = Container(name: "app")
    try await app.withScope("request") {
      Registration(Setting.self) { _ in Setting() }
    } operation: { scope in
      let token = lifetime.token()
      try await register(capture == .builder ? .factory : capture, in: scope, token)
      _ = try await scope.resolve(Probe?.self)
      if isClosedFirst { try await scope.shutdown() }
    }
    await lifetime.ended.wait()
    #expect(app.openScopes.isEmpty)
  }

  /// The scope's initial registration captures the scope by a variable.
  @Test func aScopeThatItsInitialRegistrationCapturesIsFreedAtItsEnd() async throws {
    let lifetime = ObjectLifetime()
    try await Container(name: "app").withScope("request") { [holder = Shelf<(Container, ObjectLifetime.Token)?>(nil)] in
      Registration(Shelf<(Container, ObjectLifetime.Token)?>.self) { _ in holder }
    } operation: { scope in
      try await scope.resolve(Shelf<(Container, ObjectLifetime.Token)?>.self).value = (scope, lifetime.token())
    }
    await lifetime.ended.wait()
  }

  @Test func aChildIsFreedAfterTheShutdownOfItsParent() async throws {
    let lifetime = ObjectLifetime()
    let parent = Container(name: "parent")
    let child = try await weakly {
      let child = parent.makeChild()
      try await register(.factory, in: child, lifetime.token())
      try await parent.shutdown()
      return child
    }
    await lifetime.ended.wait()
    try await until { child() == nil }
  }

  /// The wrapper that another container has of a service holds the service's registration.
  @Test func aContainerThatAnotherOneDecoratesIsFreedAfterItsShutdown() async throws {
    let lifetime = ObjectLifetime()
    let user = Container(name: "user")
    try await user.decorate(Probe.self) { _, probe in probe }
    let container = try await weakly {
      let container = Container(name: "linked")
      let link = user.link(container)
      try await register(.factory, in: container, lifetime.token())
      _ = try await user.resolve(Probe.self)
      try await container.shutdown()
      let error = try await asyncResolutionError { try await user.resolve(Probe.self) }
      #expect(error.code == .closed && error.container == "linked")
      link.cancel()
      #expect(try await asyncResolutionError { try await user.resolve(Probe.self) }.code == .notRegistered)
      return container
    }
    await lifetime.ended.wait()
    try await until { container() == nil }
  }

  @Test func theEndOfOverridesReleasesTheirCaptures() async throws {
    let lifetime = ObjectLifetime()
    let container = Container()
    let task = try await container.withOverrides { [token = lifetime.token()] in
      Registration(Probe.self) { _ in withExtendedLifetime(token) { Probe() } }
    } operation: {
      _ = try await container.resolve(Probe.self)
      // A task that outlives the operation inherits its overrides.
      let gate = Gate()
      return (Task { await gate.wait() }, gate)
    }
    await lifetime.ended.wait()
    task.1.open()
    await task.0.value
  }

  /// Tasks resolve while the container ends: each gets a service or the error, and nothing that was freed.
  @Test func aShutdownDropsRegistrationsBesideResolves() async throws {
    for _ in 0..<50 {
      let container = Container(name: "app") {
        Registration(Probe.self, scope: .singleton) { _ in Probe("kept") }
          .implements((any Sendable).self) { $0 }
        Registration(Alpha.self) { _ in Alpha() }
        Registration(autowired: Beta.self, initializer: Beta.init)
      }
      let began = Counter()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            began.increment()
            while true {
              do {
                #expect(try await container.resolve(Probe.self).name == "kept")
                _ = try sync { try container.resolve(Beta.self) }
                _ = try await container.resolve((any Sendable).self)
                await Task.yield()
              } catch {
                #expect((error as? ResolutionError)?.code == .closed)
                return
              }
            }
          }
        }
        await began.wait(for: 4)
        try await container.shutdown()
        try await group.waitForAll()
      }
    }
  }
}
