import ActorDITestSupport
import Testing

@testable import ActorDI

/// Two services that refer to each other.
private final class Parent: @unchecked Sendable {
  // `@unchecked Sendable` because only a hook sets it, before the instance is visible elsewhere.
  var child: Child?
}
private final class Child: @unchecked Sendable {
  weak var parent: Parent?
}

@Suite("Cycles through hooks", .timeLimit(.minutes(5)))
struct HookCycleTests {
  @Test(arguments: [Scope.graph, .shared, .singleton, .automatic])
  func aHookResolvesTheInstanceUnderConstruction(scope: Scope) throws {
    let builds = Counter()
    let container = Container {
      Registration(Parent.self, scope: scope) { _ in
        builds.increment()
        return Parent()
      }
      .onCreated { parent, r in parent.child = try r.resolve() }
      Registration(Child.self, scope: scope) { _ in
        builds.increment()
        return Child()
      }
      .onCreated { child, r in child.parent = try r.resolve() }
    }
    let parent = try container.resolve(Parent.self)
    #expect(parent.child?.parent === parent)
    #expect(builds.count == 2)
  }

  @Test(arguments: [Scope.graph, .shared, .singleton, .automatic])
  func anAsynchronousHookResolvesTheInstanceUnderConstruction(scope: Scope) async throws {
    let builds = Counter()
    let container = Container {
      Registration(Parent.self, scope: scope) { _ in
        await Task.yield()
        builds.increment()
        return Parent()
      }
      .onCreated { (parent: Parent, r: Resolver) async throws in
        let child = try await r.resolve(Child.self)
        parent.child = child
      }
      Registration(Child.self, scope: scope) { _ in
        await Task.yield()
        builds.increment()
        return Child()
      }
      .onCreated { (child: Child, r: Resolver) async throws in
        let parent = try await r.resolve(Parent.self)
        child.parent = parent
      }
    }
    let parent = try await container.resolve(Parent.self)
    #expect(parent.child?.parent === parent)
    #expect(builds.count == 2)
  }

  @Test func aHookThatNeedsAServiceBeforeItsCreationIsACycle() async throws {
    let synchronous = Container {
      Registration(Root.self, scope: .singleton) { r in Root(try r.resolve(Leaf.self)) }
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }
        .onCreated { _, r in _ = try r.resolve(Root.self) }
    }
    let asynchronous = Container {
      Registration(Root.self, scope: .singleton) { r in Root(try await r.resolve(Leaf.self)) }
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }
        .onCreated { (_: Leaf, r: Resolver) async throws in _ = try await r.resolve(Root.self) }
    }
    let transient = Container {
      Registration(Root.self) { _ in Root() }
        .onCreated { _, r in _ = try r.resolve(Leaf.self) }
      Registration(Leaf.self) { _ in Leaf() }
        .onCreated { _, r in _ = try r.resolve(Root.self) }
    }
    let asynchronousTransient = Container {
      Registration(Root.self) { _ in Root() }
        .onCreated { (_: Root, r: Resolver) async throws in _ = try await r.resolve(Leaf.self) }
      Registration(Leaf.self) { _ in Leaf() }
        .onCreated { (_: Leaf, r: Resolver) async throws in _ = try await r.resolve(Root.self) }
    }
    for (name, error) in [
      ("synchronous", try sync { try resolutionError { try synchronous.resolve(Root.self) } }),
      ("asynchronous", try await asyncResolutionError { try await asynchronous.resolve(Root.self) }),
      ("transient", try sync { try resolutionError { try transient.resolve(Root.self) } }),
      ("asynchronous transient", try await asyncResolutionError { try await asynchronousTransient.resolve(Root.self) }),
    ] {
      #expect(error.code == .cycle && error.path == ["Root", "Leaf", "Root"], "\(name)")
    }
  }

  @Test func aHookCanCatchTheCycleError() throws {
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in Root(try r.resolve(Leaf.self)) }
      Registration(Leaf.self, scope: .singleton) { _ in Leaf() }
        .onCreated { _, r in
          #expect(throws: ResolutionError.self) { try r.resolve(Root.self) }
        }
    }
    let root = try container.resolve(Root.self)
    #expect(try container.resolve(Leaf.self) === root.next as? Leaf)
  }

  @Test func otherCallersGetTheInstanceAfterItsHooks() async throws {
    let (begun, gate, stage) = (Gate(), Gate(), Stage())
    let container = Container {
      Registration(Parent.self, scope: .singleton) { _ in Parent() }
        .onCreated { (parent: Parent, _: Resolver) async throws in
          begun.open()
          await gate.wait()
          parent.child = Child()
        }
    }
    let first = await stage.start { _ in try await container.resolve(Parent.self) }
    try await begun.passed()
    #expect(container.resolveIfReady(Parent.self) == nil)
    let second = await stage.start { _ in try await container.resolve(Parent.self).child != nil }
    gate.open()
    #expect(try await second.value)
    #expect(try await first.value.child != nil)
  }

  @Test func hooksOfTwoTasksResolveEachOthersInstances() async throws {
    // Each hook waits until the other service's hook has begun.
    let gates = ["parent": Gate(), "child": Gate()]
    let container = Container {
      Registration(Parent.self, scope: .singleton) { _ in Parent() }
        .onCreated { (parent: Parent, r: Resolver) async throws in
          gates["parent"]?.open()
          await gates["child"]?.wait()
          let child = try await r.resolve(Child.self)
          parent.child = child
        }
      Registration(Child.self, scope: .singleton) { _ in Child() }
        .onCreated { (child: Child, r: Resolver) async throws in
          gates["child"]?.open()
          await gates["parent"]?.wait()
          let parent = try await r.resolve(Parent.self)
          child.parent = parent
        }
    }
    async let parent = container.resolve(Parent.self)
    async let child = container.resolve(Child.self)
    let (theParent, theChild) = try await (parent, child)
    #expect(theParent.child === theChild)
    #expect(theChild.parent === theParent)
  }
}
