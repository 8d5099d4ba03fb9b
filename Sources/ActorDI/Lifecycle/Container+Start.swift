extension Container {
  /// Builds what is registered as ``Registration/eager()`` in this container, dependencies first, independent ones in parallel.
  ///
  /// It first waits for the modules of the initial registrations, which may add to them. What exists is not built
  /// again, so it may be called any number of times, from several tasks too. An instance that is held weakly lives on only if
  /// something else holds it.
  ///
  /// - Throws: the first error: of a module, of a factory, or `CancellationError` when the task is cancelled. Those that
  ///   have not begun by then are not begun, the others have ended or been cancelled when it is thrown. What
  ///   was built stays; the next call builds the rest.
  /// - Concurrency: from any task.
  public nonisolated func start() async throws {
    try await waitUntilLoaded()
    let eager = registry.withLock { $0.bindings }.filter(\.isEager)
    // Called by a factory, it belongs to that factory's chain: what leads back there is a cycle, not a wait without end.
    let resolver = Resolver(container: self, frame: ResolutionFrame.ofCurrentTask)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for binding in eager {
        group.addTask {
          try Task.checkCancellation()
          try await binding.build(for: resolver)
        }
      }
      var failure: (any Error)?
      while let result = await group.nextResult() {
        guard case .failure(let error) = result, failure == nil else { continue }
        failure = error
        group.cancelAll()
      }
      // Disposing of what was built, in reverse order, will have its place here.
      if let failure { throw failure }
    }
  }
}
