public import Synchronization

/// The place of one kept instance.
///
/// Its word `instance` is a ``HolderWord``: a reference to the instance, or a mark. In a ``Binding`` whose instances other containers or calls
/// keep, it is the number of the registration.
///
/// A ``Binding`` is the holder of an instance that its own container keeps. A ``KeptSlot`` is the holder of an instance that some
/// other container keeps for the same registration, and a ``GraphSlot`` of one that a call keeps. An ``InjectionStorage`` is the holder of
/// an injected property's instance.
///
/// `@unchecked Sendable` because its state is atomic; each subclass states the reason for its additions.
@usableFromInline
class InstanceHolder: @unchecked Sendable {
  /// A reference to the kept instance (B1), a mark, or a number; see ``HolderWord``.
  ///
  /// The reference is stored by ``show(_:)`` or ``showWeakly(_:)`` under the cell's lock, or by an uncontended build. It is removed under
  /// the cell's lock only, and is then retired to the ``Reclaimer`` (B2), except in a ``GraphSlot``. An uncontended build may replace a weak
  /// reference whose object has been released (B3). An ``InjectionStorage`` has a lock of its own in place of the cell's.
  @usableFromInline let instance = Atomic<UInt>(0)

  /// The cell that coordinates builds and resets, created on first use. An uncontended build needs none.
  private let lazyCell = LazyReference<OnceCell>()

  /// The word, with what was written before it was stored.
  // Emitted into the client for the fast path.
  @_alwaysEmitIntoClient @inline(__always)
  final var word: HolderWord { HolderWord(bits: instance.load(ordering: .acquiring)) }

  deinit {
    let address = word.address
    if address != 0 { UnheldReference<AnyObject>(at: address).release() }
  }

  /// The cell; nil if none has been created.
  final var existingCell: OnceCell? { lazyCell.load() }

  /// The cell, created on first use.
  final var ownCell: OnceCell { cell { makeCell() } }

  /// Returns the cell, created on first use.
  final func cell(_ make: () -> OnceCell) -> OnceCell { lazyCell.load(orStore: make()) }

  /// The cells for the tuples of run-time arguments; nil if all tuples share one instance.
  var argumentCells: ArgumentCells? { nil }

  /// Returns the cell for the run-time arguments of a call, created on first use.
  ///
  /// - Parameter values: The arguments, if each tuple of them has its own instance; nil otherwise.
  final func cell(for values: ArgumentValues?, orMake make: () -> OnceCell) -> OnceCell {
    if let values, let argumentCells { return argumentCells.cell(for: values, orMake: make) }
    return cell(make)
  }

  /// Creates a cell for this holder, without storing it.
  func makeCell() -> OnceCell { fatalError("abstract") }

  /// Forgets the instance. A build in flight continues for its waiters.
  ///
  /// - Returns: The instance that was kept, for the caller to release.
  final func forgetInstance() -> [DroppedReference] {
    if existingCell == nil {
      let word = word
      if word == .free || word.isNumber { return [] }
    }
    return ownCell.forget()
  }

  /// The holders of the aliases, which show the same instance under other types.
  var shownBy: [InstanceHolder] { [] }

  /// The address of the box of the strongly kept instance that is shown; 0 for none.
  final var shown: UInt {
    let word = word
    return word.isInstance ? word.address : 0
  }
}

// MARK: - Under the cell's lock

extension InstanceHolder {
  /// Puts the cell in charge: from now on, `instance` changes only under the cell's lock.
  ///
  /// - Returns: The previous content of the holder.
  final func claim() -> OnceStateMachine.Claimed {
    while true {
      let found = word
      if found.isInstance { return .instance }
      if found.weakReference != nil {
        if replace(found, by: found.weakOfCell) { return .instance }
        continue
      }
      if found == .inCell { return .nothing }
      if replace(found, by: .inCell) { return found == .building ? .build : .nothing }
    }
  }

