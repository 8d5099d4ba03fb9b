import ActorDITestSupport
import Testing

@testable import ActorDI

/// The owner of a kept instance: the container, or the operation alone.
@Suite("Instances kept under overrides", .timeLimit(.minutes(5)))
struct OverrideKeepingTests {
  private func makeContainer() -> Container {
    Container {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.dependsOn()
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
      Registration(Gamma.self, scope: .singleton) { r in
        Gamma(beta: try r.resolve(), alpha: try r.resolve())
      }
      Registration(Probe.self, scope: .singleton) { _ in Probe("opaque") }
      Registration(Root.self, scope: .singleton) { r in Root(try r.resolve(Stem.self)) }.dependsOn(Stem.self)
      Registration(Stem.self) { r in Stem(try r.resolve(Leaf.self)) }
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }
    }
  }

  @Test func theContainerKeepsInstancesThatNoOverrideAffects() throws {
    let container = makeContainer()
    try container.withOverrides {
      Registration(Setting.self) { _ in Setting(number: 1) }
    } operation: { () throws in
      // All dependencies are autowired or declared, so none is known to be overridden. The service is built here, but the
      // container keeps it.
      let beta = try container.resolve(Beta.self)
      let layer = try #require(OverrideLayer.active)
      let seen = try OverrideLayer.$current.withValue(nil) { try container.resolve(Beta.self) }
      #expect(seen === beta)
      #expect(layer === OverrideLayer.active)
    }
    #expect(container.resolveIfReady(Beta.self) != nil)
    #expect(container.resolveIfReady(Alpha.self) != nil)
  }

  @Test func theOperationKeepsInstancesThatAnOverrideAffects() throws {
    let container = makeContainer()
    let (beta, gamma) = (try container.resolve(Beta.self), try container.resolve(Gamma.self))
    let (root, probe) = (try container.resolve(Root.self), try container.resolve(Probe.self))
    try container.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
    } operation: { () throws in
      let alpha = try container.resolve(Alpha.self)
      #expect(alpha !== beta.alpha)
      let (newBeta, newGamma) = (try container.resolve(Beta.self), try container.resolve(Gamma.self))
      #expect(newBeta !== beta && newBeta.alpha === alpha)
      // The factory is opaque, but it ran before, so its requests are known.
      #expect(newGamma !== gamma && newGamma.alpha === alpha && newGamma.beta === newBeta)
      #expect(try container.resolve(Gamma.self) === newGamma)
      #expect(try container.resolve(Root.self) === root)
      #expect(try container.resolve(Probe.self) === probe)
    }
    #expect(try container.resolve(Beta.self) === beta)
    #expect(try container.resolve(Gamma.self) === gamma)
    #expect(beta.alpha === gamma.alpha)
  }

  @Test func theContainerKeepsNoInstanceBuiltForAnOverride() throws {
    let container = makeContainer()
    try container.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
    } operation: { () throws in
      _ = try container.resolve(Gamma.self)
    }
    #expect(container.resolveIfReady(Alpha.self) == nil)
    #expect(container.resolveIfReady(Beta.self) == nil)
    #expect(container.resolveIfReady(Gamma.self) == nil)
    // Nothing is known about a factory that has never run.
    #expect(container.resolveIfReady(Leaf.self) == nil)
  }

  @Test func overridesReachDependentsThroughTransients() throws {
    let container = makeContainer()
    let root = try container.resolve(Root.self)
    try container.withOverrides {
      Registration(Stem.self) { _ in Stem() }
    } operation: { () throws in
      #expect(try container.resolve(Root.self) !== root)
    }
    // An opaque registration behind a declared dependency.
    try container.withOverrides {
      Registration(Leaf.self) { _ in Leaf() }
    } operation: { () throws in
      #expect(try container.resolve(Root.self) !== root)
    }
    try container.withOverrides {
      Registration(Alpha.self) { _ in Alpha() }
    } operation: { () throws in
      #expect(try container.resolve(Root.self) === root)
    }
    #expect(try container.resolve(Root.self) === root)
  }

  @Test func overridesReachDependentsThroughOpaqueFactories() throws {
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in Root(try r.resolve(Stem.self)) }
      Registration(Stem.self) { r in Stem(try r.resolve(Leaf.self)) }
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }
    }
    let root = try container.resolve(Root.self)
    let leaf = Leaf()
    try container.withOverrides {
      Registration(Leaf.self) { _ in leaf }
    } operation: { () throws in
      let stem = try #require(try container.resolve(Root.self).next as? Stem)
      #expect(stem.next as? Leaf === leaf)
    }
    try container.withOverrides {
      Registration(Alpha.self) { _ in Alpha() }
    } operation: { () throws in
      #expect(try container.resolve(Root.self) === root)
    }
  }

  @Test(arguments: [0, 1, 2, 3])
  func overridesReachDependentsThroughRelationships(_ kind: Int) throws {
    let container = Container {
      switch kind {
      case 0: Registration(autowired: Root.self, scope: .singleton) { (probe: Probe?) in Root(probe) }
      case 1: Registration(autowired: Root.self, scope: .singleton) { (probes: [Probe]) in Root(probes.first) }
      case 2: Registration(autowired: Root.self, scope: .singleton) { (probe: Lazy<Probe>) in Root(probe) }
      default:
        Registration(autowired: Root.self, scope: .singleton) { (probe: Provider<Probe>) in Root(probe) }
      }
    }
    let root = try container.resolve(Root.self)
    let probe = Probe("fake")
    try container.withOverrides {
      if kind == 1 {
        Registration(Probe.self) { _ in probe }.key("key")
      } else {
        Registration(Probe.self) { _ in probe }
      }
    } operation: { () throws in
      let fake = try container.resolve(Root.self)
      #expect(fake !== root)
      switch fake.next {
      case let value as Probe: #expect(value === probe)
      case let lazy as Lazy<Probe>: #expect(try lazy.synchronously() === probe)
      case let provider as Provider<Probe>: #expect(try provider.synchronously() === probe)
      default: Issue.record("\(String(describing: fake.next))")
      }
    }
    #expect(try container.resolve(Root.self) === root)
  }

  @Test func anOverrideDoesNotFillALazyOfTheContainer() throws {
    let container = Container {
      Registration(autowired: Root.self, scope: .singleton) { (probe: Lazy<Probe>) in Root(probe) }
      Registration(Probe.self, scope: .singleton) { _ in Probe("real") }
    }
    let root = try container.resolve(Root.self)
    let lazy = try #require(root.next as? Lazy<Probe>)
    try container.withOverrides {
      Registration(Probe.self) { _ in Probe("fake") }
    } operation: { () throws in
      #expect(try lazy.synchronously().name == "real")
    }
    #expect(try lazy.synchronously().name == "real")
  }

  @Test func anOverrideDoesNotFillAnInjectedProperty() async throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in Probe("real") }
    }
    let (loaded, pending) = (Injected<Probe>(from: container), Injected<Probe>(from: container))
    #expect(try await loaded().name == "real")
    try await container.withOverrides {
      Registration(Probe.self, scope: .singleton) { _ in Probe("fake") }
    } operation: { () async throws in
      #expect(try await loaded().name == "fake")
      #expect(try await pending().name == "fake")
      #expect(loaded.wrappedValue === pending.wrappedValue)
      let own = Injected<Probe>(from: container)
      #expect(own.wrappedValue === pending.wrappedValue)
    }
    #expect(!pending.isLoaded)
    #expect(try await loaded().name == "real")
    #expect(try await pending().name == "real")
  }

  @Test func overridesReachDependentsThroughHooksDecoratorsAndTheContainer() async throws {
    let container = Container {
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.dependsOn()
        .onCreated { _, r in _ = try r.resolve(Probe.self) }
      Registration(Probe.self) { _ in Probe() }
      Registration(autowired: Root.self, scope: .singleton) { (container: Container) in Root(container) }
      Registration(Stem.self, scope: .singleton) { _ in Stem() }.dependsOn()
    }
    try await container.decorate(Stem.self) { r, stem in Stem(try r.resolve(Leaf?.self)) }
    let (beta, root) = (try await container.resolve(Beta.self), try await container.resolve(Root.self))
    let stem = try await container.resolve(Stem.self)
    try await container.withOverrides {
      Registration(Probe.self) { _ in Probe("fake") }
    } operation: { () async throws in
      #expect(try await container.resolve(Beta.self) !== beta)
      #expect(try await container.resolve(Root.self) !== root)
      #expect(try await container.resolve(Root.self).next as? Container === container)
      #expect(try await container.resolve(Stem.self) === stem)
    }
    try await container.withOverrides {
      Registration(Leaf.self) { _ in Leaf() }
    } operation: { () async throws in
      #expect(try await container.resolve(Stem.self).next is Leaf)
      #expect(try await container.resolve(Beta.self) === beta)
    }
    #expect(try await container.resolve(Stem.self) === stem)
  }

  @Test func theOperationKeepsAffectedAsynchronousInstances() async throws {
    let container = Container {
      Registration(Alpha.self, scope: .singleton) { _ async in
        await Task.yield()
        return Alpha()
      }.dependsOn()
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
      Registration(Gamma.self, scope: .singleton) { r async throws in
        Gamma(beta: try await r.resolve(), alpha: try await r.resolve())
      }
      Registration(Probe.self, scope: .singleton) { _ async in Probe() }.dependsOn()
    }
    try await container.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ async in Alpha() }
    } operation: { () async throws in
      let gamma = try await container.resolve(Gamma.self)
      #expect(try await container.resolve(Alpha.self) === gamma.alpha)
      #expect(try await container.resolve(Beta.self) === gamma.beta)
      #expect(gamma.beta.alpha === gamma.alpha)
      _ = try await container.resolve(Probe.self)
    }
    #expect(container.resolveIfReady(Alpha.self) == nil)
    #expect(container.resolveIfReady(Beta.self) == nil)
    #expect(container.resolveIfReady(Gamma.self) == nil)
    #expect(container.resolveIfReady(Probe.self) != nil)
    let gamma = try await container.resolve(Gamma.self)
    let alpha = Alpha()
    try await container.withOverrides {
      Registration(instance: alpha)
    } operation: { () async throws in
      #expect(try await container.resolve(Gamma.self).alpha === alpha)
    }
    #expect(try await container.resolve(Gamma.self) === gamma)
  }

  @Test func aChildsOverridesDoNotReachTheParentsInstances() throws {
    let parent = Container {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.dependsOn()
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
    }
    let child = parent.makeChild()
    try child.withOverrides {
      Registration(Alpha.self) { _ in Alpha() }
    } operation: { () throws in
      // A parent's singleton never sees a child's registrations.
      let beta = try child.resolve(Beta.self)
      #expect(try parent.resolve(Beta.self) === beta)
      #expect(try child.resolve(Alpha.self) !== beta.alpha)
    }
    let beta = try parent.resolve(Beta.self)
    try parent.withOverrides {
      Registration(Alpha.self) { _ in Alpha() }
    } operation: { () throws in
      #expect(try child.resolve(Beta.self) !== beta)
    }
  }

  @Test func overridesReachPerArgumentsInstances() throws {
    let container = Container {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.dependsOn()
      Registration(Beta.self, scope: .singleton) { (r, number: Int) in
        Beta(alpha: try r.resolve())
      }.perArguments().dependsOn(Alpha.self)
    }
    let one = try container.resolve(Beta.self, arguments: 1)
    try container.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
    } operation: { () throws in
      let fake = try container.resolve(Beta.self, arguments: 1)
      #expect(fake !== one)
      #expect(try container.resolve(Beta.self, arguments: 1) === fake)
      #expect(try container.resolve(Beta.self, arguments: 2) !== fake)
    }
    #expect(try container.resolve(Beta.self, arguments: 1) === one)
  }

  @Test func overridesReachSharedInstances() throws {
    let container = Container {
      Registration(Alpha.self, scope: .shared) { _ in Alpha() }.dependsOn()
      Registration(autowired: Beta.self, scope: .shared, initializer: Beta.init)
    }
    let beta = try container.resolve(Beta.self)
    try container.withOverrides {
      Registration(Alpha.self, scope: .shared) { _ in Alpha() }
    } operation: { () throws in
      let fake = try container.resolve(Beta.self)
      #expect(fake !== beta)
      #expect(try container.resolve(Beta.self) === fake)
      #expect(try container.resolve(Alpha.self) === fake.alpha)
    }
    #expect(try container.resolve(Beta.self) === beta)
  }

  @Test func theEndReleasesInstancesOfTheOperation() async throws {
    let (own, dependent) = (ObjectLifetime(), ObjectLifetime())
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in
        _ = try r.resolve(Probe.self)
        return Root(dependent.token())
      }
    }
    try await container.withOverrides {
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
      Registration(Stem.self, scope: .singleton) { _ in Stem(own.token()) }
    } operation: { () async throws in
      _ = try await container.resolve(Root.self)
      _ = try await container.resolve(Stem.self)
      #expect(!own.hasEnded && !dependent.hasEnded)
    }
    try await own.ended.passed()
    try await dependent.ended.passed()
  }

  // A regression: an instance of the call that both had was disposed of with the operation.
  @Test(arguments: [Scope.singleton, .transient], [false, true])
  func anInstanceOfTheCallIsNotSharedWithAnInstanceThatTheContainerKeeps(_ scope: Scope, keptFirst: Bool) async throws {
    struct Pair: Sendable { let alpha: Alpha, beta: Beta }
    let ended = Journal<ObjectIdentifier>()
    let container = Container {
      Registration(autowired: Alpha.self, scope: .graph) { Alpha() }.onDispose { ended.note(ObjectIdentifier($0)) }
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
      Registration(autowired: Setting.self) { Setting(number: 1) }
      if keptFirst {
        Registration(autowired: Pair.self, scope: scope) { (beta: Beta, alpha: Alpha, _: Setting) in
          Pair(alpha: alpha, beta: beta)
        }
      } else {
        Registration(autowired: Pair.self, scope: scope) { (alpha: Alpha, beta: Beta, _: Setting) in
          Pair(alpha: alpha, beta: beta)
        }
      }
    }
    let pair = try await container.withOverrides {
      Registration(autowired: Setting.self) { Setting(number: 2) }
    } operation: {
      try await container.resolve(Pair.self)
    }
    #expect(ended.entries == [ObjectIdentifier(pair.alpha)])
    #expect(pair.beta.alpha !== pair.alpha)
    #expect(try await container.resolve(Beta.self) === pair.beta)
  }

  @Test func aLazyResolvedUnderAnOverrideDoesNotKeepTheContainersInstancesAlive() async throws {
    let end = ObjectLifetime()
    try await withTemporaryContainer { container in
      try await container.withOverrides {
        Registration(Probe.self, scope: .singleton) { _ in Probe("fake") }
      } operation: { () async throws in
        let root = try await container.resolve(Root.self)
        #expect(root.next is Lazy<Probe>)
      }
    } container: {
      Container {
        Registration(autowired: Root.self, scope: .singleton) { (probe: Lazy<Probe>) in Root(probe) }
        Registration(Stem.self, scope: .singleton) { _ in Stem(end.token()) }
      }
    }
    try await end.ended.passed()
  }

  /// Makes a container, resolves a stem, runs the body, and releases the container.
  private func withTemporaryContainer(
    _ body: (Container) async throws -> Void, container: () -> Container
  ) async throws {
    let container = container()
    _ = try await container.resolve(Stem.self)
    try await body(container)
  }

  @Test func aResetInTheOperationReachesItsInstances() async throws {
    let container = makeContainer()
    try await container.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
    } operation: { () async throws in
      let (alpha, beta) = (try await container.resolve(Alpha.self), try await container.resolve(Beta.self))
      await container.reset(Beta.self)
      #expect(try await container.resolve(Beta.self) !== beta)
      #expect(try await container.resolve(Alpha.self) === alpha)
      await container.reset()
      #expect(try await container.resolve(Alpha.self) !== alpha)
    }
  }

  // A regression: it waited for the end of the operation.
  @Test func aResetInTheOperationDisposesOfTheInstanceOfABuildThatAnEarlierResetOvertook() async throws {
    let (started, gate, journal) = (Gate(), Gate(), Journal<String>())
    let container = makeContainer()
    try await container.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ in
        started.open()
        await gate.wait()
        return Alpha()
      }.onDispose { _ in journal.note("alpha") }
    } operation: { () async throws in
      let build = Task { try await container.resolve(Alpha.self) }
      try await started.passed()
      await container.reset()
      gate.open()
      _ = try await build.value
      // The waiter may continue before the build leaves the disposal to the next reset.
      try await until { container.subordinates.contains { !$0.lifecycle.disposalsDueAtReset.isEmpty } }
      #expect(journal.entries.isEmpty)
      await container.reset()
      #expect(journal.entries == ["alpha"])
    }
  }

  private final class Pair: Sendable {
    let alpha: Alpha
    let probe: Probe
    init(alpha: Alpha, probe: Probe) { (self.alpha, self.probe) = (alpha, probe) }
  }

  /// Registers a service as an override, and keeps the container that represents the overrides.
  private struct Overriding: Module {
    let container: Journal<Container>
    let journal: Journal<String>
    var registrations: Registrations {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.onDispose { [journal] _ in journal.note("alpha") }
    }

    func didLoad(_ container: Container) async throws { self.container.note(container) }
  }

  // A regression: it was disposed of at once.
  @Test func aReplacedOverrideThatAChildsInstanceUsesIsDisposedOfAtTheReset() async throws {
    let (overlay, journal) = (Journal<Container>(), Journal<String>())
    let app = makeContainer()
    let child = app.makeChild {
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
        .onDispose { _ in journal.note("beta") }
    }
    try await app.withOverrides {
      Overriding(container: overlay, journal: journal)
    } operation: { () async throws in
      let beta = try await child.resolve(Beta.self)
      try await overlay.entries[0].register(Alpha.self, scope: .singleton) { _ in Alpha() }
      #expect(journal.entries.isEmpty)
      #expect(try await child.resolve(Alpha.self) !== beta.alpha)
      await app.reset()
      #expect(journal.entries == ["beta", "alpha"])
    }
  }

  // A regression: it was disposed of at once.
  @Test(arguments: [false, true], [false, true])
  func aReplacedInstanceThatTheOperationUsesIsDisposedOfAtTheReset(
    declared isDeclared: Bool, inChild: Bool
  ) async throws {
    let journal = Journal<String>()
    let app = Container {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.onDispose { _ in journal.note("alpha") }
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
    }
    let asked = inChild ? app.makeChild() : app
    try await asked.register {
      if isDeclared {
        Registration(autowired: Pair.self, scope: .singleton, initializer: Pair.init)
          .onDispose { _ in journal.note("pair") }
      } else {
        Registration(Pair.self, scope: .singleton) { r in try Pair(alpha: r.resolve(), probe: r.resolve()) }
          .onDispose { _ in journal.note("pair") }
      }
    }
    let alpha = try await app.resolve(Alpha.self)
    try await app.withOverrides {
      Registration(Probe.self, scope: .singleton) { _ in Probe("fake") }
    } operation: { () async throws in
      let pair = try await asked.resolve(Pair.self)
      #expect(pair.alpha === alpha && pair.probe.name == "fake")
      try await app.register(Alpha.self, scope: .singleton) { _ in Alpha() }
      #expect(journal.entries.isEmpty)
      #expect(try await app.resolve(Alpha.self) !== alpha)
      #expect(try await asked.resolve(Pair.self) === pair)
      await app.reset()
      #expect(journal.entries == ["pair", "alpha"])
    }
    #expect(journal.entries == ["pair", "alpha"])
  }

  @Test func registeringInTheOperationChangesTheContainer() async throws {
    let container = makeContainer()
    try await container.withOverrides {
      Registration(Alpha.self) { _ in Alpha() }
    } operation: { () async throws in
      try await container.register(Setting.self) { _ in Setting(number: 7) }
      #expect(try await container.resolve(Setting.self).number == 7)
      try await container.register(autoregistered)
      #expect(try await container.resolve(Beta.self) !== container.resolve(Beta.self))
    }
    #expect(try await container.resolve(Setting.self).number == 7)
    #expect(container.registrationCount == 8)
  }

  private var autoregistered: Registration<Beta> {
    Registration(autowired: Beta.self, initializer: Beta.init)
  }
}
