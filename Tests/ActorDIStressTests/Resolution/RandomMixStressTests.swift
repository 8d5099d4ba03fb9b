import ActorDI
import Testing

/// Everything at once, at random (CONTRACT §11): nothing but the errors that are due, and nothing
/// left at the end.
@Suite(.inTurn) struct RandomMixStressTests {
  @Test("Registering, resolving, resetting, cancelling in any order: due errors only, all released")
  func mix() async throws {
    let run = StressRun("random mix", size: 10)
    for phase in 0..<run.size {
      let census = Census()
      try await withWatchdog("a random mix") {
        let world = World(census)
        try await world.anchor()
        let done = Flag()
        await withTaskGroup(of: Void.self) { group in
          group.addTask {
            await Threads.run(2) { thread in
              var random = run.random(phase * 100 + thread)
              while !done.isRaised { world.resolveSynchronously(&random) }
            }
          }
          await withTaskGroup(of: Void.self) { tasks in
            for task in 0..<8 {
              tasks.addTask {
                var random = run.random(phase * 100 + 50 + task)
                for _ in 0..<300 { await world.step(&random) }
              }
            }
          }
          done.raise()
        }
        // No one has touched the anchors: each is what it was.
        #expect(world.anchors.count == 3)
        await world.container.reset()
        try await world.anchor()
        #expect(world.anchors.count == 6)
      }
      // World and container are gone, and so is all that they kept.
      try await expectAllReleased(census)
      #expect(census.made > 0)
    }
  }
}
