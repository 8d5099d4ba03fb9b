/// A latch that opens once and then resumes all its waiters.
///
/// Waiting is not cancellable by itself: either the awaited event occurs, or a timer or a cancellation handler opens the latch instead.
final class Latch: Sendable {
  private struct State: ~Copyable {
    /// Nil until the latch opens.
    var outcome: Bool?
    var waiters: [CheckedContinuation<Bool, Never>] = []
  }

  private let state = Lock(State())

  /// Opens the latch. Only the first outcome counts.
  ///
  /// - Parameter outcome: Whether the awaited event has occurred.
  /// - Returns: Whether this call has opened the latch.
  @discardableResult
  func open(with outcome: Bool = true) -> Bool {
    let waiters = state.withLock { state -> [CheckedContinuation<Bool, Never>]? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      return exchange(&state.waiters, with: [])
    }
    guard let waiters else { return false }
    for waiter in waiters { waiter.resume(returning: outcome) }
    return true
  }

  /// Waits until the latch opens, and returns the outcome.
  func wait() async -> Bool {
    await withCheckedContinuation { continuation in
      let outcome = state.withLock { state -> Bool? in
        if state.outcome == nil { state.waiters.append(continuation) }
        return state.outcome
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }
}

extension [Latch] {
  /// Opens all latches, because the awaited event has occurred.
  func open() { for latch in self { latch.open() } }
}
