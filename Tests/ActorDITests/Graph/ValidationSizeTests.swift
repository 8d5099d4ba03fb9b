import ActorDITestSupport
import ActorDITesting
import Testing

@testable import ActorDI

@Suite("Validation of large containers", .timeLimit(.minutes(5)))
struct ValidationSizeTests {
  @Test func validatesAChainOfTenThousandServices() {
    let container = Container {
      for number in 0..<10_000 { Registration.node(number, takes: number + 1) }
    }
    #expect(findings(container) == ["missingDependency: Int[Int(9999)] -> Int[Int(10000)]"])
  }

  @Test func validatesARingOfTenThousandServicesWithACaptive() {
    let container = Container {
      Registration.node(0, takes: 1, scope: .singleton)
      for number in 1..<9_999 { Registration.node(number, takes: number + 1) }
      Registration.node(9_999, takes: 0, scope: .managed(by: ManagedScope()))
    }
    let found = problems(of: container)
    #expect(found.map(\.kind) == [.cycle, .captiveDependency])
    #expect(found.map(\.path.count) == [10_001, 10_000])
  }

  @Test func validatesLayersWithExponentiallyManyPaths() {
    // There are 2^100 paths from the first to the last node.
    let container = Container {
      Registration.node(-1, takes: 0, 1, scope: .singleton)
      for layer in 0..<100 {
        Registration.node(layer * 2, takes: layer * 2 + 2, layer * 2 + 3)
        Registration.node(layer * 2 + 1, takes: layer * 2 + 2, layer * 2 + 3)
      }
      Registration.node(200, takes: 202)
      Registration.node(201, scope: .managed(by: ManagedScope()))
    }
    let found = problems(of: container)
    #expect(found.map(\.kind) == [.captiveDependency, .missingDependency])
    #expect(found.first?.path.count == 102)
  }

  @Test func validatesManyDifferentLifetimes() {
    let container = Container {
      Registration.node(-1, takes: 0, scope: .singleton)
      for number in 0..<400 {
        Registration.node(number, takes: number + 1, scope: .shared).timeToLive(.seconds(number + 1))
      }
      Registration.node(400)
    }
    let found = problems(of: container)
    #expect(found.count == 400)
    #expect(found.map(\.path.count) == Array(2...401))
  }

  @Test func listsThousandsOfProblems() {
    let container = Container {
      for number in 0..<2_000 { Registration.node(number, takes: number, -number - 1) }
    }
    let found = problems(of: container)
    #expect(found.count == 4_000)
    #expect(found.prefix(4).map(\.kind) == [.missingDependency, .cycle, .missingDependency, .cycle])
    #expect(found.prefix(4).map(\.path.first) == ["Int[Int(0)]", "Int[Int(0)]", "Int[Int(1)]", "Int[Int(1)]"])
  }

  @Test func validatesWhileTheRegistryChanges() async throws {
    let parent = Container { Registration.node(500) }
    let container = Container(parent: parent) {
      for number in 0..<500 { Registration.node(number, takes: number + 1) }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for container in [container, parent] {
        group.addTask {
          for round in 0..<300 {
            try await container.register(Registration.node(round % 500, takes: (round * 7) % 500))
            if round % 3 == 0 { await container.unregister(Int.self, key: round % 500) }
            if round % 10 == 0 { try await container.decorate(Int.self, key: round) { _, inner in inner } }
            await container.push()
            await container.pop()
          }
        }
      }
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<40 { _ = findings(container) }
        }
      }
      try await group.waitForAll()
    }
    // The result is deterministic for any final state of the registrations.
    #expect(findings(container) == findings(container))
  }
}

@Suite("Cycles of a graph")
struct CyclesTests {
  @Test func cyclesCoverEveryEdgeOfACycle() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let count = Int.random(in: 1...8, using: &random)
      let successors = (0..<count).map { _ in
        (0..<count).filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
      }
      let cycles = Cycles.covering(successors, order: Array(0..<count))
      let component = Cycles.components(of: successors)
      let reach = (0..<count).map { reachable(from: $0, successors) }
      var covered: Set<[Int]> = []
      for cycle in cycles {
        #expect(Set(cycle).count == cycle.count, "no node twice")
        for (index, node) in cycle.enumerated() {
          let next = cycle[(index + 1) % cycle.count]
          #expect(successors[node].contains(next))
          covered.insert([node, next])
        }
      }
      for source in 0..<count {
        for target in 0..<count {
          let isTogether = source == target || reach[source].contains(target) && reach[target].contains(source)
          #expect((component[source] == component[target]) == isTogether)
          guard successors[source].contains(target) else { continue }
          #expect(covered.contains([source, target]) == (reach[target].contains(source) || source == target))
        }
      }
    }
  }

  /// The nodes that a node reaches in one or more steps.
  private func reachable(from start: Int, _ successors: [[Int]]) -> Set<Int> {
    var found: Set<Int> = []
    var pending = successors[start]
    while let node = pending.popLast() {
      if found.insert(node).inserted { pending += successors[node] }
    }
    return found
  }
}
