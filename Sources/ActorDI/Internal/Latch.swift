/// A latch that opens once, with an outcome, and then resumes all its waiters.
///
/// Waiting is not cancellable: either the awaited event occurs, or a timer opens the latch instead.
final class Latch<Outcome: Sendable>: Sendable {
  private struct State: Sendable {
    var outcome: Outcome?
    var waiters: [CheckedContinuation<Outcome, Never>] = []
  }

  private let state = Lock(State())

  /// Opens the latch. Only the first outcome counts.
  func open(with outcome: Outcome) {
    let waiters = state.withLock { state -> [CheckedContinuation<Outcome, Never>] in
      guard state.outcome == nil else { return [] }
      state.outcome = outcome
      return exchange(&state.waiters, with: [])
    }
    for waiter in waiters { waiter.resume(returning: outcome) }
  }

  func wait() async -> Outcome {
    await withCheckedContinuation { continuation in
      let outcome = state.withLock { state -> Outcome? in
        if let outcome = state.outcome { return outcome }
        state.waiters.append(continuation)
        return nil
      }
      if let outcome { continuation.resume(returning: outcome) }
    }
  }
}

extension [Latch<Bool>] {
  /// Opens all latches with true.
  func open() { for latch in self { latch.open(with: true) } }
}
