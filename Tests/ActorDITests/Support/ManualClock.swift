import Synchronization

/// A clock that tests advance.
final class ManualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    let elapsed: Duration
    func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
    func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
    static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
  }

  private struct Sleeper {
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var elapsed = Duration.zero
    var reads = 0
    var sleepers: [Int: Sleeper] = [:]
    /// The sleepers that were cancelled before they slept.
    var cancelled: Set<Int> = []
    var lastSleeper = 0
  }

  private let state = Mutex(State())
  private let onRead: @Sendable () -> Void

  /// Makes a clock at zero.
  ///
  /// - Parameter onRead: A closure that each read of the clock calls first, on the reading thread.
  init(onRead: @escaping @Sendable () -> Void = {}) { self.onRead = onRead }

  var now: Instant {
    onRead()
    return state.withLock { state in
      state.reads += 1
      return Instant(elapsed: state.elapsed)
    }
  }

  /// The number of reads so far.
  var readCount: Int { state.withLock { $0.reads } }

  /// Advances the clock, and wakes the sleepers whose deadline has come.
  func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.elapsed += duration
      let due = state.sleepers.filter { $0.value.deadline.elapsed <= state.elapsed }
      for number in due.keys { state.sleepers[number] = nil }
      return due.values.map(\.continuation)
    }
    for sleeper in woken { sleeper.resume() }
  }

  /// The number of tasks asleep.
  var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let number = state.withLock { state in
      state.lastSleeper += 1
      return state.lastSleeper
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let outcome = state.withLock { state -> Result<Void, any Error>? in
          if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
          if deadline.elapsed <= state.elapsed { return .success(()) }
          state.sleepers[number] = Sleeper(deadline: deadline, continuation: continuation)
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let sleeper = state.withLock { state -> Sleeper? in
        let sleeper = state.sleepers.removeValue(forKey: number)
        if sleeper == nil { state.cancelled.insert(number) }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
