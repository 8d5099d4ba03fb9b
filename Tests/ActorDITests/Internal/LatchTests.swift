import Testing

@testable import ActorDI

@Suite("Latch", .timeLimit(.minutes(5)))
struct LatchTests {
  @Test func aWaitOnAnOpenLatchReturnsAtOnce() async {
    let latch = Latch<Int>()
    latch.open(with: 1)
    #expect(await latch.wait() == 1)
    #expect(await latch.wait() == 1)
  }

  @Test func theFirstOpeningDeterminesTheOutcome() async {
    let latch = Latch<Int>()
    latch.open(with: 1)
    latch.open(with: 2)
    #expect(await latch.wait() == 1)
  }

  @Test func openingResumesAllWaiters() async throws {
    let (latch, stage) = (Latch<Int>(), Stage())
    var waiters: [Task<Int, any Error>] = []
    for _ in 0..<8 { waiters.append(await stage.start { _ in await latch.wait() }) }
    await stage.settle()
    latch.open(with: 7)
    for waiter in waiters { #expect(try await waiter.value == 7) }
  }

  @Test func cancellingATaskDoesNotEndItsWait() async throws {
    let (latch, stage) = (Latch<Int>(), Stage())
    let waiter = await stage.start { _ in await latch.wait() }
    await stage.settle()
    waiter.cancel()
    latch.open(with: 3)
    #expect(try await waiter.value == 3)
  }

  @Test func allWaitersThatRaceWithTheOpeningResume() async throws {
    for _ in 0..<200 {
      let latch = Latch<Int>()
      await withTaskGroup(of: Int.self) { group in
        for _ in 0..<4 { group.addTask { await latch.wait() } }
        group.addTask {
          latch.open(with: 1)
          return 1
        }
        for await outcome in group { #expect(outcome == 1) }
      }
    }
  }
}
