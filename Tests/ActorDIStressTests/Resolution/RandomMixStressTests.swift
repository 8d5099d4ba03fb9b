import ActorDI
import Testing

/// Random operations at once. They cause expected errors only, and leave no instance alive.
@Suite(.inTurn) struct RandomMixStressTests {
  @Test("Random operations cause expected errors only, and all instances are freed")
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
        // No operation resets the anchors, so each has one identity.
        #expect(world.anchors.count == 3)
        await world.container.reset()
        try await world.anchor()
        #expect(world.anchors.count == 6)
      }
      // The world and its containers are freed, and so are their instances.
      try await expectAllReleased(census)
      #expect(census.made > 0)
    }
  }
}
