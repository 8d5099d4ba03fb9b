internal import CActorDI

// The current state, for inspectors.
extension Container {
  /// The instances that this container keeps, for its own and for other containers' registrations.
  ///
  /// A weakly kept instance is included while it is alive.
  ///
  /// - Complexity: O(*n*) in registrations and instances.
  /// - Concurrency: Callable from any thread. Instances made or dropped meanwhile may or may not be included.
  public nonisolated var instances: [InstanceInfo] {
    let bindings = allBindings.filter { !$0.isIndirect && !$0.policy.isKeptPerContainer }
    let own = bindings.flatMap { $0.instances(of: $0.identity, $0.effectiveScope) }
    return own + kept.all.flatMap { $0.instances(of: $0.identity, $0.scope) }
  }

  /// The open scopes in this container and those below it, extended ones and those of ``KeyedScopes`` included.
  ///
  /// A scope is open until ``withScope(_:_:operation:)`` has returned and its extensions have ended: see ``extendScope()``. A scope of
  /// ``KeyedScopes`` is open while it is idle, too.
  ///
  /// - Complexity: O(*n*) in the number of containers below.
  /// - Concurrency: Callable from any thread.
  public nonisolated var openScopes: [OpenScope] {
    // One time for all scopes, so that the order of their ages is that of their openings.
    let now = actordi_now()
    return familyTree.flatMap { container in
      container.scopes.map { OpenScope($0.lifecycle, in: container.name, $0.lifecycle.uses?.status, at: now) }
    }
  }
}

extension InstanceHolder {
  /// The existing instances of a service, with the times of their builds where these are known.
  fileprivate final func instances(of identity: ServiceIdentity, _ scope: Scope) -> [InstanceInfo] {
    let own = existingCell.map(\.kept) ?? existing().map { OnceCell.Kept(instance: $0, requests: nil, times: nil) }
    let all = (own.map { [$0] } ?? []) + (argumentCells?.all.compactMap(\.kept) ?? [])
    return all.map { InstanceInfo(identity, scope, $0.instance, $0.times) }
  }
}
