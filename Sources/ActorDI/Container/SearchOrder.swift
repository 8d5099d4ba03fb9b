internal import Synchronization

/// The containers that a resolve looks in, nearest first: the container itself, its links in the order made, its parent;
/// each linked container and each parent in the same way, and each of them once.
struct SearchOrder: Sequence, IteratorProtocol {
  private struct Step {
    let container: Container
    /// How many of the containers with decorators lie on the way there.
    let passed: Int
  }

  private let start: Container
  /// What to look in next; the last one first.
  private var pending: [Step] = []
  private var following: Step?
  /// Nil until a link was met: without links, nothing is met twice.
  private var visited: Set<ObjectIdentifier>?
  /// The containers with decorators on the way to the one that was returned last, from the start; then that one itself, if it has any.
  private var decorating: [Container] = []
  private var passed = 0

  init(from start: Container) {
    self.start = start
    following = Step(container: start, passed: 0)
  }

  mutating func next() -> Container? {
    while let step = following ?? pending.popLast() {
      following = nil
      let container = step.container
      if let visited, visited.contains(ObjectIdentifier(container)) { continue }
      passed = step.passed
      decorating.removeLast(decorating.count - passed)
      if container.hasDecorators { decorating.append(container) }
      let links = container.links
      let parent = container.parent.map { Step(container: $0, passed: decorating.count) }
      if links.isEmpty && pending.isEmpty {
        following = parent
      } else {
        if let parent { pending.append(parent) }
        pending += links.reversed().map { Step(container: $0, passed: decorating.count) }
      }
      if !links.isEmpty && visited == nil { visited = way(to: container) }
      visited?.insert(ObjectIdentifier(container))
      return container
    }
    return nil
  }

  /// What was found in the container that was returned last, as it is seen from the start: with what those on the way put around it.
  func decorated(_ found: Located) -> Located {
    decorating[..<passed].reversed().reduce(found) { $1.decorating($0) }
  }

  /// What was looked in before the first link was met.
  private func way(to container: Container) -> Set<ObjectIdentifier> {
    Set(sequence(first: start) { $0 === container ? nil : $0.parent }.map(ObjectIdentifier.init))
  }
}

/// A binding that was found, with the container that owns it: a link may be cancelled, and its container dropped, while
/// the binding is in use.
@usableFromInline
struct Located: Sendable {
  let binding: Binding
  let container: Container
  /// What the binding decorates that stands in another container, to be held as well.
  private let inner: Inner?

  private final class Inner: Sendable {
    let located: Located
    init(_ located: Located) { self.located = located }
  }

  init(binding: Binding, container: Container, decorating inner: Located? = nil) {
    self.binding = binding
    self.container = container
    self.inner = inner.map(Inner.init)
  }
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
