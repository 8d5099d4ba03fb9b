import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("Parents and children")
struct ParentChildTests {
  private static func parent(_ scope: Scope) -> Container {
    Container(name: "parent") {
      Registration(String.self) { _ in "parent's" }
      Registration(Probe.self, scope: scope) { r in Probe(try r.resolve()) }
    }
  }

  @Test(arguments: [Scope.singleton, .shared, .automatic])
  func aKeptInstanceUsesItsOwnersRegistrations(scope: Scope) throws {
    let parent = Self.parent(scope)
    let child = Container(name: "child", parent: parent) {
      Registration(String.self) { _ in "child's" }
    }
    let probe = try child.resolve(Probe.self)
    #expect(probe.name == "parent's")
    #expect(try parent.resolve(Probe.self) === probe)
    #expect(try child.resolve(String.self) == "child's")
  }

  @Test(arguments: [Scope.singleton, .shared, .automatic])
  func aKeptInstanceOfAnAsynchronousFactoryUsesItsOwnersRegistrations(scope: Scope) async throws {
    let parent = Container(name: "parent") {
      Registration(String.self) { _ in "parent's" }
      Registration(Probe.self, scope: scope) { r in Probe(try await r.resolve()) }
      Registration(autowired: Leaf.self, scope: scope) { (probe: Probe, name: String) in
        Leaf(probe.name + name)
      }
    }
    let child = Container(name: "child", parent: parent) {
      Registration(String.self) { _ in "child's" }
    }
    let probe = try await child.resolve(Probe.self)
    #expect(probe.name == "parent's")
    #expect(try await parent.resolve(Probe.self) === probe)
    #expect(try await child.resolve(Leaf.self).next as? String == "parent'sparent's")
  }

  @Test(arguments: [Scope.transient, .graph])
  func anUnkeptInstanceUsesTheRegistrationsOfTheContainerAsked(scope: Scope) async throws {
    let parent = Self.parent(scope)
    let child = Container(name: "child", parent: parent) {
      Registration(String.self) { _ in "child's" }
    }
    #expect(try sync { try child.resolve(Probe.self) }.name == "child's")
    #expect(try sync { try parent.resolve(Probe.self) }.name == "parent's")
    #expect(try await child.resolve(Probe.self).name == "child's")
  }

  @Test func aHookUsesTheSameRegistrationsAsItsFactory() throws {
    let seen = Journal<String>()
    let parent = Container {
      Registration(String.self) { _ in "parent's" }
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
        .onCreated { _, r in seen.note(try r.resolve()) }
      Registration(Leaf.self) { _ in Leaf() }
        .onCreated { _, r in seen.note(try r.resolve()) }
    }
    let child = Container(parent: parent) { Registration(String.self) { _ in "child's" } }
    _ = try child.resolve(Probe.self)
    _ = try child.resolve(Leaf.self)
    #expect(seen.entries == ["parent's", "child's"])
  }

  @Test func aChildFindsItsAncestorsServices() async throws {
    let grandparent = Container(name: "grandparent") {
      Registration(Probe.self, scope: .singleton) { _ in Probe("grandparent") }
      Registration(Probe.self, scope: .singleton) { _ in Probe("keyed") }.key(1)
      Registration(Probe.self) { (_: Resolver, name: String) in Probe(name) }
    }
    let parent = Container(name: "parent", parent: grandparent)
    let child = Container(name: "child", parent: parent)
    #expect(try sync { try child.resolve(Probe.self) } === grandparent.resolveIfReady(Probe.self))
    #expect(try await child.resolve(Probe.self, key: 1).name == "keyed")
    #expect(try sync { try child.resolve(Probe.self, arguments: "given") }.name == "given")
    #expect(child.resolveIfReady(Probe.self)?.name == "grandparent")
    #expect(child.contains(Probe.self, key: 1))
    #expect(child.registrationCount == 0)
  }

  @Test func aChildsRegistrationHidesItsParents() throws {
    let parent = Container(name: "parent") {
      Registration(Probe.self, scope: .singleton) { _ in Probe("parent") }
    }
    let child = Container(name: "child", parent: parent) {
      Registration(Probe.self, scope: .singleton) { _ in Probe("child") }
    }
    let sibling = Container(name: "sibling", parent: parent)
    #expect(try child.resolve(Probe.self).name == "child")
    #expect(try parent.resolve(Probe.self).name == "parent")
    #expect(try sibling.resolve(Probe.self) === parent.resolve(Probe.self))
  }

  @Test func unregisteringInAChildUncoversTheParentsRegistration() async throws {
    let parent = Container { Registration(Probe.self, scope: .singleton) { _ in Probe("parent") } }
    let child = Container(parent: parent)
    #expect(try await child.resolve(Probe.self).name == "parent")
    try await child.register(Probe.self, scope: .singleton) { _ in Probe("child") }
    #expect(try await child.resolve(Probe.self).name == "child")
    #expect(await child.unregister(Probe.self))
    #expect(try await child.resolve(Probe.self).name == "parent")
    #expect(try await child.resolve(Probe.self) === parent.resolve(Probe.self))
    #expect(await child.unregister(Probe.self) == false, "A child cannot unregister its parent's service")
    #expect(parent.contains(Probe.self))
  }

  @Test func aChildFindsItsParentsKeysAndArgumentsBesideItsOwnService() async throws {
    let parent = Container {
      Registration(Setting.self) { (_, number: Int) in Setting(number: number) }
      Registration(Setting.self, scope: .singleton) { _ in Setting(number: 9) }.key("k")
    }
    let child = Container(parent: parent) { Registration(Setting.self) { _ in Setting() } }
    #expect(try await child.resolve(Setting.self, arguments: 4).number == 4)
    #expect(try sync { try child.resolve(Setting.self, key: "k") }.number == 9)
    #expect(try await child.resolve(Setting.self, key: "k").number == 9)
  }

  @Test func aChildFindsServicesThroughFiftyAncestors() async throws {
    let root = Container {
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
      Registration(Root.self, scope: .singleton) { r in Root(try r.resolve(Probe.self)) }
    }
    var container = root
    for generation in 1...50 { container = Container(name: "\(generation)", parent: container) }
    #expect(try await container.resolve(Probe.self) === root.resolve(Probe.self))
    #expect(container.contains(Root.self))
  }

  @Test func aFactoryCanResolveAHiddenServiceFromTheParent() throws {
    let parent = Container {
      Registration((any Greeter).self) { _ in ValueGreeter(words: "Hello") }
    }
    let child = Container(parent: parent) {
      Registration((any Greeter).self) { r in
        let hidden = try #require(r.container.parent).resolve((any Greeter).self)
        return ValueGreeter(words: hidden.greet() + "!")
      }
    }
    #expect(try child.resolve((any Greeter).self).greet() == "Hello!")
  }
}
