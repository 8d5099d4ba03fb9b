// Closing a container, at once or step by step, for a shutdown and for the end of a scope.
extension Container {
  /// Waits for a closing that another caller has begun or is about to begin.
  nonisolated(nonsending) func waitForClosing(timeout: Duration?) async {
    let timeout = Timeout(duration: timeout, clock: configuration.clock)
    _ = await waitForEnd { await timeout.wait(for: [lifecycle.closedLatch()]) }
  }

  /// Closes the container and everything below it, including the containers of overrides, or waits for a closing in progress.
  nonisolated(nonsending) func close(
    after outcome: ScopeOutcome, timeout: Duration? = nil
  ) async -> [ShutdownError.Failure] {
    let failures = await OverrideLayer.closeKeepers(of: self, after: outcome)
    guard lifecycle.beginClosing() else {
      await waitForClosing(timeout: timeout)
      return failures
    }
    closeRegistry()
    if lifecycle.activity.isIdle, hasNoChildren, let own = disposeAtOnce(after: outcome) {
      await endInstancesAbove(after: outcome)
      finishClosing()
      return failures + own
    }
    return await failures + closeSlowly(after: outcome, timeout: timeout)
  }

  /// Closes the container, whose registry is closed, and everything below it, where a step may suspend.
  nonisolated(nonsending) func closeSlowly(
    after outcome: ScopeOutcome, timeout: Duration? = nil
  ) async -> [ShutdownError.Failure] {
    // Runs also if this call does not wait for the end.
    defer { parent?.lifecycle.scopes.remove(lifecycle) }
    // From now on, no member resolves anything.
    let closing = ClosingOrder.begin(self, after: outcome, Timeout(duration: timeout, clock: configuration.clock))
    // Outside the lock, because it may release user objects.
    for member in closing.members.dropFirst() { member.closeRegistry() }
    return await endInTask { await closing.run() } ?? []
  }

  /// Ends this container in a separate task, which the caller's cancellation does not reach and which not every caller waits for.
  ///
  /// - Returns: Nil if the call has not waited.
  nonisolated(nonsending) func endInTask<Outcome: Sendable>(
    _ end: @escaping @concurrent @Sendable () async -> Outcome
  ) async -> Outcome? {
    if let outcome = await waitForEnd({ await Task.begin(seesCaller: false, end).value }) { return outcome }
    _ = Task.begin(seesCaller: false, end)
    return nil
  }

  /// Waits for the end of this container, unless that end waits for the calling factory or disposer.
  ///
  /// - Returns: Nil if the call has not waited.
  nonisolated(nonsending) func waitForEnd<Outcome>(_ wait: () async -> Outcome) async -> Outcome? {
    // For a factory or a disposer of this container or of one below it, the wait would deadlock.
    if let frame = ResolutionFrame.ambient, frame.isLive, frame.isBuilding(below: self) { return nil }
    let disposing = BindingDisposal.containersOfTask
    if disposing.contains(where: { $0.isBelow(self) }) { return nil }
    if let edges = ClosingOrder.add(from: disposing, to: self) {
      defer { ClosingOrder.remove(edges) }
      return await wait()
    }
    await ClosingOrder.closing(of: self, andOneOf: disposing)?.endNow(self)
    return nil
  }

  /// Closes a scope, synchronously if no step suspends, as for most scopes; otherwise see ``close(after:timeout:)``.
  ///
  /// The scope stays listed; see ``endScope(_:after:)``.
  ///
  /// - Returns: The remaining work; nil if the scope is closed without failures.
  @usableFromInline
  nonisolated func closeScopeAtOnce(after outcome: ScopeOutcome) -> RestOfClosing? {
    guard OverrideLayer.active == nil, hasNoChildren, lifecycle.activity.closeIfIdle() else { return .all }
    closeRegistry(keepingSnapshot: true)
    // Checked again: a child that is made after this finds the container closed, and closes itself.
    guard hasNoChildren, !lifecycle.mayHaveInstancesAbove, let failures = disposeAtOnce(after: outcome) else {
      return .disposal
    }
    lifecycle.finishClosing()
    return failures.isEmpty ? nil : .report(failures)
  }

