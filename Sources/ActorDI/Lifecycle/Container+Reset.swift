internal import Synchronization

extension Container {
  /// Drops kept instances, so that the next resolve builds them again.
  ///
  /// The instances are disposed of before this function returns, the last created first. So are instances whose registrations were
  /// replaced earlier. Disposals that are already in progress in a task, such as that of a failed build, are waited for, unless they wait
  /// for this call. ``ContainerObserver`` and ``events(bufferingNewest:)`` report failures. Builds in flight continue for their waiters; their
  /// instances are not kept.
  ///
  /// Within the operation of `withOverrides`, the instances that it and the operations around it keep in place of this container's are
  /// dropped, too.
  ///
  /// - Parameter scope: The scope whose instances are dropped; nil for all.
  /// - Concurrency: Isolated to the container. All containers below this one are reset, too.
  public func reset(_ scope: Scope? = nil) async {
    for child in children.reversed() { await child.reset(scope) }
    // First, because their instances may be made from those of this container.
    for substitute in OverrideLayer.substitutesInForce(for: self) {
      await substitute.disposals(ofReset: scope).dispose()
    }
    let disposals = disposals(ofReset: scope)
    // As with the reset of a service, a closed container has no event.
    if !lifecycle.isClosed { emit(.reset, of: nil, scope) }
    await disposals.dispose()
  }

  /// Drops the kept instances of a service, for all arguments.
  ///
  /// - Parameter service: The type under which the service is found.
  public func reset<Service>(_ service: Service.Type) async { await reset(ServiceIdentity(service)) }

  /// Drops the kept instances of a keyed service, for all arguments.
  ///
  /// - Parameters:
  ///   - service: The type under which the service is found.
  ///   - key: The key under which the service is found.
  public func reset<Service>(_ service: Service.Type, key: some Hashable & Sendable) async {
    await reset(ServiceIdentity(service, key: Key.of(key)))
  }

  /// Drops the kept instances of the service that a typed token names, for all arguments.
  ///
  /// If a token and a scope have one name, `reset(.session)` takes the scope, and `reset(ServiceKey.session)` the token.
  ///
  /// - Parameter token: The type and key under which the service is found.
  @_disfavoredOverload
  public func reset<Service>(_ token: ServiceKey<Service>) async { await reset(token.identity) }

  private func reset(_ identity: ServiceIdentity) async {
    for substitute in OverrideLayer.substitutesInForce(for: self) {
      await substitute.forgetInstances { other, _ in other.isSameService(as: identity) }.dispose()
    }
    // Under the lock, so that the snapshot is not replaced and freed while it is read.
    let bindings = registry.withLock { registry in
      lifecycle.isClosed ? [] : registry.bindingsFound(under: identity, in: slowPathSnapshot)
    }
    let own = instanceHolders(of: identity).forget()
    let numbers = Set(searchOrder.flatMap { $0.instanceHolders(of: identity) }.map(\.keptNumber))
    let dropped = kept.forget { $0.identity.isSameService(as: identity) || numbers.contains($0.number) }
    if let scope = bindings.first?.effectiveScope {
      emit(.reset, of: identity, bindings.allSatisfy { $0.effectiveScope == scope } ? scope : nil)
    }
    await (own + dropped).dispose()
  }

  /// The bindings of this container that keep instances of a service, or decorate it.
  private nonisolated func instanceHolders(of identity: ServiceIdentity) -> [Binding] {
    registryIfAny?.withLock { registry in
      lifecycle.isClosed ? [] : registry.instanceHolders(of: identity, in: slowPathSnapshot)
    } ?? []
  }

  /// Forgets the instances of a scope, or all instances, that this container keeps.
  ///
  /// - Returns: Their disposals, those that were left to the next reset, and those in progress, for which the reset waits.
  private nonisolated func disposals(ofReset scope: Scope?) -> [Disposal] {
    forgetInstances { scope == nil || $1 == scope }.reclaim() + lifecycle.disposalsDueAtReset + lifecycle.takenDisposals
  }

  /// Forgets the instances that this container keeps, with their decorated forms in other containers.
  ///
  /// - Parameter isWanted: Whether to forget the instances of a service in a scope.
  /// - Returns: The instances that were kept, for the caller to release.
  nonisolated func forgetInstances(where isWanted: (ServiceIdentity, Scope) -> Bool) -> [DroppedReference] {
    let bindings = registryIfAny?.withLock { $0.keepingBindings } ?? []
    return bindings.filter { isWanted($0.identity, $0.descriptor.scope) }.forget()
      + kept.forget { isWanted($0.identity, $0.scope) }
  }
}
