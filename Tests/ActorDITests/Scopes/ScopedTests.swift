import ActorDITestSupport
import Testing

@testable import ActorDI

/// `.scoped`: one instance for each container that is resolved from.
@Suite("Scoped services", .timeLimit(.minutes(5)))
struct ScopedTests {
  private static func parent() -> Container {
    Container(name: "app") {
      Registration(Probe.self, scope: .scoped) { r in Probe(r.container.name) }
      Registration(Leaf.self, scope: .scoped) { r in
        await Task.yield()
        return Leaf(try await r.resolve(Probe.self))
      }
    }
  }

  @Test func eachContainerHasItsOwnInstance() async throws {
    let parent = Self.parent()
    let (first, second) = (parent.makeChild(name: "first"), parent.makeChild(name: "second"))
    let probes = try sync {
      try (parent.resolve(Probe.self), first.resolve(Probe.self), second.resolve(Probe.self))
    }
    #expect([probes.0.name, probes.1.name, probes.2.name] == ["app", "first", "second"])
    for _ in 0..<4 {
      #expect(try await parent.resolve(Probe.self) === probes.0)
      #expect(try await first.resolve(Probe.self) === probes.1)
      #expect(try sync { try second.resolve(Probe.self) } === probes.2)
    }
    #expect(try await second.resolve(Leaf.self).next as? Probe === probes.2)
    #expect(try await second.resolve(Leaf.self) === sync { try second.resolve(Leaf.self) })
    #expect(try await parent.resolve(Leaf.self).next as? Probe === probes.0)
  }

  @Test func nestedScopesHaveTheirOwnInstances() async throws {
    let parent = Self.parent()
    try await parent.withScope("outer") { outer in
      let probe = try await outer.resolve(Probe.self)
      try await outer.withScope("inner") { inner in
        let nested = try await inner.resolve(Probe.self)
        #expect(nested !== probe && nested.name == "inner")
        #expect(try await outer.resolve(Probe.self) === probe)
      }
      #expect(try await outer.resolve(Probe.self) === probe)
      try await outer.withScope("inner") { inner in
        let nested = try await inner.resolve(Probe.self)
        #expect(nested !== probe)
      }
    }
  }

  @Test func aScopedInstanceUsesTheScopesRegistrations() async throws {
    let app = Container(name: "app") {
      Registration(autowired: Leaf.self, scope: .scoped) { (request: Setting) in Leaf(request) }
      Registration(Stem.self, scope: .scoped) { r in Stem(try await r.resolve(Setting.self)) }
        .onCreated { _, r in _ = try r.resolve(Setting.self) }
    }
    for number in 1...3 {
      try await app.withScope {
        Registration(instance: Setting(number: number))
      } operation: { scope in
        let leaf = try sync { try scope.resolve(Leaf.self) }
        #expect(leaf.next as? Setting == Setting(number: number))
        #expect(try await scope.resolve(Stem.self).next as? Setting == Setting(number: number))
      }
    }
    let error = try sync { try resolutionError { try app.resolve(Leaf.self) } }
    #expect(error.code == .notRegistered && error.path == ["Leaf", "Setting"])
  }

  /// A dependency that is synchronous in the owner of the registration and asynchronous in the scope, and the reverse.
  @Test func theScopesRegistrationsDetermineWhetherAResolveSuspends() async throws {
    let app = Container {
      Setting(number: 1)
      Registration(autowired: Leaf.self, scope: .scoped) { (setting: Setting) in Leaf(setting) }
    }
    try await app.withScope {
      Registration(Setting.self, scope: .singleton) { _ in
        await Task.yield()
        return Setting(number: 2)
      }
    } operation: { scope in
      let error = try sync { try resolutionError { try scope.resolve(Leaf.self) } }
      #expect(error.code == .asyncRequired && error.path == ["Leaf", "Setting"])
      #expect(try await scope.resolve(Leaf.self).next as? Setting == Setting(number: 2))
      #expect(try sync { try scope.resolve(Leaf.self) }.next as? Setting == Setting(number: 2))
    }
    #expect(try sync { try app.resolve(Leaf.self) }.next as? Setting == Setting(number: 1))
  }

