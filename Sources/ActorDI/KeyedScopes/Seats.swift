internal import Synchronization

/// The seats of a ``KeyedScopes`` with a maximum: one for each key, from before its scope opens until the scope has ended.
///
/// - C4 *handed over*: while callers wait, a released seat goes to the first of them, so that no later caller overtakes it.
/// - C5 *no idle scope beside a waiter*: a caller that waits for a seat looks for an idle scope to end. A caller whose operation leaves a
///   scope idle looks for a waiter. Both look after their own entry is visible, so one of them finds the other.
///
/// A class, because ``ScopesByKey`` has an optional of it. The compiler would store that a structure is absent in memory that the lock of
/// the structure guards, and read it without the lock.
final class Seats: Sendable {
  /// A caller that waits for a seat.
  ///
  /// `@unchecked Sendable` like its superclass; its own property is immutable.
  final class Waiter: LinkedElement, @unchecked Sendable {
    /// Opened when the caller has a seat, or no longer wants one.
    let latch = Latch()

    /// Ends the wait, unless the caller has a seat.
    func dismiss() { latch.open(with: false) }
  }

  /// The seats as a value under a lock.
  struct State: ~Copyable {
    private let max: Int
    private(set) var taken = 0
    private var waiters = LinkedList<Waiter>()
    private(set) var waiting = 0
    /// The number of scopes that end for the waiters. It may be too low, in which case more scopes end than necessary.
    private(set) var leaving = 0

    init(max: Int) { self.max = max }

    /// Takes a free seat, or joins the waiters.
    ///
    /// - Returns: Nil if the caller has a seat.
    mutating func take() -> Waiter? {
      if taken < max {
        taken += 1
        return nil
      }
      let waiter = Waiter()
      waiters.append(waiter)
      waiting += 1
      return waiter
    }

    /// Removes a caller that no longer waits.
    ///
    /// - Returns: The list's reference, for the caller to release.
    mutating func remove(_ waiter: Waiter) -> Waiter? {
      guard let removed = waiters.remove(waiter) else { return nil }
      waiting -= 1
      return removed
    }

    /// Releases a seat, or keeps it for the first waiter.
    ///
    /// - Returns: The waiter. If it no longer wants the seat, the seat must be released again.
    mutating func release() -> Waiter? {
      leaving = Swift.max(0, leaving - 1)
      guard let first = waiters.first else {
        taken -= 1
        return nil
      }
      return remove(first)
    }

    /// Whether a further scope must end for the waiters.
    mutating func beginLeaving() -> Bool {
      guard waiting > leaving else { return false }
      leaving += 1
      return true
    }

    /// The waiters, in order.
    var queue: [Waiter] { waiters.all }

    /// Takes back ``beginLeaving()``: no scope is idle.
    mutating func cancelLeaving() { leaving = Swift.max(0, leaving - 1) }
  }

  private let state: Lock<State>
  /// The number of waiters, to be read without the lock.
  ///
  /// Sequentially consistent for two pairs: a caller joins the waiters, and then looks for an idle scope (C5) and for the mark of a
  /// drainer; the user of a scope leaves it idle, and a drainer marks the container, and then looks here.
  private let waiting = Atomic(0)

  /// Creates the seats.
  ///
  /// - Parameter max: The number of seats; at least one.
  init(max: Int) { state = Lock(State(max: Swift.max(1, max))) }

  private func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      let result = body(&state)
      waiting.store(state.waiting, ordering: .sequentiallyConsistent)
      return result
    }
  }

  /// Takes a free seat, or joins the waiters.
  ///
  /// - Returns: Nil if the caller has a seat.
  func take() -> Waiter? { withState { $0.take() } }

  /// Waits for a seat.
  ///
  /// - Returns: False if the waiter is dismissed, or its task cancelled, before it has a seat.
  nonisolated(nonsending) func wait(_ waiter: Waiter) async -> Bool {
    let isSeated = await withTaskCancellationHandler {
      await waiter.latch.wait()
    } onCancel: {
      waiter.dismiss()
    }
    if !isSeated { _ = withState { $0.remove(waiter) } }
    return isSeated
  }

  /// Dismisses all waiters that have no seat yet.
  func dismissWaiters() {
    if waiting.load(ordering: .sequentiallyConsistent) == 0 { return }
    for waiter in withState({ $0.queue }) { waiter.dismiss() }
  }

  /// Releases a seat, or hands it over to the first waiter that still wants it (C4).
  func release() {
    while let waiter = withState({ $0.release() }) {
      if waiter.latch.open() { return }
    }
  }

  /// Ends idle scopes for the waiters.
  ///
  /// - Parameters:
  ///   - isAnyIdle: Whether a scope is idle.
  ///   - endOne: Begins to end an idle scope; returns false if there is none.
  func endIdleScopes(isAnyIdle: () -> Bool, _ endOne: () -> Bool) {
    guard waiting.load(ordering: .sequentiallyConsistent) > 0 else { return }
    while withState({ $0.beginLeaving() }) {
      if endOne() { continue }
      withState { $0.cancelLeaving() }
      // A scope may have become idle meanwhile, whose last user did not end it because of this call.
      if !isAnyIdle() { return }
    }
  }
}
