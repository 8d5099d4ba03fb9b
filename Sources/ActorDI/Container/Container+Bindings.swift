// The registrations of one container, whatever overrides are in force, and the state of all that a search reads.
extension Container {
  /// The binding of this container's own registry.
  nonisolated func locateHere(_ identity: ServiceIdentity) -> Located? {
    ownBinding(of: identity).map { Located(binding: $0, container: self) }
  }

  /// The binding that this container's own registry has for an identity, whatever overrides are in force.
  nonisolated func ownBinding(of identity: ServiceIdentity) -> Binding? {
    let record = ThreadRecordPointer.current
    record.pin()
    let listed = Snapshot(orEmptyAt: slowPathSnapshot).find(identity)
    record.unpin()
    return listed ?? withdrawnDefault(of: identity)
  }

  /// The bindings of a service in this container's own registry.
  nonisolated func ownBindings(of service: any Any.Type) -> [Binding] {
    if let registry = lazyRegistry.load() { return registry.withLock { $0.bindings(of: service) } }
    return openingBindings.filter { $0.descriptor.identity.service == service }
  }

  /// The state of all registries that a search from this container reads.
  ///
  /// It changes when something is registered or removed in one of these containers, or when the set of containers
  /// changes.
  nonisolated var registryStamp: RegistryStamp {
    RegistryStamp(versions: searchOrder.map { $0.registryIfAny?.version ?? RegistryStamp.neverChanged })
  }
}
