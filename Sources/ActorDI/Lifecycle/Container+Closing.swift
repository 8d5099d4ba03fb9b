// The end of a container, from the phase `closing` of its ``Lifecycle`` on. Whatever ends, the steps are the same: no build begins, and no
// search finds anything in it; it disposes of its instances, those of the containers below it first; it releases what it holds.
//
// An end begins on the stack of its caller, ``closeAtOnce(after:)``, and most ends are complete there. If a step may suspend, a ``Closing``
// runs the rest.
extension Container {
  /// Closes the container and everything below it, including the containers of overrides, or waits for a closing in progress.
  nonisolated(nonsending) func close(
    after outcome: ScopeOutcome, timeout: Duration? = nil
  ) async -> [ShutdownError.Failure] {
    switch closeAtOnce(after: outcome) {
    case nil: return []
    case .report(let failures): return failures
    case .disposals: return await closeSlowly(after: outcome, timeout: timeout)
    case .notBegun:
      await waitForClosing(timeout: timeout)
      return []
    }
  }

  /// Waits for a closing that another caller has begun or is about to begin.
  nonisolated(nonsending) func waitForClosing(timeout: Duration?) async {
    let timeout = Timeout(duration: timeout, clock: configuration.clock)
    _ = await waitForEndUnlessAwaited { await timeout.wait(for: [lifecycle.endLatch()]) }
  }

  // MARK: Closing at once

  /// The remaining work of a closing.
  @usableFromInline
  enum RestOfClosing {
    /// This call has closed nothing: another caller closes the container, or the scope is extended.
    case notBegun
    /// Everything from the disposals on: a step may suspend.
    case disposals
    /// Only the report of failures.
    case report([ShutdownError.Failure])
  }

  /// Closes the container on the caller's stack, as far as no step suspends.
  ///
  /// - Returns: The remaining work; nil if the container is closed without failures.
  nonisolated func closeAtOnce(after outcome: ScopeOutcome) -> RestOfClosing? {
    guard lifecycle.beginClosing(after: outcome) else { return .notBegun }
    refuseAll()
    guard let failures = disposeAtOnce(after: outcome) else { return .disposals }
    finishClosing(after: outcome)
    return failures.isEmpty ? nil : .report(failures)
  }

  /// Closes a scope whose operation has returned, unless it is extended, as far as no step suspends.
  ///
  /// The scope stays listed, and its contents go with it; see ``endScope(_:after:)``.
  ///
  /// - Returns: The remaining work; nil if the scope is closed without failures.
  nonisolated func closeScopeAtOnce(after outcome: ScopeOutcome) -> RestOfClosing? {
    guard lifecycle.activity.closeUnlessExtended() else { return .notBegun }
    refuseAll(keepingSnapshot: true)
    guard let failures = disposeAtOnce(after: outcome) else { return .disposals }
    lifecycle.markEnded()
    return failures.isEmpty ? nil : .report(failures)
  }

  /// Lets no search find anything in this container, whose closing has begun, and cancels the modules that have not run yet.
  ///
  /// - Parameter keepsSnapshot: See ``closeRegistry(keepingSnapshot:)``.
  private nonisolated func refuseAll(keepingSnapshot keepsSnapshot: Bool = false) {
    closeRegistry(keepingSnapshot: keepsSnapshot)
    // A load in one order with the closed bit, see `run(_:)`.
    if lazyLoading.isSet { lazyLoading.load()?.cancel() }
  }

  /// Runs the disposals of this container, whose closing has begun.
  ///
  /// - Returns: The failures; nil if a step may suspend, so that nothing has run.
  private nonisolated func disposeAtOnce(after outcome: ScopeOutcome) -> [ShutdownError.Failure]? {
    // A child that is made after this look finds the container closed, and closes itself.
    guard !hasSubordinates, !lifecycle.mayHaveInstancesAbove, var disposals = lifecycle.takeDisposals(.ifSynchronous)
    else { return nil }
    if disposals.isEmpty { return [] }
    // A draining container serves the disposers below it, which it knows by their run.
    let hasDrainingAncestor = UnheldReference(self).nearest { $0.lifecycle.isDraining } != nil
    return hasDrainingAncestor
      ? DisposalRun.run(for: [self]) { disposals.performSynchronously(after: outcome) }
      : disposals.performSynchronously(after: outcome)
  }

