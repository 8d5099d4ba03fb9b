// The search of the slow path: in the asked container, its links and its parents, with the overrides in force for the task.
extension Container {
  /// The binding for an identity: in this container, in a linked container or in a parent.
  ///
  /// - Parameter literal: The address of the literal that the key was given by, or 0. The next lookup by this address finds the binding
  ///   directly.
  nonisolated func locate(_ identity: ServiceIdentity, literal: UInt = 0) -> Located? {
    if let override = OverrideLayer.locate(identity, for: self) { return override }
    // Most containers have no links; their search is a walk along the parents.
    var next: Container? = self
    while let container = next, container.lazyLinks.load() == nil {
      if let found = container.locateHere(identity, literal: literal) { return found }
      next = container.parent
    }
    guard next != nil else { return nil }
    var order = searchOrder
    while let container = order.next() {
      if let found = container.locateHere(identity, literal: literal) { return order.decorated(found) }
    }
    return nil
  }

  /// Whether a service is registered here, in a linked container or in a parent, with any run-time arguments.
  nonisolated func isRegistered(_ identity: ServiceIdentity) -> Bool {
    if lifecycle.isClosed { return false }
    if locate(identity) != nil { return true }
    return (OverrideLayer.overlays(for: self) + searchOrder).contains { container in
      !container.lifecycle.isClosed
        && container.ownBindings(of: identity.service).contains { $0.key == identity.key }
    }
  }

  /// Whether a service is registered, built in, or available by a relationship type.
  nonisolated func hasAvailable<Service, each Argument: Sendable>(
    _ service: Service.Type, key: Key?, arguments: repeat (each Argument).Type
  ) -> Bool {
    let identity = ServiceIdentity(service, arguments: repeat each arguments, key: key)
    if locate(identity) != nil || identity.isBuiltIn { return true }
    guard let related = service as? any RelationshipType.Type else { return false }
    return related.isAvailable(from: self, key: key, arguments: repeat each arguments)
  }

  /// The bindings of a collection's elements, in order of registration; those of parents and links come first. With a key, only the
  /// bindings of that key.
  ///
  /// A registration hides the registrations under its key that are earlier, or in farther containers. An alias hides only the same alias
  /// of the same registration. The asking binding is left out and hides nothing, because a composite is made of all other bindings.
  ///
  /// - Parameters:
  ///   - collection: Selects the bindings by their keys.
  ///   - asker: The address of the binding that asks, or 0.
  nonisolated func elements(
    of identity: ServiceIdentity, in collection: any CollectionType.Type, for asker: UInt = 0
  ) -> [Located] {
    var visible: [ObjectIdentifier: [Located]] = [:]
    var seen: Set<Binding.Role> = []
    let overlays = OverrideLayer.overlays(for: self)
    func contributions(of container: Container) -> [Located] {
      var own: [Located] = []
      for binding in container.ownBindings(of: identity.service).reversed()
      where binding.identity.signature == identity.signature && (identity.key == nil || binding.key == identity.key)
        && collection.holds(binding.key) && !seen.contains(binding.roleOfRegistration) && !seen.contains(binding.role)
        && !(asker != 0 && binding.yieldsInstance(of: asker, asking: self))
      {
        seen.insert(collection.hasEachKeyOnce ? binding.roleOfRegistration : binding.role)
        own.append(Located(binding: binding, container: container))
      }
      return own.reversed()
    }
    for overlay in overlays { visible[ObjectIdentifier(overlay)] = contributions(of: overlay) }
    var order = searchOrder
    while let container = order.next() {
      visible[ObjectIdentifier(container)] = contributions(of: container).map(order.decorated)
    }
    var listed: [Located] = []
    collect(&visible, into: &listed)
    for overlay in overlays.reversed() { listed += visible[ObjectIdentifier(overlay)] ?? [] }
    return listed
  }

  /// The elements of the collection that a dependency asks for; empty if it asks for a single service.
  nonisolated func elements(of dependency: Dependency, for asker: UInt = 0) -> [Located] {
    dependency.collection.map { elements(of: dependency.identity, in: $0, for: asker) } ?? []
  }

  /// Collects the contributions of each container, farthest first.
  private nonisolated func collect(_ visible: inout [ObjectIdentifier: [Located]], into listed: inout [Located]) {
    // Removed before the linked containers are visited, so that circular links end here.
    guard let own = visible.removeValue(forKey: ObjectIdentifier(self)) else { return }
    parent?.collect(&visible, into: &listed)
    for link in links { link.collect(&visible, into: &listed) }
    listed += own
  }
}

extension Binding {
  /// Whether another binding makes the instance of this one: itself, or a binding behind this one.
  ///
  /// - Parameters:
  ///   - maker: The address of the binding that may make the instance.
  ///   - container: The container that the caller resolves from.
  fileprivate final func yieldsInstance(of maker: UInt, asking container: Container) -> Bool {
    if address == maker { return true }
    if wrapped.contains(where: { $0.yieldsInstance(of: maker, asking: container) }) { return true }
    guard let primary else { return false }
    if primary.address == maker { return true }
    guard let stand = primary.standIn(asking: container) else { return false }
    return withExtendedLifetime(stand) { stand.binding.yieldsInstance(of: maker, asking: container) }
  }
}
