import ActorDITestSupport
import Testing

@testable import ActorDI

/// What is created under overrides resolves from them, also after their operation.
@Suite("Resolves after an operation with overrides", .timeLimit(.minutes(5)))
struct OverrideSuccessionTests {
  private let container = Container(name: "app") {
    Registration(Probe.self, scope: .singleton) { _ in Probe("real") }
    Registration(Probe.self, scope: .singleton) { _ in Probe("real keyed") }.key("key")
    Registration(Probe.self) { (_, name: String) in Probe("real \(name)") }
    Registration(autowired: Root.self, scope: .singleton) { (probe: Probe) in Root(probe) }
    Registration(Setting.self) { _ in Setting(number: 1) }
    Registration(autowired: Deferred.self, initializer: Deferred.init)
  }

  private final class Deferred: Sendable {
    let lazy: Lazy<Probe>
    let provider: Provider<Probe>
    init(lazy: Lazy<Probe>, provider: Provider<Probe>) {
      self.lazy = lazy
      self.provider = provider
    }
  }

  private struct Model: Sendable {
    let plain: Injected<Probe>
    let again: Injected<Probe>
    let keyed: Injected<Probe>
    let given: Injected<Probe>
    let maybe: Injected<Probe?>
    let all: Injected<[Probe]>
    let dependent: Injected<Root>

    init(_ container: Container) {
      plain = Injected(from: container)
      again = Injected(from: container)
      keyed = Injected(key: "key", from: container)
      given = Injected(arguments: "x", from: container)
      maybe = Injected(from: container)
      all = Injected(from: container)
      dependent = Injected(from: container)
    }
  }

  /// Runs a body with replaced probes, and returns what it makes.
  private func underFakes<Result>(
    _ name: String = "fake", of container: Container? = nil, _ body: () async throws -> Result
  ) async throws -> Result {
    let container = container ?? self.container
    return try await container.withOverrides {
      Registration(Probe.self, scope: .singleton) { _ in Probe(name) }
      Registration(Probe.self, scope: .singleton) { _ async in Probe("\(name) keyed") }.key("key")
      Registration(Probe.self) { (_, argument: String) in Probe("\(name) \(argument)") }
    } operation: {
      try await body()
    }
  }

  // MARK: Properties

  @Test func aPropertyIsLoadedFromTheOverridesOfItsCreation() async throws {
    let model = try await underFakes { Model(container) }
    #expect(model.plain.wrappedValue.name == "fake")
    #expect(model.again.wrappedValue === model.plain.wrappedValue)
    #expect(try await model.keyed().name == "fake keyed")
    #expect(model.given.wrappedValue.name == "fake x")
    #expect(model.maybe.wrappedValue === model.plain.wrappedValue)
    #expect(model.all.wrappedValue.contains { $0 === model.plain.wrappedValue })
    #expect(!model.all.wrappedValue.contains { $0.name.hasPrefix("real") })
    #expect(model.dependent.wrappedValue.next as? Probe === model.plain.wrappedValue)
    try await model.plain.reload()
    #expect(model.plain.wrappedValue === model.again.wrappedValue)
    // The container itself has no overrides.
    #expect(try await container.resolve(Probe.self).name == "real")
    #expect(try await (container.resolve(Root.self).next as? Probe)?.name == "real")
    #expect(Injected<Probe>(from: container).wrappedValue.name == "real")
  }

