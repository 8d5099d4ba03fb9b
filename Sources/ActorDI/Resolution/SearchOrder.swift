/// The containers that a resolve looks in, nearest first: the container itself, its links in the order made, its parent;
/// each linked container and each parent in the same way, and each of them once.
struct SearchOrder: Sequence, IteratorProtocol {
  private let start: Container
  /// What to look in next; the last one first.
  private var pending: [Container] = []
  private var following: Container?
  /// Nil until a link was met: without links, nothing is met twice.
  private var visited: Set<ObjectIdentifier>?

  init(from start: Container) {
    self.start = start
    following = start
  }

  mutating func next() -> Container? {
    while let container = following ?? pending.popLast() {
      following = nil
      if let visited, visited.contains(ObjectIdentifier(container)) { continue }
      let links = container.links
      if links.isEmpty && pending.isEmpty {
        following = container.parent
      } else {
        if let parent = container.parent { pending.append(parent) }
        pending += links.reversed()
      }
      if !links.isEmpty && visited == nil { visited = way(to: container) }
      visited?.insert(ObjectIdentifier(container))
      return container
    }
    return nil
  }

  /// What was looked in before the first link was met.
  private func way(to container: Container) -> Set<ObjectIdentifier> {
    Set(sequence(first: start) { $0 === container ? nil : $0.parent }.map(ObjectIdentifier.init))
  }
}

/// A binding that was found, with the container that owns it: a link may be cancelled, and its container dropped, while
/// the binding is in use.
@usableFromInline
struct Located {
  let binding: Binding
  let container: Container
}

extension Container {
  nonisolated var searchOrder: SearchOrder { SearchOrder(from: self) }

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
    for container in searchOrder {
      if let found = container.locateHere(identity, literal: literal) {
        return found
      }
    }
    return nil
  }

  nonisolated func locateHere(_ identity: ServiceIdentity, literal: UInt) -> Located? {
    guard let binding = ownBinding(of: identity) else { return nil }
    if literal != 0 { addAlias(literal, of: binding) }
    return Located(binding: binding, container: self)
  }

  /// The bindings of a service that stand in this container itself.
  nonisolated func ownBindings(of service: any Any.Type) -> [Binding] {
    registry.withLock { $0.bindings(of: service) }
  }

  /// The bindings that `[Service]` is made of: those with the same arguments, in order of registration, the parents' and links' first;
  /// without those that a nearer container hides. With a key, those of that key only.
  nonisolated func visibleBindings(of identity: ServiceIdentity) -> [Located] {
    var visible: [ObjectIdentifier: [Located]] = [:]
    var seen: Set<Key?> = []
    let overlays = OverrideLayer.overlays(for: self)
    for container in overlays + searchOrder where visible[ObjectIdentifier(container)] == nil {
      let own = container.ownBindings(of: identity.service).filter {
        $0.identity.signature == identity.signature && (identity.key == nil || $0.key == identity.key)
          && !seen.contains($0.key)
      }
      seen.formUnion(own.map(\.key))
      visible[ObjectIdentifier(container)] = own.map { Located(binding: $0, container: container) }
    }
    var listed: [Located] = []
    collect(&visible, into: &listed)
    for overlay in overlays.reversed() { listed += visible[ObjectIdentifier(overlay)] ?? [] }
    return listed
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

extension Container {
  /// Changes when something is registered or removed, here or in a container that this one looks in, or when these are not the
  /// same any more.
  nonisolated var registryStamp: RegistryStamp {
    RegistryStamp(searchOrder.map { $0.existingRegistry?.version ?? RegistryStamp.neverChanged })
  }
}