  /// The remaining work of closing a scope: all of it, everything from the disposals on, or only the report of failures.
  ///
  /// All of the work is left for an extended scope, too.
  @usableFromInline
  enum RestOfClosing {
    case all
    case disposal
    case report([ShutdownError.Failure])
  }

  /// Whether there are neither children nor open scopes.
  private nonisolated var hasNoChildren: Bool {
    guard lifecycle.scopes.isEmpty else { return false }
    return unsafe lazyFamily.loadUnretained()?._withUnsafeGuaranteedRef { $0.all.isEmpty } ?? true
  }

  /// Finishes the closing of a container if no step suspends: runs its disposals and releases its contents.
  ///
  /// - Returns: The failures; nil if a step suspends or a build is in flight. The closing then continues, and nothing has been
  ///   removed.
  nonisolated func closeAtOnce(after outcome: ScopeOutcome) -> [ShutdownError.Failure]? {
    guard let failures = disposeAtOnce(after: outcome) else { return nil }
    takeInstancesAbove().reclaim().disposeInBackground(after: outcome)
    finishClosing()
    return failures
  }

  /// Runs the pending disposals without releasing the instances, if none suspends.
  ///
  /// - Returns: The failures; nil if a disposal suspends or a build is in flight.
  private nonisolated func disposeAtOnce(after outcome: ScopeOutcome) -> [ShutdownError.Failure]? {
    guard var disposals = lifecycle.takeAllIfSynchronous() else { return nil }
    var failures: [ShutdownError.Failure] = []
    while let disposal = disposals.popLast() { disposal.performSynchronously(after: outcome, &failures) }
    return failures
  }

  /// Finishes the closing of a scope whose disposals may suspend.
  nonisolated(nonsending) func finishClosingScope(after outcome: ScopeOutcome) async -> [ShutdownError.Failure] {
    guard hasNoChildren, let disposals = lifecycle.takeAllIfIdle()?.all else {
      return await closeSlowly(after: outcome)
    }
    for disposal in disposals { disposal.hold() }
    return await endInTask { [self] in
      var failures: [ShutdownError.Failure] = []
      for disposal in disposals.reversed() { failures += await disposal.perform(after: outcome) }
      await endInstancesAbove(after: outcome)
      lifecycle.finishClosing()
      return failures
    } ?? []
  }

  /// Finishes the closing, after the disposals.
  nonisolated func finishClosing() {
    releaseContents()
    endFeeds()
    lifecycle.finishClosing()
    parent?.lifecycle.scopes.remove(lifecycle)
  }

  /// Releases all kept instances, whose disposals have run, and the registrations with their closures, which may have captured the
  /// container.
  nonisolated func releaseContents() {
    // Containers that link each other in a circle would keep each other alive. No search follows these links any more.
    lazyLinks.load()?.removeAll()
    elementLists.clear()
    kept.forget { _ in true }.release()
    // L8: a caller of `withScope` may end the scope while another one is about to close its registry.
    if hasRegistry { closeRegistry() }
    let dropped = dropRegistrations()
    guard !dropped.bindings.isEmpty else { return }
    for binding in dropped.bindings {
      binding.end().release()
      binding.dropAliases()
      Reclaimer.shared.retire(binding)
    }
    Reclaimer.shared.collectAfterChange()
  }

  /// Disposes of the instances that named containers above this one keep for its registrations. When it has ended, nobody can ask for
  /// them.
  nonisolated(nonsending) func endInstancesAbove(after outcome: ScopeOutcome) async {
    let disposals = takeInstancesAbove().reclaim()
    var edges: [ClosingOrder.Edge] = []
    defer { ClosingOrder.remove(edges) }
    for keeper in disposals.compactMap(\.lifecycle.container) {
      // L4: a disposer of the keeper may wait for this container.
      guard let new = ClosingOrder.add(from: [self], to: keeper) else {
        return disposals.disposeInBackground(after: outcome)
      }
      edges += new
    }
    await disposals.dispose(after: outcome)
  }

  /// Takes the instances that named containers above this one keep for its registrations.
  ///
  /// - Returns: The instances that were kept, for the caller to release.
  private nonisolated func takeInstancesAbove() -> [DroppedReference] {
    lifecycle.mayHaveInstancesAbove ? ownRegistrations.flatMap { $0.takeInstanceAbove(parent) } : []
  }
}
