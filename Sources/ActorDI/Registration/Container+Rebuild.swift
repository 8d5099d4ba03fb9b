// Rebuilding the registrations when their inputs change, such as flags, settings or a model.
extension Container {
  /// Evaluates the container's initial registrations again and applies the differences.
  ///
  /// Identities that the builder closure no longer yields are removed, and new ones are added. A registration of the same identity (type,
  /// arguments, key) and the same source line stays, with its instance. One from another line takes the place of the earlier one, whose
  /// kept instance is disposed of before this function returns, as by ``unregister(_:)-(Service.Type)``. Registrations added after the
  /// initialiser stay, as if they had been added to the new ones. A ``Decorator`` of the builder stays, with the instances that it has decorated, if
  /// the builder states the same decorators of the service on the same lines. Readers see all of this as one change. Then the modules of the closure
  /// run ``Module/didLoad(_:)``.
  ///
  /// ```swift
  /// let container = Container {
  ///   if flags.newSearch { Registration(autowired: (any Search).self) { NewSearch() } }
  /// }
  /// flags.newSearch = true  // flags is a Sendable class
  /// try await container.rebuild()
  /// ```
  ///
  /// - Throws: ``ResolutionError`` for a faulty registration, for a duplicate that ``Container/Configuration/duplicates`` forbids, or for
  ///   a frozen or closed registry, without changing anything; an error of a module's `didLoad`, with the change in effect.
  /// - Complexity: O(*n*) in the number of registrations.
  /// - Concurrency: Isolated to the container. Readers see either all of the change or none of it.
  public func rebuild() async throws {
    var batch = makeInitialRegistrations().takeWanted()
    let decorators = batch.decorators.map { $0.asInitial }
    try check(batch.bindings)
    let duplicates = settings.configuration.duplicates
    sendSearchesToSlowPath(for: decorators)
    // Not spared: this function promises the disposals before it returns.
    let disposals = try publish(&batch.bindings, isInitial: true, sparingUsed: false) {
      registry, snapshot, bindings throws(ResolutionError) in
      try registry.rebuild(bindings, decorators, snapshot, duplicates: duplicates, container: name)
    }
    await disposals.dispose()
    try await runInCall(batch.modules)
  }

  /// Rebuilds the container on each element of a sequence.
  ///
  /// With the Observation module, the container can follow a model: `container.rebuild(on: Observations { model.flag })`.
  ///
  /// - Parameter changes: A sequence whose elements trigger rebuilds; their values are ignored.
  /// - Returns: The task that follows the sequence. It ends when it is cancelled or the sequence ends, and at the next element when the
  ///   container is closed or has been deallocated. Dropping the value does not end it.
  /// - Concurrency: Callable from any thread. A separate task iterates over the sequence and does not keep the container
  ///   alive.
  @discardableResult
  public nonisolated func rebuild<Changes: AsyncSequence & Sendable>(
    on changes: Changes
  ) -> RebuildTask where Changes.Element: Sendable {
    let following = RebuildTask()
    let task = Task { [weak self] in
      do {
        for try await _ in changes {
          guard !Task.isCancelled, let self, !self.lifecycle.isClosed else { return }
          // In a task of its own, which the cancellation of this one does not reach.
          do { try await Task { try await self.rebuild() }.value } catch { following.note(error) }
        }
      } catch {
        following.note(error)
      }
    }
    following.task.withLock { $0 = task }
    return following
  }
}
