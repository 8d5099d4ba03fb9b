internal import CActorDI

/// What a waiter gets when its wait is over.
enum WaitOutcome: Sendable {
  case value(Instance)
  case failure(any Error)
  /// The attempt's value is not for this waiter: ask anew.
  case retry
  /// The waiter's own task was cancelled.
  case cancelled
}

/// Somebody who waits for an attempt, from its arrival on.
@safe
enum Waiter: Sendable {
  /// Arrived, not suspended yet.
  case reserved
  /// Suspended.
  case task(UnsafeContinuation<WaitOutcome, Never>)
  /// Blocked.
  case thread(BlockedThread)
  /// The outcome came before the waiter was ready for it.
  case settled(WaitOutcome)
}

/// A thread that blocks until it is given an outcome.
///
/// `@unchecked Sendable` because `outcome` is written once, before the signal, and read once, after the wait; the
/// parker orders the two.
@safe
final class BlockedThread: @unchecked Sendable {
  private let parker = unsafe actordi_parker_create()
  private var outcome = WaitOutcome.retry

  deinit { unsafe actordi_parker_destroy(parker) }

  func wake(with outcome: WaitOutcome) {
    self.outcome = outcome
    unsafe actordi_parker_signal(parker)
  }

  func wait() -> WaitOutcome {
    unsafe actordi_parker_wait(parker)
    return outcome
  }
}

/// A waiter to be woken, after the lock.
struct Wakeup: Sendable {
  let waiter: Waiter
  let outcome: WaitOutcome

  func perform() {
    switch waiter {
    case .task(let continuation): unsafe continuation.resume(returning: outcome)
    case .thread(let thread): thread.wake(with: outcome)
    case .reserved, .settled: break
    }
  }
}
