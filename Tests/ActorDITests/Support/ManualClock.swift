import Synchronization

/// A clock that goes when it is told to.
final class ManualClock: Clock, Sendable {
  struct Instant: InstantProtocol {
    let elapsed: Duration
    func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }
    func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
    static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
  }

  private let state = Mutex((elapsed: Duration.zero, reads: 0))
  private let onRead: @Sendable () -> Void

  /// - Parameter onRead: called by whoever reads the clock.
  init(onRead: @escaping @Sendable () -> Void = {}) { self.onRead = onRead }

  var now: Instant {
    onRead()
    return state.withLock { state in
      state.reads += 1
      return Instant(elapsed: state.elapsed)
    }
  }

  /// How often it was read.
  var readCount: Int { state.withLock { $0.reads } }

  func advance(by duration: Duration) { state.withLock { $0.elapsed += duration } }

  var minimumResolution: Duration { .nanoseconds(1) }
  func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
}