  @Test func aPropertyOfTheCurrentContainerIsLoadedFromTheOverrides() async throws {
    let probe = try await underFakes { Injected<Probe>() }
    Container.withCurrent(container) { #expect(probe.wrappedValue.name == "fake") }
  }

  @Test func aPropertyCreatedUnderASynchronousOperationKeepsItsOverrides() throws {
    let probe = try container.withOverrides {
      Registration(Probe.self) { _ in Probe("fake") }
    } operation: { () throws in
      Injected<Probe>(from: container)
    }
    #expect(probe.wrappedValue.name == "fake")
  }

  @Test func aPropertyKeepsWhatItHasLoadedInTheOperation() async throws {
    let (probe, loaded) = try await underFakes {
      let probe = Injected<Probe>(from: container)
      return (probe, try await probe())
    }
    #expect(probe.wrappedValue === loaded)
    // The instances of the operation have ended with it.
    try await probe.reload()
    #expect(probe.wrappedValue !== loaded && probe.wrappedValue.name == "fake")
  }

  @Test func aPropertyKeepsItsOverridesInAnotherOperation() async throws {
    let probe = try await underFakes { Injected<Probe>(from: container) }
    let other = try await container.withOverrides {
      Registration(Setting.self) { _ in Setting(number: 2) }
    } operation: { () async throws in
      #expect(try await probe().name == "fake")
      #expect(try await container.resolve(Setting.self).number == 2)
      return Injected<Setting>(from: container)
    }
    try await underFakes("another") { () async throws in
      #expect(probe.wrappedValue.name == "fake")
      #expect(other.wrappedValue.number == 2)
    }
  }

  @Test func nestedOverridesStayNested() async throws {
    let (inner, outer, setting) = try await container.withOverrides {
      Registration(Setting.self) { _ in Setting(number: 2) }
      Registration(Probe.self) { _ in Probe("outer") }
    } operation: { () async throws in
      let outer = Injected<Probe>(from: container)
      let inner = try await underFakes("inner") {
        (Injected<Probe>(from: container), Injected<Setting>(from: container))
      }
      #expect(inner.0.wrappedValue.name == "inner")
      return (inner.0, outer, inner.1)
    }
    #expect(inner.wrappedValue.name == "inner" && outer.wrappedValue.name == "outer")
    #expect(setting.wrappedValue.number == 2)
  }

  @Test func nestedOverridesApplyToAPropertyOfTheEnclosingOnes() async throws {
    try await underFakes("outer") { () async throws in
      let probe = Injected<Probe>(from: container)
      try await underFakes("inner") { () async throws in #expect(probe.wrappedValue.name == "inner") }
      #expect(probe.wrappedValue.name == "outer")
    }
  }

  @Test func aPropertyOfAChildKeepsTheOverridesOfItsParent() async throws {
    let child = container.makeChild { Registration(Probe.self) { _ in Probe("child") } }
    let linking = Container()
    linking.link(container)
    let probes = try await underFakes { (Injected<Probe>(from: child), Injected<Probe>(from: linking)) }
    #expect(probes.0.wrappedValue.name == "fake" && probes.1.wrappedValue.name == "fake")
  }

  @Test func followingAPropertyKeepsTheOverrides() async throws {
    let probe = try await underFakes {
      let probe = Injected<Probe>(from: container)
      probe.autoreload()
      return probe
    }
    #expect(probe.wrappedValue.name == "fake")
    try await container.register(Probe.self) { _ in Probe("new") }
    #expect(probe.wrappedValue.name == "fake")
  }

  // MARK: Other services that resolve later

  @Test func aLazyAndAProviderKeepTheOverridesOfTheirCreation() async throws {
    let deferred = try await underFakes { try await container.resolve(Deferred.self) }
    let lazy = try await deferred.lazy()
    #expect(lazy.name == "fake")
    #expect(try await deferred.provider() === lazy)
    #expect(try deferred.provider.synchronously("x").name == "fake x")
    let own = try await container.resolve(Deferred.self)
    #expect(try await own.lazy().name == "real")
    #expect(try await own.provider().name == "real")
  }

  @Test func aHandleKeepsTheOverridesOfItsCreation() async throws {
    _ = try await container.resolve(Probe.self)
    let (plain, keyed) = try await underFakes {
      (container.provider(for: Probe.self), container.provider(for: Probe.self, key: "key"))
    }
    #expect(try plain.synchronously().name == "fake")
    #expect(try await plain().name == "fake")
    #expect(try await keyed().name == "fake keyed")
    try await underFakes("another") { () async throws in #expect(try await plain().name == "fake") }
    try await underFakes("outer") { () async throws in
      let handle = container.provider(for: Probe.self)
      #expect(try await handle().name == "outer")
      #expect(try await underFakes("inner") { try await handle().name } == "inner")
    }
  }

  @Test func aTaskThatOutlivesTheOperationFindsTheContainer() async throws {
    let ended = Gate()
    let task = try await underFakes {
      Task { [container] in
        await ended.wait()
        return try await container.resolve(Probe.self).name
      }
    }
    ended.open()
    #expect(try await task.value == "real")
  }

  // MARK: Registrations

  private struct Late: Module {
    var registrations: Registrations { Registration(Alpha.self) { _ in Alpha() } }
    func didLoad(_ container: Container) async throws {
      try await container.register(Setting.self) { _ in Setting(number: 7) }
      try await container.decorate(Setting.self) { _, setting in Setting(number: setting.number * 10) }
    }
  }

  /// Every form of registration is there again.
  @Test func theSuccessorHasAllRegistrations() async throws {
    let polite = Polite()
    let made = try await container.withOverrides {
      Late()
      Registration(instance: polite).implements((any Greeter).self) { $0 }
      Registration(autowired: Beta.self, scope: .scoped, initializer: Beta.init)
      Registration(autowired: Stem.self) { (probe: Probe) in Stem(probe) }
      Registration(autowired: Stem.self) { (missing: String) in Stem(missing) }.alternative()
      Registration(Leaf.self, scope: .shared) { (_, number: Int) in Leaf(number) }.perArguments()
    } operation: { () async throws in
      (
        Injected<any Greeter>(from: container), Injected<Beta>(from: container), Injected<Stem>(from: container),
        Injected<Leaf>(arguments: 3, from: container), Injected<Setting>(from: container)
      )
    }
    #expect(made.0.wrappedValue as? Polite === polite)
    _ = made.1.wrappedValue.alpha
    #expect((made.2.wrappedValue.next as? Probe)?.name == "real")
    #expect(made.3.wrappedValue.next as? Int == 3)
    #expect(made.4.wrappedValue.number == 70)
  }

  // MARK: Ends

  @Test func theLastPropertyEndsTheInstancesThatWereMadeForIt() async throws {
    let journal = Journal<String>()
    let (disposed, freed) = (Gate(), ObjectLifetime())
    do {
      let models = try await container.withOverrides {
        Registration(Probe.self, scope: .singleton) { _ in Probe("fake") }
          .onDispose { _ in
            journal.note("disposed")
            disposed.open()
          }
        // It is kept, and holds a property of the overrides itself.
        Registration(Stem.self, scope: .singleton) { r in
          Stem(Pair(freed.token(), Injected<Probe>(from: r.container)))
        }
      } operation: { () async throws in
        (Injected<Stem>(from: container), Injected<Probe>(from: container))
      }
      _ = models.0.wrappedValue
      _ = models.1.wrappedValue
      #expect(journal.entries.isEmpty)
    }
    try await disposed.passed()
    try await freed.ended.passed()
    #expect(journal.entries == ["disposed"])
  }

  private struct Pair: Sendable {
    let token: ObjectLifetime.Token
    let probe: Injected<Probe>
    init(_ token: ObjectLifetime.Token, _ probe: Injected<Probe>) {
      self.token = token
      self.probe = probe
    }
  }

  @Test func manyPropertiesOfOneOperationShareItsInstances() async throws {
    let made = Counter()
    let probes = try await container.withOverrides {
      Registration(Probe.self, scope: .singleton) { _ in
        made.increment()
        return Probe("fake")
      }
    } operation: { () async throws in
      (0..<32).map { _ in Injected<Probe>(from: container) }
    }
    let loaded = try await withThrowingTaskGroup(of: Probe.self) { group in
      for probe in probes { group.addTask { try await probe() } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(Set(loaded.map(ObjectIdentifier.init)).count == 1 && made.count == 1)
  }
}
