internal import CActorDI

/// The outcome that ends a wait.
enum WaitOutcome: Sendable {
  case ended(Result<Product, any Error>)
  /// The build has no result for this waiter, which asks again.
  case retry
  /// The waiter's own task was cancelled.
  case cancelled
}

/// The state of a caller that waits for a build.
enum Waiter: Sendable {
  /// The waiter has arrived but not suspended yet.
  case reserved
  /// The waiter is suspended, or its thread is blocked, until it is woken.
  case waiting(wake: @Sendable (WaitOutcome) -> Void)
  /// The outcome came before the waiter suspended.
  case answered(WaitOutcome)
}

/// Wakes a waiter. Called after the lock.
typealias Wakeup = @Sendable () -> Void

/// A thread that blocks until it gets an outcome.
///
/// `@unchecked Sendable` because `outcome` is written once, before the signal, and read once, after the wait. The parker orders the
/// two.
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
