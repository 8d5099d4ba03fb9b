internal import Synchronization

/// The number of a container's builds and disposals in flight, and whether the container is closed or is an extended scope.
///
/// One word, so that beginning and ending a build cost one atomic operation each, and closing an idle scope checks for
/// extensions at no cost. The lowest bit is set when the container is closed, the next one when a scope is extended.
/// The other bits are the count.
///
/// - A1: A build that began before the lowest bit was set is counted when it is set. No build begins after that.
struct Activity: ~Copyable, Sendable {
  private let word = Atomic<UInt>(0)

  private static var closed: UInt { 1 }
  private static var extended: UInt { 2 }
  private static var one: UInt { 4 }

  // This load and the two operations that set the bit are sequentially consistent: see L7 in ``Lifecycle``.
  var isClosed: Bool { word.load(ordering: .sequentiallyConsistent) & Self.closed != 0 }

  /// Whether nothing is in flight.
  var isIdle: Bool { word.load(ordering: .acquiring) < Self.one }

  /// Counts a build.
  ///
  /// - Returns: False if the container is closed; nothing is counted then.
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

  /// Counts a disposal, which must run even if the container is closed.
  borrowing func beginDisposal() { word.add(Self.one, ordering: .acquiringAndReleasing) }

  /// Ends a build or a disposal.
  ///
  /// - Returns: Whether a caller may be waiting for this: the count is 0 and the container is closed.
  borrowing func end() -> Bool {
    let rest = word.subtract(Self.one, ordering: .acquiringAndReleasing).newValue
    return rest < Self.one && rest & Self.closed != 0
  }

  /// Closes the container: no build begins from now on.
  ///
  /// - Returns: Whether this call has closed it.
  borrowing func close() -> Bool {
    word.bitwiseOr(Self.closed, ordering: .sequentiallyConsistent).oldValue & Self.closed == 0
  }

  /// Closes the container, unless it is an extended scope.
  ///
  /// - Returns: Whether this call has closed it.
  borrowing func closeUnlessExtended() -> Bool {
    var current = word.load(ordering: .relaxed)
    while current & (Self.closed | Self.extended) == 0 {
      let (exchanged, original) = word.weakCompareExchange(
        expected: current, desired: current | Self.closed, ordering: .sequentiallyConsistent)
      if exchanged { return true }
      current = original
    }
    return false
  }

  // MARK: Extended scopes

  /// Whether the scope may outlive its operation. Never unset.
  var isExtended: Bool { word.load(ordering: .acquiring) & Self.extended != 0 }

  /// Marks the scope as extended.
  ///
  /// - Returns: False if it is closed.
  borrowing func extend() -> Bool {
    word.bitwiseOr(Self.extended, ordering: .acquiringAndReleasing).oldValue & Self.closed == 0
  }
}
