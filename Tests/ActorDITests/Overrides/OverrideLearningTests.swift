import ActorDITestSupport
import Testing

@testable import ActorDI

/// A build under overrides shows which services a closure requests, so that later overrides leave its instance to the container.
@Suite("Closures that have run under overrides", .timeLimit(.minutes(5)))
struct OverrideLearningTests {
  private let built = Counter()

  /// Resolves under an override of a service that nothing else uses.
  private func resolve<Service: Sendable>(_ service: Service.Type, of container: Container) async throws -> Service {
    try await container.withOverrides {
      Registration(Setting.self) { _ in Setting(number: 1) }
    } operation: { () async throws in
      try await container.resolve(service)
    }
  }

  @Test(arguments: [Scope.singleton, .shared, .scoped])
  func theContainerKeepsItsInstanceUnderUnrelatedOverrides(scope: Scope) async throws {
    let container = Container { [built] in
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
      Registration(Probe.self, scope: scope) { r in
        _ = try r.resolve(Alpha.self)
        built.increment()
        return Probe()
      }
    }
    _ = try await resolve(Probe.self, of: container)
    let probe = try await resolve(Probe.self, of: container)
    for _ in 1...4 { #expect(try await resolve(Probe.self, of: container) === probe) }
    #expect(built.count == 2)
    #expect(try await container.resolve(Probe.self) === probe)
  }

  @Test("Another operation sees the requests of a build all together, or not at all")
  func requestsAreLearnedAtOnce() async throws {
    let requests = [ServiceIdentity(Alpha.self), ServiceIdentity(Setting.self)]
    for _ in 1...1_000 {
      let container = Container { Registration(Probe.self, scope: .singleton) { _ in Probe() } }
      let binding = try #require(container.ownBindings(of: Probe.self).first)
      let layer = try OverrideLayer(of: container, Registrations {}, nil)
      let attempt = Attempt(binding.identity, binding: binding.id, number: 1)
      attempt.note(allOf: requests)
      async let found = onThread {
        while true { if let found = binding.learnedRequests { return found } }
      }
      try await onThread { binding.learn(from: attempt, under: .inLayer(layer, keptBy: layer.overlay)) }
      #expect(try await found == requests)
    }
  }

  @Test func asynchronousAndMainActorClosuresTeachToo() async throws {
    let container = Container { [built] in
      Registration(Alpha.self, scope: .singleton) { r async throws in
        _ = try await r.resolve(Int.self)
        built.increment()
        return Alpha()
      }
      Registration(Probe.self, scope: .singleton) { @MainActor r in
        _ = try r.resolve(Int.self)
        built.increment()
        return Probe()
      }
      Registration(Int.self) { _ in 1 }
    }
    for _ in 1...5 {
      _ = try await resolve(Alpha.self, of: container)
      _ = try await resolve(Probe.self, of: container)
    }
    #expect(built.count == 4)
  }

  @Test func theRequestsOfTransientsAndHooksAreLearned() async throws {
    let container = Container { [built] in
      Registration(autowired: Root.self, scope: .singleton) { (stem: Stem) in Root(stem) }
        .onCreated { _, r in
          _ = try r.resolve(Leaf.self)
          built.increment()
        }
      Registration(Stem.self) { r in Stem(try r.resolve(Probe.self)) }
      Registration(Probe.self) { _ in Probe("real") }
      Registration(Leaf.self) { _ in Leaf() }
    }
    for _ in 1...5 { _ = try await resolve(Root.self, of: container) }
    #expect(built.count == 2)
    let root = try await container.resolve(Root.self)
    await container.reset()
    // Overrides of the learned services reach the instance.
    try await container.withOverrides {
      Registration(Probe.self) { _ in Probe("fake") }
    } operation: { () async throws in
      let fake = try await container.resolve(Root.self)
      #expect(((fake.next as? Stem)?.next as? Probe)?.name == "fake")
    }
    try await container.withOverrides {
      Registration(Leaf.self) { _ in Leaf() }
    } operation: { () async throws in
      _ = try await container.resolve(Root.self)
    }
    #expect(container.resolveIfReady(Root.self) == nil)
    #expect(try await container.resolve(Root.self) !== root)
  }

  @Test func aRunThatMetAnOverrideTeachesToo() async throws {
    let container = Container { [built] in
      Registration(Probe.self, scope: .singleton) { r in
        built.increment()
        return Probe("\(try r.resolve(Int.self))")
      }
      Registration(autowired: Int.self) { 1 }
    }
    try await container.withOverrides {
      Registration(Int.self) { _ in 2 }
    } operation: { () async throws in
      #expect(try await container.resolve(Probe.self).name == "2")
    }
    for _ in 1...3 { #expect(try await resolve(Probe.self, of: container).name == "1") }
    #expect(built.count == 2)
    #expect(container.resolveIfReady(Probe.self)?.name == "1")
  }

  @Test func validatingByBuildingTeaches() async throws {
    let container = Container { [built] in
      Registration(Probe.self, scope: .singleton) { r in
        built.increment()
        return Probe()
      }
    }
    try await container.validate(building: true)
    for _ in 1...3 { _ = try await resolve(Probe.self, of: container) }
    #expect(built.count == 2)
  }

  @Test func aFailedRunTeachesNothing() async throws {
    let container = Container { [built] in
      Registration(Probe.self, scope: .singleton) { r in
        if built.increment() == 1 { throw Boom() }
        return Probe("\(try r.resolve(Setting.self).number)")
      }
      Registration(Setting.self) { _ in Setting() }
    }
    await #expect(throws: Boom.self) { try await resolve(Probe.self, of: container) }
    #expect(try await resolve(Probe.self, of: container).name == "1")
    #expect(container.resolveIfReady(Probe.self) == nil)
  }

  @Test func aNewRegistrationIsLearnedAnew() async throws {
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in Probe("first") }
      Registration(Setting.self) { _ in Setting() }
    }
    _ = try await resolve(Probe.self, of: container)
    try await container.register(Probe.self, scope: .singleton) { r in Probe("\(try r.resolve(Setting.self).number)") }
    #expect(try await resolve(Probe.self, of: container).name == "1")
    #expect(try await container.resolve(Probe.self).name == "0")
  }

