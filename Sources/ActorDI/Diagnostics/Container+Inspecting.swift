// What is there now: for an inspector.
extension Container {
  /// The instances that this container keeps: those of its own registrations, and those that it has of registrations of others. What is held
  /// weakly is among them as long as somebody holds it.
  ///
  /// - Complexity: O(*n*) in registrations and instances.
  /// - Concurrency: from any thread. Instances that are made or dropped meanwhile may be in it or not.
  public nonisolated var instances: [InstanceInfo] {
    let own = (existingRegistry?.withLock { $0.everything } ?? []).flatMap { binding -> [InstanceInfo] in
      guard !binding.descriptor.nature.isForward, !binding.isGroup, !binding.isKeptByAsker else { return [] }
      return binding.keptInstances(binding.argumentCells).map {
        InstanceInfo(binding.identity, binding.effectiveScope, $0, $1)
      }
    }
    return own
      + kept.all.flatMap { slot in
        slot.keptInstances(slot.argumentCells).map { InstanceInfo(slot.identity, slot.scope, $0, $1) }
      }
  }

  /// The scopes that are open in this container and in those below it: whose ``withScope(_:_:operation:)`` has not returned.
  ///
  /// - Complexity: O(*n*) in the number of containers below.
  /// - Concurrency: from any thread.
  public nonisolated var openScopes: [OpenScope] { familyTree.flatMap(\.lifecycle.openScopes) }
}

extension InstanceHolder {
  /// The instances that are there, and when they were made, where that is known.
  ///
  /// - Parameter argumentCells: where each tuple of run-time arguments has one.
  fileprivate final func keptInstances(_ argumentCells: ArgumentCells?) -> [(Instance, BuildTimes?)] {
    let own = existingCell.map(\.kept) ?? existing().map { ($0, nil) }
    return (own.map { [$0] } ?? []) + (argumentCells?.all.compactMap(\.kept) ?? [])
  }
}
