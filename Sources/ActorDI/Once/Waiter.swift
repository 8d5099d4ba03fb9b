internal import CActorDI

/// The outcome that ends a wait.
enum WaitOutcome: Sendable {
  case value(Instance)
  case failure(any Error)
  /// The result is not for this waiter, which asks again.
  case retry
  /// The waiter's own task was cancelled.
  case cancelled
}

/// A caller that waits for a build, from its arrival on.
@safe
enum Waiter: Sendable {
  /// The waiter has arrived but not suspended yet.
  case reserved
  /// The waiter is suspended.
  case task(UnsafeContinuation<WaitOutcome, Never>)
  /// The waiter blocks its thread.
  case thread(BlockedThread)
  /// The outcome came before the waiter suspended.
  case answered(WaitOutcome)
}

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

extension [Wakeup] {
  func perform() { for wakeup in self { wakeup.perform() } }
}

/// A waiter to wake after the lock, and its outcome.
struct Wakeup: Sendable {
  let waiter: Waiter
  let outcome: WaitOutcome

  func perform() {
    switch waiter {
    case .task(let continuation): unsafe continuation.resume(returning: outcome)
    case .thread(let thread): thread.wake(with: outcome)
    case .reserved, .answered: break
    }
  }
}
