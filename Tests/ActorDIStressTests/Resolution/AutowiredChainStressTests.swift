import ActorDI
import Testing

/// Autowired services with an asynchronous dependency. An asynchronous caller resolves them during any other build.
@Suite(.inTurn) struct AutowiredChainStressTests {
  @Test("Concurrent resolves of all levels build an autowired chain once")
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

  @Test("An asynchronous caller resolves while a dependency becomes asynchronous or synchronous")
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

  @Test("An asynchronous caller waits for a dependency that another task builds")
  func unfinishedDependency() async throws {
    try await withWatchdog("an autowired service over an unfinished one") {
      let reached = Gate()
      let resume = Gate()
      let container = Container {
        Registration(Leaf.self) { _ in
          reached.open()
          await resume.wait()
          return Leaf()
        }
        Registration(autowired: Branch.self, scope: .singleton, initializer: Branch.init)
        Registration(autowired: Tree.self, scope: .singleton, initializer: Tree.init)
      }
      let first = Task { try await container.resolve(Branch.self) }
      await reached.wait()
      // All new builds are synchronous now, but an asynchronous one still builds the branch.
      try await container.register(Leaf.self) { _ in Leaf() }
      let second = Task {
        await expectNoError { _ = try await container.resolve(Tree.self) }
      }
      // The branch continues after the tree's build has had time to wait for it.
      for _ in 0..<1000 { await Task.yield() }
      resume.open()
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
