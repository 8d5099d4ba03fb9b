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
      switch state.phase {
      case .disposing, .closed: return .tooLate
      case .open, .closing: break
      }
      if let object = disposal.object, !state.objects.insert(object).inserted { return .known }
      state.disposals.append(disposal)
      if !disposal.isSynchronous { state.suspendingCount += 1 }
      return .added
    }
  }

  /// Whether there is anything to dispose of.
  var hasDisposals: Bool { state.withLock { !$0.disposals.isEmpty } }

  /// Whether ``Disposable/dispose()`` will be called on an object.
  func willDispose(of object: ObjectIdentifier) -> Bool {
    state.withLock { $0.objects.contains(object) }
  }

  /// Takes instances out of the list that nobody else has taken, for the caller to dispose of.
  func claim(_ disposals: [Disposal]) -> [Disposal] {
    guard !disposals.isEmpty else { return [] }
    return state.withLock { state in
      disposals.filter { disposal in
        guard state.disposals.remove(disposal) != nil else { return false }
        if let object = disposal.object { state.objects.remove(object) }
        if !disposal.isSynchronous { state.suspendingCount -= 1 }
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

extension [Disposal] {
  /// Those of them that nobody else has taken, in the order in which they are to be disposed of.
  private func claimed() -> [Disposal] {
    guard count > 1 else { return first.map { $0.lifecycle.claim([$0]) } ?? [] }
    let groups = Dictionary(grouping: self) { ObjectIdentifier($0.lifecycle) }
    return groups.values.flatMap { group in group.first?.lifecycle.claim(group) ?? [] }
      .sorted { $0.number > $1.number }
  }

  /// Disposes of instances that nobody else disposes of, the last created first.
  ///
  /// It goes on after a failure, and though the caller's task is cancelled.
  func dispose() async { await beginToDispose()?.value }

  /// The same, for a caller that cannot wait. Their containers are not closed before it has ended.
  func disposeInBackground() { _ = beginToDispose() }

  /// - Returns: the task that does it; nil when it has been done, since nothing of it suspends.
  private func beginToDispose() -> Task<Void, Never>? {
    let claimed = claimed()
    guard !claimed.allSatisfy(\.isSynchronous) else {
      _ = claimed.runSynchronously()
      return nil
    }
    let containers = claimed.compactMap(\.lifecycle.container)
    for container in containers { container.lifecycle.activity.beginAnyway() }
    return Task.detached(priority: Task.currentPriority) {
      _ = await claimed.run()
      for container in containers { container.lifecycle.endActivity() }
    }
  }

  /// - Returns: what went wrong.
  func run() async -> [ShutdownError.Failure] {
    var failures: [ShutdownError.Failure] = []
    for disposal in self { failures += await disposal.perform() }
    return failures
  }

  /// The same where none of them suspends.
  func runSynchronously() -> [ShutdownError.Failure] {
    var failures: [ShutdownError.Failure] = []
    for disposal in self { disposal.performSynchronously(&failures) }
    return failures
  }
}
