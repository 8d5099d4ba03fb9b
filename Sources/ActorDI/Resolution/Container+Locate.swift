// What a container that is asked finds, here or in those that it looks in, with the overrides in force for the task.
extension Container {
  /// The binding that an identity leads to, here, in a linked container or in a parent.
  ///
  /// - Parameter literal: the address that the key was given by, if it was; the next lookup by it will find the binding.
  nonisolated func locate(_ identity: ServiceIdentity, literal: UInt = 0) -> Located? {
    if let override = OverrideLayer.active?.locate(identity, for: self) { return override }
    // Without links, and most have none, what is searched is a list of parents.
    var next: Container? = self
    while let container = next, container.lazyLinks.load() == nil {
      if let found = container.locateHere(identity, literal: literal) {
        return found
      }
      next = container.parent
    }
    guard next != nil else { return nil }
    var order = searchOrder
    while let container = order.next() {
      if let found = container.locateHere(identity, literal: literal) {
        return order.decorated(found)
      }
    }
    return nil
  }

  /// Whether something is registered for an identity here, in a linked container or in a parent, with whatever arguments.
  nonisolated func isRegistered(_ identity: ServiceIdentity) -> Bool {
    if lifecycle.isClosed { return false }
    if locate(identity) != nil { return true }
    return (OverrideLayer.overlays(for: self) + searchOrder).contains { container in
      !container.lifecycle.isClosed
        && container.ownBindings(of: identity.service).contains { $0.key == identity.key }
    }
  }

  /// Whether there is something for a relationship to a service.
  nonisolated func hasAvailable<Service, each Argument: Sendable>(
    _ service: Service.Type, key: Key?, arguments: repeat (each Argument).Type
  ) -> Bool {
    let identity = ServiceIdentity(service, arguments: repeat each arguments, key: key)
    if locate(identity) != nil || identity.isBuiltIn { return true }
    guard let related = service as? any RelationshipType.Type else { return false }
    return related.isAvailable(from: self, key: key, arguments: repeat each arguments)
  }

  /// The bindings of the elements of a collection: those with the same arguments, in order of registration, the parents' and links' first.
  /// With a key, those of that key only.
  ///
  /// A registration hides all that stood under its key before it, or in farther containers; an alias only the same alias of the same
  /// registration. What is itself being built is not there, and hides nothing: a composite is made of all others.
  ///
  /// - Parameters:
  ///   - collection: says which of them.
  ///   - asker: the address of the binding that asks, or 0.
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

  /// The elements of the collection that a dependency is wanted as; none where one service is wanted.
  nonisolated func elements(of dependency: Dependency, for asker: UInt = 0) -> [Located] {
    dependency.collection.map { elements(of: dependency.identity, in: $0, for: asker) } ?? []
  }

  /// Takes what each container contributes, farthest first.
  private nonisolated func collect(
    _ visible: inout [ObjectIdentifier: [Located]], into listed: inout [Located]
  ) {
    // Taken before its fall-backs are visited, so that a circle of links ends here.
    guard let own = visible.removeValue(forKey: ObjectIdentifier(self)) else { return }
    parent?.collect(&visible, into: &listed)
    for link in links { link.collect(&visible, into: &listed) }
    listed += own
  }
}

extension Binding {
  /// Whether what it yields is made by a binding: by itself, or by one that it stands for.
  ///
  /// - Parameter container: the container that is asked for it.
  fileprivate final func yieldsInstance(of maker: UInt, asking container: Container) -> Bool {
    if address == maker { return true }
    if stoodFor.contains(where: { $0.yieldsInstance(of: maker, asking: container) }) { return true }
    guard let primary else { return false }
    if primary.address == maker { return true }
    guard let stand = primary.standIn(asking: container) else { return false }
    return withExtendedLifetime(stand) { stand.binding.yieldsInstance(of: maker, asking: container) }
  }
}
