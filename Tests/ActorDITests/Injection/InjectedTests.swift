import ActorDI
import ActorDITestSupport
import Testing

private protocol Lamp: Sendable {
  var name: String { get }
}

private final class Bulb: Lamp {
  let name: String
  init(_ name: String = "bulb") { self.name = name }
}

/// A class that is not `Sendable`.
private final class NonSendable {
  var lines = 0
}

extension ServiceKey where Service == any Lamp {
  fileprivate static var spare: Self { .init("spare") }
  fileprivate static var missing: Self { .init("missing") }
}

private final class InjectedClass {
  @Injected var lamp: any Lamp
  @Injected var none: Probe?
  @Injected var lamps: [any Lamp]
  @Injected var nonSendable: NonSendable
}

private struct InjectedStructure {
  @Injected(key: 2) var second: any Lamp
  @Injected(.spare) var spare: any Lamp
  @Injected(.spare) var spareIfAny: (any Lamp)?
  @Injected(.missing) var missing: (any Lamp)?
  @Injected(.spare) var spares: [any Lamp]
  @Injected(key: 3) var third: (any Lamp)?
  let note = "a structure has a memberwise initialiser"
}

private actor InjectedActor {
  @Injected var lamp: any Lamp
  @Injected var nonSendable: NonSendable

  func names() async throws -> [String] {
    try await $lamp.loadIfNeeded()
    try await $nonSendable.loadIfNeeded()
    nonSendable.lines += 1
    return [lamp.name, "\(nonSendable.lines)"]
  }
}

private final class SendableClass: Sendable {
  let lamp = Injected<any Lamp>()
  let keyed = Injected<any Lamp>(key: 2)
  let spare = Injected<any Lamp>(.spare)
  let gone = Injected<Probe>()
}

@MainActor private final class MainActorClass {
  @Injected var lamp: any Lamp
  @Injected var nonSendable: NonSendable

  func use() async throws -> Int {
    try await $nonSendable.loadIfNeeded()
    nonSendable.lines += 1
    return nonSendable.lines
  }
}

/// The services that can be injected, and the types that can have injected properties.
@Suite("Injected properties", .timeLimit(.minutes(5)))
struct InjectedTests {
  private let container = Container {
    Registration((any Lamp).self, scope: .singleton) { _ in Bulb() }
    Registration((any Lamp).self, scope: .singleton) { _ in Bulb("second") }.key(2)
    Registration((any Lamp).self, scope: .singleton) { _ in Bulb("spare") }.key("spare")
    Registration(NonSendable.self) { _ in NonSendable() }
    Registration(String.self) { (_, name: String, count: Int) in "\(name) \(count)" }
    Registration(String.self) { (_, name: String) in "keyed \(name)" }.key("k")
  }

  @Test func aClassCanHaveInjectedProperties() throws {
    let object = InjectedClass()
    try Container.withCurrent(container) {
      #expect(object.lamp.name == "bulb")
      #expect(object.none == nil)
      #expect(object.lamps.map(\.name) == ["bulb", "second", "spare"])
      object.nonSendable.lines += 1
      #expect(object.nonSendable.lines == 1)
      let bulb = try container.resolve((any Lamp).self)
      #expect(object.lamp as? Bulb === bulb as? Bulb)
    }
  }

  @Test func aStructureCanHaveInjectedProperties() {
    let structure = InjectedStructure()
    Container.withCurrent(container) {
      #expect(structure.second.name == "second")
      #expect(structure.spare.name == "spare")
      #expect(structure.spareIfAny?.name == "spare")
      #expect(structure.missing == nil)
      #expect(structure.spares.map(\.name) == ["spare"])
      #expect(structure.third == nil)
    }
    // A copy shares the property's value.
    #expect({ structure }().spare as? Bulb === structure.spare as? Bulb)
  }

  @Test func anActorCanHaveInjectedProperties() async throws {
    let owner = InjectedActor()
    let names = try await Container.withCurrent(container) { try await owner.names() }
    #expect(names == ["bulb", "1"])
    #expect(try await owner.names() == ["bulb", "2"])
  }

  @Test @MainActor func aMainActorClassCanHaveInjectedProperties() async throws {
    let model = MainActorClass()
    let lines = try await Container.withCurrent(container) {
      #expect(model.lamp.name == "bulb")
      return try await model.use()
    }
    #expect(lines == 1)
    #expect(try await model.use() == 2)
  }

  @Test func aSendableClassCanHoldInjectedWrappers() async throws {
    let wrappers = SendableClass()
    try await Container.withCurrent(container) {
      let lamp = try await wrappers.lamp()
      #expect(lamp.name == "bulb")
      #expect(try sync { try wrappers.keyed.callAsFunction() }.name == "second")
      #expect(try await wrappers.spare().name == "spare")
      let error = try await asyncResolutionError { try await wrappers.gone() }
      #expect(error.code == .notRegistered)
      #expect(error.service == Probe.self)
      #expect(!wrappers.gone.isLoaded)
    }
  }

