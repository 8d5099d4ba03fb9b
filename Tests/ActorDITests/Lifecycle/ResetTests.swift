import Testing

@testable import ActorDI

/// Dropping kept instances.
@Suite("Reset", .timeLimit(.minutes(5)))
struct ResetTests {
  private static func container(_ parent: Container? = nil) -> Container {
    Container(parent: parent) {
      Registration(Probe.self, scope: .singleton) { _ in Probe() }
      Registration(Probe.self, scope: .singleton) { _ in Probe() }.key("k")
      Registration(Probe.self, scope: .shared) { _ in Probe() }.key("shared")
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
      Registration(Probe.self, scope: .singleton) { (_, name: String) in Probe(name) }
    }
  }

  private func isFresh(_ container: Container, _ old: [Probe]) async throws -> [Bool] {
    let new = try await instances(container)
    return zip(old, new).map { $0 !== $1 }
  }

  private func instances(_ container: Container) async throws -> [Probe] {
    try await [
      container.resolve(Probe.self), container.resolve(Probe.self, key: "k"),
      container.resolve(Probe.self, key: "shared"),
      container.resolve(Probe.self, arguments: "a"),
    ]
  }

  @Test func dropsAllInstances() async throws {
    let container = Self.container()
    let old = try await instances(container)
    #expect(try await isFresh(container, old) == [false, false, false, false])
    await container.reset()
    #expect(try await isFresh(container, old) == [true, true, true, true])
    #expect(container.registrationCount == 5)
  }

  @Test func dropsThoseOfOneScope() async throws {
    let container = Self.container()
    let old = try await instances(container)
    await container.reset(.shared)
    #expect(try await isFresh(container, old) == [false, false, true, false])
    let held = try await instances(container)
    await container.reset(.singleton)
    #expect(try await isFresh(container, held) == [true, true, false, true])
  }

  @Test func dropsThoseOfOneService() async throws {
    let container = Self.container()
    let old = try await instances(container)
    await container.reset(Probe.self, key: "k")
    #expect(try await isFresh(container, old) == [false, true, false, false])
    let held = try await instances(container)
    await container.reset(Probe.self)
    #expect(try await isFresh(container, held) == [true, false, false, true])
    await container.reset(Beta.self)
    await container.reset(Probe.self, key: "unknown")
  }

  @Test func reachesChildrenAndTheirs() async throws {
    let root = Self.container()
    let child = Self.container(root)
    let grandchild = Self.container(child)
    let old = try await [instances(root), instances(child), instances(grandchild)]
    await child.reset(.singleton)
    #expect(try await isFresh(root, old[0]) == [false, false, false, false])
    #expect(try await isFresh(child, old[1]) == [true, true, false, true])
    #expect(try await isFresh(grandchild, old[2]) == [true, true, false, true])
    let held = try await [instances(root), instances(child), instances(grandchild)]
    await root.reset()
    for (container, held) in zip([root, child, grandchild], held) {
      #expect(try await isFresh(container, held) == [true, true, true, true])
    }
  }

  @Test func whatWasBuiltFromADroppedInstanceKeepsIt() async throws {
    let container = Container {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
    }
    let beta = try await container.resolve(Beta.self)
    await container.reset(Alpha.self)
    let alpha = try await container.resolve(Alpha.self)
    #expect(beta.alpha !== alpha)
    #expect(try await container.resolve(Beta.self) === beta)
  }
}

/// Parents and children, and which registrations each of them sees.
@Suite("Families of containers", .timeLimit(.minutes(5)))
struct FamilyTests {
  private let parent = Container(name: "parent") {
    Registration(Probe.self, scope: .singleton) { _ in Probe("parent") }
    Registration(Root.self, scope: .singleton) { r in Root(try r.resolve(Probe.self)) }
    Registration(Stem.self) { r in Stem(try r.resolve(Probe.self)) }
    Registration(Leaf.self, scope: .singleton) { r in
      await Task.yield()
      return Leaf(try await r.resolve(Probe.self))
    }
  }

  @Test func unregisteringUncoversTheParents() async throws {
    let child = Container(parent: parent) { Registration(Probe.self) { _ in Probe("child") } }
    #expect(try await child.resolve(Probe.self).name == "child")
    #expect(await child.unregister(Probe.self))
    #expect(try await child.resolve(Probe.self).name == "parent")
    #expect(try await child.resolve(Probe.self) === parent.resolve(Probe.self))
    #expect(await !child.unregister(Probe.self), "A child cannot take its parent's away")
    #expect(parent.contains(Probe.self))
  }

  @Test func aParentsKeptInstanceNeverSeesAChildsRegistration() async throws {
    let child = Container(parent: parent) { Registration(Probe.self) { _ in Probe("child") } }
    #expect((try await child.resolve(Root.self).next as? Probe)?.name == "parent")
    #expect((try await child.resolve(Leaf.self).next as? Probe)?.name == "parent")
    #expect((try await child.resolve(Stem.self).next as? Probe)?.name == "child")
    #expect(try await child.resolve(Root.self) === parent.resolve(Root.self))
  }

  @Test func aLaterRegistrationOfTheParentIsSeen() async throws {
    let child = Container(parent: parent)
    let error = try await asyncResolutionError { try await child.resolve(Setting.self) }
    #expect(error.code == .notRegistered)
    try await parent.register(Setting.self) { _ in Setting(number: 6) }
    #expect(try await child.resolve(Setting.self).number == 6)
    #expect(try await child.resolve(Setting?.self)?.number == 6)
  }

  @Test func argumentsAndKeysFallBackToo() async throws {
    try await parent.register {
      Registration(Setting.self) { (_, number: Int) in Setting(number: number) }
      Registration(Setting.self, scope: .singleton) { _ in Setting(number: 9) }.key("k")
    }
    let child = Container(parent: parent) { Registration(Setting.self) { _ in Setting() } }
    #expect(try await child.resolve(Setting.self, arguments: 4).number == 4)
    #expect(try sync { try child.resolve(Setting.self, key: "k") }.number == 9)
    #expect(try await child.resolve(Setting.self, key: "k").number == 9)
  }

  @Test func aLongLineOfParents() async throws {
    var container = parent
    for generation in 1...50 { container = Container(name: "\(generation)", parent: container) }
    #expect(try await container.resolve(Probe.self) === parent.resolve(Probe.self))
    #expect(container.contains(Root.self))
  }
}
