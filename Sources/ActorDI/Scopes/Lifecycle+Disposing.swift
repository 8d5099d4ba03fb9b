internal import CActorDI

// What a container has to dispose of.
extension Lifecycle {
  enum Addition: Sendable {
    case added
    /// Something else will dispose of the object.
    case known
    /// It is too late: it is the caller's to do.
    case tooLate
  }

  /// Notes that an instance has to be disposed of.
  func add(_ disposal: Disposal) -> Addition {
    state.withLock { state in
      if isDisposing { return .tooLate }
      if let object = disposal.object, let known = state.objects.updateValue(disposal, forKey: object), known.hasObject
      {
        state.objects[object] = known
        return .known
      }
      state.lastNumber = nextNumber(after: state.lastNumber)
      disposal.number = state.lastNumber
      state.disposals.append(disposal)
      if !disposal.isSynchronous { state.suspendingCount += 1 }
      return .added
    }
  }

  /// A number for what was created now. A counter of the process would be one that all threads write, so it is the time; in a scope, which is
  /// short and has little, the time of its beginning, and then one after the other.
  private func nextNumber(after last: UInt64) -> UInt64 {
    unsafe openedAt != 0 ? max(last, openedAt) + 1 : max(last + 1, actordi_now())
  }

  /// What is noted for an instance; nil for nothing.
  ///
  /// - Complexity: O(*n*) in the disposals that were noted since.
  func disposal(of instance: Instance) -> Disposal? {
    state.withLock { state in
      state.disposals.last { $0.isEnd(of: instance) }
    }
  }

  /// Whether there is anything to dispose of.
  var hasDisposals: Bool { state.withLock { !$0.disposals.isEmpty } }

  /// Whether ``Disposable/dispose()`` will be called on an object, which the caller holds.
  func willDispose(of object: ObjectIdentifier) -> Bool {
    state.withLock { $0.objects[object]?.hasObject ?? false }
  }

  /// Takes instances out of the list that nobody else has taken, for the caller to dispose of. Each counts as something in flight, which
  /// the caller ends when it has done so: under the lock, since who takes the rest looks under it whether anything is.
  func claim(_ disposals: [Disposal]) -> [Disposal] {
    guard !disposals.isEmpty else { return [] }
    return state.withLock { state in
      disposals.filter { disposal in
        guard state.disposals.remove(disposal) != nil else { return false }
        if let object = disposal.object, state.objects[object] === disposal { state.objects[object] = nil }
        if !disposal.isSynchronous { state.suspendingCount -= 1 }
        activity.beginAnyway()
        return true
      }
    }
  }

  /// Leaves instances that nobody gets any more to the next reset: something may have been built from them.
  func leave(_ disposals: [Disposal]) {
    if !disposals.isEmpty { state.withLock { $0.leftovers += disposals } }
  }

  func takeLeftovers() -> [Disposal] {
    state.withLock { state in
      let all = state.leftovers
      state.leftovers = []
      return all
    }
  }
}

extension Disposal {
  /// Whether it is a scope's, whose numbers tell nothing of other containers: what it has was built on theirs.
  fileprivate final var isOfScope: Bool { unsafe lifecycle.openedAt != 0 }
}

extension [Disposal] {
  /// Those of them that nobody else has taken, in the order in which they are to be disposed of.
  private func claimed() -> [Disposal] {
    guard count > 1 else { return first.map { $0.lifecycle.claim([$0]) } ?? [] }
    let groups = Dictionary(grouping: self) { ObjectIdentifier($0.lifecycle) }
    return groups.values.flatMap { group in group.first?.lifecycle.claim(group) ?? [] }
      .sorted { $0.isOfScope == $1.isOfScope ? $0.number > $1.number : $0.isOfScope }
  }

  /// Disposes of instances that nobody else disposes of, the last created first.
  ///
  /// It goes on after a failure, and though the caller's task is cancelled. Their containers are not closed before it has ended.
  func dispose(after outcome: ScopeOutcome = .completed) async { await beginToDispose(after: outcome)?.value }

  /// The same, for a caller that cannot wait.
  func disposeInBackground(after outcome: ScopeOutcome = .completed) { _ = beginToDispose(after: outcome) }

  /// - Returns: the task that does it; nil when it has been done, since nothing of it suspends.
  private func beginToDispose(after outcome: ScopeOutcome) -> Task<Void, Never>? {
    let claimed = claimed()
    guard !claimed.allSatisfy(\.isSynchronous) else {
      for disposal in claimed {
        // Held: the disposer may be what lets go of the container.
        let lifecycle = disposal.lifecycle
        var failures: [ShutdownError.Failure] = []
        disposal.performSynchronously(after: outcome, &failures)
        lifecycle.endActivity()
      }
      return nil
    }
    let owners = claimed.compactMap(\.lifecycle.owner)
    return Task.detached(priority: Task.currentPriority) {
      for disposal in claimed {
        _ = await disposal.perform(after: outcome)
        disposal.lifecycle.endActivity()
      }
      withExtendedLifetime(owners) {}
    }
  }
}