  @Test func injectedPropertiesTakeRunTimeArguments() async throws {
    struct Words {
      @Injected(arguments: "Ada", 3) var plain: String
      @Injected(key: "k", arguments: "Bob") var keyed: String
      @Injected(key: "k", arguments: "Eve") var optional: String?
      @Injected(key: "k", arguments: 1) var missing: String?
      @Injected(key: "k", arguments: "Eve") var all: [String]
      @Injected(arguments: 1) var none: String?
    }
    let words = Words()
    Container.withCurrent(container) {
      #expect(words.plain == "Ada 3")
      #expect(words.keyed == "keyed Bob")
      #expect(words.optional == "keyed Eve")
      #expect(words.missing == nil && words.none == nil)
      #expect(words.all == ["keyed Eve"])
    }
    let loaded = Injected<String>(arguments: "Kim", 4, from: container)
    #expect(try await loaded() == "Kim 4")
  }

  @Test func aGivenContainerTakesPrecedenceOverTheCurrentOne() async throws {
    let other = Container { Registration((any Lamp).self) { _ in Bulb("other") } }
    let lamp = Injected<any Lamp>(from: other)
    let keyed = Injected<(any Lamp)?>(key: 2, from: other)
    let token = Injected<(any Lamp)?>(.spare, from: other)
    let found = try await Container.withCurrent(container) {
      try await (lamp(), keyed(), token())
    }
    #expect(found.0.name == "other")
    #expect(found.1 == nil && found.2 == nil)
  }

  @Test func theFirstUseChoosesTheCurrentContainer() throws {
    let object = Container.withCurrent(Container()) { InjectedClass() }
    Container.withCurrent(container) { #expect(object.lamp.name == "bulb") }
    let other = Container { Registration((any Lamp).self) { _ in Bulb("other") } }
    try Container.withCurrent(other) {
      #expect(object.lamp.name == "bulb")
      try object.$lamp.reload()
      #expect(object.lamp.name == "bulb")
    }
    #expect(object.lamp.name == "bulb")
  }

  @Test func aFailedFirstUseDoesNotChooseTheContainer() throws {
    let lamp = Injected<any Lamp>()
    let error = try Container.withCurrent(Container()) {
      try resolutionError { try lamp.callAsFunction() }
    }
    #expect(error.code == .notRegistered)
    let found = try Container.withCurrent(container) { try lamp.callAsFunction() }
    #expect(found.name == "bulb")
  }

  @Test func aPropertyResolvesOnFirstUseAndOnce() throws {
    let counter = Counter()
    let container = Container {
      Registration((any Lamp).self) { _ in Bulb("\(counter.increment())") }
    }
    let object = InjectedClass()
    #expect(counter.count == 0)
    Container.withCurrent(container) {
      #expect(object.lamp.name == "1")
      #expect(object.lamp.name == "1")
    }
    #expect(counter.count == 1)
  }

  @Test func aFailingFactoryLeavesAnOptionalNilUntilItSucceeds() throws {
    struct Holder {
      @Injected var probe: Probe?
      @Injected var probes: [Probe]
    }
    let tries = Counter()
    let container = Container {
      Registration(Probe.self) { _ in
        if tries.increment() < 4 { throw Boom(number: tries.count) }
        return Probe("now")
      }
    }
    let holder = Holder()
    Container.withCurrent(container) {
      #expect(holder.probe == nil)
      #expect(holder.probes.isEmpty)
      #expect(throws: Boom(number: 3)) { try holder.$probe.loadIfNeeded() }
      #expect(!holder.$probe.isLoaded)
      #expect(holder.probe?.name == "now")
      #expect(holder.probes.count == 1)
    }
  }

  @Test func aCycleThroughPropertiesThrows() async throws {
    final class Egg: Sendable {
      let hen: Injected<Hen>
      let name: String
      init(_ container: Container) throws {
        hen = Injected(from: container)
        name = try hen.callAsFunction().name
      }
    }
    final class Hen: Sendable {
      let name: String
      init(_ container: Container) throws {
        name = try Injected<Egg>(from: container).callAsFunction().name
      }
    }
    let container = Container {
      Registration(Egg.self, scope: .singleton) { r in try Egg(r.container) }
      Registration(Hen.self, scope: .singleton) { r in try Hen(r.container) }
    }
    let error = try await asyncResolutionError { try await container.resolve(Egg.self) }
    #expect(error.code == .cycle)
    #expect(error.path == ["Egg", "Hen", "Egg"])
  }
}
