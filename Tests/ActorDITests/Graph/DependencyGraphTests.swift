import ActorDITestSupport
import Testing

@testable import ActorDI

/// The graph's edges as text, with the nodes' descriptions.
private func edges(_ graph: DependencyGraph) -> [String] {
  graph.edges.map { edge in
    let marks = (edge.isInCycle ? " cycle" : "") + (edge.isCaptive ? " captive" : "")
    return "\(graph.nodes[edge.from].identity) -> \(graph.nodes[edge.to].identity): \(edge.kind) \(edge.need)\(marks)"
  }
}

private func edges(_ container: Container) -> [String] { edges(container.dependencyGraph()) }

private func nodes(_ container: Container) -> [String] {
  container.dependencyGraph().nodes.map(\.description)
}

extension Array {
  fileprivate struct Nested: Sendable {}
}

@Suite("Dependency graph")
struct DependencyGraphTests {
  @Test func anEmptyContainerHasAnEmptyGraph() {
    let graph = Container(name: "empty").dependencyGraph()
    #expect(graph.containers == ["empty"])
    #expect(graph.nodes.isEmpty && graph.edges.isEmpty)
  }

  @Test func nodesListRegistrationsInOrderThenMissingServices() throws {
    let line: UInt32 = #line + 2
    let container = Container(name: "app") {
      Registration(autowired: Beta.self, scope: .shared, initializer: Beta.init)
      Registration(Gamma.self, scope: .singleton) { _ in throw Boom() }.key("k").eager()
      Registration(Setting.self) { (_, number: Int, _: String) in Setting(number: number) }
      Registration(Root.self, scope: .singleton) { _ async in Root() }.timeToLive(.seconds(5)).dependsOn()
      Registration(Alpha.self, scope: .transient) { _ in Alpha() }.eager().key(1)
    }
    #expect(
      nodes(container) == [
        "Beta, shared", "Gamma[\"k\"], singleton, eager, opaque", "Setting(Int, String), transient, opaque",
        "Root, singleton, time to live 5.0 seconds, async", "Alpha[Int(1)], faulty, transient, eager",
        "Alpha, not registered",
      ])
    let graph = container.dependencyGraph()
    #expect(graph.nodes.map(\.id) == Array(0..<6))
    #expect(graph.nodes.map(\.source?.line) == (0..<5).map { line + $0 } + [nil])
    #expect(graph.nodes.map(\.isMissing) == [false, false, false, false, false, true])
    #expect(graph.nodes.map(\.container) == [0, 0, 0, 0, 0, 0])
    #expect(graph.nodes[1].key as? String == "k")
    #expect(
      graph.nodes[2].arguments.map { ObjectIdentifier($0) } == [
        ObjectIdentifier(Int.self), ObjectIdentifier(String.self),
      ])
    #expect(ObjectIdentifier(graph.nodes[5].service) == ObjectIdentifier(Alpha.self))
    #expect(graph.nodes[3].scope == .singleton && graph.nodes[3].timeToLive == .seconds(5))
  }

  @Test func edgesHaveTheKindAndNeedOfEachDependency() async throws {
    final class Window: @unchecked Sendable {
      // `@unchecked Sendable` because the test makes no instance.
      var greeter: (any Greeter)?
    }
    let container = Container {
      Registration(autowired: Root.self) { (_: Alpha, _: Setting?, _: [any Greeter], _: Lazy<Beta>, _: Probe?) in Root()
      }
      Registration(Window.self) { _ in Window() }.inject(\Window.greeter).dependsOn(Alpha.self)
      Registration(Polite.self) { _ in Polite() }.implements((any Greeter).self) { $0 }
      Registration((any Greeter).self) { (_, _: Int) in Casual() }
      Registration(Alpha.self) { _ in Alpha() }
      Setting()
      Registration(autowired: Beta.self, initializer: Beta.init)
      Registration(autowired: Stem.self) { (_: Alpha) in Stem() }
      Registration(autowired: Stem.self) { (_: Alpha, _: Setting) in Stem() }.alternative()
      Registration(Leaf.self) { (_, _: Int) in Leaf() }
      Registration(Leaf.self) { (_, _: String) in Leaf() }
      Registration(Gamma.self) { _ in throw Boom() }.dependsOn(Leaf.self, Stem.self)
    }
    try await container.decorate(Alpha.self) { _, inner in inner }
    #expect(
      edges(container) == [
        "Root -> Alpha: parameter required", "Root -> Setting: parameter optional",
        "Root -> any Greeter: parameter element", "Root -> Beta: parameter later",
        "Window -> any Greeter: property optional", "Window -> Alpha: declared required",
        "any Greeter -> Polite: aliases required",
        "Alpha -> Alpha: decorates required",
        "Beta -> Alpha: parameter required",
        "Stem -> Stem: chooses required", "Stem -> Stem: chooses possible",
        "Stem -> Alpha: parameter required", "Stem -> Setting: parameter required",
        "Gamma -> Leaf(Int): declared possible", "Gamma -> Leaf(String): declared possible",
        "Gamma -> Stem: declared required",
      ])
    let graph = container.dependencyGraph()
    #expect(
      graph.nodes.map(\.kind.description) == [
        "registration", "registration", "registration", "alias", "registration", "decorator", "registration",
        "registration", "registration", "choice", "registration", "registration", "registration", "registration",
        "registration",
      ])
    // Choices appear in the order of registration; a decorator's edge leads to the decorated service.
    let choices = graph.edges.filter { $0.kind == .chooses }
    #expect(choices.map(\.to).map { graph.nodes[$0].source?.line }.count == 2)
    #expect(choices.map(\.need) == [.required, .possible])
    let decorated = try #require(graph.edges.first { $0.kind == .decorates })
    #expect(graph.nodes[decorated.from].kind == .decorator && graph.nodes[decorated.to].kind == .registration)
    #expect(graph.nodes[decorated.to].isOpaque && !graph.nodes[decorated.from].isOpaque)
  }

  @Test func nodesOfAParentAreInItsOrderOfRegistration() {
    let parent = Container {
      Registration(Polite.self, scope: .singleton) { _ in Polite() }.implements((any Greeter).self) { $0 }
      Registration(Setting.self, scope: .singleton) { _ in Setting() }
    }
    let child = Container(parent: parent) {
      Registration(Root.self) { _ in Root() }.dependsOn(Setting.self, (any Greeter).self)
    }
    #expect(child.dependencyGraph().nodes.map(\.identity.description) == ["Root", "Polite", "any Greeter", "Setting"])
  }

  @Test func aMissingServiceHasOneNodePerContainerAsked() {
    let parent = Container(name: "parent") {
      Registration(autowired: Beta.self, scope: .singleton, initializer: Beta.init)
    }
    let child = Container(name: "child", parent: parent) {
      Registration(autowired: Gamma.self, initializer: Gamma.init)
      Registration(autowired: Root.self) { (_: Provider<Owned<Alpha>>, _: Setting) in Root() }
      Registration(Stem.self) { _ in Stem() }.dependsOn(Alpha.self)
    }
    let graph = child.dependencyGraph()
    #expect(graph.containers == ["child", "parent"])
    #expect(
      graph.nodes.map { "\($0.container) \($0)" }.suffix(4) == [
        "1 Beta, singleton", "0 Alpha, not registered", "0 Setting, not registered", "1 Alpha, not registered",
      ])
    #expect(
      edges(graph) == [
        "Gamma -> Beta: parameter required", "Gamma -> Alpha: parameter required",
        "Root -> Alpha: parameter later", "Root -> Setting: parameter required",
        "Stem -> Alpha: declared required", "Beta -> Alpha: parameter required",
      ])
    #expect(Set(graph.edges.filter { graph.nodes[$0.to].isMissing }.map(\.to)).count == 3)
  }

  @Test func aRegistrationHasOneNodeForAllContainersThatBuildIt() {
    let parent = Container(name: "parent") {
      Registration(autowired: Beta.self, initializer: Beta.init)
      Registration(autowired: Root.self, scope: .singleton) { (_: Beta) in Root() }
      Registration(Alpha.self) { _ in Alpha() }
    }
    let child = Container(name: "child", parent: parent) {
      Registration(autowired: Leaf.self) { (_: Beta, _: Root) in Leaf() }
      Registration(Alpha.self) { _ in Alpha() }
    }
    let graph = child.dependencyGraph()
    #expect(
      graph.nodes.map { "\(graph.containers[$0.container]) \($0.identity)" } == [
        "child Leaf", "child Alpha", "parent Beta", "parent Root", "parent Alpha",
      ])
    #expect(graph.edges.filter { $0.from == 2 }.map(\.to) == [1, 4])
  }

  @Test func edgesMarkCyclesAndCaptives() {
    let container = Container {
      Registration.node(0, takes: 1, 3, scope: .singleton)
      Registration.node(1, takes: 2)
      Registration.node(2, scope: .managed(by: ManagedScope("s")))
      Registration.node(3, takes: 4, 1)
      Registration.node(4, takes: 3, 4)
      Registration(autowired: Root.self) { (_: Lazy<Leaf>) in Root() }
      Registration(autowired: Leaf.self) { (_: Root) in Leaf() }
    }
    #expect(
      edges(container) == [
        "Int[Int(0)] -> Int[Int(1)]: declared required captive", "Int[Int(0)] -> Int[Int(3)]: declared required",
        "Int[Int(1)] -> Int[Int(2)]: declared required captive",
        "Int[Int(3)] -> Int[Int(4)]: declared required cycle", "Int[Int(3)] -> Int[Int(1)]: declared required",
        "Int[Int(4)] -> Int[Int(3)]: declared required cycle", "Int[Int(4)] -> Int[Int(4)]: declared required cycle",
        "Root -> Leaf: parameter later", "Leaf -> Root: parameter required",
      ])
  }

  @Test func makingAndRenderingAGraphRunsNoFactory() async throws {
    let runs = Counter()
    let container = Container {
      Registration(autowired: Beta.self, scope: .singleton) { (alpha: Alpha) in
        runs.increment()
        return Beta(alpha: alpha)
      }.onCreated { _, _ in runs.increment() }
      Registration(Alpha.self) { _ async in
        runs.increment()
        return Alpha()
      }
    }
    try await container.decorate(Alpha.self) { _, inner in
      runs.increment()
      return inner
    }
    let graph = container.dependencyGraph()
    #expect(graph.nodes.count == 3 && !graph.dot.isEmpty && !graph.mermaid.isEmpty && !graph.json.isEmpty)
    #expect(runs.count == 0)
  }

  @Test func aGraphDoesNotFollowLaterChanges() async throws {
    let container = Container { Registration(autowired: Beta.self, initializer: Beta.init) }
    let before = container.dependencyGraph()
    #expect(before == container.dependencyGraph())
    try await container.register(Alpha.self) { _ in Alpha() }
    let after = container.dependencyGraph()
    #expect(before != after)
    #expect(before.nodes.map(\.isMissing) == [false, true] && after.nodes.map(\.isMissing) == [false, false])
  }
}

