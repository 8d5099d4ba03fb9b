import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("Cycles of synchronous factories", .timeLimit(.minutes(5)))
struct SynchronousCycleTests {
  @Test(arguments: allScopes)
  func aServiceThatNeedsItselfIsACycle(scope: Scope) throws {
    let container = Container {
      Registration(Root.self, scope: scope) { r in Root(try r.resolve(Root.self)) }
      Setting(number: 1)
    }
    for _ in 0..<3 {
      let error = try resolutionError { try container.resolve(Root.self) }
      #expect((error.code, error.path) == (.cycle, ["Root", "Root"]))
      #expect(error.description.hasPrefix("Dependency cycle detected: Root -> Root"))
    }
    #expect(try container.resolve(Setting.self).number == 1)
  }

  @Test(arguments: allScopes, allScopes)
  func theErrorNamesTheCyclesThreeServices(scope: Scope, other: Scope) throws {
    let container = Container {
      Registration(Root.self, scope: scope) { r in Root(try r.resolve(Stem.self)) }
      Registration(Stem.self, scope: other) { r in Stem(try r.resolve(Leaf.self)) }
      Registration(Leaf.self, scope: scope) { r in Leaf(try r.resolve(Root.self)) }
      Setting(number: 1)
    }
    var error = try resolutionError { try container.resolve(Root.self) }
    #expect(error.code == .cycle)
    #expect(error.service == Root.self)
    #expect(error.path == ["Root", "Stem", "Leaf", "Root"])
    error = try resolutionError { try container.resolve(Stem.self) }
    #expect(error.path == ["Stem", "Leaf", "Root", "Stem"])
    #expect(try container.resolve(Setting.self).number == 1)
  }

  @Test(arguments: allScopes)
  func theErrorSeparatesTheCycleFromThePathToIt(scope: Scope) throws {
    let container = Container {
      Registration(Root.self) { r in Root(try r.resolve(Stem.self)) }
      Registration(Stem.self, scope: scope) { r in Stem(try r.resolve(Leaf.self)) }
      Registration(Leaf.self, scope: scope) { r in Leaf(try r.resolve(Stem.self)) }
    }
    let error = try resolutionError { try container.resolve(Root.self) }
    #expect(error.service == Stem.self)
    #expect(error.path == ["Root", "Stem", "Leaf", "Stem"])
    #expect(error.description.hasPrefix("Dependency cycle detected: Stem -> Leaf -> Stem\n"))
    #expect(error.description.contains("Resolution path: Root -> Stem -> Leaf -> Stem\n"))
  }

  @Test(arguments: allScopes)
  func aCycleThroughACapturedContainerIsDetected(scope: Scope) throws {
    let shelf = Shelf<Container?>(nil)
    let container = Container {
      Registration(Root.self, scope: scope) { _ in
        Root(try #require(shelf.value).resolve(Leaf.self))
      }
      Registration(Leaf.self, scope: scope) { _ in
        Leaf(try #require(shelf.value).resolve(Root.self))
      }
      Setting(number: 1)
    }
    shelf.value = container
    let error = try resolutionError { try container.resolve(Root.self) }
    #expect((error.code, error.path) == (.cycle, ["Root", "Leaf", "Root"]))
    #expect(try container.resolve(Setting.self).number == 1)
    shelf.value = nil
  }

  @Test(arguments: allScopes)
  func theErrorNamesKeysAndProtocols(scope: Scope) throws {
    let container = Container {
      Registration((any Greeter).self, scope: scope) { r in
        ValueGreeter(words: try r.resolve(String.self, key: "words"))
      }
      Registration(String.self, scope: scope) { r in try r.resolve((any Greeter).self).greet() }
        .key("words")
    }
    let error = try resolutionError { try container.resolve((any Greeter).self) }
    #expect(error.path == ["any Greeter", "String[\"words\"]", "any Greeter"])
  }

  @Test(arguments: allScopes)
  func aFactoryCanCatchTheCycleError(scope: Scope) throws {
    let builds = Counter()
    let container = Container {
      Registration(Root.self, scope: scope) { r in
        builds.increment()
        return Root(try r.resolve(Leaf.self))
      }
      Registration(Leaf.self, scope: scope) { r in
        builds.increment()
        return Leaf(try? r.resolve(Root.self))
      }
    }
    let root = try container.resolve(Root.self)
    let leaf = try #require(root.next as? Leaf)
    #expect(leaf.next == nil)
    #expect(builds.count == 2)
  }

  @Test func differentKeysOrContainersAreNoCycle() throws {
    let parent = Container { Registration(Probe.self) { _ in Probe("parent") } }
    let child = Container(name: "child", parent: parent) {
      Registration(Probe.self, scope: .singleton) { _ in try parent.resolve(Probe.self) }
      Registration(Probe.self, scope: .singleton) { r in try r.resolve(Probe.self) }.key("other")
    }
    #expect(try child.resolve(Probe.self, key: "other").name == "parent")
  }

  @Test(arguments: [Scope.transient, .graph, .shared, .singleton])
  func aCycleOfInitialisersIsDetected(scope: Scope) throws {
    let container = Container {
      Registration(autowired: Root.self, scope: scope) { (leaf: Leaf) in Root(leaf) }
      Registration(autowired: Leaf.self, scope: scope) { (root: Root) in Leaf(root) }
    }
    let error = try resolutionError { try container.resolve(Root.self) }
    #expect((error.code, error.path) == (.cycle, ["Root", "Leaf", "Root"]))
  }

  // A regression: a transient service was a cycle if a scope's registration led to a singleton that takes the same service, but with the
  // registrations of its own container.
  @Test(
    arguments: [Scope.transient, .graph],
    [Scope.singleton, .shared, .scoped("app"), .managed(by: ManagedScope("period"))])
  func theServiceOfAnotherContainerIsNoCycle(scope: Scope, kept: Scope) async throws {
    let app = Container(name: "app") {
      Registration(Alpha.self, scope: scope) { _ in Alpha() }
      Registration(Beta.self, scope: scope) { r in Beta(alpha: try r.resolve()) }
      Registration(Probe.self, scope: kept) { r in Probe("\(ObjectIdentifier(try r.resolve(Beta.self).alpha))") }
    }
    func resolve(_ ask: @Sendable (Container) async throws -> Beta) async throws {
      try await app.withScope {
        Registration(Alpha.self, scope: scope) { r in
          _ = try r.resolve(Probe.self)
          return Alpha()
        }
      } operation: {
        _ = try await ask($0)
      }
      await app.reset()
    }
    try await resolve { scope in try { try scope.resolve(Beta.self) }() }
    try await resolve { scope in try await scope.resolve(Beta.self) }
  }
}
