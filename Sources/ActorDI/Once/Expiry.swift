/// The expiry of the instances that a once cell keeps.
///
/// The age is compared on each access; there is no timer. An expired instance is not handed out again, and is released when its
/// successor is stored.
final class Expiry: Sendable {
  private let limit: AgeLimit
  /// Whether the instances wrap others, with which they expire.
  private let isOfWrappers: Bool
  /// The life of the instance that is kept. Changed under the cell's lock only.
  private let current = Lock<Life?>(nil)

  init(after timeToLive: Duration, by clock: any Clock<Duration>, ofWrappers isOfWrappers: Bool) {
    limit = AgeLimit(timeToLive, by: clock)
    self.isOfWrappers = isOfWrappers
  }

  /// Reads the clock of the instance that is kept. Call before taking the cell's lock; the functions called under the lock use that
  /// reading.
  func readClock() { if let life { life.readClock() } else { limit.readClock() } }

  /// The life of the instance that is kept; nil if there is none.
  var life: Life? { current.withLock { $0 } }

  /// Whether the cell keeps no instance that has not expired, by the latest reading of the clock.
  var isOver: Bool { life?.isOver ?? true }

  /// The life of an instance that is under construction; nil for a wrapper, which has the life of the instance that it wraps.
  func makeLife() -> Life? { isOfWrappers ? nil : Life(limit) }

  /// The life of a wrapper whose inner instance has none.
  func makeOwnLife() -> Life { Life(limit) }

  /// The life of an instance that the cell no longer keeps.
  func makeEndedLife() -> Life {
    let life = Life(limit)
    life.end()
    return life
  }

  /// Begins the life of a new instance, unless it has begun, and ends that of the old one.
  ///
  /// - Returns: The old life, which may hold a clock of the user.
  func replace(by new: Life?) -> [DroppedReference] {
    let old = current.withLock { exchange(&$0, with: new) }
    if let new, new.isWithin(limit) { new.begin() }
    guard let old, old !== new else { return [] }
    end(old)
    return [.owned(old)]
  }

  /// Ends a life. That of a wrapper is not the wrapper's to end: the inner instance may be wrapped again.
  func end(_ life: Life) { if life.isWithin(limit) { life.end() } }
}

/// The maximum age of the instances of a once cell, and the clock that measures it.
private final class AgeLimit: Sendable {
  let timeToLive: Duration
  private let stopwatch: Stopwatch
  /// The latest time read. It never decreases, whatever the clock does.
  private let latest = Lock(Duration.zero)

  init(_ timeToLive: Duration, by clock: any Clock<Duration>) {
    self.timeToLive = timeToLive
    stopwatch = Stopwatch(by: clock)
  }

  func readClock() {
    let elapsed = stopwatch.elapsed
    latest.withLock { $0 = max($0, elapsed) }
  }

  var now: Duration { latest.withLock { $0 } }
}

/// The life of a kept instance with a time to live, which the instances that wrap it share.
final class Life: Sendable {
  private enum Phase {
    /// The instance is under construction.
    case pending
    case begun(Duration)
    /// The cell that has made the instance does not keep it.
    case ended
  }

  private let limit: AgeLimit
  private let phase = Lock(Phase.pending)

  fileprivate init(_ limit: AgeLimit) { self.limit = limit }

  fileprivate func isWithin(_ limit: AgeLimit) -> Bool { self.limit === limit }

  /// Reads the clock, which may be user code. Call it without a lock.
  func readClock() { limit.readClock() }

  /// Whether the instance has expired, by the latest reading of the clock.
  var isOver: Bool {
    switch phase.withLock({ $0 }) {
    case .pending: limit.timeToLive <= .zero
    case .begun(let start): limit.now - start >= limit.timeToLive
    case .ended: true
    }
  }

  fileprivate func begin() {
    let now = limit.now
    phase.withLock { if case .pending = $0 { $0 = .begun(now) } }
  }

  fileprivate func end() { phase.withLock { $0 = .ended } }
}
