import ActorDITestSupport
import Testing

@testable import ActorDI

private final class Middle: Sendable {
  let name: String
  let probe: Probe
  init(_ name: String, _ probe: Probe) {
    self.name = name
    self.probe = probe
  }
}
private final class Outer: Sendable {
  let middle: Middle
  let name: String
  init(_ middle: Middle, _ name: String) {
    self.middle = middle
    self.name = name
  }
}

@Suite("Key inheritance")
struct KeyInheritanceTests {
  private static let names = Registrations {
    Registration(String.self) { _ in "plain" }
    Registration(String.self) { _ in "red" }.key("red")
    Registration(Probe.self, scope: .singleton) { r in Probe() }
  }

  @Test func parametersAreResolvedByTheInheritedKeyFirst() async throws {
    let container = Container {
      Self.names
      Registration(autowired: Middle.self, initializer: Middle.init).key("red").inheritKey()
      Registration(autowired: Middle.self, initializer: Middle.init).key("blue").inheritKey()
    }
    #expect(try sync { try container.resolve(Middle.self, key: "red") }.name == "red")
    let red = try await container.resolve(Middle.self, key: "red")
    #expect(red.name == "red")
    let blue = try await container.resolve(Middle.self, key: "blue")
    #expect(blue.name == "plain")
    // An unkeyed singleton is shared by all keys.
    #expect(red.probe === blue.probe)
  }

  @Test func withoutInheritKeyParametersAreResolvedWithoutKey() throws {
    let container = Container {
      Self.names
      Registration(autowired: Middle.self, initializer: Middle.init).key("red")
    }
    #expect(try container.resolve(Middle.self, key: "red").name == "plain")
  }

  @Test func anUnkeyedServiceWithInheritKeyPassesTheKeyOn() async throws {
    let container = Container {
      Self.names
      Registration(autowired: Middle.self, initializer: Middle.init).inheritKey()
      Registration(autowired: Outer.self, initializer: Outer.init).key("red").inheritKey()
    }
    #expect(try sync { try container.resolve(Outer.self, key: "red") }.middle.name == "red")
    #expect(try await container.resolve(Outer.self, key: "red").middle.name == "red")
    #expect(try await container.resolve(Middle.self).name == "plain")
  }

  @Test func aDecoratorPassesTheKeyOn() async throws {
    let parent = Container {
      Self.names
      Registration(autowired: Middle.self, initializer: Middle.init).inheritKey()
        .decorated { _, inner in Middle("own \(inner.name)", inner.probe) }
      Decorator(Middle.self) { _, inner in Middle("first \(inner.name)", inner.probe) }
    }
    let child = Container(parent: parent) {
      Decorator(Middle.self) { _, inner async in
        await Task.yield()
        return Middle("second \(inner.name)", inner.probe)
      }
      Registration(autowired: Outer.self, initializer: Outer.init).key("red").inheritKey()
    }
    try await parent.register(Registration(autowired: Outer.self, initializer: Outer.init).key("red").inheritKey())
    #expect(try sync { try parent.resolve(Outer.self, key: "red") }.middle.name == "first own red")
    #expect(try await parent.resolve(Outer.self, key: "red").middle.name == "first own red")
    #expect(try await child.resolve(Outer.self, key: "red").middle.name == "second first own red")
    #expect(try await parent.resolve(Middle.self).name == "first own plain")
  }

  @Test func aServiceWithoutInheritKeyDoesNotPassTheKeyOn() async throws {
    let container = Container {
      Self.names
      Registration(autowired: Middle.self, initializer: Middle.init)
      Registration(autowired: Outer.self, initializer: Outer.init).key("red").inheritKey()
    }
    let outer = try await container.resolve(Outer.self, key: "red")
    #expect(outer.name == "red")
    #expect(outer.middle.name == "plain")
  }

