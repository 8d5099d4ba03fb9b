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

private struct Family: Sendable {
  let members: [Probe]
}
