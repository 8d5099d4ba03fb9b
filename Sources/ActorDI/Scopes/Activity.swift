internal import Synchronization

/// The number of a container's builds and disposals in flight, and whether the container is closed or is an extended scope.
///
/// One word, so that beginning and ending a build cost one atomic operation each, and closing an idle scope checks for
/// extensions at no cost. The lowest bit is set when the container is closed, the next one when a scope is extended.
/// The other bits are the count.
///
/// Threads that build at the same time would wait for that word's cache line. From the first time that two of them meet there, each group of
/// threads has a count of its own, and the number is the sum. A build may begin in one count and end in another.
///
/// - A1: A build that began before the closing is counted when the container closes. No build begins after that. The closing sets the lowest
///   bit of the word first, and then that of each count. A build in a count looks at the word beforehand, in case the closing did not find the
///   counts.
struct Activity: ~Copyable, Sendable {
  private let word = Atomic<UInt>(0)
  private let counts = Sharded<Atomic<UInt>>()

  private static var closed: UInt { 1 }
  private static var extended: UInt { 2 }
  private static var one: UInt { 4 }

  // This load and the two operations that set the bit are sequentially consistent: see L7 in ``Lifecycle``.
  var isClosed: Bool { word.load(ordering: .sequentiallyConsistent) & Self.closed != 0 }

  /// Whether nothing is in flight.
  ///
  /// Once the container is closed, only a disposal raises the number, and the closing checks the count under the lock under which one
  /// begins. So a sum of 0 is right, although the counts are loaded one after the other.
  var isIdle: Bool {
    let count = word.load(ordering: .sequentiallyConsistent) & ~(Self.one - 1)
    return counts.map { $0.load(ordering: .sequentiallyConsistent) & ~(Self.one - 1) }.reduce(count, &+) == 0
  }

  /// Counts a build.
  ///
  /// - Returns: False if the container is closed; nothing is counted then.
  borrowing func begin() -> Bool {
    if counts.isMade { return beginInOwnCount() }
    let current = word.load(ordering: .relaxed)
    if current & Self.closed != 0 { return false }
    let isCounted = word.compareExchange(
      expected: current, desired: current + Self.one, ordering: .acquiringAndReleasing
    ).exchanged
    return isCounted || beginInOwnCount()
  }

  /// Counts a build in the count of the calling thread's group.
  // Not inlined, since most containers have no such counts.
  @inline(never)
  borrowing func beginInOwnCount() -> Bool {
    if isClosed { return false }
    return counts.borrow(at: ThreadRecordPointer.current.pointee.shard, orMake: { Atomic(0) }) { count in
      // Again, after the counts have been found or made (A1).
      if isClosed { return false }
      var current = count.load(ordering: .relaxed)
      while current & Self.closed == 0 {
        let (exchanged, original) = count.weakCompareExchange(
          expected: current, desired: current &+ Self.one, ordering: .acquiringAndReleasing)
        if exchanged { return true }
        current = original
      }
      return false
    }
  }

  /// Counts a disposal, which must run even if the container is closed.
  borrowing func beginDisposal() { word.add(Self.one, ordering: .acquiringAndReleasing) }

  /// Ends a build or a disposal.
  ///
  /// - Returns: Whether a caller may be waiting for this: the count is 0 and the container is closed.
  borrowing func end() -> Bool {
    // Sequentially consistent: of two threads that end the last builds in two counts, one sees both ends.
    if counts.isMade {
      let own = ThreadRecordPointer.current.pointee.shard
      _ = counts.borrow(at: own) { $0.wrappingSubtract(Self.one, ordering: .sequentiallyConsistent) }
      return isClosed && isIdle
    }
    let rest = word.subtract(Self.one, ordering: .sequentiallyConsistent).newValue
    return rest & Self.closed != 0 && isIdle
  }

  /// Closes the container: no build begins from now on.
  ///
  /// - Returns: Whether this call has closed it.
  borrowing func close() -> Bool {
    let isCloser = word.bitwiseOr(Self.closed, ordering: .sequentiallyConsistent).oldValue & Self.closed == 0
    if isCloser { closeCounts() }
    return isCloser
  }

  /// Closes the container, unless it is an extended scope.
  ///
  /// - Returns: Whether this call has closed it.
  borrowing func closeUnlessExtended() -> Bool {
    var current = word.load(ordering: .relaxed)
    while current & (Self.closed | Self.extended) == 0 {
      let (exchanged, original) = word.weakCompareExchange(
        expected: current, desired: current | Self.closed, ordering: .sequentiallyConsistent)
      if exchanged {
        closeCounts()
        return true
      }
      current = original
    }
    return false
  }

  private borrowing func closeCounts() {
    _ = counts.map { $0.bitwiseOr(Self.closed, ordering: .sequentiallyConsistent).newValue }
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
