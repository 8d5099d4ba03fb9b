import ActorDI
import Testing

private protocol Lamp: Sendable {
  var name: String { get }
}

private final class Bulb: Lamp {
  let name: String
  init(_ name: String = "bulb") { self.name = name }
}

/// A class that is not `Sendable`.
private final class Sketch {
  var lines = 0
}

extension ServiceKey where Service == any Lamp {
  fileprivate static var spare: Self { .init("spare") }
  fileprivate static var missing: Self { .init("missing") }
}

private final class Room {
  @Injected var lamp: any Lamp
  @Injected var none: Probe?
  @Injected var lamps: [any Lamp]
  @Injected var sketch: Sketch
}

private struct Hall {
  @Injected(key: 2) var second: any Lamp
  @Injected(.spare) var spare: any Lamp
  @Injected(.spare) var spareIfAny: (any Lamp)?
  @Injected(.missing) var missing: (any Lamp)?
  @Injected(.spare) var spares: [any Lamp]
  @Injected(key: 3) var third: (any Lamp)?
  let note = "a structure has a memberwise initialiser"
}

private actor Attic {
  @Injected var lamp: any Lamp
  @Injected var sketch: Sketch

  func names() async throws -> [String] {
    try await $lamp.loadIfNeeded()
    try await $sketch.loadIfNeeded()
    sketch.lines += 1
    return [lamp.name, "\(sketch.lines)"]
  }
}

private final class Storeroom: Sendable {
  let lamp = Injected<any Lamp>()
  let keyed = Injected<any Lamp>(key: 2)
  let spare = Injected<any Lamp>(.spare)
  let gone = Injected<Probe>()
}

@MainActor private final class Balcony {
  @Injected var lamp: any Lamp
  @Injected var sketch: Sketch

  func use() async throws -> Int {
    try await $sketch.loadIfNeeded()
    sketch.lines += 1
    return sketch.lines
  }
}

/// The services that can be injected, and the types that can have injected properties.
@Suite("Injected properties", .timeLimit(.minutes(5)))
struct InjectedTests {
  private let container = Container {
    Registration((any Lamp).self, scope: .singleton) { _ in Bulb() }
    Registration((any Lamp).self, scope: .singleton) { _ in Bulb("second") }.key(2)
    Registration((any Lamp).self, scope: .singleton) { _ in Bulb("spare") }.key("spare")
    Registration(Sketch.self) { _ in Sketch() }
    Registration(String.self) { (_, name: String, count: Int) in "\(name) \(count)" }
    Registration(String.self) { (_, name: String) in "keyed \(name)" }.key("k")
  }

  @Test func aClassHasThem() throws {
    let room = Room()
    try Container.withCurrent(container) {
      #expect(room.lamp.name == "bulb")
      #expect(room.none == nil)
      #expect(room.lamps.map(\.name) == ["bulb", "second", "spare"])
      room.sketch.lines += 1
      #expect(room.sketch.lines == 1)
      let bulb = try container.resolve((any Lamp).self)
      #expect(room.lamp as? Bulb === bulb as? Bulb)
    }
  }

  @Test func aStructureHasThem() {
    let hall = Hall()
    Container.withCurrent(container) {
      #expect(hall.second.name == "second")
      #expect(hall.spare.name == "spare")
      #expect(hall.spareIfAny?.name == "spare")
      #expect(hall.missing == nil)
      #expect(hall.spares.map(\.name) == ["spare"])
      #expect(hall.third == nil)
    }
    // A copy shares the property's value.
    #expect({ hall }().spare as? Bulb === hall.spare as? Bulb)
  }

  @Test func anActorHasThem() async throws {
    let attic = Attic()
    let names = try await Container.withCurrent(container) { try await attic.names() }
    #expect(names == ["bulb", "1"])
    #expect(try await attic.names() == ["bulb", "2"])
  }

  @Test @MainActor func theMainActorHasThem() async throws {
    let balcony = Balcony()
    let lines = try await Container.withCurrent(container) {
      #expect(balcony.lamp.name == "bulb")
      return try await balcony.use()
    }
    #expect(lines == 1)
    #expect(try await balcony.use() == 2)
  }

  @Test func aSendableClassHasWrappers() async throws {
    let cellar = Storeroom()
    try await Container.withCurrent(container) {
      let lamp = try await cellar.lamp()
      #expect(lamp.name == "bulb")
      #expect(try sync { try cellar.keyed.callAsFunction() }.name == "second")
      #expect(try await cellar.spare().name == "spare")
      let error = try await asyncResolutionError { try await cellar.gone() }
      #expect(error.code == .notRegistered)
      #expect(error.service == Probe.self)
      #expect(!cellar.gone.isLoaded)
    }
  }

  @Test func runTimeArguments() async throws {
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

  @Test func aGivenContainerGoesBeforeTheCurrentOne() async throws {
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

  @Test func theContainerIsTheCurrentOneAtFirstUse() throws {
    let room = Container.withCurrent(Container()) { Room() }
    Container.withCurrent(container) { #expect(room.lamp.name == "bulb") }
    let other = Container { Registration((any Lamp).self) { _ in Bulb("other") } }
    try Container.withCurrent(other) {
      #expect(room.lamp.name == "bulb")
      try room.$lamp.reload()
      #expect(room.lamp.name == "bulb")
    }
    #expect(room.lamp.name == "bulb")
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

  @Test func resolvedOnFirstUseAndOnce() throws {
    let counter = Counter()
    let container = Container {
      Registration((any Lamp).self) { _ in Bulb("\(counter.increment())") }
    }
    let room = Room()
    #expect(counter.count == 0)
    Container.withCurrent(container) {
      #expect(room.lamp.name == "1")
      #expect(room.lamp.name == "1")
    }
    #expect(counter.count == 1)
  }

  @Test func aFactoryThatFailsLeavesAnOptionalNilForNow() throws {
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

  @Test func aCycleThroughPropertiesIsAnError() async throws {
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
