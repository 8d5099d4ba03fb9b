import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("Cycles across threads", .timeLimit(.minutes(5)))
struct ThreadCycleTests {
  private static let rounds = [["Root", "Leaf", "Root"], ["Leaf", "Root", "Leaf"]]

  @Test func bothThreadsOfACycleGetAnError() async throws {
    let gates = [Gate(), Gate()]
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in
        gates[0].open()
        gates[1].block()
        return Root(try r.resolve(Leaf.self))
      }
      Registration(Leaf.self, scope: .singleton) { r in
        gates[1].open()
        gates[0].block()
        return Leaf(try r.resolve(Root.self))
      }
    }
    let root = Task { try await onThread { try container.resolve(Root.self) } }
    let leaf = Task { try await onThread { try container.resolve(Leaf.self) } }
    for error in [
      try await asyncResolutionError { try await root.value },
      try await asyncResolutionError { try await leaf.value },
    ] {
      #expect(error.code == .cycle)
      #expect(Self.rounds.contains(error.path), "\(error.path)")
    }
    let error = try sync { try resolutionError { try container.resolve(Leaf.self) } }
    #expect(error.path == ["Leaf", "Root", "Leaf"])
  }

  @Test func aFactoryOfOneThreadCanCatchTheCycleError() async throws {
    let gates = [Gate(), Gate()]
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in
        gates[0].open()
        gates[1].block()
        return Root(try? r.resolve(Leaf.self))
      }
      Registration(Leaf.self, scope: .singleton) { r in
        gates[1].open()
        gates[0].block()
        return Leaf(try? r.resolve(Root.self))
      }
    }
    async let root = onThread { try container.resolve(Root.self) }
    async let leaf = onThread { try container.resolve(Leaf.self) }
    let (theRoot, theLeaf) = try await (root, leaf)
    #expect((theRoot.next == nil) != (theLeaf.next == nil))
  }

  @Test func aTaskAndAThreadOfACycleBothGetAnError() async throws {
    // The thread cannot wait for the task's build, but the task can wait for the thread's.
    let gates = [Gate(), Gate()]
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in
        gates[0].open()
        await gates[1].wait()
        return Root(try await r.resolve(Leaf.self))
      }
      Registration(Leaf.self, scope: .singleton) { r in
        gates[1].open()
        gates[0].block()
        return Leaf(try r.resolve(Root.self))
      }
    }
    let root = Task { try await container.resolve(Root.self) }
    let leaf = Task { try await onThread { try container.resolve(Leaf.self) } }
    for error in [
      try await asyncResolutionError { try await root.value },
      try await asyncResolutionError { try await leaf.value },
    ] {
      #expect([.cycle, .asyncRequired].contains(error.code))
    }
  }
}
