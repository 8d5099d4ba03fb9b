import ActorDI
import ActorDITesting
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ManualClockTests {
  private let clock = ManualClock()

  @Test func aSleeperWakesAtItsDeadlineAndNotBefore() async throws {
    let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(10)) }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(10) - .nanoseconds(1))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .nanoseconds(1))
    #expect(clock.sleeperCount == 0)
    try await sleeper.value
    #expect(clock.now.elapsed == .seconds(10))
  }

  @Test func advancingWithoutSleepersSetsTheTime() async throws {
    let start = clock.now
    clock.advance(by: .seconds(5))
    clock.advance(by: .zero)
    #expect(start.duration(to: clock.now) == .seconds(5))
    // A later sleeper counts from the new time.
    let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    try await clock.waitForSleepers()
    clock.advance(by: .milliseconds(999))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .milliseconds(1))
    try await sleeper.value
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func aDeadlineThatHasComeDoesNotSuspend(duration: Duration) async throws {
    clock.advance(by: .seconds(10))
    try await clock.sleep(for: duration)
    try await clock.sleep(until: clock.now.advanced(by: duration), tolerance: .seconds(1))
    #expect(clock.sleeperCount == 0)
  }

  @Test func settingTheClockBackWakesNoSleeper() async throws {
    let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(-10))
    clock.advance(by: .seconds(10))
    #expect(clock.sleeperCount == 1)
    clock.advance(by: .seconds(1))
    try await sleeper.value
  }

  // MARK: Several sleepers

  @Test func sleepersOfOneDeadlineWakeTogether() async throws {
    let sleepers = (0..<3).map { _ in Task { [clock] in try await clock.sleep(for: .seconds(3)) } }
    try await clock.waitForSleepers(3)
    clock.advance(by: .seconds(3))
    #expect(clock.sleeperCount == 0)
    for sleeper in sleepers { try await sleeper.value }
  }

  @Test func anAdvanceWakesTheSleepersWhoseDeadlineItReaches() async throws {
    let sleepers = [3, 1, 4, 2].map { seconds in
      Task { [clock] in
        try await clock.sleep(for: .seconds(seconds))
        return clock.now.elapsed
      }
    }
    try await clock.waitForSleepers(4)
    clock.advance(by: .seconds(3))
    #expect(clock.sleeperCount == 1)
    // They run after the advance.
    for index in [0, 1, 3] { #expect(try await sleepers[index].value == .seconds(3)) }
    clock.advance(by: .seconds(1))
    #expect(try await sleepers[2].value == .seconds(4))
  }

  @Test func aLoopIsFollowedStepByStep() async throws {
    let ticks = ManualValue(0)
    let loop = Task { [clock] in
      while true {
        try await clock.sleep(for: .seconds(60))
        ticks.value += 1
      }
    }
    for minute in 0..<5 {
      try await clock.waitForSleepers()
      #expect(ticks.value == minute)
      clock.advance(by: .seconds(60))
    }
    loop.cancel()
    await #expect(throws: CancellationError.self) { try await loop.value }
  }

  // MARK: Cancellation

  @Test func aCancelledSleeperThrowsAndLeavesTheOthersAsleep() async throws {
    let cancelled = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    let sleeper = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    try await clock.waitForSleepers(2)
    cancelled.cancel()
    #expect(clock.sleeperCount == 1)
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    clock.advance(by: .seconds(1))
    try await sleeper.value
  }

  @Test(arguments: [Duration.seconds(1), .seconds(-1)])
  func aTaskThatIsCancelledBeforeItSleepsThrows(duration: Duration) async throws {
    let sleeper = Task { [clock] in
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
      try await clock.sleep(for: duration)
    }
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test func cancellingATaskThatIsAwakeChangesNothing() async throws {
    let sleeper = Task { [clock] in
      try await clock.sleep(for: .seconds(1))
      unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
    }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    try await sleeper.value
  }

  // MARK: Waiting for sleepers

  @Test func aTaskWaitsUntilEnoughOthersSleep() async throws {
    let waiter = Task { [clock] in
      try await clock.waitForSleepers(3)
      return clock.sleeperCount
    }
    let sleepers = (1...3).map { number in
      Task { [clock] in try await clock.sleep(for: .seconds(number)) }
    }
    #expect(try await waiter.value == 3)
    // The sleepers are there already.
    try await clock.waitForSleepers(2)
    clock.advance(by: .seconds(3))
    for sleeper in sleepers { try await sleeper.value }
  }

  @Test func aTaskThatWaitsForSleepersCanBeCancelled() async throws {
    let waiter = Task { [clock] in try await clock.waitForSleepers() }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    // The waiter is no sleeper, and has left the clock.
    #expect(clock.sleeperCount == 0)
    try await clock.waitForSleepers(0)
  }

  // MARK: Use

  @Test func theClockStandsInForAnyClock() async throws {
    let any: any Clock<Duration> = clock
    let sleeper = Task { try await any.sleep(for: .seconds(1)) }
    try await clock.waitForSleepers()
    clock.advance(by: .seconds(1))
    try await sleeper.value
    #expect(clock.minimumResolution == .nanoseconds(1))
  }

  @Test func eachOfManySleepersWakesOnce() async throws {
    let advancing = Task.detached { [clock] in
      while !Task.isCancelled {
        clock.advance(by: .seconds(1))
        await Task.yield()
      }
    }
    defer { advancing.cancel() }
    // Every third task is cancelled; it wakes or throws.
    let woken = await withTaskGroup(of: Int?.self) { group in
      for number in 0..<1_000 {
        group.addTask { [clock] in
          let sleeper = Task { try await clock.sleep(for: .seconds(number % 10)) }
          if number.isMultiple(of: 3) { sleeper.cancel() }
          return (try? await sleeper.value).map { number }
        }
      }
      return await group.reduce(into: Set<Int>()) { woken, number in
        if let number { woken.insert(number) }
      }
    }
    #expect(woken.isSuperset(of: (0..<1_000).filter { !$0.isMultiple(of: 3) }))
    #expect(clock.sleeperCount == 0)
  }
}