  @Test func aParentsSingletonDoesNotUseTheScopesRegistrations() async throws {
    let app = Container {
      Setting(number: 1)
      Registration(autowired: Leaf.self, scope: .singleton) { (setting: Setting) in Leaf(setting) }
      Registration(autowired: Stem.self, scope: .scoped) { (leaf: Leaf) in Stem(leaf) }
    }
    try await app.withScope {
      Setting(number: 2)
    } operation: { scope in
      let stem = try await scope.resolve(Stem.self)
      #expect((stem.next as? Leaf)?.next as? Setting == Setting(number: 1))
    }
  }

  @Test func aResolveAfterAFailedBuildTriesAgain() async throws {
    let fails = Shelf(true)
    let app = Container {
      Registration(Probe.self, scope: .scoped) { _ in
        if fails.value { throw Boom() }
        return Probe()
      }
    }
    try await app.withScope { scope in
      #expect(throws: Boom()) { try sync { try scope.resolve(Probe.self) } }
      await #expect(throws: Boom()) { try await scope.resolve(Probe.self) }
      fails.value = false
      let probe = try await scope.resolve(Probe.self)
      #expect(try await scope.resolve(Probe.self) === probe)
    }
  }

  @Test func aCycleOfScopedServicesThrows() async throws {
    let app = Container {
      Registration(Root.self, scope: .scoped) { r in Root(try await r.resolve(Stem.self)) }
      Registration(Stem.self, scope: .scoped) { r in Stem(try await r.resolve(Root.self)) }
      Registration(Leaf.self, scope: .scoped) { r in Leaf(try r.container.resolve(Leaf.self)) }
    }
    try await app.withScope { scope in
      let error = try await asyncResolutionError { try await scope.resolve(Root.self) }
      #expect(error.code == .cycle && error.path == ["Root", "Stem", "Root"])
      let other = try sync { try resolutionError { try scope.resolve(Leaf.self) } }
      #expect(other.code == .cycle && other.path == ["Leaf", "Leaf"])
    }
  }

  @Test func aFactoryCanResolveItsOwnServiceFromTheParent() async throws {
    let app = Container(name: "app") {
      Registration(Root.self, scope: .scoped) { r in
        Root(try await r.container.parent?.resolve(Root.self))
      }
    }
    try await app.withScope("request") { scope in
      let root = try await scope.resolve(Root.self)
      let above = try await app.resolve(Root.self)
      #expect(root.next as? Root === above && above.next == nil)
    }
  }

  // MARK: Concurrency

  @Test func concurrentTasksBuildOneInstancePerScope() async throws {
    let (counter, gate) = (Counter(), Gate())
    let app = Container {
      Registration(Probe.self, scope: .scoped) { _ in
        counter.increment()
        await gate.wait()
        return Probe()
      }
    }
    let stage = Stage()
    try await app.withScope { first in
      try await app.withScope { second in
        var tasks: [Task<Probe, any Error>] = []
        for number in 0..<16 {
          tasks.append(
            await stage.start { _ in try await (number.isMultiple(of: 2) ? first : second).resolve(Probe.self) })
        }
        gate.open()
        var probes: [ObjectIdentifier] = []
        for task in tasks { probes.append(ObjectIdentifier(try await task.value)) }
        #expect(counter.count == 2 && Set(probes).count == 2)
        #expect(probes.enumerated().allSatisfy { $0.element == probes[$0.offset % 2] })
      }
    }
  }

  @Test func concurrentThreadsGetTheSameInstanceOfAScope() async throws {
    for _ in 0..<20 {
      let counter = Counter()
      let app = Container {
        Registration(Probe.self, scope: .scoped) { _ in
          counter.increment()
          return Probe()
        }
      }
      try await app.withScope { scope in
        let probes = try await withThrowingTaskGroup(of: Probe.self) { group in
          for _ in 0..<6 { group.addTask { try await onThread { try scope.resolve(Probe.self) } } }
          return try await group.reduce(into: Set()) { $0.insert(ObjectIdentifier($1)) }
        }
        #expect(probes.count == 1 && counter.count == 1)
      }
    }
  }
}
