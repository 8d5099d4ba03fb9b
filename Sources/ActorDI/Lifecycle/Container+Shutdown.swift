extension Container {
  /// Closes the container, and those below it: disposes of all that they made.
  ///
  /// ```swift
  /// try await container.start()
  /// try await server.run()
  /// try await container.shutdown(timeout: .seconds(10))
  /// ```
  ///
  /// From the call on, no scope is opened in it, and nothing is resolved from it any more: ``ResolutionError/Code/closed``. First it waits for
  /// the operations of ``withScope(_:_:operation:)`` to return. Until then their scopes go on working: whatever they need of the container is
  /// resolved and built as ever, and so is what a factory, a ``Lazy`` or a ``Provider`` asks for. Registrations do not change any more.
  ///
  /// Then builds in flight are cancelled and waited for; what they still yield is disposed of, and those who wait for it get that error. Then
  /// every instance that the
  /// container made and that has something to dispose of (`onDispose(_:)`, ``Disposable``) is disposed of:
  /// each exactly once, the last created first, those of children and open scopes before its own. A failure does not keep the
  /// others from being disposed of. At last the container lets go of all instances.
  ///
  /// Before that, an instance is disposed of when the container lets go of it: by ``unregister(_:)-(Service.Type)``,
  /// ``reset(_:)-(Scope?)``, ``rebuild()`` or ``pop()``, at the end of its ``ManagedScope``, when its successor is there after its time
  /// to live. One whose registration was replaced by another is disposed of at once if nothing was built from it, else by the next reset.
  /// What is held weakly is disposed of if somebody still holds it then. A container that is dropped without being closed
  /// disposes of nothing.
  ///
  /// The caller's cancellation does not cut it short. Called again, or for a container below one that is being closed, it waits for
  /// the end and throws nothing. Called by a factory or a disposer of the container itself, it begins, and does not wait for its
  /// caller. A disposer may close any other container: one below its own, beside it, or one whose disposers close the disposer's own. So may
  /// the operation of a scope: its own scope is closed with the rest, under it. Such a call waits for all that does not wait for itself. (A
  /// child task of an operation does not count as the operation: let the operation's own task close what is above it.)
  ///
  /// - Parameter timeout: how long to wait at most, first for operations, then once more for builds in flight, then once more for instances that
  ///   are being disposed of, by ``Container/Configuration/clock``; forever if nil. When the time is up, what is under way is cancelled and
  ///   reported: the task that runs an operation, with all that it does besides, then the builds of its scope, which is closed under it. What
  ///   does not heed that goes on by itself, in order.
  /// - Throws: one ``ShutdownError`` with all failures.
  /// - Complexity: O(*n*) in registrations and instances.
  /// - Concurrency: from any task. Instances that suspend when they are disposed of are so in a task of the container's.
  public nonisolated(nonsending) func shutdown(
    timeout: Duration? = nil
  ) async throws(ShutdownError) {
    guard lifecycle.beginDraining() else { return await waitForClosing(timeout: timeout) }
    let draining = Draining(of: self)
    var open: [OpenScope] = []
    var failures: [ShutdownError.Failure] = []
    if draining.isOver {
      failures = await close(after: .shutDown, timeout: timeout)
    } else {
      let layer = OverrideLayer.active
      // In a task of its own: neither is it to be cancelled with the caller, nor does every caller wait for it.
      let task = Task.detached(priority: Task.currentPriority) {
        let open = await draining.wait(Timeout(timeout, self.configuration.clock))
        return await OverrideLayer.holding(layer) { (open, await self.close(after: .shutDown, timeout: timeout)) }
      }
      (open, failures) = await waitForEnd { await task.value } ?? ([], [])
    }
    if !failures.isEmpty || !open.isEmpty { throw ShutdownError(failures, openScopes: open, container: name) }
  }

  /// Waits for a closing that somebody else has begun, or is about to.
  private nonisolated(nonsending) func waitForClosing(timeout: Duration?) async {
    _ = await waitForEnd { await Timeout(timeout, configuration.clock).wait(for: lifecycle.closedLatch()) }
  }

  nonisolated(nonsending) func close(
    after outcome: ScopeOutcome, timeout: Duration? = nil
  ) async -> [ShutdownError.Failure] {
    let failures = await OverrideLayer.closeKeepers(of: self, after: outcome)
    return await failures + closeItself(after: outcome, timeout: timeout)
  }

  private nonisolated(nonsending) func closeItself(
    after outcome: ScopeOutcome, timeout: Duration?
  ) async -> [ShutdownError.Failure] {
    guard lifecycle.beginClosing() else {
      await waitForClosing(timeout: timeout)
      return []
    }
    closeRegistry()
    if lifecycle.activity.isIdle, hasNoChildren, let failures = closeAtOnce(after: outcome) {
      parent?.lifecycle.remove(lifecycle)
      return failures
    }
    return await closeSlowly(after: outcome, timeout: timeout)
  }

  private nonisolated(nonsending) func closeSlowly(
    after outcome: ScopeOutcome, timeout: Duration? = nil
  ) async -> [ShutdownError.Failure] {
    defer { parent?.lifecycle.remove(lifecycle) }
    let closing = Closing.begin(of: self, after: outcome, timeout)
    // In a task of its own: what it runs is not to be cancelled with the caller.
    let task = Task.detached(priority: Task.currentPriority) { await closing.run() }
    return await waitForEnd { await task.value } ?? []
  }

  /// Waits for the end of this container, unless that waits for the factory or the disposer that asks.
  ///
  /// - Returns: nil when it has not waited.
  private nonisolated(nonsending) func waitForEnd<Outcome>(_ wait: () async -> Outcome) async -> Outcome? {
    if isBusyForCaller { return nil }
    let disposing = BindingDisposal.containersOfTask
    if let edges = ClosingOrder.add(from: disposing, to: self) {
      defer { ClosingOrder.remove(edges) }
      return await wait()
    }
    await ClosingOrder.closing(of: self, andOneOf: disposing)?.endNow(self)
    return nil
  }

  /// Goes on with a closing that somebody has begun and cannot wait for.
  nonisolated func closeInBackground(after outcome: ScopeOutcome) {
    let closing = Closing.begin(of: self, after: outcome, nil)
    Task.detached { _ = await closing.run() }
  }

  /// The end of a scope: as ``close(after:timeout:)``, without asynchronous calls where nothing suspends, which is the way of most scopes.
  ///
  /// It stays listed: see ``endScope(_:)``.
  ///
  /// - Returns: what is left to be done; nil when the scope is closed, and nothing has failed.
  @usableFromInline
  nonisolated func closeScopeAtOnce(after outcome: ScopeOutcome) -> RestOfClosing? {
    guard OverrideLayer.active == nil, hasNoChildren, lifecycle.activity.closeIfIdle() else { return .all }
    closeRegistry(keepingSnapshot: true)
    // Looked at once more: a child that comes after this sees that the container is closed, and closes itself.
    guard hasNoChildren, let failures = disposeAtOnce(after: outcome) else { return .disposal }
    lifecycle.finishClosing()
    return failures.isEmpty ? nil : .report(failures)
  }

  @usableFromInline
  enum RestOfClosing {
    case all
    case disposal
    case report([ShutdownError.Failure])
  }

  @usableFromInline
  nonisolated(nonsending) func closeScope(_ rest: RestOfClosing, after outcome: ScopeOutcome) async -> [ShutdownError
    .Failure]
  {
    switch rest {
    case .all: await close(after: outcome)
    case .disposal: await closeSlowly(after: outcome)
    case .report(let failures): failures
    }
  }

  /// Whether there are no children, nor open scopes.
  private nonisolated var hasNoChildren: Bool {
    guard lifecycle.hasNoScopes else { return false }
    return unsafe lazyFamily.loadUnretained()?._withUnsafeGuaranteedRef { $0.children.isEmpty } ?? true
  }

  /// The closing of a container that takes nothing on any more, where nothing of it suspends.
  ///
  /// - Returns: nil where something does, or is in flight: then the closing goes on, with nothing taken out.
  nonisolated func closeAtOnce(after outcome: ScopeOutcome) -> [ShutdownError.Failure]? {
    guard let failures = disposeAtOnce(after: outcome) else { return nil }
    letGoOfInstances()
    endFeeds()
    lifecycle.finishClosing()
    return failures
  }

  /// The same, but that it lets go of no instances.
  private nonisolated func disposeAtOnce(after outcome: ScopeOutcome) -> [ShutdownError.Failure]? {
    guard var rest = lifecycle.takeAllIfSynchronous() else { return nil }
    var failures: [ShutdownError.Failure] = []
    while let disposal = rest.disposals.popLast() { disposal.performSynchronously(after: outcome, &failures) }
    return failures
  }

  /// Forgets all that is kept. What had to be disposed of has been.
  nonisolated func letGoOfInstances() {
    // Containers in a circle of links keep each other; nothing is looked for in this one any more.
    lazyLinks.load()?.removeAll()
    kept.forget { _ in true }.release()
    guard let registry = existingRegistry else { return }
    for binding in registry.withLock({ $0.everything }) {
      binding.forget().release()
      binding.pool?.close().release()
    }
  }

  /// Whether it is a factory or a disposer of this container, or of one below it, that asks: to wait for its end would never end.
  nonisolated var isBusyForCaller: Bool {
    if let frame = ResolutionFrame.ambient, frame.isLive, frame.isBuilding(below: self) { return true }
    return BindingDisposal.containersOfTask.contains { $0.isBelow(self) }
  }
}
