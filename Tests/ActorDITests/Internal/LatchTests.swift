import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("Latch", .timeLimit(.minutes(5)))
struct LatchTests {
  @Test func aWaitOnAnOpenLatchReturnsAtOnce() async {
    let latch = Latch()
    latch.open(with: false)
    #expect(await !latch.wait())
    #expect(await !latch.wait())
  }

  @Test func theFirstOpeningDeterminesTheOutcome() async {
    let latch = Latch()
    latch.open(with: false)
    latch.open(with: true)
    #expect(await !latch.wait())
  }

  @Test func openingResumesAllWaiters() async throws {
    let (latch, stage) = (Latch(), Stage())
    var waiters: [Task<Bool, any Error>] = []
    for _ in 0..<8 { waiters.append(await stage.start { _ in await latch.wait() }) }
    latch.open(with: false)
    for waiter in waiters { #expect(try await !waiter.value) }
  }

  @Test func cancellingATaskDoesNotEndItsWait() async throws {
    let (latch, stage) = (Latch(), Stage())
    let waiter = await stage.start { _ in await latch.wait() }
    waiter.cancel()
    latch.open(with: false)
    #expect(try await !waiter.value)
  }

  @Test func allWaitersThatRaceWithTheOpeningResume() async throws {
    for _ in 0..<200 {
      let latch = Latch()
      await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<4 { group.addTask { await latch.wait() } }
        group.addTask {
          latch.open(with: false)
          return false
        }
        for await outcome in group { #expect(!outcome) }
      }
    }
  }
}
