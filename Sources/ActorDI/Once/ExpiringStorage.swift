/// A storage that keeps an instance until it has reached an age.
///
/// The age is compared on each access; there is no timer. An expired instance is not handed out again, and is released when its
/// successor is stored.
///
/// `@unchecked Sendable` because `madeAt` is accessed only under the cell's lock.
final class ExpiringStorage: InstanceStorage, @unchecked Sendable {
  private let storage: any InstanceStorage
  private let timeToLive: Duration
  /// The time since a fixed moment, by a clock that may be the user's.
  private let elapsed: @Sendable () -> Duration
  /// The latest time read. It never decreases, whatever the clock does.
  private let now = Lock(Duration.zero)
  private var madeAt = Duration.zero

  init(_ storage: any InstanceStorage, after timeToLive: Duration, by clock: any Clock<Duration>) {
    self.storage = storage
    self.timeToLive = timeToLive
    elapsed = Self.stopwatch(clock)
  }

  func readClock() {
    let elapsed = elapsed()
    now.withLock { $0 = max($0, elapsed) }
  }

  func load() -> Instance? {
    now.withLock { $0 } - madeAt < timeToLive ? storage.load() : nil
  }

  func keeps(_ product: Product) -> Bool {
    timeToLive > .zero && storage.keeps(product)
  }

  func store(_ product: Product) -> [DroppedInstance] {
    madeAt = now.withLock { $0 }
    return storage.store(product)
  }

  var holder: InstanceHolder? { storage.holder }

  func take() -> [DroppedInstance] { storage.take() }
  func endCall() -> [DroppedInstance] { storage.endCall() }

  private static func stopwatch<Timer: Clock<Duration>>(
    _ clock: Timer
  ) -> @Sendable () -> Duration {
    let start = clock.now
    return { start.duration(to: clock.now) }
  }
}
