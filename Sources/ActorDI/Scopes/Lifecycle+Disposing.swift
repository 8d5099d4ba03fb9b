internal import CActorDI

// The pending disposals of a container.
extension Lifecycle {
  /// The result of listing a disposal.
  enum Addition: Sendable {
    case added
    /// Another disposal will dispose of the object.
    case known
    /// The container disposes of its instances already, so the caller runs the disposal.
    case tooLate
  }

  /// Lists a pending disposal.
  func add(_ disposal: Disposal) -> Addition {
    state.withLock { state in
      if state.isDisposing { return .tooLate }
      if let object = disposal.call?.object, let known = state.objects.updateValue(disposal, forKey: object),
        known.hasObject
      {
        state.objects[object] = known
        return .known
      }
      state.lastDisposal = nextNumber(after: state.lastDisposal)
      disposal.number = state.lastDisposal
      state.disposals.append(disposal)
      if !disposal.isSynchronous { state.suspendingCount += 1 }
      return .added
    }
  }

  /// The number of an instance that was created now.
  ///
  /// A process-wide counter would be written by all threads, so the number is a time. In a scope, which is short and makes few
  /// instances, the numbers continue from the time of its opening.
  private func nextNumber(after last: UInt64) -> UInt64 {
    isScope ? max(last, openedAt) + 1 : max(last + 1, actordi_now())
  }

  /// Moves a disposal to the end of the list, because its instance is complete only now.
  fileprivate func renumber(_ disposal: Disposal) {
    // The list's old reference is released after the lock.
    _ = state.withLock { state -> Disposal? in
      // The closing has taken the list, and uses its links without the lock.
      guard !state.isDisposing, let listed = state.disposals.remove(disposal) else { return nil }
      state.lastDisposal = nextNumber(after: state.lastDisposal)
      disposal.number = state.lastDisposal
      state.disposals.append(disposal)
      return listed
    }
  }

  /// The pending disposal of an instance, if there is one.
  ///
  /// - Complexity: O(*n*) in the disposals that were listed later.
  func disposal(of instance: Instance) -> Disposal? {
    state.withLock { state in state.disposals.last { $0.disposes(of: instance) } }
  }

  var hasDisposals: Bool { state.withLock { !$0.disposals.isEmpty } }

  /// Whether a pending disposal will call ``Disposable/dispose()`` on an object. The caller retains the object.
  func willDispose(of object: ObjectIdentifier) -> Bool { state.withLock { $0.objects[object]?.hasObject ?? false } }

  /// Takes the disposals that are still pending, for the caller to run.
  ///
  /// Each counts as activity, until the caller calls ``endDisposal(_:)``. They are counted under the lock, under which
  /// `takeDisposals(.ifIdle)` checks the count.
  ///
  /// - Parameter batch: The batch that the disposals are part of.
  func take(_ disposals: [Disposal], in batch: DisposalBatch) -> [Disposal] {
    guard !disposals.isEmpty else { return [] }
    return state.withLock { state in
      // The closing has taken the list, and uses its links without the lock.
      if state.isDisposing { return [] }
      return disposals.filter { disposal in
        guard state.disposals.remove(disposal) != nil else { return false }
        if let object = disposal.call?.object, state.objects[object] === disposal { state.objects[object] = nil }
        if !disposal.isSynchronous { state.suspendingCount -= 1 }
        state.taken[ObjectIdentifier(disposal)] = TakenDisposal(disposal: disposal, batch: batch)
        activity.beginDisposal()
        return true
      }
    }
  }

  /// The disposals that callers have taken and that have not ended, the last created instance first.
  var takenDisposals: [Disposal] {
    state.withLock { $0.taken.values.map(\.disposal) }.inOrder
  }

  /// The batches whose disposals of an instance or of later ones have not ended, each with a latch that opens at the end of one disposal.
  ///
  /// - Parameters:
  ///   - number: The position of the instance in the order of creation.
  ///   - own: The batch of the caller.
  fileprivate func disposals(from number: UInt64, besides own: DisposalBatch) -> [(batch: DisposalBatch, end: Latch)] {
    state.withLock { state in
      var found: [(batch: DisposalBatch, end: Latch)] = []
      for (id, taken) in state.taken where taken.batch != own && taken.disposal.number >= number {
        let end = Latch()
        state.taken[id]?.endLatches.append(end)
        found.append((taken.batch, end))
      }
      return found
    }
  }

  /// The disposals left to the next reset.
  var disposalsDueAtReset: [Disposal] { state.withLock { $0.disposals.all.filter(\.isDueAtReset) } }
}

extension Disposal {
  /// Notes that the hooks of the instance are done: it counts as created now, after everything that they have taken.
  final func markCreated() { lifecycle.renumber(self) }

  /// Leaves the disposal to the next reset, because an instance that is still in use may have been built from this one.
  final func leaveToReset() {
    lifecycle.state.withLock { _ in isDueAtReset = true }
    discard()
    releaseInstance()
  }

  /// Whether the disposal runs before another one: scopes come first, then later instances.
  fileprivate final func precedes(_ other: Disposal) -> Bool {
    // A scope's numbers are not comparable with those of other containers, on whose instances it builds.
    lifecycle.isScope == other.lifecycle.isScope ? number > other.number : lifecycle.isScope
  }
}

extension LinkedList<Disposal> {
  /// Runs the disposals, none of which suspends, the last created instance first.
  ///
  /// - Returns: The failures.
  mutating func performSynchronously(after outcome: ScopeOutcome) -> [ShutdownError.Failure] {
    var failures: [ShutdownError.Failure] = []
    while let disposal = popLast() { disposal.performSynchronously(after: outcome, &failures) }
    return failures
  }
}