  @Test func relationshipTypesInheritTheKey() async throws {
    struct Relationships: Sendable {
      let optional: String?
      let missing: Double?
      let all: [String]
      let lazy: Lazy<String>
      let provider: Provider<Probe>
    }
    let container = Container {
      Self.names
      Registration(autowired: Relationships.self, initializer: Relationships.init).key("red").inheritKey()
    }
    let relationships = try await container.resolve(Relationships.self, key: "red")
    #expect(relationships.optional == "red")
    #expect(relationships.missing == nil)
    #expect(relationships.all == ["red"])
    #expect(try await relationships.lazy() == "red")
    #expect(try await relationships.provider() === container.resolve(Probe.self))
  }

  @Test func asynchronousInitialisersAndThoseWithArgumentsInheritTheKey() async throws {
    let container = Container {
      Self.names
      Registration(autowired: Middle.self) { (name: String, probe: Probe) async in
        await Task.yield()
        return Middle(name, probe)
      }.key("red").inheritKey()
      Registration(autowired: Middle.self, arguments: Int.self) { (name: String, number: Int, probe: Probe) in
        Middle("\(name) \(number)", probe)
      }.key("red").inheritKey()
      Registration(autowired: Outer.self) { @MainActor (middle: Middle, name: String) in
        Outer(middle, name)
      }.key("red").inheritKey()
    }
    #expect(try await container.resolve(Middle.self, key: "red").name == "red")
    #expect(try sync { try container.resolve(Middle.self, key: "red", arguments: 7) }.name == "red 7")
    #expect(try await container.resolve(Middle.self, key: "red", arguments: 8).name == "red 8")
    #expect(try await container.resolve(Outer.self, key: "red").middle.name == "red")
  }

  @Test func theErrorNamesAMissingParameterWithoutTheKey() throws {
    let container = Container {
      Registration(autowired: Middle.self, initializer: Middle.init).key("red").inheritKey()
    }
    let error = #expect(throws: ResolutionError.self) {
      try container.resolve(Middle.self, key: "red")
    }
    #expect(error?.code == .notRegistered)
    #expect(error?.path == ["Middle[\"red\"]", "String"])
  }

  @Test func aFactoryCannotInheritAKey() async throws {
    let faulty = Registration(Probe.self) { _ in Probe() }.key("red").inheritKey()
    let container = Container { faulty }
    let error = #expect(throws: ResolutionError.self) {
      try container.resolve(Probe.self, key: "red")
    }
    #expect(error?.description.contains("autowired") == true)
    await #expect(throws: ResolutionError.self) { try await container.register(faulty) }
  }

  /// Key inheritance does not hide the error of a faulty registration.
  @Test func keyInheritanceDoesNotHideAFaultyRegistration() throws {
    let strict = Container(configuration: .init(duplicates: .error)) {
      Self.names
      Registration(Middle.self) { _ in Middle("first", Probe()) }.key("red")
      Registration(autowired: Middle.self, initializer: Middle.init).key("red").inheritKey()
    }
    let duplicate = try resolutionError { try strict.resolve(Middle.self, key: "red") }
    #expect(duplicate.code == .duplicate)

    let ambiguous = Container {
      Registration(
        autowired: Middle.self, arguments: String.self, String.self, initializer: Middle.init
      ).key("red").inheritKey()
    }
    let error = try resolutionError { try ambiguous.resolve(Middle.self, key: "red", arguments: "a", "b") }
    #expect(error.code == .ambiguousArguments)
  }

  @Test func anInheritedKeyDoesNotHideAFaultyDependency() throws {
    let strict = Container(configuration: .init(duplicates: .error)) {
      Self.names
      Registration(Middle.self) { _ in Middle("first", Probe()) }
      Registration(autowired: Middle.self, initializer: Middle.init).inheritKey()
      Registration(autowired: Outer.self, initializer: Outer.init).key("red").inheritKey()
    }
    let duplicate = try resolutionError { try strict.resolve(Outer.self, key: "red") }
    #expect(duplicate.code == .duplicate)
  }
}
