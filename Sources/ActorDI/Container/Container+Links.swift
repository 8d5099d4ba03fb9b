internal import Synchronization

// Links, by which a container searches others for services that it does not have itself.
extension Container {
  /// Links another container, which this one searches for services that it does not have itself.
  ///
  /// A resolve searches the container itself, then its links in the order made, then its parent. Each linked container
  /// is searched in the same way. A kept service of a linked container has one instance, whichever container it is
  /// resolved from. Two containers may be linked to each other.
  ///
  /// - Parameter other: The container to search. It is kept alive until the link is cancelled or this container is shut
  ///   down; containers linked in a circle keep each other alive until then.
  /// - Returns: The link, which can be cancelled.
  /// - Complexity: O(*n*) in the number of links.
  /// - Concurrency: Callable from any thread. Resolves that begin afterwards see the link.
  @discardableResult
  public nonisolated func link(_ other: Container) -> Link { Link(in: linkList, number: linkList.add(other)) }

  nonisolated var linkList: LinkList { lazyLinks.load(orStore: LinkList(of: self)) }

  /// The linked containers, in the order of their links.
  nonisolated var links: [Container] { lazyLinks.load()?.containers ?? [] }

  nonisolated var hasDecorators: Bool { lazyLinks.load()?.hasDecorated ?? false }
}

extension Container {
  /// A link by which one container searches another.
  ///
  /// The link stays until it is cancelled, or the searching container is shut down or deallocated. Dropping this value
  /// does not end the link.
  public struct Link: Sendable {
    /// The list rather than its container, which the link does not keep alive. The container's end empties the list.
    private let links: LinkList
    private let number: UInt

    fileprivate init(in links: LinkList, number: UInt) {
      self.links = links
      self.number = number
    }

    /// Ends the link. Resolves that have already found a service through it continue.
    ///
    /// - Concurrency: Callable from any thread, any number of times.
    public func cancel() { links.remove(number) }
  }
}

/// An immutable list of a container's links for searches, with the services that the container decorates.
///
/// The container publishes it in ``Container/linkArray`` and retires it when another one replaces it.
///
/// `@unchecked Sendable` because it is immutable and retains the containers.
@safe
final class LinkArray: @unchecked Sendable {
  let targets: UnsafeBufferPointer<Unmanaged<Container>>
  let decorated: [ObjectIdentifier]

  init(_ containers: [Container], decorated: [ObjectIdentifier]) {
    self.decorated = decorated
    let memory = UnsafeMutableBufferPointer<Unmanaged<Container>>.allocate(capacity: containers.count)
    for (index, container) in containers.enumerated() {
      unsafe memory.initializeElement(at: index, to: Unmanaged.passRetained(container))
    }
    unsafe targets = UnsafeBufferPointer(memory)
  }

  deinit {
    for index in unsafe targets.indices { unsafe targets[index].release() }
    unsafe targets.deallocate()
  }
}

/// The current links of one container, and the services that it decorates.
final class LinkList: Sendable {
  private struct State: Sendable {
    var links: [(number: UInt, target: Container)] = []
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
    let old = state.withLock { state -> UInt in
      guard !state.decorated.contains(ObjectIdentifier(service)) else { return 0 }
      state.decorated.append(ObjectIdentifier(service))
      return Self.publish(state)
    }
    Self.retire(old)
  }

  func add(_ target: Container) -> UInt {
    let (number, old) = state.withLock { state -> (UInt, UInt) in
      state.lastNumber += 1
      guard state.owner != nil else { return (state.lastNumber, 0) }
      state.links.append((state.lastNumber, target))
      return (state.lastNumber, Self.publish(state))
    }
    Self.retire(old)
    return number
  }

  func remove(_ number: UInt) {
    // The link may have the last reference to the container, which is released after the lock.
    let (removed, old) = state.withLock { state -> (Container?, UInt) in
      guard let index = state.links.firstIndex(where: { $0.number == number }) else { return (nil, 0) }
      let removed = state.links.remove(at: index).target
      return (removed, Self.publish(state))
    }
    Self.retire(old)
    withExtendedLifetime(removed) {}
  }

  /// Removes all links, because the container is closed or deallocated.
  func removeAll() {
    let (removed, old) = state.withLock { state in
      let removed = exchange(&state.links, with: [])
      state.decorated = []
      let old = Self.publish(state)
      state.owner = nil
      return (removed, old)
    }
    Self.retire(old)
    withExtendedLifetime(removed) {}
  }

  /// Publishes the links in a new array.
  ///
  /// - Returns: The address of the replaced array, with its reference; 0 for none.
  private static func publish(_ state: State) -> UInt {
    guard let owner = state.owner else { return 0 }
    let isNeeded = !state.links.isEmpty || (!state.decorated.isEmpty && owner.borrow { $0.parentReference } != nil)
    let new = isNeeded ? LinkArray(state.links.map(\.target), decorated: state.decorated) : nil
    let address = new.map { UInt(bitPattern: unsafe Unmanaged.passRetained($0).toOpaque()) } ?? 0
    // Sequentially consistent, like the publication of a snapshot: see `Reclaimer`, O1.
    return owner.borrow { $0.linkArray.exchange(address, ordering: .sequentiallyConsistent) }
  }

  private static func retire(_ old: UInt) {
    guard old != 0 else { return }
    Reclaimer.shared.retire(takingReferenceAt: old)
    Reclaimer.shared.collectAfterChange()
  }
}
