internal import Synchronization

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

  nonisolated func locateHere(_ identity: ServiceIdentity, literal: UInt) -> Located? {
    guard let binding = ownBinding(of: identity) else { return nil }
    if literal != 0 { addAlias(literal, of: binding) }
    return Located(binding: binding, container: self)
  }

  /// What this container's own registry has for an identity, whatever overrides are in force.
  nonisolated func ownBinding(of identity: ServiceIdentity) -> Binding? {
    let record = unsafe ThreadRecordPointer.current
    unsafe record.pin()
    let binding = Snapshot(orEmptyAt: snapshotAtLength).find(identity.signature, identity.word) {
      unsafe Binding.at($0)._withUnsafeGuaranteedRef { $0.key == identity.key }
    }
    let found = binding == 0 ? nil : unsafe Binding.at(binding)._withUnsafeGuaranteedRef { $0 }
    unsafe record.unpin()
    return found
  }

  /// The bindings of a service that stand in this container itself.
  nonisolated func ownBindings(of service: any Any.Type) -> [Binding] {
    registry.withLock { $0.bindings(of: service) }
  }
}

extension Container {
  /// Changes when something is registered or removed, here or in a container that this one looks in, or when these are not the
  /// same any more.
  nonisolated var registryStamp: RegistryStamp {
    RegistryStamp(searchOrder.map { $0.existingRegistry?.version ?? RegistryStamp.neverChanged })
  }
}
