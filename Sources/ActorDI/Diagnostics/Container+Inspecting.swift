// The current state, for inspectors.
extension Container {
  /// The instances that this container keeps, for its own and for other containers' registrations.
  ///
  /// A weakly kept instance is included while it is alive.
  ///
  /// - Complexity: O(*n*) in registrations and instances.
  /// - Concurrency: Callable from any thread. Instances made or dropped meanwhile may or may not be included.
  public nonisolated var instances: [InstanceInfo] {
    let own = ownRegistrations.flatMap { binding -> [InstanceInfo] in
      guard !binding.isIndirect, !binding.isKeptByAsker else { return [] }
      return binding.keptInstances.map { InstanceInfo(binding.identity, binding.effectiveScope, $0, $1) }
    }
    let others = kept.all.flatMap { slot in
      slot.keptInstances.map { InstanceInfo(slot.identity, slot.scope, $0, $1) }
    }
    return own + others
  }

  /// The open scopes in this container and those below it, extended ones included.
  ///
  /// A scope is open until ``withScope(_:_:operation:)`` has returned and its extensions have ended: see ``extendScope()``.
  ///
  /// - Complexity: O(*n*) in the number of containers below.
  /// - Concurrency: Callable from any thread.
  public nonisolated var openScopes: [OpenScope] {
    familyTree.flatMap { container in container.scopes.map { OpenScope($0.lifecycle, in: container.name) } }
  }
}

extension InstanceHolder {
  /// The existing instances, with the times of their builds where these are known.
  fileprivate final var keptInstances: [(Instance, BuildTimes?)] {
    let own = existingCell.map(\.kept) ?? existing().map { ($0, nil) }
    return (own.map { [$0] } ?? []) + (argumentCells?.all.compactMap(\.kept) ?? [])
  }
}