  // A regression: a request by a resolver whose factory had ended was not noted.
  @Test func aRequestByTheResolverOfAnEndedFactoryIsNoted() async throws {
    let kept = Shelf<Resolver?>(nil)
    let container = Container {
      Registration(Stem.self, scope: .singleton) { r async throws in
        kept.value = r
        return Stem()
      }
      Registration(Probe.self, scope: .singleton) { _ in Probe("real") }
      Registration(Root.self, scope: .singleton) { _ in Root(try kept.value?.resolve(Probe.self)) }
    }
    _ = try await container.resolve(Stem.self)
    _ = try await container.resolve(Probe.self)
    let root = try await container.resolve(Root.self)
    #expect((root.next as? Probe)?.name == "real")
    try await container.withOverrides {
      Registration(Probe.self, scope: .singleton) { _ in Probe("fake") }
    } operation: {
      let root = try await container.resolve(Root.self)
      #expect((root.next as? Probe)?.name == "fake")
    }
  }

  /// A regression: the closure of a transient service counted as known because the service that takes it later existed.
  @Test("A closure that a lazy or a provider runs later is not among the known ones", arguments: [false, true])
  func closuresThatRunLaterAreUnknown(haveRun: Bool) async throws {
    struct Part: Sendable { let setting: Setting }
    final class ByLazy: Sendable {
      let part: Lazy<Part>
      init(part: Lazy<Part>) { self.part = part }
    }
    final class ByProvider: Sendable {
      let part: Provider<Part>
      init(part: Provider<Part>) { self.part = part }
    }
    let container = Container {
      Registration(autowired: ByLazy.self, scope: .singleton, initializer: ByLazy.init)
      Registration(ByProvider.self, scope: .singleton) { r in ByProvider(part: try r.resolve()) }
      Registration(Part.self) { r in Part(setting: try r.resolve()) }
      Registration(Setting.self) { _ in Setting(number: 0) }
    }
    let (byLazy, byProvider) = (try await container.resolve(ByLazy.self), try await container.resolve(ByProvider.self))
    if haveRun {
      #expect(try await byLazy.part().setting.number == 0)
      #expect(try await byProvider.part().setting.number == 0)
    }
    try await container.withOverrides {
      Registration(Setting.self) { _ in Setting(number: 1) }
    } operation: { () async throws in
      let other = try await container.resolve(ByLazy.self)
      #expect(other !== byLazy)
      #expect(try await other.part().setting.number == 1)
      #expect(try await container.resolve(ByProvider.self) !== byProvider)
    }
    #expect(try await byLazy.part().setting.number == 0)
    #expect(try await container.resolve(ByLazy.self) === byLazy)
  }

  private struct Part: Sendable { let number: Int }
  private final class Whole: Sendable {
    let part: Part
    init(part: Part) { self.part = part }
  }

