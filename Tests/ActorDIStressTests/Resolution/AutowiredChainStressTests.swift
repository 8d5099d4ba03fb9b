import ActorDI
import Testing

/// Autowired services over one that suspends: how an initialiser's dependencies are had must not
/// matter to an asynchronous caller, whatever else is being built (CONTRACT §2, §5.5).
@Suite(.inTurn) struct AutowiredChainStressTests {
  @Test("A chain over a suspending service is built once, resolved at all levels at the same time")
  func chain() async throws {
    let run = StressRun("autowired chain", size: 300)
    try await withWatchdog("an autowired chain") {
      for _ in 0..<run.size {
        let container = Container {
          Registration(Leaf.self, scope: .singleton) { _ in
            await Task.yield()
            return Leaf()
          }
          Registration(autowired: Branch.self, scope: .singleton, initializer: Branch.init)
          Registration(autowired: Tree.self, scope: .singleton, initializer: Tree.init)
          Registration(autowired: Wood.self, scope: .singleton, initializer: Wood.init)
        }
        await withTaskGroup(of: Void.self) { group in
          for caller in 0..<16 {
            group.addTask {
              await expectNoError {
                switch caller % 4 {
                case 0: _ = try await container.resolve(Leaf.self)
                case 1: _ = try await container.resolve(Branch.self)
                case 2: _ = try await container.resolve(Tree.self)
                default: _ = try await container.resolve(Wood.self)
                }
              }
            }
          }
        }
        let wood = try container.resolveNow(Wood.self)
        #expect(wood.tree === (try container.resolveNow(Tree.self)))
        #expect(wood.tree.branch === (try container.resolveNow(Branch.self)))
        #expect(wood.tree.branch.leaf === (try container.resolveNow(Leaf.self)))
      }
    }
  }

  @Test("A dependency that becomes suspending, or ceases to, is no error for asynchronous callers")
  func changingDependency() async throws {
    let run = StressRun("autowired over a changing dependency", size: 1500)
    try await withWatchdog("autowiring over a changing dependency") {
      let container = Container {
        Registration(Leaf.self) { _ in Leaf() }
        Registration(autowired: Branch.self, initializer: Branch.init)
        Registration(autowired: Tree.self, scope: .shared, initializer: Tree.init)
      }
      var readers = Readers()
      readers.tasks(2) {
        return { await expectNoError { _ = try await container.resolve(Branch.self) } }
      }
      readers.tasks(2) {
        return { await expectNoError { _ = try await container.resolve(Tree.self) } }
      }
      try await readers.run { pace in
        for round in 0..<run.size {
          if round.isMultiple(of: 2) {
            try await container.register(Leaf.self) { _ in
              await Task.yield()
              return Leaf()
            }
          } else {
            try await container.register(Leaf.self) { _ in Leaf() }
          }
          await pace()
        }
      }
    }
  }

  @Test("An asynchronous caller waits for a dependency that another task is finishing")
  func unfinishedDependency() async throws {
    try await withWatchdog("an autowired service over an unfinished one") {
      let reached = Gate()
      let goOn = Gate()
      let container = Container {
        Registration(Leaf.self) { _ in
          reached.open()
          await goOn.wait()
          return Leaf()
        }
        Registration(autowired: Branch.self, scope: .singleton, initializer: Branch.init)
        Registration(autowired: Tree.self, scope: .singleton, initializer: Tree.init)
      }
      let first = Task { try await container.resolve(Branch.self) }
      await reached.wait()
      // From now on nothing that the tree needs suspends, but the branch is still being built by
      // one that does.
      try await container.register(Leaf.self) { _ in Leaf() }
      let second = Task {
        await expectNoError { _ = try await container.resolve(Tree.self) }
      }
      // The branch goes on when the tree has had the time to ask for it.
      for _ in 0..<1000 { await Task.yield() }
      goOn.open()
      let branch = try await first.value
      await second.value
      let tree = try container.resolveNow(Tree.self)
      #expect(tree.branch === branch)
    }
  }
}

private final class Leaf: Sendable {}

private final class Branch: Sendable {
  let leaf: Leaf
  init(leaf: Leaf) { self.leaf = leaf }
}

private final class Tree: Sendable {
  let branch: Branch
  init(branch: Branch) { self.branch = branch }
}

private final class Wood: Sendable {
  let tree: Tree
  init(tree: Tree) { self.tree = tree }
}
