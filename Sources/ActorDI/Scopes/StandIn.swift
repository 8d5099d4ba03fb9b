internal import Synchronization

/// Stands in a container for a registration of one of its parents, so that the read path finds there what the container itself keeps of
/// it: a scoped instance.
///
/// It is what a lookup finds in the container's snapshot, and nothing else: it is in no list of registrations, and whoever has
/// found it goes on with its ``origin``. It is made at the second use: most scopes ask for most services once.
///
/// - N1: it stands only while a search from the container would find the origin. Whatever may change that drops it: a change in
///   the container's own registry, one in a container that is searched before the origin's, a link. Who adds one does so under the lock of
///   the container's registry: it marks the containers above, looks, and publishes. Who changes something publishes that, takes the marks
///   away, and if there were any, drops what it finds under these locks. So one of the two sees the other. Who finds no mark, but
///   somebody at the dropping, drops as well: none is left when a change returns.
/// - N2: its instance is written under the lock of the cell that keeps it, as that of any binding is.
///
/// `@unchecked Sendable` as its superclass; what it adds is immutable.
final class StandIn: Binding, @unchecked Sendable {
  let origin: Binding
  private let cell: OnceCell

  init(for origin: Binding, in container: Container, showing cell: OnceCell) {
    self.origin = origin
    self.cell = cell
    super.init(standingInFor: origin, in: container)
  }

  override var standsInFor: Located? {
    Located(binding: origin, container: unsafe origin.owner)
  }

  /// Nobody can find it any more.
  func end() { cell.detach(self).release() }
}

extension OnceCell {
  /// What is kept for a container other than the registration's own, from the second use on.
  fileprivate func instanceInUse() -> Instance? {
    state.withLock { _ in
      guard let use = (storage as? ScopedStorage)?.noteUse(), use.count > 1 else { return nil }
      return use.instance
    }
  }

  fileprivate func attach(_ standIn: StandIn, showing product: Product) {
    state.withLock { _ in (storage as? ScopedStorage)?.attach(standIn, showing: product) }
  }

  fileprivate func detach(_ standIn: StandIn) -> [DroppedInstance] {
    state.withLock { _ in (storage as? ScopedStorage)?.detach(standIn) ?? [] }
  }
}

extension Binding {
  /// Lets a container that keeps an instance of this registration, which stands in one of its parents, find that by itself.
  final func standIn(in container: Container) {
    let keeping = instanceOwner
    guard keeping.keeper(for: container) === container,
      let cell = container.lifecycle.cells.existingCell(of: keeping),
      let instance = cell.instanceInUse()
    else { return }
    var product = Product(instance: instance)
    if primary != nil {
      guard let forward = keeping.forwards?.all.first(where: { $0.binding === self }) else { return }
      product.forwarded = [(self, forward.convert(instance))]
    }
    let standIn = StandIn(for: self, in: container, showing: cell)
    if container.add(standIn) { cell.attach(standIn, showing: product) }
  }
}

extension Container {
  /// - Returns: false when a search would not find its origin, or finds it by another one already (N1).
  fileprivate nonisolated func add(_ standIn: StandIn) -> Bool {
    let isAdded = change { registry, snapshot in
      // Said before the look, and read after a publication: one of the two sees the other (N1).
      self.registry.noteStandIns(true)
      for container in sequence(first: self, next: \.parent) {
        container.lifecycle.standInsBelow.bitwiseOr(Self.standInMark, ordering: .sequentiallyConsistent)
      }
      // Links are looked at by loads that only acquire: who makes the first one fences as well.
      atomicMemoryFence(ordering: .sequentiallyConsistent)
      return finds(standIn.origin) ? registry.add(standIn, to: snapshot) : nil
    }
    // What the looks have left to be done: not under the lock.
    unsafe ThreadRecordPointer.current.attendLate()
    return isAdded
  }

  /// Whether a search through the parents ends at a registration. Under the lock of the own registry, which is the first to be looked in.
  private nonisolated func finds(_ origin: Binding) -> Bool {
    var next: Container? = self
    while let container = next, container.links.isEmpty {
      if let found = container.lookup(origin.identity).retainBindingUnattended() { return found === origin }
      next = container.parent
    }
    return false
  }

  /// Drops all stand-ins, here and below, since they might find something else now.
  nonisolated func dropStandIns() {
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    dropOwnStandIns()
    dropStandInsBelow()
  }

  /// The same for the containers below this one.
  ///
  /// - Complexity: O(1) where there are none; else O(*n*) in the containers below.
  nonisolated func dropStandInsBelow() {
    guard lifecycle.standInsBelow.load(ordering: .sequentiallyConsistent) != 0 else { return }
    // Counted while it is at work: who comes meanwhile, and finds no mark, does not return before the stand-ins are gone.
    lifecycle.standInsBelow.add(2, ordering: .sequentiallyConsistent)
    lifecycle.standInsBelow.bitwiseAnd(~Self.standInMark, ordering: .sequentiallyConsistent)
    for container in familyTree where container !== self { container.dropOwnStandIns() }
    lifecycle.standInsBelow.subtract(2, ordering: .sequentiallyConsistent)
  }

  private static var standInMark: UInt32 { 1 }

  private nonisolated func dropOwnStandIns() {
    guard lazyRegistry.load()?.hasStandIns == true else { return }
    change { registry, snapshot in registry.dropStandIns(from: snapshot) }
  }
}