  /// Replaces the instance that readers see; nil for none.
  ///
  /// - Returns: The reference that was shown before, for the caller to release.
  final func show(_ new: Instance?) -> [DroppedReference] {
    show(word: new.map { HolderWord(retaining: $0) } ?? .inCell)
  }

  /// Replaces the instance that readers see by one that is kept weakly; nil for none.
  ///
  /// - Returns: The reference that was shown before, for the caller to release.
  final func showWeakly(_ new: WeakBox?) -> [DroppedReference] {
    show(word: new.map { HolderWord(retainingWeakly: $0).weakOfCell } ?? .inCell)
  }

  private final func exchange(_ new: HolderWord) -> HolderWord {
    HolderWord(bits: instance.exchange(new.bits, ordering: .acquiringAndReleasing))
  }

  private final func show(word new: HolderWord) -> [DroppedReference] {
    let old = exchange(new).address
    return old == 0 ? [] : [.published(address: old)]
  }

  /// Stops showing the instance, and returns it. Only for a holder whose readers rely on no pin.
  final func takeShown() -> Instance? {
    let old = exchange(.inCell)
    return old.isInstance ? Instance(old.box.takeRetained()) : nil
  }

  /// The instance that is shown. Requires a pin, or the cell's lock, whose holder alone removes the instance (B2).
  final var current: Instance? {
    let word = word
    if let box = word.weakReference { return box.borrow { $0.instance } }
    return word.isInstance ? Instance(word.box.object) : nil
  }
}

// MARK: - Uncontended builds

// Most builds end before another caller asks for the instance. Such a build has a mark in the holder, but neither a cell nor an
// `Attempt`. A second caller, a reset, or a factory that must wait creates the cell, which replaces the mark under its lock (Q1).
// A build that finds its mark gone ends through the cell (Q2).
extension InstanceHolder {
  /// Begins an uncontended build.
  ///
  /// - Returns: False if a cell is in charge, or a build or an instance exists.
  final func beginUncontended() -> Bool {
    replace(.free, by: .building) || (word.weakReference != nil && beginInsteadOfReleased())
  }

  /// Begins an uncontended build in place of a weak reference whose object has been released (B3). Not inlined, since most builds begin
  /// without a reference.
  @inline(never)
  private final func beginInsteadOfReleased() -> Bool {
    let record = ThreadRecordPointer.current
    record.pin()
    let found = word
    let box = found.isWeakOfCell ? nil : found.weakReference
    // This may be the last reference to the object, so it is released after the pin.
    let object = box?.borrow { $0.object }
    // Under the pin, so that no other box has the same address.
    let isBegun = box != nil && object == nil && replace(found, by: .building)
    record.unpin()
    withExtendedLifetime(object) {}
    guard isBegun, let box else { return false }
    Reclaimer.shared.retire(box)
    Reclaimer.shared.collectForReader()
    return true
  }

  /// Ends an uncontended build by showing its instance.
  ///
  /// - Returns: False if the build is no longer uncontended; it must end through the cell (Q2).
  final func finishUncontended(_ new: Instance) -> Bool {
    if replace(.building, by: HolderWord(retaining: new)) { return true }
    UnheldReference(new.box).release()
    return false
  }

  /// Ends an uncontended build by showing its instance weakly. An instance that is not an object is not kept. Not inlined, since few
  /// builds end so.
  ///
  /// - Returns: False if the build is no longer uncontended; it must end through the cell (Q2).
  @inline(never)
  final func finishUncontended(weakly new: Instance) -> Bool {
    guard let box = WeakBox(new) else { return abandonUncontended() }
    if replace(.building, by: HolderWord(retainingWeakly: box)) { return true }
    UnheldReference(box).release()
    return false
  }

  /// Ends an uncontended build that has failed.
  ///
  /// - Returns: False if the build is no longer uncontended; it must end through the cell (Q2).
  final func abandonUncontended() -> Bool { replace(.building, by: .free) }

  private final func replace(_ expected: HolderWord, by new: HolderWord) -> Bool {
    instance.compareExchange(expected: expected.bits, desired: new.bits, ordering: .acquiringAndReleasing).exchanged
  }
}
