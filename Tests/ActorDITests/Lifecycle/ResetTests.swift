import ActorDITestSupport
import Testing

@testable import ActorDI

extension Scope {
  fileprivate static let visit = Scope.managed(by: ManagedScope("visit"))
}

extension ServiceKey where Service == Probe {
  fileprivate static var visit: Self { .init("visit") }
  fileprivate static var k: Self { .init("k") }
}

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

  @Test(arguments: [Scope.singleton, .scoped, .shared])
  func aResetDropsTheInstancesOfSavedRegistrations(scope: Scope) async throws {
    let container = Container { Registration(Probe.self, scope: scope) { _ in Probe("old") } }
    let old = try await container.resolve(Probe.self)
    await container.push()
    try await container.register(Registration(Probe.self, scope: scope) { _ in Probe("new") })
    await container.reset()
    #expect(await container.pop())
    let restored = try await container.resolve(Probe.self)
    #expect(restored.name == "old" && restored !== old)
  }

  @Test func resetDropsAllInstances() async throws {
    let container = Self.container()
    let old = try await instances(container)
    #expect(try await isFresh(container, old) == [false, false, false, false])
    await container.reset()
    #expect(try await isFresh(container, old) == [true, true, true, true])
    #expect(container.registrationCount == 5)
  }

  @Test func resetOfAScopeDropsItsInstances() async throws {
    let container = Self.container()
    let old = try await instances(container)
    await container.reset(.shared)
    #expect(try await isFresh(container, old) == [false, false, true, false])
    let held = try await instances(container)
    await container.reset(.singleton)
    #expect(try await isFresh(container, held) == [true, true, false, true])
  }

  @Test func resetOfAServiceDropsItsInstances() async throws {
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

  @Test func aScopeWinsOverATokenOfTheSameName() async throws {
    let container = Container {
      Registration(Probe.self, scope: .visit) { _ in Probe() }
      Registration(.visit, scope: .singleton) { _ in Probe() }
    }
    let (kept, keyed) = try await (container.resolve(Probe.self), container.resolve(ServiceKey.visit))
    await container.reset(.visit)
    #expect(try await container.resolve(Probe.self) !== kept)
    #expect(try await container.resolve(ServiceKey.visit) === keyed)
    await container.reset(ServiceKey.visit)
    #expect(try await container.resolve(ServiceKey.visit) !== keyed)
  }

  @Test func resetOfATokenDropsItsInstances() async throws {
    let container = Self.container()
    let old = try await instances(container)
    await container.reset(.k)
    #expect(try await isFresh(container, old) == [false, true, false, false])
  }

  @Test func resetReachesAllDescendants() async throws {
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

  @Test func aServiceKeepsItsDependencyAfterTheDependencysReset() async throws {
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

  @Test func aResetUnderOverridesDisposesOfTheirInstancesFirst() async throws {
    let journal = Journal<String>()
    let container = Container {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }.dependsOn()
      Registration(autowired: Probe.self, scope: .singleton) { Probe() }.key(1).onDispose { _ in journal.note("own") }
      Registration(Probe.self, scope: .singleton) { r in
        _ = try r.resolve(Alpha.self)
        return try Probe(r.resolve(Probe.self, key: 1).name)
      }
      .onDispose { _ in journal.note("made from it") }
      Registration(autowired: Stem.self, scope: .singleton) { Stem() }.onDispose { _ in journal.note("stem") }
    }
    _ = try await container.resolve(Stem.self)
    try await container.withOverrides {
      Registration(Alpha.self, scope: .singleton) { _ in Alpha() }
    } operation: { () async throws in
      _ = try await container.resolve(Probe.self)
      await container.reset()
      #expect(journal.entries == ["made from it", "own", "stem"])
    }
  }
}
