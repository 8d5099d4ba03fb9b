extension Container {
  /// Builds the ``Registration/eager()`` services of this container: dependencies first, independent services in parallel.
  ///
  /// All builds begin at once. A synchronous closure that takes an eager service which is built asynchronously cannot wait for it, and
  /// fails with ``ResolutionError/Code/asyncRequired``, unless the service exists already.
  ///
  /// The call first waits for the modules of the initial registrations, which may add registrations. Existing instances are not
  /// built again, so the function may be called repeatedly, and from several tasks. A weakly held instance stays alive only if
  /// something else holds it.
  ///
  /// If a build fails, the call undoes everything. Builds that have not begun do not begin; builds in flight are cancelled and
  /// waited for. The instances that this call has built in this container are disposed of, including dependencies and transient
  /// instances, the last created first. Instances that existed before, or were built for other callers, stay.
  ///
  /// Within the operation of `withOverrides`, eager overrides are built, too.
  ///
  /// - Throws: The first error: of a module, of a factory, or `CancellationError` if the task is cancelled;
  ///   ``ResolutionError/Code/closed`` if the container is closed.
  /// - Concurrency: May be called from any task.
  public nonisolated func start() async throws {
    try await waitUntilLoaded()
    if lifecycle.isClosed || lifecycle.isDraining { throw ResolutionError(.closed, for: nil, container: name) }
    let overlays = OverrideLayer.overlays(for: self).filter { $0.replacedContainer === self }
    let eager = ([self] + overlays).flatMap { $0.registry.withLock { $0.bindings } }.filter(\.isEager)
    // A call by a factory belongs to the factory's chain, so a dependency on that factory is a cycle rather than a deadlock.
    let resolver = Resolver(container: self, frame: ResolutionFrame.ofCurrentTask)
    let log = BuildLog()
    do {
      try await BuildLog.$current.withValue(log) { try await build(eager, for: resolver) }
      log.end()
    } catch {
      // An override layer keeps instances in a container of its own, in place of this one.
      await log.undo(after: error) { ($0 as? Container)?.original === self }
      throw error
    }
  }

  /// Builds services in parallel. The first error cancels the other builds.
  private nonisolated func build(_ eager: [Binding], for resolver: Resolver) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for binding in eager {
        group.addTask {
          try Task.checkCancellation()
          try await binding.ensureBuilt(for: resolver)
        }
      }
      for try await _ in group {}
    }
  }
}
