import Synchronization

/// A clock that stands still until a test advances it.
///
/// ```swift
/// let clock = ManualClock()
/// let tea = Task { try await clock.sleep(for: .seconds(180)) }
/// try await clock.waitForSleepers()
/// clock.advance(by: .seconds(180))
/// try await tea.value
/// ```
///
/// A task that sleeps until a moment that has come does not suspend. A cancelled sleeper throws a `CancellationError`, as with the
/// clocks of the standard library. A sleeper that no test wakes sleeps until its task is cancelled.
///
/// The clock also serves as ``ActorDI/Container/Configuration/clock``.
///
/// - Concurrency: Usable from any task and thread.
public final class ManualClock: Clock {
  /// A moment of a manual clock.
  public struct Instant: InstantProtocol {
    /// The time since the clock's start.
    public let elapsed: Duration

    /// Returns the moment after a duration.
    ///
    /// - Parameter duration: The duration; a negative one leads to an earlier moment.
    public func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }

    /// Returns the duration to another moment.
    ///
    /// - Parameter other: The other moment.
    /// - Returns: The duration; negative if the other moment is the earlier one.
    public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }

    /// Whether a moment is earlier than another one.
    public static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
  }

  private enum Event {
    case time(Instant)
    case sleepers(Int)
  }

  private struct SuspendedTask {
    let id: Int
    let event: Event
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(elapsed: .zero)
    /// The sleepers, and the tasks that wait for sleepers.
    var tasks: [SuspendedTask] = []
    var lastID = 0

    var sleeperCount: Int {
      tasks.count { if case .time = $0.event { true } else { false } }
    }

    /// Removes the tasks whose event has occurred.
    mutating func takeReady() -> [SuspendedTask] {
      let due = take { [now] event in
        if case .time(let deadline) = event { deadline <= now } else { false }
      }
      // Counts those that remain asleep.
      let count = sleeperCount
      return due
        + take { event in
          if case .sleepers(let goal) = event { goal <= count } else { false }
        }
    }

    private mutating func take(_ hasOccurred: (Event) -> Bool) -> [SuspendedTask] {
      let taken = tasks.filter { hasOccurred($0.event) }
      tasks.removeAll { hasOccurred($0.event) }
      return taken
    }
  }

  private let state = Mutex(State())

  /// Creates a clock at the time zero.
  public init() {}

  // MARK: Advancing

  /// The time of the clock.
  public var now: Instant { state.withLock { $0.now } }

  /// Advances the clock, and wakes the sleepers whose deadline has come.
  ///
  /// All sleepers that a call wakes run at once, after the clock has its new time. A task that sleeps again counts from that time. So
  /// where the order of sleepers matters, or to follow a loop that sleeps, advance by one step, wait for the sleepers of the next step
  /// by ``waitForSleepers(_:)``, and so on.
  ///
  /// - Parameter duration: The duration. A negative one sets the clock back, and wakes no sleeper.
  /// - Complexity: O(n) in the number of sleepers.
  /// - Concurrency: Callable from any task and thread. Returns without waiting for the sleepers that it wakes.
  public func advance(by duration: Duration) {
    let ready = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      return state.takeReady()
    }
    for task in ready { task.continuation.resume() }
  }

  // MARK: Waiting for sleepers

  /// The number of tasks asleep.
  public var sleeperCount: Int { state.withLock { $0.sleeperCount } }

  /// Suspends until tasks are asleep, without polling.
  ///
  /// - Parameter count: The least number of tasks that sleep at the same time.
  /// - Throws: `CancellationError` if the calling task is cancelled, for example by the time limit of a test.
  public nonisolated(nonsending) func waitForSleepers(_ count: Int = 1) async throws {
    try await suspend(until: .sleepers(count))
  }

  // MARK: Sleeping

  /// The least interval of the clock, one nanosecond. Durations are not rounded to it.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// Suspends until the clock is advanced to a moment.
  ///
  /// - Parameters:
  ///   - deadline: The moment. If it has come already, the call returns without a suspension.
  ///   - tolerance: Ignored: the sleeper wakes when the clock reaches the deadline.
  /// - Throws: `CancellationError` if the task is cancelled before it wakes.
  public nonisolated(nonsending) func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await suspend(until: .time(deadline))
  }

  /// Suspends the task until an event occurs. Throws at once if the task is cancelled, even if the event has occurred.
  private nonisolated(nonsending) func suspend(until event: Event) async throws {
    let id = state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let task = SuspendedTask(id: id, event: event, continuation: continuation)
        // The task is marked as cancelled before the handler takes the lock. So either the mark is seen here, or the handler finds
        // the task in the list.
        let ready: [SuspendedTask]? = state.withLock { state in
          if Task.isCancelled { return nil }
          state.tasks.append(task)
          return state.takeReady()
        }
        guard let ready else { return continuation.resume(throwing: CancellationError()) }
        for task in ready { task.continuation.resume() }
      }
    } onCancel: {
      let task = state.withLock { state in
        state.tasks.firstIndex { $0.id == id }.map { state.tasks.remove(at: $0) }
      }
      task?.continuation.resume(throwing: CancellationError())
    }
  }
}