@Suite("Implementations in a dependency graph")
struct GraphImplementationTests {
  @Test func theGraphIsThatOfTheContainerWithoutOverrides() async throws {
    let container = Container {
      Registration(Alpha.self) { _ in Alpha() }.dependsOn()
      Registration(autowired: Beta.self, initializer: Beta.init)
    }
    let graph = container.dependencyGraph()
    #expect(edges(graph) == ["Beta -> Alpha: parameter required"])
    try await container.withOverrides {
      Registration(autowired: Alpha.self) { (_: Root) in Alpha() }
    } operation: { () async throws in
      #expect(container.dependencyGraph() == graph)
    }
  }

  @Test func anExplicitRegistrationOfARelationshipIsRequired() {
    let container = Container {
      Registration([Setting].self) { _ in [] }.dependsOn()
      Registration(Lazy<Alpha>.self) { r in try r.resolve(Lazy<Alpha>.self, key: "other") }.dependsOn()
      Registration(autowired: Root.self) { (_: [Setting], _: Lazy<Alpha>) in Root() }
    }
    #expect(
      edges(container) == [
        "Root -> [Setting]: parameter required", "Root -> Lazy<Alpha>: parameter required",
      ])
  }

  @Test func anUnchosenAlternativeShowsItsDecorators() {
    let container = Container {
      Registration(autowired: Stem.self) { (_: Alpha) in Stem() }
      Registration(autowired: Stem.self) { (_: Alpha, _: Setting) in Stem() }.decorated { _, inner in inner }
        .alternative()
      Registration(Alpha.self) { _ in Alpha() }
    }
    #expect(
      edges(container) == [
        "Stem -> Stem: chooses required", "Stem -> Stem: chooses possible", "Stem -> Stem: decorates required",
        "Stem -> Alpha: parameter required",
      ])
    #expect(
      container.dependencyGraph().nodes.map(\.kind) == [
        .choice, .registration, .decorator, .registration, .registration,
      ])
  }

  @Test func aTypeInAnExtensionIsOfTheExtensionsModule() {
    let container = Container {
      Registration([Int].Nested.self) { _ in [Int].Nested() }
      Registration(instance: 1)
    }
    #expect(container.dependencyGraph().nodes.map(\.module) == ["ActorDIGraphTests", "Swift"])
  }

  @Test func aliasesAndInstancesTellTheTypeThatIsMade() async throws {
    let casual: any Greeter = Casual()
    let container = Container {
      Registration(Polite.self, scope: .singleton) { _ in Polite() }.implements((any Greeter).self) { $0 }
      Registration((any Greeter).self, instance: casual).key("instance")
      Registration((any Greeter).self, scope: .singleton) { _ in Casual() }.key("factory")
      Registration(instance: 1)
    }
    let graph = container.dependencyGraph()
    #expect(graph.nodes.map { $0.implementation.map { "\($0)" } } == [nil, "Polite", "Casual", nil, nil])
    #expect(graph.nodes[1].description == "any Greeter, alias, singleton: Polite")
    _ = try await container.resolve((any Greeter).self, key: "factory")
    #expect(container.dependencyGraph() == graph, "the graph does not depend on what has been built")
  }
}

