import ActorDI
import Testing

/// `.graph` instances: one for each call, across its tasks.
@Suite(.inTurn) struct GraphStressTests {
  @Test("A factory's child tasks share its call's graph instances with no other call")
  func childTasks() async throws {
    let run = StressRun("graph instances in child tasks", size: 100)
    let census = Census()
    try await withWatchdog("graph instances in child tasks") {
      let container = Container {
        Registration(Probe.self, scope: .graph) { _ in
          await Task.yield()
          return Probe(census)
        }
        Registration(Family.self) { r in
          try await withThrowingTaskGroup(of: Probe.self) { group in
            for _ in 0..<8 { group.addTask { try await r.resolve(Probe.self) } }
            var members: [Probe] = []
            for try await member in group { members.append(member) }
            return Family(members: members)
          }
        }
      }
      for _ in 0..<run.size {
        let seen = Sightings()
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<8 {
            group.addTask {
              let family = try await container.resolve(Family.self)
              let first = family.members[0]
              if family.members.contains(where: { $0 !== first }) {
                complain("one call has two instances")
              }
              seen.add(first)
            }
          }
          try await group.waitForAll()
        }
        #expect(seen.count == 8)
      }
    }
    try await expectAllReleased(census)
    #expect(census.made == run.size * 8)
  }
}

extension GraphStressTests {
  @Test("Threads that reach a call's graph by a lazy get the call's instance, during the call and afterwards")
  func lazies() async throws {
    let run = StressRun("graph instances by lazies", size: 200)
    let census = Census()
    try await withWatchdog("graph instances by lazies") {
      let container = Container {
        Registration(Probe.self, scope: .graph) { _ in Probe(census) }
        Registration(Shared.self) { r in try Shared(from: r) }
      }
      for _ in 0..<run.size {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for _ in 0..<4 {
            group.addTask {
              let shared = try await container.resolve(Shared.self)
              for other in shared.others where try await other.value !== shared.own {
                complain("one call has two instances")
              }
            }
          }
          try await group.waitForAll()
        }
      }
    }
    try await expectAllReleased(census)
    #expect(census.made == run.size * 4)
  }
}

private struct Shared: Sendable {
  let own: Probe
  let others: [Task<Probe, any Error>]

  init(from r: Resolver) throws {
    others = try (0..<4).map { _ in
      let lazy = try r.resolve(Lazy<Probe>.self)
      let resolve: @Sendable () throws -> Probe = { try lazy() }
      return Task.detached { try resolve() }
    }
    own = try r.resolve()
  }
}

private struct Family: Sendable {
  let members: [Probe]
}
