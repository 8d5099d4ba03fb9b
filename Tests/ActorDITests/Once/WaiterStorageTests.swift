import ActorDITestSupport
import Testing

@testable import ActorDI

/// A cell lives as long as its registration, but needs a list of waiters only during a build.
@Suite("A cell's list of waiters", .timeLimit(.minutes(5)))
struct WaiterStorageTests {
  @Test func aCellWithoutWaitersHasNoWaiterStorage() async throws {
    let gate = Gate()
    let counter = Counter()
    let container = Container {
      Registration(Probe.self, scope: .singleton) { _ in
        counter.increment()
        await gate.wait()
        return Probe()
      }
    }
    let stage = Stage()
    let tasks = await [
      stage.start { _ in try await container.resolve(Probe.self) },
      stage.start { _ in try await container.resolve(Probe.self) },
      stage.start { _ in try await container.resolve(Probe.self) },
    ]
    let binding = try #require(container.ownBinding(of: ServiceIdentity(Probe.self)))
    let cell = try #require(binding.existingCell)
    #expect(cell.state.withLock { $0.waiters.count } == 3)
    // One waiter leaves before the end, the others at the end.
    tasks[1].cancel()
    await #expect(throws: CancellationError.self) { try await tasks[1].value }
    gate.open()
    #expect(try await tasks[0].value === tasks[2].value)
    #expect(cell.state.withLock { $0.waiters.capacity } == 0)
    #expect(counter.count == 1)
  }
}
