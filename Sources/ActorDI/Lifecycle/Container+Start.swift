extension Container {
  /// Builds what is registered as ``Registration/eager()`` in this container, dependencies first, independent ones in parallel.
  ///
  /// It first waits for the modules of the initial registrations, which may add to them. What exists is not built
  /// again, so it may be called any number of times, from several tasks too. An instance that is held weakly lives on only if
  /// something else holds it.
  ///
  /// If one fails, all is undone: those that have not begun by then are not begun, those in flight are cancelled and waited for,
  /// and what this call has built in this container, dependencies and transient instances included, is disposed of, the last created
  /// first. What existed before, or was built for somebody else, stays.
  ///
  /// In the operation of `withOverrides`, what is eager among the overrides is built, too.
  ///
  /// - Throws: the first error: of a module, of a factory, or `CancellationError` when the task is cancelled;
  ///   ``ResolutionError/Code/closed`` if the container is closed.
  /// - Concurrency: from any task.
  public nonisolated func start() async throws {
    try await waitUntilLoaded()
    if lifecycle.isClosed || lifecycle.isDraining { throw ResolutionError(.closed, for: nil, container: name) }
    let overlays = OverrideLayer.overlays(for: self).filter { $0.overridden === self }
    let eager = ([self] + overlays).flatMap { $0.registry.withLock { $0.bindings } }.filter(\.isEager)
    // Called by a factory, it belongs to that factory's chain: what leads back there is a cycle, not a wait without end.
    let resolver = Resolver(container: self, frame: ResolutionFrame.ofCurrentTask)
    let log = BuildLog()
    do {
      try await BuildLog.$current.withValue(log) { try await build(eager, for: resolver) }
      log.end()
    } catch {
      // An override keeps its own in a container that stands for this one.
      await log.undo(after: error) { ($0 as? Container).map { $0.overridden ?? $0 } === self }
      throw error
    }
  }

  private nonisolated func build(_ eager: [Binding], for resolver: Resolver) async throws {
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
      if let failure { throw failure }
    }
  }
}
