/// The age at which a kept instance expires.
///
/// The age is compared on each access; there is no timer. An expired instance is not handed out again, and is released when its
/// successor is stored.
///
/// `@unchecked Sendable` because `madeAt` is accessed only under the cell's lock.
final class Expiry: @unchecked Sendable {
  private let timeToLive: Duration
  private let stopwatch: Stopwatch
  /// The latest time read. It never decreases, whatever the clock does.
  private let now = Lock(Duration.zero)
  private var madeAt = Duration.zero

  init(after timeToLive: Duration, by clock: any Clock<Duration>) {
    self.timeToLive = timeToLive
    stopwatch = Stopwatch(by: clock)
  }

  /// Reads the clock. Call before taking the cell's lock; the functions called under the lock use that reading.
  func readClock() {
    let elapsed = stopwatch.elapsed
    now.withLock { $0 = max($0, elapsed) }
  }

  /// Whether the time to live is long enough to keep an instance.
  var isEver: Bool { timeToLive > .zero }

  /// Whether the instance has expired.
  var isOver: Bool { now.withLock { $0 } - madeAt >= timeToLive }

  /// Begins the life of a new instance.
  func begin() { madeAt = now.withLock { $0 } }
}
