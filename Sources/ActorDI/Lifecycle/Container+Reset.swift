internal import Synchronization

extension Container {
  /// Drops kept instances: the next resolve builds them anew.
  ///
  /// They are disposed of before it returns, the last created first, with those whose registrations were replaced before; failures are
  /// for ``ContainerObserver`` and ``events(bufferingNewest:)`` to tell. Builds in flight go on for those who wait for them; what they
  /// yield is not kept.
  ///
  /// - Parameter scope: only instances of this scope; all if left out.
  /// - Concurrency: isolated to the container. Containers whose parent this is, directly or not, are reset too.
  public func reset(_ scope: Scope? = nil) async {
    for child in children.reversed() { await child.reset(scope) }
    await resetInstances(of: scope)
  }

  /// Drops the kept instance of a service, whatever its arguments.
  ///
  /// - Parameter service: the type that it is found under.
  public func reset<Service>(_ service: Service.Type) async {
    await reset(ServiceIdentity(service))
  }

  /// Drops the kept instance of a keyed service, whatever its arguments.
  ///
  /// - Parameters:
  ///   - service: the type that it is found under.
  ///   - key: the key that it is found under.
  public func reset<Service>(_ service: Service.Type, key: some Hashable & Sendable) async {
    await reset(ServiceIdentity(service, key: Key.of(key)))
  }

  /// Drops the kept instance of what a typed token names, whatever its arguments.
  ///
  /// - Parameter token: the type and key that it is found under.
  public func reset<Service>(_ token: ServiceKey<Service>) async {
    await reset(token.identity)
  }

  private func reset(_ identity: ServiceIdentity) async {
    let bindings = registry.withLock { registry in
      // Under the lock: the snapshot cannot be replaced, and so not freed, while it is read.
      let found = registry.bindings(of: identity, in: snapshotAtLength) + registry.wrappers(of: identity)
      // What decorates an alias goes with the service.
      let aliases = found.flatMap(\.withParts).flatMap { $0.withForwards.dropFirst() }
      return found + aliases.map(\.outermost).filter(\.isDecorator)
    }
    let own = bindings.flatMap(\.keepers).flatMap { $0.forget() }
    let shown = Set(searchOrder.flatMap { $0.keptNumbers(of: identity) })
    let lent = kept.forget { $0.shows(identity) || shown.contains($0.number) }
    emitReset(of: identity, bindings)
    await (own + lent).dispose()
    await OverrideLayer.reset(in: self) {
      $0.service == identity.service && $0.key == identity.key
    }
  }

  private func resetInstances(of scope: Scope?) async {
    let isWanted = { (binding: Binding) in scope == nil || binding.descriptor.scope == scope }
    let bindings = registry.withLock { ($0.bindings + $0.wrappers.values).flatMap(\.keepers) }
    let own = bindings.filter(isWanted).flatMap { $0.forget() }
    let lent = kept.forget { scope == nil || $0.scope == scope }
    let disposals = (own + lent).reclaim()
    emitReset(of: scope)
    await (disposals + lifecycle.takeLeftovers()).dispose()
    await OverrideLayer.reset(in: self, scope)
  }
}

extension KeptSlot {
  /// Whether the registration is of a service and key, whatever its arguments.
  fileprivate func shows(_ other: ServiceIdentity) -> Bool {
    identity.service == other.service && identity.key == other.key
  }
}

extension Container {
  /// The numbers of the registrations in this container that are found under a service and key by one of their other types.
  fileprivate nonisolated func keptNumbers(of identity: ServiceIdentity) -> [UInt] {
    ownBindings(of: identity.service)
      .filter { $0.key == identity.key && $0.isListed.load(ordering: .acquiring) }.compactMap { $0.primary?.keptNumber }
  }
}