  /// Whether the container has a subordinate that has not ended.
  nonisolated var hasSubordinates: Bool {
    if !lifecycle.scopes.isEmpty { return true }
    return lazySubordinateList.isSet
      && lazySubordinateList.loadUnheld()?.borrow { $0.all.contains { !$0.lifecycle.hasEnded } } ?? false
  }

  // MARK: Closing with suspensions

  /// Closes the container, whose closing has begun, and everything below it, where a step may suspend.
  ///
  /// - Parameter finisher: What finishes the closing of this container.
  nonisolated(nonsending) func closeSlowly(
    after outcome: ScopeOutcome, timeout: Duration? = nil, finishedBy finisher: Closing.Finisher = .closing
  ) async -> [ShutdownError.Failure] {
    let timeout = Timeout(duration: timeout, clock: configuration.clock)
    // From now on, no member resolves anything. Without subordinates, there is nothing to look for under the process-wide lock.
    let closing =
      hasSubordinates
      ? ClosingOrder.makeClosing(of: self, after: outcome, timeout, finishedBy: finisher)
      : Closing([self], waitingFor: [], after: outcome, timeout, finishedBy: finisher)
    // Outside the lock, because it may release user objects and run cancellation handlers.
    for member in closing.members.dropFirst() { member.refuseAll() }
    lifecycle.setClosing(closing)
    return await runEndInTask { await closing.run() } ?? []
  }

  /// Ends this container in a separate task, which the caller's cancellation does not reach and which not every caller waits for.
  ///
  /// - Returns: Nil if the call has not waited.
  nonisolated(nonsending) func runEndInTask<Outcome: Sendable>(
    _ end: @escaping @concurrent @Sendable () async -> Outcome
  ) async -> Outcome? {
    let outcome = await waitForEndUnlessAwaited { await Task.begin(seesCaller: false, end).value }
    if outcome == nil { _ = Task.begin(seesCaller: false, end) }
    return outcome
  }

  /// Ends this container for a disposer of the same ``Closing``. For any other caller, waits for the end, unless it waits for the calling
  /// factory, disposer or operation.
  ///
  /// - Returns: Nil if the call has not waited.
  nonisolated(nonsending) func waitForEndUnlessAwaited<Outcome>(_ wait: () async -> Outcome) async -> Outcome? {
    if let edges = ClosingOrder.addEdgesUnlessAwaited(toEndOf: self) {
      defer { ClosingOrder.remove(edges) }
      return await wait()
    }
    await ClosingOrder.closing(of: self, andOneOf: DisposalRun.ofTask.containers)?.endNow(self)
    return nil
  }

  // MARK: Ending

  /// Finishes the closing, after the disposals; see ``Closing/Finisher``.
  nonisolated func finishClosing(after outcome: ScopeOutcome) {
    let uses = lifecycle.uses
    if uses != nil { emitEnd(after: outcome) }
    releaseContents()
    endFeeds()
    // Before the mark: a caller that has waited for the end finds no open scope.
    parent?.lifecycle.scopes.remove(lifecycle)
    lifecycle.markEnded()
    // Again, for a feed whose first subscriber has looked before the mark.
    endFeeds()
    uses?.scopeHasEnded()
    substitution?.onEnd(self)
  }

  /// Releases all kept instances, whose disposals have run, and the registrations with their closures, which may have captured the
  /// container.
  nonisolated func releaseContents() {
    // Containers that link each other in a circle would keep each other alive. No search follows these links any more.
    if lazyLinks.isSet { lazyLinks.load()?.removeAll() }
    elementLists.clear()
    kept.forget { _ in true }.release()
    // L8: a caller of `withScope` may end the scope while another one is about to close its registry.
    if hasRegistry { closeRegistry() }
    let bindings = dropRegistrations()
    guard !bindings.isEmpty else { return }
    for binding in bindings {
      binding.end().release()
      binding.dropAliases()
      Reclaimer.shared.retire(binding)
    }
    Reclaimer.shared.collectAfterChange()
  }

  /// Takes the instances that named containers above this one keep for its registrations. When it has ended, no caller can ask for them.
  ///
  /// - Returns: The instances that were kept, for the caller to release.
  nonisolated func takeInstancesAbove() -> [DroppedReference] {
    lifecycle.mayHaveInstancesAbove ? allBindings.flatMap { $0.takeInstanceAbove(parent) } : []
  }
}
