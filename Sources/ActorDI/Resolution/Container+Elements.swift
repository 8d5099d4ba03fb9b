// The elements of a collection, `[T]` or `[Key: T]`: registrations of the asked container, its links and its parents.
extension Container {
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
    /// Whether a binding is an element unless another one hides it.
    func isElement(_ binding: Binding) -> Bool {
      binding.descriptor.identity.signature == identity.signature
        && (identity.key == nil || binding.key == identity.key) && collection.holds(binding.key)
        && !(asker != 0 && binding.yieldsInstance(of: asker, asking: self))
    }
    if OverrideLayer.active == nil,
      let elements = elementsOfOneContainer(
        of: identity.service, keepingOnePerKey: collection.hasEachKeyOnce, isElement)
    {
      return elements
    }
    // Nearest container first, and within a container the latest registration first.
    var found: [Located] = []
    var parts: [Part] = []
    var seen: Set<Binding.Role> = []
    func search(_ container: Container, _ decorated: (Located) -> Located) {
      let start = found.count
      for binding in container.ownBindings(of: identity.service).reversed() where isElement(binding) {
        let role = collection.hasEachKeyOnce ? binding.roleOfRegistration : binding.role
        if role.primary != nil && seen.contains(binding.roleOfRegistration) { continue }
        if seen.insert(role).inserted { found.append(decorated(Located(binding: binding, container: container))) }
      }
      parts.append((container, start..<found.count))
    }
    for overlay in OverrideLayer.overlays(for: self) { search(overlay) { $0 } }
    let overlaid = found.count
    var order = searchOrder
    while let container = order.next() { search(container, order.decorated) }
    // Without links, the search has visited the containers in the opposite order.
    guard order.hasLinks else { return found.reversed() }
    var listed: [Located] = []
    list(found, &parts, into: &listed)
    return listed + found[..<overlaid].reversed()
  }

  /// The elements, if only one container has any and hides none of them; otherwise nil.
  private nonisolated func elementsOfOneContainer(
    of service: any Any.Type, keepingOnePerKey keepsOnePerKey: Bool, _ isElement: (Binding) -> Bool
  ) -> [Located]? {
    var found: (container: Container, bindings: [Binding])?
    var next: Container? = self
    while let container = next {
      // Links have elements of their own, or decorate those of others.
      guard container.lazyLinks.load() == nil else { return nil }
      let bindings = container.ownBindings(of: service)
      if !bindings.isEmpty {
        guard found == nil else { return nil }
        found = (container, bindings)
      }
      next = container.parent
    }
    guard let (container, bindings) = found else { return [] }
    // The loop below compares each element with all earlier ones.
    guard bindings.count <= 8 else { return nil }
    var elements: [Located] = []
    elements.reserveCapacity(bindings.count)
    for binding in bindings where isElement(binding) {
      for index in elements.indices {
        let earlier = elements[index].binding
        if binding.key == earlier.key && (keepsOnePerKey || binding.isDuplicate(of: earlier)) { return nil }
      }
      elements.append(Located(binding: binding, container: container))
    }
    return elements
  }

  /// A container, and the range of its elements among those found.
  private typealias Part = (container: Container, range: Range<Int>)

  /// Lists the elements of this container after those of its parents and links. Each container is listed once.
  private nonisolated func list(_ found: [Located], _ parts: inout [Part], into listed: inout [Located]) {
    // Removed before the linked containers are visited, so that circular links end here.
    guard let index = parts.firstIndex(where: { $0.container === self }) else { return }
    let part = parts.remove(at: index)
    parent?.list(found, &parts, into: &listed)
    for link in links { link.list(found, &parts, into: &listed) }
    listed += found[part.range].reversed()
  }

  /// The elements of the collection that a dependency asks for; empty if it asks for a single service.
  nonisolated func elements(of dependency: Dependency, for asker: UInt = 0) -> [Located] {
    dependency.collection.map { elements(of: dependency.identity, in: $0, for: asker) } ?? []
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
