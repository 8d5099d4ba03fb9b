import ActorDI
import Testing

/// Services whose builds end together are published together.
@Suite(.inTurn) struct JointPublicationTests {
  @Test("The services that a hook has built are published before the resolve returns")
  func publication() async throws {
    let run = StressRun("joint publication", size: 1_000)
    try await withWatchdog("joint publication") {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<4 {
          group.addTask {
            for _ in 0..<run.size {
              await expectNoError {
                let container = Container {
                  Registration(Head.self, scope: .singleton) { _ in
                    await Task.yield()
                    return Head()
                  }
                  .onCreated { _, r in _ = try r.resolve(Tail.self) }
                  Registration(Tail.self, scope: .singleton) { r in Tail(head: try r.resolve()) }
                }
                let head = try await container.resolve(Head.self)
                if try container.resolveNow(Tail.self).head !== head {
                  complain("the service refers to another instance")
                }
              }
            }
          }
        }
      }
    }
  }
}

private final class Head: Sendable {}

private final class Tail: Sendable {
  let head: Head
  init(head: Head) { self.head = head }
}