@Suite("The part of a graph around a service")
struct GraphAroundTests {
  /// 0 → 1 → 2 → 3 → 4, and 9 → 2.
  private let graph = Container {
    for number in 0..<4 { Registration.node(number, takes: number + 1) }
    Registration.node(4)
    Registration.node(9, takes: 2)
  }.dependencyGraph()

  private func keys(_ graph: DependencyGraph) -> [Int] { graph.nodes.compactMap { $0.key as? Int } }

  @Test func includesDependenciesAndDependentsUpToADepth() {
    let type = Int.self
    #expect(keys(graph.around(type, key: 2)) == [1, 2, 3, 9])
    #expect(keys(graph.around(type, key: 2, depth: 0)) == [2])
    #expect(keys(graph.around(type, key: 2, depth: -1)) == [2])
    #expect(keys(graph.around(type, key: 2, depth: .max)) == [0, 1, 2, 3, 4, 9])
    #expect(keys(graph.around(type, key: 3, depth: 2)) == [1, 2, 3, 4, 9])
    // 9 shares only a dependency with 1.
    #expect(keys(graph.around(type, key: 1, depth: .max)) == [0, 1, 2, 3, 4])
  }

  @Test func numbersTheNodesAnew() throws {
    let part = graph.around(Int.self, key: 2)
    #expect(part.nodes.map(\.id) == [0, 1, 2, 3])
    #expect(edges(part) == edges(graph).filter { !$0.contains("[Int(0)]") && !$0.contains("[Int(4)]") })
    #expect(part.edges.allSatisfy { part.nodes.indices.contains($0.from) && part.nodes.indices.contains($0.to) })
    #expect(part.around(part.nodes[1].service, key: part.nodes[1].key) == part)
  }

  @Test func anUnknownServiceHasAnEmptyPart() {
    #expect(graph.around(String.self).nodes.isEmpty)
    #expect(graph.around(Int.self).nodes.isEmpty, "the services have keys")
    #expect(graph.around(Int.self, key: "2").nodes.isEmpty)
    #expect(graph.around(Int.self, key: 77, depth: .max).edges.isEmpty)
  }

  @Test func aCycleEnds() {
    let ring = Container {
      for number in 0..<5 { Registration.node(number, takes: (number + 1) % 5) }
    }.dependencyGraph()
    #expect(keys(ring.around(Int.self, key: 0, depth: 1)) == [0, 1, 4])
    #expect(ring.around(Int.self, key: 0, depth: .max) == ring)
  }
}
