// The search of the slow path: in the asked container, its links and its parents, with the overrides in force for the task.
extension Container {
  /// The binding for an identity: in this container, in a linked container or in a parent.
  nonisolated func locate(_ identity: ServiceIdentity) -> Located? {
    OverrideLayer.locate(identity, for: self) ?? locateRegistered(identity)
  }

  /// The binding for an identity, whatever overrides are in force.
  nonisolated func locateRegistered(_ identity: ServiceIdentity) -> Located? {
    var order = searchOrder
    while let container = order.next() {
      if let found = container.locateHere(identity) { return order.decorated(found) }
    }
    return nil
  }

  /// Whether a service is registered here, in a linked container or in a parent, with any run-time arguments.
  nonisolated func isRegistered(_ identity: ServiceIdentity) -> Bool {
    if lifecycle.isClosed { return false }
    if isFoundQuickly(identity) || identity.defaultRegistration != nil || locate(identity) != nil { return true }
    return !locateWithAnyArguments(identity).isEmpty
  }

  /// The bindings for a service and key with any run-time arguments: in the overrides in force, this container, its links and its parents.
  nonisolated func locateWithAnyArguments(_ identity: ServiceIdentity) -> [Located] {
    searchedContainers.filter { !$0.lifecycle.isClosed }.flatMap { container in
      container.ownBindings(of: identity.service).filter { $0.key == identity.key }
        .map { Located(binding: $0, container: container) }
    }
  }

  /// The containers that a resolve searches, nearest first: those of the overrides in force, this one, its links and its parents.
  nonisolated var searchedContainers: [Container] { OverrideLayer.overlays(for: self) + searchOrder }

  /// Whether the fast path finds a binding. A build that notes its requests would note this one, so it does not look.
  private nonisolated func isFoundQuickly(_ identity: ServiceIdentity) -> Bool {
    if ThreadRecordPointer.current.isRecording { return false }
    let lookup = find(identity.signature, erasedKey: identity.key, nil)
    lookup.record.unpin()
    return lookup.binding.isBinding
  }

  /// Whether a service is registered, built in, or available by a relationship type.
  nonisolated func hasAvailable<Service>(_ service: Service.Type, key: Key?, arguments: Arguments?) -> Bool {
    let identity = ServiceIdentity(service, key: key, taking: arguments)
    if locate(identity) != nil || identity.isSuppliedUnregistered { return true }
    guard let related = RelationshipTypes.relationship(service) else { return false }
    return related.isAvailable(from: self, key: key, arguments: arguments)
  }
}
