import ActorDI
import Testing

/// A container drops the slots of removed registrations while callers build in them.
@Suite(.inTurn) struct DroppedSlotStressTests {
  @Test("Scoped services resolve while their registrations are replaced")
  func replacing() async throws {
    let run = StressRun("slots of replaced registrations", size: 1_000)
    try await withWatchdog("slots of replaced registrations") {
      let container = Container(name: "app") { Self.registration }
      let isOver = Flag()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask {
            while !isOver.isRaised {
              await expectNoError { _ = try await container.resolve(Service.self) }
              await Task.yield()
            }
          }
        }
        group.addTask {
          await Threads.run(1) { _ in while !isOver.isRaised { _ = try? container.resolve(Service.self) } }
        }
        for _ in 0..<run.size {
          await expectNoError { try await container.register { Self.registration } }
          await Task.yield()
        }
        isOver.raise()
      }
    }
  }

  private static var registration: Registration<Service> {
    Registration(Service.self, scope: .scoped) { _ in
      await Task.yield()
      return Service()
    }
  }
}

private final class Service: Sendable {}