extension [Disposal] {
  /// The disposals in the order in which they run.
  fileprivate var inOrder: [Disposal] { sorted { $0.precedes($1) } }

  /// Takes the disposals that are still pending.
  ///
  /// - Returns: The disposals, in the order in which they are to run.
  private func taken(in batch: DisposalBatch) -> [Disposal] {
    guard count > 1 else { return first.map { $0.lifecycle.take([$0], in: batch) } ?? [] }
    return byLifecycle.flatMap { $0[0].lifecycle.take($0, in: batch) }.inOrder
  }

  /// The disposals, grouped by the lifecycles that list them.
  private var byLifecycle: some Collection<[Disposal]> {
    Dictionary(grouping: self) { ObjectIdentifier($0.lifecycle) }.values
  }

  /// The disposals in progress that come before the last of these, or are among these.
  private func inProgress(besides own: DisposalBatch) -> [(batch: DisposalBatch, end: Latch)] {
    byLifecycle.flatMap { group in
      group[0].lifecycle.disposals(from: group.map(\.number).min() ?? 0, besides: own)
    }
  }

  /// Notes that the hooks of instances that refer to one another are done. They keep the order of their factories.
  func markCreated() { for disposal in inOrder.reversed() { disposal.markCreated() } }

  /// Runs the disposals that are still pending, the last created instance first.
  ///
  /// Neither a failure nor a cancelled caller stops them. Their containers are not closed before they have run.
  ///
  /// - Parameter isInOrder: Whether to wait first for disposals of later instances, and for those among these, that other callers have
  ///   taken: a failed build, for example, disposes of its instance in the background.
  /// - Returns: The failures.
  @discardableResult
  func dispose(
    after outcome: ScopeOutcome = .completed, inOrder isInOrder: Bool = true
  ) async -> [ShutdownError.Failure] {
    if isEmpty { return [] }
    let batch = DisposalBatch()
    let disposals = taken(in: batch)
    let others = isInOrder ? inProgress(besides: batch) : []
    // Without a suspending disposer, no disposer waits for anything.
    let isSynchronous = disposals.allSatisfy(\.isSynchronous)
    guard !others.isEmpty || !isSynchronous, let owner = lazy.compactMap(\.lifecycle.owner).first else {
      return disposals.performSynchronously(after: outcome)
    }
    // The last owners may be released during the wait.
    for disposal in disposals { disposal.retainInstance() }
    var failures: [ShutdownError.Failure] = []
    // L4
    await type(of: owner).awaiting(batch) {
      for other in others { await type(of: owner).waitUnlessAwaited(for: other.batch, by: batch, until: other.end) }
      failures =
        isSynchronous
        ? disposals.performSynchronously(after: outcome)
        : await disposals.beginToPerform(after: outcome, in: batch, within: DisposalRun.ofTask).value
    }
    return failures
  }

  /// Runs the disposals that are still pending, for a caller that cannot wait.
  func disposeInBackground(after outcome: ScopeOutcome = .completed) {
    if isEmpty { return }
    let batch = DisposalBatch()
    taken(in: batch).perform(after: outcome, in: batch)
  }

  /// Runs disposals that are in no list, for a caller that cannot wait. Each counts as activity.
  func perform(after outcome: ScopeOutcome, in batch: DisposalBatch) {
    if allSatisfy(\.isSynchronous) {
      _ = performSynchronously(after: outcome)
    } else {
      _ = beginToPerform(after: outcome, in: batch)
    }
  }

  /// Runs disposals that are in no list, none of which suspends. Each counts as activity.
  ///
  /// - Returns: The failures.
  private func performSynchronously(after outcome: ScopeOutcome) -> [ShutdownError.Failure] {
    if isEmpty { return [] }
    // Retained, because a disposer may drop the last reference to a container.
    let owners = compactMap(\.lifecycle.owner)
    return DisposalRun.run(for: owners[...]) {
      var failures: [ShutdownError.Failure] = []
      for disposal in self {
        disposal.performSynchronously(after: outcome, &failures)
        disposal.lifecycle.endDisposal(disposal)
      }
      return failures
    }
  }

  /// Starts to run disposals that are in no list. Each counts as activity.
  ///
  /// - Parameters:
  ///   - batch: Identifies the disposals for callers that wait for them.
  ///   - runs: The disposals that wait for these.
  /// - Returns: The task that runs them, with the failures.
  private func beginToPerform(
    after outcome: ScopeOutcome, in batch: DisposalBatch, within runs: [DisposalRun] = []
  ) -> Task<[ShutdownError.Failure], Never> {
    // Retained, because a disposer may drop the last reference to a container.
    let owners = compactMap(\.lifecycle.owner)
    // Before the task starts: the caller may drop the last reference to a weakly held instance.
    for disposal in self { disposal.retainInstance() }
    return Task.detached(priority: Task.currentPriority) {
      var failures: [ShutdownError.Failure] = []
      // A disposal is awaited by its own container and by those of later disposals. The container whose last disposal is the next one is
      // the last of these.
      var met: Set<ObjectIdentifier> = []
      let lasts = indices.reversed().filter { met.insert(ObjectIdentifier(self[$0].lifecycle)).inserted }
      var waiting = lasts.compactMap { self[$0].lifecycle.owner }[...]
      for (index, disposal) in enumerated() {
        // In a task of its own, which the time limit of a shutdown can cancel without the other disposals.
        let run = Task { [waiting] in
          await DisposalRun.run(for: waiting, in: batch, within: runs) { await disposal.perform(after: outcome) }
        }
        disposal.connect(to: run)
        failures += await run.value
        disposal.lifecycle.endDisposal(disposal)
        if lasts[waiting.endIndex - 1] == index { waiting.removeLast() }
      }
      withExtendedLifetime(owners) {}
      return failures
    }
  }
}
