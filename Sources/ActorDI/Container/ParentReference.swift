internal import Synchronization

/// A container's reference to its parent.
///
/// E1: an ended scope has the runner's reference only, or holds its parent, or reports that the parent may be gone. A scope holds its
/// parent when it has ended and other threads still have references to it: see `Container.endScope(_:after:)`.
struct ParentReference: ~Copyable, Sendable {
  /// The parent, unretained, for callers that know it to be alive. Nil if there is none.
  let unheld: UnheldReference<Container>?

  /// Whether the container holds a reference to its parent.
  ///
  /// A scope does not while its `withScope` runs, since the caller of `withScope` holds the parent: concurrent scopes would contend for the
  /// parent's reference count.
  private let holdsParent: Atomic<Bool>

  /// Whether the container is a scope that its runner has ended: the caller of its `withScope`, or the last extension.
  let isEndedByRunner = Atomic<Bool>(false)

  /// Creates the reference of a container that holds its parent.
  init(holding parent: UnheldReference<Container>?) {
    parent?.retain()
    unheld = parent
    holdsParent = Atomic(true)
  }

  /// Creates the reference of a scope whose `withScope` runs.
  init(notHolding parent: UnheldReference<Container>) {
    unheld = parent
    holdsParent = Atomic(false)
  }

  /// Whether the parent, if there is one, is certainly alive: the container holds it, or the scope's runner does.
  var isParentAlive: Bool {
    if holdsParent.load(ordering: .acquiring) { return true }
    Self.orderReferenceCounts()
    return !isEndedByRunner.load(ordering: .sequentiallyConsistent)
  }

  /// The parent, for a search under a pin. Nil if it may be gone.
  var parentToSearch: UnheldReference<Container>? { isParentAlive ? unheld : nil }

  /// Marks a scope as ended by its runner: threads that found it by a weak reference then know that the parent may be gone.
  func markEndedByRunner() {
    isEndedByRunner.store(true, ordering: .sequentiallyConsistent)
    Self.orderReferenceCounts()
  }

  /// Takes a reference to the parent. Only while `withScope` runs.
  func holdParent() {
    guard let unheld, !holdsParent.load(ordering: .relaxed) else { return }
    unheld.retain()
    holdsParent.store(true, ordering: .releasing)
  }

  /// Releases the parent if the container holds it. Only while the container is deallocated.
  func releaseParent() { if holdsParent.load(ordering: .acquiring) { unheld?.releaseInTurn() } }

  /// Orders a word and a reference count against each other, since the runtime's counts are relaxed.
  private static func orderReferenceCounts() { atomicMemoryFence(ordering: .sequentiallyConsistent) }
}

extension UnheldReference<Container> {
  /// The nearest container that satisfies a predicate: this one, or one above it. Each container holds its parent (P1).
  func nearest(where isWanted: (Container) -> Bool) -> Self? {
    var next: Self? = self
    while let container = next {
      if container.borrow(isWanted) { return container }
      next = container.borrow { $0.parentToSearch }
    }
    return nil
  }

  /// Releases a parent iteratively, since the recursive release of a chain of thousands would overflow the stack.
  ///
  /// Does not check whether this is the last reference: weak references may create others meanwhile.
  fileprivate func releaseInTurn() {
    let record = ThreadRecordPointer.current
    if let waiting = unsafe UnsafeMutablePointer<[Self]>(bitPattern: record.pointee.releases) {
      return unsafe waiting.pointee.append(self)
    }
    var waiting: [Self] = []
    unsafe withUnsafeMutablePointer(to: &waiting) { waiting in
      record.pointee.releases = UInt(bitPattern: waiting)
      release()
      while let next = unsafe waiting.pointee.popLast() { next.release() }
      record.pointee.releases = 0
    }
  }
}
