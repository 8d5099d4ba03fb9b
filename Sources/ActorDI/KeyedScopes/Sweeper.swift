internal import Synchronization

/// The task that ends the idle scopes of a ``KeyedScopes``. It runs from the time when a scope becomes idle, and sleeps until the time of
/// that scope would be up, even if the scope is used again or ends meanwhile: a cancelled sleep would leave its timer behind until then.
///
/// The task does not hold the collection while it sleeps. An open scope does; without one, there is nothing to end.
final class Sweeper: Sendable {
  private let running = Atomic(false)
  private let task = Lock<Task<Void, Never>?>(nil)

  deinit { task.withLock { $0 }?.cancel() }

  var isRunning: Bool { running.load(ordering: .acquiring) }

  /// Starts the task, unless it runs.
  ///
  /// - Parameter sweep: Runs until no scope is idle, and calls ``noteEnd()`` then; or until it is cancelled.
  func start(_ sweep: @escaping @concurrent @Sendable () async -> Void) {
    if running.exchange(true, ordering: .sequentiallyConsistent) { return }
    task.withLock { $0 = .detached(operation: sweep) }
  }

  /// Notes that the task ends. A caller that makes a scope idle from now on starts another one.
  func noteEnd() { running.store(false, ordering: .sequentiallyConsistent) }
}
