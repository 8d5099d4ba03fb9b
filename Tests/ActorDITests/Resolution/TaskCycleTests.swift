import ActorDITestSupport
import Testing

@testable import ActorDI

/// A point that a number of factories must reach before any of them continues.
private struct Meeting: Sendable {
  private let arrived = Counter()
  let size: Int

  func wait() async {
    arrived.increment()
    await arrived.wait(for: size)
  }
}

@Suite("Cycles across tasks", .timeLimit(.minutes(5)))
struct TaskCycleTests {
  private static let rounds = [["Root", "Leaf", "Root"], ["Leaf", "Root", "Leaf"]]

  @Test func bothTasksOfACycleGetAnError() async throws {
    let meeting = Meeting(size: 2)
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in
        await meeting.wait()
        return Root(try await r.resolve(Leaf.self))
      }
      Registration(Leaf.self, scope: .singleton) { r in
        await meeting.wait()
        return Leaf(try await r.resolve(Root.self))
      }
    }
    let root = Task { try await container.resolve(Root.self) }
    let leaf = Task { try await container.resolve(Leaf.self) }
    for error in [
      try await asyncResolutionError { try await root.value },
      try await asyncResolutionError { try await leaf.value },
    ] {
      #expect(error.code == .cycle)
      #expect(Self.rounds.contains(error.path), "\(error.path)")
    }
    // Only one task resolves now, so this is a cycle within one chain.
    let error = try await asyncResolutionError { try await container.resolve(Root.self) }
    #expect(error.path == ["Root", "Leaf", "Root"])
  }

  @Test func theErrorNamesTheServicesOfAllThreeTasks() async throws {
    let meeting = Meeting(size: 3)
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in
        await meeting.wait()
        return Root(try await r.resolve(Stem.self))
      }
      Registration(Stem.self, scope: .shared) { r in
        await meeting.wait()
        return Stem(try await r.resolve(Leaf.self))
      }
      Registration(Leaf.self, scope: .singleton) { r in
        await meeting.wait()
        return Leaf(try await r.resolve(Root.self))
      }
    }
    let root = Task { try await container.resolve(Root.self) }
    let stem = Task { try await container.resolve(Stem.self) }
    let leaf = Task { try await container.resolve(Leaf.self) }
    for error in [
      try await asyncResolutionError { try await root.value },
      try await asyncResolutionError { try await stem.value },
      try await asyncResolutionError { try await leaf.value },
    ] {
      #expect(error.code == .cycle)
      #expect(error.path.count == 4 && error.path.first == error.path.last)
      #expect(Set(error.path) == ["Root", "Stem", "Leaf"])
      let order = ["Root": "Stem", "Stem": "Leaf", "Leaf": "Root"]
      #expect(zip(error.path, error.path.dropFirst()).allSatisfy { order[$0] == $1 })
    }
  }

  @Test func aCycleOfTwoChildTasksInOneGraphThrows() async throws {
    let meeting = Meeting(size: 2)
    let container = Container {
      Registration(Root.self, scope: .graph) { r in
        await meeting.wait()
        return Root(try await r.resolve(Leaf.self))
      }
      Registration(Leaf.self, scope: .graph) { r in
        await meeting.wait()
        return Leaf(try await r.resolve(Root.self))
      }
      Registration(Stem.self) { r in
        async let root = r.resolve(Root.self)
        async let leaf = r.resolve(Leaf.self)
        return Stem([try await root, try await leaf] as [any Sendable])
      }
    }
    let error = try await asyncResolutionError { try await container.resolve(Stem.self) }
    #expect(error.code == .cycle)
    #expect(error.path.first == "Stem" && Self.rounds.contains(Array(error.path.dropFirst())), "\(error.path)")
  }

  @Test func theErrorNamesTransientServicesOfTheCycle() async throws {
    let meeting = Meeting(size: 2)
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in
        await meeting.wait()
        return Root(try await r.resolve(Stem.self))
      }
      Registration(Stem.self) { r in Stem(try await r.resolve(Leaf.self)) }
      Registration(Leaf.self, scope: .singleton) { r in
        await meeting.wait()
        return Leaf(try await r.resolve(Root.self))
      }
    }
    let root = Task { try await container.resolve(Root.self) }
    let leaf = Task { try await container.resolve(Leaf.self) }
    for error in [
      try await asyncResolutionError { try await root.value },
      try await asyncResolutionError { try await leaf.value },
    ] {
      #expect(error.code == .cycle)
      #expect(
        [["Root", "Stem", "Leaf", "Root"], ["Leaf", "Root", "Stem", "Leaf"]].contains(error.path),
        "\(error.path)")
    }
  }

  @Test func aFactoryOfOneTaskCanCatchTheCycleError() async throws {
    let meeting = Meeting(size: 2)
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in
        await meeting.wait()
        return Root(try? await r.resolve(Leaf.self))
      }
      Registration(Leaf.self, scope: .singleton) { r in
        await meeting.wait()
        return Leaf(try? await r.resolve(Root.self))
      }
    }
    async let root = container.resolve(Root.self)
    async let leaf = container.resolve(Leaf.self)
    let (theRoot, theLeaf) = try await (root, leaf)
    // One of the two got an error; the other one got its instance.
    #expect((theRoot.next == nil) != (theLeaf.next == nil))
    #expect(try await container.resolve(Root.self) === theRoot)
    #expect(try await container.resolve(Leaf.self) === theLeaf)
  }

  @Test func waitingForTwoBuildsInOppositeOrderIsNoCycle() async throws {
    // Both wait for the same two builds, in opposite order. Neither build waits for the other.
    let (gate, stage) = (Gate(), Stage())
    let container = Container {
      Registration(Root.self, scope: .singleton) { _ in
        await gate.wait()
        return Root()
      }
      Registration(Leaf.self, scope: .singleton) { _ in
        await gate.wait()
        return Leaf()
      }
    }
    let one = await stage.start { _ in
      _ = try await container.resolve(Root.self)
      _ = try await container.resolve(Leaf.self)
    }
    let other = await stage.start { _ in
      _ = try await container.resolve(Leaf.self)
      _ = try await container.resolve(Root.self)
    }
    gate.open()
    try await one.value
    try await other.value
    #expect(container.resolveIfReady(Root.self) != nil)
  }

  @Test func aDiamondAcrossTasksIsNoCycle() async throws {
    let (gate, stage) = (Gate(), Stage())
    let container = Container {
      Registration(Leaf.self, scope: .singleton) { _ in
        await gate.wait()
        return Leaf()
      }
      Registration(Stem.self, scope: .singleton) { r in Stem(try await r.resolve(Leaf.self)) }
      Registration(Root.self, scope: .singleton) { r in
        async let stem = r.resolve(Stem.self)
        async let leaf = r.resolve(Leaf.self)
        let theStem = try await stem
        return Root(theStem.next as? Leaf === (try await leaf) ? theStem : nil)
      }
    }
    let root = await stage.start { _ in try await container.resolve(Root.self) }
    gate.open()
    #expect(try await root.value.next is Stem)
  }
}
