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
    for container in searchOrder {
      if let found = container.locateHere(identity, literal: literal) {
        return found
      }
    }
    return nil
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
