internal import Synchronization

// Containers that work together: each finds in the others what it does not have itself.
extension Container {
  /// Lets this container find what another one has.
  ///
  /// A resolve looks in the container itself, then in its links in the order made, then in its parent; a linked container
  /// is looked through in the same way. What is found there and kept stays one instance, whoever asks. Two containers may be
  /// linked with each other.
  ///
  /// - Parameter other: the container to look in. It is kept alive until the link is cancelled, or this container is shut down: containers
  ///   in a circle keep each other until then.
  /// - Returns: the link, to cancel it by.
  /// - Complexity: O(*n*) in the number of links.
  /// - Concurrency: from any thread; resolves that begin afterwards see it.
  @discardableResult
  public nonisolated func link(_ other: Container) -> Link {
    Link(in: linkList, number: linkList.add(other))
  }

  nonisolated var linkList: LinkList { lazyLinks.load() ?? lazyLinks.storeIfNil(LinkList(of: self)) }

  /// The containers linked to, in the order made.
  nonisolated var links: [Container] { lazyLinks.load()?.containers ?? [] }

  nonisolated var hasDecorators: Bool { lazyLinks.load()?.hasDecorated ?? false }
}

extension Container {
  /// That one container looks in another.
  ///
  /// It stays until it is cancelled, or the container that looks is shut down or gone; dropping this value does not end it.
  public struct Link: Sendable {
    /// Not the container, which this does not keep: it empties the list when it goes.
    private let links: LinkList
    private let number: UInt

    fileprivate init(in links: LinkList, number: UInt) {
      self.links = links
      self.number = number
    }

    /// Ends the link. Resolves that have found something by it go on.
    ///
    /// - Concurrency: from any thread, any number of times.
    public func cancel() {
      links.remove(number)
    }
  }
}

/// The links of one container, as its searches read them, and what it decorates of that which they find beyond it: immutable, published in
/// ``Container/linkArray``, and retired when it is replaced.
///
/// `@unchecked Sendable` because it is immutable, and holds the containers.
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

/// The links of one container, as they are made and cancelled, and the services that it decorates.
final class LinkList: Sendable {
  private struct State: Sendable {
    var links: [(number: UInt, target: Container)] = []
    var lastNumber: UInt = 0
    var decorated: [ObjectIdentifier] = []
    /// Nil when the container is closed, or gone.
    var owner: ContainerAddress?
  }

  /// The container that looks. Unowned, since it holds this list, and takes itself out before it goes.
  ///
  /// `@unchecked Sendable` because it is used under the list's lock only.
  @safe
  private struct ContainerAddress: @unchecked Sendable {
    unowned(unsafe) let container: Container
    init(_ container: Container) { unsafe self.container = container }
  }

  private let state: Lock<State>

  init(of container: Container) { state = Lock(State(owner: ContainerAddress(container))) }

  var containers: [Container] { state.withLock { $0.links.map(\.target) } }
  var hasDecorated: Bool { state.withLock { !$0.decorated.isEmpty } }

  /// From now on, searches that find a service beyond the container leave it to the slow path.
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
    // It may be the last reference to the container: it goes after the lock.
    let (removed, old) = state.withLock { state -> (Container?, UInt) in
      guard let index = state.links.firstIndex(where: { $0.number == number }) else { return (nil, 0) }
      let removed = state.links.remove(at: index).target
      return (removed, Self.publish(state))
    }
    Self.retire(old)
    withExtendedLifetime(removed) {}
  }

  /// The container is closed, or gone: nobody looks any more.
  func removeAll() {
    let (removed, old) = state.withLock { state in
      let removed = state.links
      state.links = []
      let old = Self.publish(state)
      state.owner = nil
      return (removed, old)
    }
    Self.retire(old)
    withExtendedLifetime(removed) {}
  }

  /// - Returns: the address of the array that was replaced, with its reference; 0 for none.
  private static func publish(_ state: State) -> UInt {
    guard let owner = state.owner else { return 0 }
    let isNeeded = unsafe !state.links.isEmpty || (!state.decorated.isEmpty && owner.container.parentReference != nil)
    let new = isNeeded ? LinkArray(state.links.map(\.target), decorated: state.decorated) : nil
    let address = new.map { UInt(bitPattern: unsafe Unmanaged.passRetained($0).toOpaque()) } ?? 0
    // Sequentially consistent, as the publication of a snapshot: see `Reclaimer`, O1.
    return unsafe owner.container.linkArray.exchange(address, ordering: .sequentiallyConsistent)
  }

  private static func retire(_ old: UInt) {
    guard old != 0 else { return }
    Reclaimer.shared.retire(takingReferenceAt: old)
    Reclaimer.shared.collectAfterChange()
  }
}
