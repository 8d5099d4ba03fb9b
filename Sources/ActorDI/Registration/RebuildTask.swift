/// A task that rebuilds a container on each element of a sequence.
public final class RebuildTask: Sendable {
  let task = Lock<Task<Void, Never>?>(nil)
  private let failure = Lock<(any Error)?>(nil)

  /// Stores the error of a failed rebuild or of the sequence.
  func note(_ error: any Error) {
    // The old error is released outside the lock, because its `deinit` is user code.
    _ = failure.withLock { exchange(&$0, with: error) }
  }

  /// The error of the last failed rebuild, or of the sequence.
  ///
  /// A failed rebuild leaves the registry unchanged, and the task waits for the next element. If a module's `didLoad` fails, the
  /// change stays in effect.
  public var lastError: (any Error)? { failure.withLock { $0 } }

  /// Stops following the sequence. A rebuild in progress finishes.
  public func cancel() { task.withLock { $0 }?.cancel() }

  /// Waits until the task ends.
  public func waitUntilFinished() async { await task.withLock { $0 }?.value }
}
