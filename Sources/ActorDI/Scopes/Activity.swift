internal import Synchronization

/// How many builds a container has in flight, and whether it takes on more.
///
/// One word, so that beginning and ending cost one atomic operation each: its lowest bit says that the container is closed, the rest
/// counts. A1: what has begun before the bit was set is counted when it is set; nothing begins after that.
struct Activity: ~Copyable, Sendable {
  private let word = Atomic<UInt>(0)

  private static var closed: UInt { 1 }
  private static var one: UInt { 2 }

  var isClosed: Bool { word.load(ordering: .acquiring) & Self.closed != 0 }

  /// Whether nothing is in flight.
  var isIdle: Bool { word.load(ordering: .acquiring) < Self.one }

  /// - Returns: false when the container is closed: then nothing has begun.
  borrowing func begin() -> Bool {
    var current = word.load(ordering: .relaxed)
    while current & Self.closed == 0 {
      let (exchanged, original) = word.weakCompareExchange(
        expected: current, desired: current + Self.one, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      current = original
    }
    return false
  }

  /// As ``begin()``, for what has to be done even if the container is closed.
  borrowing func beginAnyway() {
    word.add(Self.one, ordering: .acquiringAndReleasing)
  }

  /// - Returns: whether somebody may be waiting for this: it was the last one, and the container is closed.
  borrowing func end() -> Bool {
    word.subtract(Self.one, ordering: .acquiringAndReleasing).newValue == Self.closed
  }

  /// From now on nothing begins.
  ///
  /// - Returns: whether it is the caller who has closed it.
  borrowing func close() -> Bool {
    word.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing).oldValue & Self.closed == 0
  }

  /// The same if nothing is in flight; else nothing happens.
  borrowing func closeIfIdle() -> Bool {
    word.compareExchange(expected: 0, desired: Self.closed, ordering: .acquiringAndReleasing).exchanged
  }
}
