import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("Cycles of asynchronous factories", .timeLimit(.minutes(5)))
struct AsynchronousCycleTests {
  @Test(arguments: allScopes)
  func aServiceThatNeedsItselfIsACycle(scope: Scope) async throws {
    let container = Container {
      Registration(Root.self, scope: scope) { r in Root(try await r.resolve(Root.self)) }
      Setting(number: 1)
    }
    for _ in 0..<3 {
      let error = try await asyncResolutionError { try await container.resolve(Root.self) }
      #expect((error.code, error.path) == (.cycle, ["Root", "Root"]))
    }
    #expect(try await container.resolve(Setting.self).number == 1)
  }

  @Test(arguments: allScopes, allScopes)
  func theErrorNamesTheCyclesThreeServices(scope: Scope, other: Scope) async throws {
    let container = Container {
      Registration(Root.self, scope: scope) { r in Root(try await r.resolve(Stem.self)) }
      Registration(Stem.self, scope: other) { r in Stem(try await r.resolve(Leaf.self)) }
      Registration(Leaf.self, scope: scope) { r in Leaf(try await r.resolve(Root.self)) }
      Setting(number: 1)
    }
    let error = try await asyncResolutionError { try await container.resolve(Root.self) }
    #expect((error.code, error.path) == (.cycle, ["Root", "Stem", "Leaf", "Root"]))
    #expect(
      error.description.hasPrefix("Dependency cycle detected: Root -> Stem -> Leaf -> Root"))
    #expect(try await container.resolve(Setting.self).number == 1)
  }

  @Test(arguments: allScopes, allScopes)
  func aCycleWithASynchronousServiceThrows(scope: Scope, other: Scope) async throws {
    // An asynchronous service may depend on the synchronous one, but not the other way round. So this is neither a cycle nor a deadlock.
    let container = Container {
      Registration(Root.self, scope: scope) { r in Root(try await r.resolve(Leaf.self)) }
      Registration(Leaf.self, scope: other) { r in Leaf(try r.resolve(Root.self)) }
      Setting(number: 1)
    }
    let error = try await asyncResolutionError { try await container.resolve(Root.self) }
    #expect([.cycle, .asyncRequired].contains(error.code))
    #expect(error.path == ["Root", "Leaf", "Root"])
    #expect(try await container.resolve(Setting.self).number == 1)
  }

  @Test(arguments: allScopes)
  func aCycleThroughACapturedContainerIsDetected(scope: Scope) async throws {
    let shelf = Shelf<Container?>(nil)
    let container = Container {
      Registration(Root.self, scope: scope) { _ in
        Root(try await #require(shelf.value).resolve(Leaf.self))
      }
      Registration(Leaf.self, scope: scope) { _ in
        Leaf(try await #require(shelf.value).resolve(Root.self))
      }
    }
    shelf.value = container
    let error = try await asyncResolutionError { try await container.resolve(Root.self) }
    #expect((error.code, error.path) == (.cycle, ["Root", "Leaf", "Root"]))
    shelf.value = nil
  }

  @Test(arguments: allScopes)
  func aCycleThroughAChildTaskIsDetected(scope: Scope) async throws {
    let container = Container {
      Registration(Root.self, scope: scope) { r in
        let leaf = try await withThrowingTaskGroup(of: Leaf.self) { group in
          group.addTask { try await r.resolve(Leaf.self) }
          return try await group.next()
        }
        return Root(leaf)
      }
      Registration(Leaf.self, scope: scope) { r in
        async let root = r.resolve(Root.self)
        return Leaf(try await root)
      }
    }
    let error = try await asyncResolutionError { try await container.resolve(Root.self) }
    #expect((error.code, error.path) == (.cycle, ["Root", "Leaf", "Root"]))
  }

  @Test(arguments: allScopes)
  func aFactoryCanCatchTheCycleError(scope: Scope) async throws {
    let builds = Counter()
    let container = Container {
      Registration(Root.self, scope: scope) { r in
        builds.increment()
        return Root(try await r.resolve(Leaf.self))
      }
      Registration(Leaf.self, scope: scope) { r in
        builds.increment()
        return Leaf(try? await r.resolve(Root.self))
      }
    }
    let root = try await container.resolve(Root.self)
    #expect(try #require(root.next as? Leaf).next == nil)
    #expect(builds.count == 2)
  }

  @Test func anIndependentTaskCanWaitForTheBuildThatStartedIt() async throws {
    let (stage, shelf) = (Stage(), Shelf<Task<Root, any Error>?>(nil))
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in
        let container = r.container
        shelf.value = await stage.start { _ in try await container.resolve(Root.self) }
        return Root()
      }
    }
    let root = try await container.resolve(Root.self)
    #expect(try await shelf.value?.value === root)
  }

  @Test func aTaskWithInheritedTaskLocalsCanWaitForTheBuildThatStartedIt() async throws {
    let shelf = Shelf<Task<Root, any Error>?>(nil)
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in
        let container = r.container
        shelf.value = Task { try await container.resolve(Root.self) }
        for _ in 0..<10 { await Task.yield() }
        return Root()
      }
    }
    let root = try await container.resolve(Root.self)
    #expect(try await shelf.value?.value === root)
  }

  @Test func aStoredResolverCanResolveItsServiceAgain() async throws {
    let shelf = Shelf<Resolver?>(nil)
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in
        shelf.value = r
        await Task.yield()
        return Root(try await r.resolve(Leaf.self))
      }
      Registration(Leaf.self) { _ in Leaf() }
    }
    let root = try await container.resolve(Root.self)
    let resolver = try #require(shelf.value)
    #expect(try await resolver.resolve(Root.self) === root)
    await container.reset()
    #expect(try await resolver.resolve(Root.self) !== root)
    shelf.value = nil
  }
}

/// Frames identify bindings by address.
struct FrameLifetimeTests {
  // Regression test: a kept build outlives the cancelled caller that started it. A later registration could get the address of
  // that caller's freed binding, and its first resolve was mistaken for a cycle.
  @Test func anEndedFactorysBindingIsNotUnderConstruction() throws {
    let container = Container { Registration(Probe.self) { _ in Probe() } }
    let binding = try #require(container.ownBindings(of: Probe.self).first)
    let outer = ResolutionFrame(of: binding, in: container)
    let other = try #require(
      Container { Registration(Alpha.self) { _ in Alpha() } }.ownBindings(of: Alpha.self).first)
    let inner = ResolutionFrame(of: other, in: container, parent: outer)
    #expect(Chain(inner).contains(binding.id))
    outer.finish()
    #expect(!Chain(inner).contains(binding.id))
    #expect(Chain(inner).contains(other.id))
  }
}