  /// A service that takes a transient service, whose closure takes a setting.
  private static func container(_ scope: Scope = .singleton) -> Container {
    Container {
      Registration(autowired: Whole.self, scope: scope, initializer: Whole.init)
      partOfSetting
      Registration(Setting.self) { _ in Setting(number: 0) }
    }
  }

  private static var partOfSetting: Registration<Part> {
    Registration(Part.self) { r in Part(number: try r.resolve(Setting.self).number) }
  }

  private func number(in container: Container, overridingTheSettingOf root: Container) async throws -> Int {
    try await root.withOverrides {
      Registration(Setting.self) { _ in Setting(number: 1) }
    } operation: { () async throws in
      try await container.resolve(Whole.self).part.number
    }
  }

  /// A regression: the build with the replacement counted as one in which the replaced closure had run.
  @Test func aClosureThatAnOverrideHasReplacedIsUnknown() async throws {
    let container = Self.container()
    try await container.withOverrides {
      Registration(autowired: Part.self) { Part(number: 2) }
    } operation: { () async throws in
      #expect(try await container.resolve(Whole.self).part.number == 2)
    }
    #expect(try await number(in: container, overridingTheSettingOf: container) == 1)
    #expect(container.resolveIfReady(Whole.self) == nil)
  }

  /// A regression, as above: the build was that of another container, which finds another registration.
  @Test func aClosureOfAnotherContainerIsUnknown() async throws {
    let parent = Self.container(.scoped)
    let child = parent.makeChild { Registration(Part.self) { _ in Part(number: 2) } }
    _ = try await resolve(Whole.self, of: child)
    #expect(try await number(in: parent, overridingTheSettingOf: parent) == 1)
  }

  /// A regression, as above: the build was that with the earlier registration.
  @Test func aNewRegistrationOfATransientServiceIsUnknown() async throws {
    let container = Self.container()
    try await container.register { Registration(Part.self) { _ in Part(number: 2) } }
    _ = try await resolve(Whole.self, of: container)
    try await container.register {
      Registration(Part.self) { r in Part(number: try r.resolve(Setting.self).number) }
    }
    #expect(try await number(in: container, overridingTheSettingOf: container) == 1)
  }

  @Test("A transient closure is known in another container, and for another service", arguments: [false, true])
  func aClosureIsKnownWhereItIsFoundAgain(isDecorated: Bool) async throws {
    final class Other: Sendable {
      let part: Part
      init(part: Part) { self.part = part }
    }
    let container = Self.container()
    try await container.register {
      Registration(autowired: Other.self, scope: .singleton, initializer: Other.init)
      if isDecorated { Decorator(Part.self) { r, part in Part(number: part.number + (try r.resolve(Int.self))) } }
      Registration(Int.self) { _ in 5 }
    }
    _ = try await container.withOverrides {
      Registration(instance: "unrelated")
    } operation: { () async throws in
      try await container.resolve(Whole.self)
    }
    let other = try await container.withOverrides {
      Registration(instance: "unrelated")
    } operation: { () async throws in
      try await container.resolve(Other.self)
    }
    #expect(try await container.resolve(Other.self) === other)
  }

  /// A regression, as above: an injected property, or a parameter of a parameter, counted as resolved under the wrong key.
  @Test(arguments: [false, true]) func onlyTheClosureOfTheKeyThatWasFoundIsKnown(isHanded: Bool) async throws {
    final class Between: Sendable {
      let part: Part
      init(part: Part) { self.part = part }
    }
    final class Top: @unchecked Sendable {
      var part: Part?
      init(between: Between? = nil) {}
    }
    let container = Container {
      // Only the first one runs for a `Top`: the other one takes the setting.
      let (first, other) = (Registration(Part.self) { _ in Part(number: 0) }, Self.partOfSetting)
      if isHanded {
        first.key("k")
        other
        Registration(autowired: Top.self) { (between: Between) in Top(between: between) }.inheritKey().key("k")
        Registration(autowired: Whole.self, scope: .singleton, initializer: Whole.init)
      } else {
        first
        other.key("k")
        Registration(autowired: Top.self) { Top() }.inject(\.part).inheritKey().key("k")
        Registration(Whole.self, scope: .singleton) { r in Whole(part: try r.resolve(Part.self, key: "k")) }
          .dependsOn(Part.self, key: "k")
      }
      Registration(autowired: Between.self, initializer: Between.init).inheritKey()
      Registration(Setting.self) { _ in Setting(number: 0) }
      Registration(String.self, scope: .singleton) { r in "\(try r.resolve(Top.self, key: "k"))" }
    }
    _ = try await resolve(String.self, of: container)
    #expect(try await number(in: container, overridingTheSettingOf: container) == 1)
  }
}
