internal import Synchronization

// Links, by which a container searches others for services that it does not have itself.
extension Container {
  /// Links another container, which this one searches for services that it does not have itself.
  ///
  /// A resolve searches the container itself, then its links in the order of their creation, then its parent. It
  /// searches each linked container in the same way. A kept service of a linked container has one instance, whichever
  /// container it is resolved from. Two containers may be linked to each other.
  ///
  /// - Parameter other: The container to search. It is kept alive until the link is cancelled or this container is shut
  ///   down; containers linked in a circle keep each other alive until then.
  /// - Returns: The link, which can be cancelled.
  /// - Complexity: O(*n*) in the number of links.
  /// - Concurrency: Callable from any thread. Resolves that begin afterwards see the link.
  @discardableResult
  public nonisolated func link(_ other: Container) -> Link {
    let link = Link(links: linkList, number: linkList.add(other))
    // Listed before this look: a thread that closes the container afterwards finds the list.
    if lifecycle.isClosed { linkList.removeAll() }
    return link
  }

  nonisolated var linkList: LinkList { lazyLinks.load(orStore: LinkList(of: self)) }

  /// The linked containers, in the order of their links.
  nonisolated var links: [Container] { lazyLinks.load()?.containers ?? [] }

  nonisolated var hasDecorators: Bool { lazyLinks.load()?.hasDecorated ?? false }

  /// A link by which one container searches another.
  ///
  /// The link stays until it is cancelled, or the searching container is shut down or deallocated. Dropping this value
  /// does not end the link.
  public struct Link: Sendable {
    /// The list rather than its container, which the link does not keep alive. The container's end empties the list.
    fileprivate let links: LinkList
    fileprivate let number: UInt

    /// Ends the link. Resolves that have already found a service through it continue.
    ///
    /// - Concurrency: Callable from any thread, any number of times.
    public func cancel() { links.remove(number) }
  }
}

/// An immutable list of a container's links for searches, with the services that the container decorates.
///
/// The container publishes it in ``Container/linkArray`` and retires it when another one replaces it.
final class LinkArray: Sendable {
  /// The first linked container; nil if there are only decorated services. Kept here because most containers have at most one link, and
  /// loading its address from other memory would take a tenth of a resolve.
  let first: UnheldReference<Container>?
  /// All linked containers.
  private let targets: HeldReferences<Container>
  private let decorated: [ObjectIdentifier]

  init(_ containers: [Container], decorated: [ObjectIdentifier]) {
    self.decorated = decorated
    targets = HeldReferences(containers)
    first = containers.first.map { UnheldReference($0) }
  }

  @inline(__always)
  fileprivate func target(at index: Int) -> UnheldReference<Container>? {
    if index == 0 { return first }
    return index < targets.count ? targets[index] : nil
  }

  fileprivate func mayDecorate(_ binding: FoundBinding) -> Bool {
    if decorated.isEmpty || !binding.isBinding { return false }
    let service = Binding.at(binding).borrow { ObjectIdentifier($0.identity.service) }
    return decorated.contains(service)
  }
}

extension LinksWord {
  /// The linked container at an index, in the order of the links; nil behind the last one. There must be an array.
  // Inlined, as the rest of a search is.
  @inline(__always)
  func target(at index: Int) -> UnheldReference<Container>? { borrow { $0.target(at: index) } }

  /// Whether the container may decorate a binding found in its links or parents. There must be an array.
  @inline(__always)
  func mayDecorate(_ binding: FoundBinding) -> Bool { borrow { $0.mayDecorate(binding) } }

  @inline(__always)
  private func borrow<Result>(_ body: (LinkArray) -> Result) -> Result {
    UnheldReference<LinkArray>(at: bits).borrow(body)
  }
}

/// The current links of one container, and the services that it decorates.
final class LinkList: Sendable {
  /// A linked container, and the number of the link.
  private struct Entry {
    let number: UInt
    let target: Container
  }

  private struct State: ~Copyable {
    var links: [Entry] = []
    var lastNumber: UInt = 0
    var decorated: [ObjectIdentifier] = []
    /// The container that owns the list. Unheld, since it holds the list. Nil once it is closed or deallocated.
    var owner: UnheldReference<Container>?
  }

  private let state: Lock<State>

  init(of container: Container) { state = Lock(State(owner: UnheldReference(container))) }

  var containers: [Container] { state.withLock { $0.links.map(\.target) } }
  var hasDecorated: Bool { state.withLock { !$0.decorated.isEmpty } }

  /// Adds a decorated service. From then on, searches that find the service in another container take the slow path.
  func decorate(_ service: any Any.Type) {
    change { state in
      let service = ObjectIdentifier(service)
      if !state.decorated.contains(service) { state.decorated.append(service) }
    }
  }

  func add(_ target: Container) -> UInt {
    change { state in
      state.lastNumber += 1
      if state.owner != nil { state.links.append(Entry(number: state.lastNumber, target: target)) }
      return state.lastNumber
    }
  }

  func remove(_ number: UInt) {
    _ = change { state in
      state.links.firstIndex { $0.number == number }.map { state.links.remove(at: $0).target }
    }
  }

  /// Removes all links, because the container is closed or deallocated.
  func removeAll() {
    _ = change { state in
      state.decorated = []
      state.owner = nil
      return exchange(&state.links, with: []).map(\.target)
    }
  }

  /// Changes the state, and publishes it if the number of links or of decorated services has changed.
  ///
  /// - Parameter body: Returns the removed containers. These may be the last references, so they are released after the
  ///   lock.
  private func change<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, old) = state.withLock { state -> (Result, UInt) in
      let owner = state.owner
      let linkCount = state.links.count
      let decoratedCount = state.decorated.count
      let result = body(&state)
      let isChanged = state.links.count != linkCount || state.decorated.count != decoratedCount
      guard let owner, isChanged else { return (result, 0) }
      return (result, Self.publish(state, for: owner))
    }
    if old != 0 {
      Reclaimer.shared.retire(takingReferenceAt: old)
      Reclaimer.shared.collectAfterChange()
    }
    return result
  }

  /// Publishes the links in a new array.
  ///
  /// - Returns: The address of the replaced array, with its reference; 0 for none.
  private static func publish(_ state: borrowing State, for owner: UnheldReference<Container>) -> UInt {
    let hasParent = owner.borrow { $0.parentReference.unheld != nil }
    let isNeeded = !state.links.isEmpty || (!state.decorated.isEmpty && hasParent)
    let new = isNeeded ? LinkArray(state.links.map(\.target), decorated: state.decorated) : nil
    let address = new.map { UnheldReference(retaining: $0).address } ?? 0
    // Sequentially consistent, like the publication of a snapshot: see `Reclaimer`, O1.
    return owner.borrow { $0.linkArray.exchange(address, ordering: .sequentiallyConsistent) }
  }
}
