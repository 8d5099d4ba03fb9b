public import Synchronization

/// Where one kept instance stands: a binding, for an instance of its own container; a ``KeptSlot``, for one that a container keeps of a
/// registration that each container has an instance of.
///
/// `@unchecked Sendable` because what it has is atomic, and what its subclasses add says so there.
@usableFromInline
class InstanceHolder: @unchecked Sendable {
  /// The address of the kept instance's ``Box``, with a reference (B1); or a mark.
  ///
  /// It comes from a ``Box`` by ``show(_:)`` under the cell's lock, or from an uncontended build. It is taken out under the cell's lock only,
  /// and goes to the ``Reclaimer`` (B2).
  @usableFromInline let instance = Atomic<UInt>(0)

  /// Where the instance is built when more than one caller is concerned; created by the first one that needs it.
  private let lazyCell = LazyReference<OnceCell>()

  /// What `instance` may say in place of an address.
  enum Mark {
    /// Nothing is kept, and no cell has taken charge.
    static var free: UInt { 0 }
    /// An uncontended build is running.
    static var building: UInt { 2 }
    /// Nothing is shown, and the cell is in charge: what is kept is shown by it, if at all.
    static var inCell: UInt { 4 }
  }

  /// Whether a word is a ``KeptNumber``: in `instance` of a binding whose instances are kept by the containers that are asked, it leaves the
  /// read path nothing else to look at.
  static func isKeptNumber(_ word: UInt) -> Bool { Int(bitPattern: word) < 0 }

  /// Whether a word is the address of a box: no address has the highest bit, by which a ``KeptNumber`` is told.
  @inlinable
  @inline(__always)
  static func isAddress(_ word: UInt) -> Bool { Int(bitPattern: word) > 7 }

  deinit {
    let address = instance.load(ordering: .acquiring)
    guard Self.isAddress(address), let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return }
    unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
  }

  /// The cell, if one was made.
  final var existingCell: OnceCell? { lazyCell.load() }

  /// The cell, made now if there was none.
  final var ownCell: OnceCell { cell { makeCell() } }

  /// The cell, made now if there was none.
  final func cell(_ make: () -> OnceCell) -> OnceCell { lazyCell.load() ?? lazyCell.storeIfNil(make()) }

  /// A cell for this holder, which stands nowhere yet.
  func makeCell() -> OnceCell { fatalError("abstract") }

  /// Forgets the instance. A build in flight goes on for its waiters.
  ///
  /// - Returns: what was kept, for the caller to release.
  final func forgetInstance() -> [DroppedInstance] {
    if existingCell == nil && instance.load(ordering: .acquiring) == Mark.free { return [] }
    return ownCell.forget()
  }

  /// Those that show the same instance under other types.
  var shownBy: [InstanceHolder] { [] }

  /// Shows readers another instance that is kept weakly, or none.
  ///
  /// - Returns: what was shown before.
  func showWeakly(_ new: WeakBox?) -> [DroppedInstance] { fatalError("abstract") }

  /// The address of the box of the instance that is shown; 0 for none.
  final var shown: UInt {
    let address = instance.load(ordering: .acquiring)
    return Self.isAddress(address) ? address : 0
  }
}

// MARK: - Under the cell's lock

extension InstanceHolder {
  /// Puts the cell in charge: from now on nothing changes but under its lock.
  final func claim() -> OnceStateMachine.Claimed {
    while true {
      let found = instance.load(ordering: .acquiring)
      if Self.isAddress(found) { return .instance }
      if found == Mark.inCell { return .nothing }
      if instance.compareExchange(expected: found, desired: Mark.inCell, ordering: .acquiringAndReleasing).exchanged {
        return found == Mark.building ? .build : .nothing
      }
    }
  }

  /// Shows readers another instance, or none.
  ///
  /// - Returns: what was shown before.
  final func show(_ new: Instance?) -> [DroppedInstance] {
    let address = new.map { UInt(bitPattern: unsafe Unmanaged.passRetained($0.box).toOpaque()) } ?? Mark.inCell
    let old = instance.exchange(address, ordering: .acquiringAndReleasing)
    return Self.isAddress(old) ? [.published(address: old)] : []
  }

  /// The instance that is shown. Nobody takes it out meanwhile, so it may be retained without a pin (B2).
  final var current: Instance? {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: shown) else { return nil }
    return Instance(unsafe Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue())
  }
}

// MARK: - Uncontended builds

// Most builds are over before anybody else has come for the instance. Such a build has a mark in the holder, and nothing else: no cell, no
// attempt. Whoever else needs the build (a second caller, a reset, the factory itself when it has to wait for something) makes the
// cell, which takes the mark away under its lock (Q1). The end of the build finds the mark gone, and goes by the cell as well (Q2).
extension InstanceHolder {
  /// - Returns: false where there is something already: a cell, a build or an instance.
  final func beginAlone() -> Bool {
    instance.compareExchange(expected: Mark.free, desired: Mark.building, ordering: .acquiringAndReleasing).exchanged
  }

  /// - Returns: false when the build is not alone any more: it has to end by the cell (Q2).
  final func finishAlone(_ new: Instance) -> Bool {
    let address = UInt(bitPattern: unsafe Unmanaged.passRetained(new.box).toOpaque())
    if instance.compareExchange(expected: Mark.building, desired: address, ordering: .acquiringAndReleasing).exchanged {
      return true
    }
    unsafe Unmanaged.passUnretained(new.box).release()
    return false
  }

  /// The build has failed.
  ///
  /// - Returns: false when the build is not alone any more: it has to end by the cell (Q2).
  final func abandonAlone() -> Bool {
    instance.compareExchange(expected: Mark.building, desired: Mark.free, ordering: .acquiringAndReleasing).exchanged
  }
}
