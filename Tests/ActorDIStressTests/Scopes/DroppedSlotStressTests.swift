import ActorDI
import Testing

/// A container drops the slots of registrations that are gone, also while others are about to build in them.
@Suite(.inTurn) struct DroppedSlotStressTests {
  @Test("Scoped services are resolved while their registrations are replaced")
  func replacing() async throws {
    let run = StressRun("slots of replaced registrations", size: 1_000)
    try await withWatchdog("slots of replaced registrations") {
      let container = Container(name: "app") { Self.registration }
      let isOver = Flag()
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 {
          group.addTask {
            while !isOver.isRaised {
              await expectNoError { _ = try await container.resolve(Tenant.self) }
              await Task.yield()
            }
          }
        }
        group.addTask {
          await Threads.run(1) { _ in while !isOver.isRaised { _ = try? container.resolve(Tenant.self) } }
        }
        for _ in 0..<run.size {
          await expectNoError { try await container.register { Self.registration } }
          await Task.yield()
        }
        isOver.raise()
      }
    }
  }

  private static var registration: Registration<Tenant> {
    Registration(Tenant.self, scope: .scoped) { _ in
      await Task.yield()
      return Tenant()
    }
  }
}

private final class Tenant: Sendable {}
