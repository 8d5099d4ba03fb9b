internal import Synchronization

// Following what the registrations depend on: flags, settings, a model.
extension Container {
  /// Runs the closure that the container was made with again, and takes over what has changed.
  ///
  /// Identities that it does not yield any more are removed, new ones are added, and those that are still there stay as they are,
  /// with the instances they keep. What was registered later is not touched. All of it is one change. Then the modules of the
  /// closure run their ``Module/didLoad(_:)``.
  ///
  /// ```swift
  /// let container = Container {
  ///   if flags.newSearch { Registration((any Search).self) { _ in NewSearch() } }
  /// }
  /// flags.newSearch = true
  /// try await container.rebuild()
  /// ```
  ///
  /// - Throws: ``ResolutionError`` for a faulty registration or a frozen registry, and nothing has changed; what a module's
  ///   `didLoad` throws.
  /// - Complexity: O(*n*)
  /// - Concurrency: isolated to the container. Readers see all of the change or nothing of it.
  public func rebuild() async throws {
    let batch = initialRegistrations()
    let modules = batch.modules
    var wanted = (consume batch).takeWanted()
    try check(wanted)
    try publish(&wanted, isInitial: true) { registry, snapshot, batch throws(ResolutionError) in
      try registry.rebuild(batch, snapshot, container: name)
    }
    for module in modules { try await module.didLoad(self) }
  }

  /// Rebuilds the container on each element of a sequence.
  ///
  /// With the Observation module it follows a model: `container.rebuild(on: Observations { model.flag })`.
  ///
  /// - Parameter changes: its elements say when, not what.
  /// - Returns: the task that follows the sequence, until it is cancelled, the sequence ends, or the container is gone. Dropping it
  ///   does not end it.
  /// - Concurrency: from any thread. The sequence is iterated in a task of its own; the container is not kept alive by it.
  @discardableResult
  public nonisolated func rebuild<Changes: AsyncSequence & Sendable>(
    on changes: Changes
  ) -> RebuildTask where Changes.Element: Sendable {
    RebuildTask(self, changes)
  }
}

/// A container's rebuilding whenever a sequence says so.
public final class RebuildTask: Sendable {
  private let task = Lock<Task<Void, Never>?>(nil)
  private let failure = Lock<(any Error)?>(nil)

  fileprivate init<Changes: AsyncSequence & Sendable>(_ container: Container, _ changes: Changes)
  where Changes.Element: Sendable {
    let task = Task { [weak container, self] in
      do {
        for try await _ in changes {
          guard !Task.isCancelled, let container else { return }
          await self.rebuild(container)
        }
      } catch {
        note(error)
      }
    }
    self.task.withLock { $0 = task }
  }

  private func rebuild(_ container: Container) async {
    do { try await container.rebuild() } catch { note(error) }
  }

  private func note(_ error: any Error) {
    // The old error's `deinit` is the user's: it goes after the lock.
    _ = failure.withLock { failure in
      let old = failure
      failure = error
      return old
    }
  }

  /// The error of the last rebuild that failed, or of the sequence. A rebuild that fails leaves the registry as it was, and the next
  /// element is waited for.
  public var lastError: (any Error)? { failure.withLock { $0 } }

  /// Stops following the sequence. A rebuild that has begun is finished.
  public func cancel() {
    task.withLock { $0 }?.cancel()
  }

  /// Waits until the sequence has ended, or following it was cancelled.
  public func waitUntilFinished() async {
    await task.withLock { $0 }?.value
  }
}
