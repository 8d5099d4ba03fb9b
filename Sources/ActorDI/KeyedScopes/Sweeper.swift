internal import Synchronization

/// The task that ends the idle scopes of a ``KeyedScopes``. It runs from the time when a scope becomes idle, and sleeps until the time of
/// that scope would be up, even if the scope is used again meanwhile.
final class Sweeper: Sendable {
  private let running = Atomic(false)
  private let task = Lock<Task<Void, Never>?>(nil)

  var isRunning: Bool { running.load(ordering: .acquiring) }

  /// Starts the task, unless it runs.
  ///
  /// - Parameters:
  ///   - sweep: Returns when no scope is idle, or when the task is cancelled.
  ///   - isNeeded: Whether a scope is idle. Asked after the end of the task: a caller that has made a scope idle before may have found the
  ///     task running.
  func start(_ sweep: @escaping @Sendable () async -> Void, while isNeeded: @escaping @Sendable () -> Bool) {
    if running.exchange(true, ordering: .sequentiallyConsistent) { return }
    task.withLock { task in
      task = .detached { [self] in
        await sweep()
        running.store(false, ordering: .sequentiallyConsistent)
        if isNeeded() { start(sweep, while: isNeeded) }
      }
    }
  }

  /// Cancels the task, because all scopes have ended.
  func stop() { task.withLock { $0 }?.cancel() }
}
