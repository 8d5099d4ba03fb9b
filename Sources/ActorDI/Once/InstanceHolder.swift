public import Synchronization

/// The place of one kept instance.
///
/// Its word `instance` is a reference or a mark. For a strongly kept instance, the reference is the address of its ``Box``. For a
/// weakly kept one, it is the address of its ``WeakBox``, with flags.
///
/// A ``Binding`` is the holder of an instance that its own container keeps. A ``KeptSlot`` is the holder of an instance that some
/// other container keeps for the same registration. An ``InjectionStorage`` is the holder of an injected property's instance.
///
/// `@unchecked Sendable` because its state is atomic; each subclass states the reason for its additions.
@usableFromInline
class InstanceHolder: @unchecked Sendable {
  /// A reference to the kept instance (B1), or a mark.
  ///
  /// The reference is stored by ``show(_:)`` under the cell's lock, or by an uncontended build. It is removed under the cell's lock
  /// only, and is then retired to the ``Reclaimer`` (B2), except in a ``GraphSlot``. An uncontended build may replace a weak reference
  /// whose object has been released (B3). An ``InjectionStorage`` has a lock of its own in place of the cell's.
  @usableFromInline let instance = Atomic<UInt>(0)

  /// The cell that coordinates builds and resets, created on first use. An uncontended build needs none.
  private let lazyCell = LazyReference<OnceCell>()

  /// The values of `instance` that are not references.
  enum Mark {
    /// No instance is kept, and the cell is not in charge.
    static var free: UInt { 0 }
    /// An uncontended build is running.
    static var building: UInt { 2 }
    /// The cell is in charge, and shows no instance.
    static var inCell: UInt { 4 }
  }

  /// Whether a word is a ``KeptNumber``.
  ///
  /// If each asking container or each call keeps its own instance, the binding stores this number in `instance`. The fast path finds it
  /// there without another load.
  static func isKeptNumber(_ word: UInt) -> Bool { Int(bitPattern: word) < 0 && word & 1 == 0 }

  /// Whether a word is the address of a box. Addresses have the highest bit clear; a ``KeptNumber`` and a weak reference have it set.
  // Emitted into the client for the fast path.
  @_alwaysEmitIntoClient @inline(__always)
  static func isAddress(_ word: UInt) -> Bool { Int(bitPattern: word) > 7 }

  /// The flags of a weak reference: the highest bit, which no address has, and the lowest, which no ``KeptNumber`` has.
  private static var weak: UInt { 1 << 63 | 1 }
  /// The flag of a weak reference that the cell has stored or claimed, and that no uncontended build replaces (B3).
  private static var ofCell: UInt { 2 }

  /// The weak reference in a word; nil if it holds none. Requires a pin, or the cell's lock.
  static func weakReference(in word: UInt) -> UnheldReference<WeakBox>? {
    word & weak == weak ? UnheldReference(at: word & ~(weak | ofCell)) : nil
  }

  /// The address of the object that a word refers to; 0 for a mark or a ``KeptNumber``.
  private static func address(in word: UInt) -> UInt {
    isAddress(word) ? word : weakReference(in: word).map(\.address) ?? 0
  }

  private static func reference(to box: WeakBox) -> UInt {
    weak | UInt(bitPattern: unsafe Unmanaged.passRetained(box).toOpaque())
  }

  deinit {
    let address = Self.address(in: instance.load(ordering: .acquiring))
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return }
    unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
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
      let word = instance.load(ordering: .acquiring)
      if word == Mark.free || Self.isKeptNumber(word) { return [] }
    }
    return ownCell.forget()
  }

  /// The holders of the aliases, which show the same instance under other types.
  var shownBy: [InstanceHolder] { [] }

  /// The address of the box of the strongly kept instance that is shown; 0 for none.
  final var shown: UInt {
    let address = instance.load(ordering: .acquiring)
    return Self.isAddress(address) ? address : 0
  }
}

// MARK: - Under the cell's lock

extension InstanceHolder {
  /// Puts the cell in charge: from now on, `instance` changes only under the cell's lock.
  ///
  /// - Returns: The previous content of the holder.
  final func claim() -> OnceStateMachine.Claimed {
    while true {
      let found = instance.load(ordering: .acquiring)
      if Self.isAddress(found) { return .instance }
      if Self.weakReference(in: found) != nil {
        if replace(found, by: found | Self.ofCell) { return .instance }
        continue
      }
      if found == Mark.inCell { return .nothing }
      if replace(found, by: Mark.inCell) { return found == Mark.building ? .build : .nothing }
    }
  }

  /// Replaces the instance that readers see; nil for none.
  ///
  /// - Returns: The reference that was shown before, for the caller to release.
  final func show(_ new: Instance?) -> [DroppedReference] {
    show(word: new.map { UInt(bitPattern: unsafe Unmanaged.passRetained($0.box).toOpaque()) } ?? Mark.inCell)
  }

  /// Replaces the instance that readers see by one that is kept weakly; nil for none.
  ///
  /// - Returns: The reference that was shown before, for the caller to release.
  final func showWeakly(_ new: WeakBox?) -> [DroppedReference] {
    show(word: new.map { Self.reference(to: $0) | Self.ofCell } ?? Mark.inCell)
  }

  private final func show(word: UInt) -> [DroppedReference] {
    let old = Self.address(in: instance.exchange(word, ordering: .acquiringAndReleasing))
    return old == 0 ? [] : [.published(address: old)]
  }

  /// Stops showing the instance, and returns it. Only for a holder whose readers rely on no pin.
  final func takeShown() -> Instance? {
    let old = instance.exchange(Mark.inCell, ordering: .acquiringAndReleasing)
    return Self.isAddress(old) ? Instance(unsafe Box.at(old).takeRetainedValue()) : nil
  }

  /// The instance that is shown. Requires a pin, or the cell's lock, whose holder alone removes the instance (B2).
  final var current: Instance? {
    let word = instance.load(ordering: .acquiring)
    if let box = Self.weakReference(in: word) { return box.borrow { $0.instance } }
    return Self.isAddress(word) ? Instance(at: word) : nil
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
    replace(Mark.free, by: Mark.building)
      || (Self.weakReference(in: instance.load(ordering: .relaxed)) != nil && beginInsteadOfReleased())
  }

  /// Begins an uncontended build in place of a weak reference whose object has been released (B3). Not inlined, since most builds begin
  /// without a reference.
  @inline(never)
  private final func beginInsteadOfReleased() -> Bool {
    let record = unsafe ThreadRecordPointer.current
    unsafe record.pin()
    let found = instance.load(ordering: .acquiring)
    let box = found & Self.ofCell == 0 ? Self.weakReference(in: found) : nil
    // This may be the last reference to the object, so it is released after the pin.
    let object = box?.borrow { $0.object }
    // Under the pin, so that no other box has the same address.
    let isBegun = box != nil && object == nil && replace(found, by: Mark.building)
    unsafe record.unpin()
    withExtendedLifetime(object) {}
    guard isBegun, let box else { return false }
    Reclaimer.shared.retire(box)
    Reclaimer.shared.collectAfterChange()
    return true
  }

  /// Ends an uncontended build by showing its instance.
  ///
  /// - Returns: False if the build is no longer uncontended; it must end through the cell (Q2).
  final func finishUncontended(_ new: Instance) -> Bool {
    let address = UInt(bitPattern: unsafe Unmanaged.passRetained(new.box).toOpaque())
    if replace(Mark.building, by: address) { return true }
    unsafe Unmanaged.passUnretained(new.box).release()
    return false
  }

  /// Ends an uncontended build by showing its instance weakly. An instance that is not an object is not kept. Not inlined, since few
  /// builds end so.
  ///
  /// - Returns: False if the build is no longer uncontended; it must end through the cell (Q2).
  @inline(never)
  final func finishUncontended(weakly new: Instance) -> Bool {
    guard let box = WeakBox(new) else { return abandonUncontended() }
    let reference = Self.reference(to: box)
    if replace(Mark.building, by: reference) { return true }
    unsafe Unmanaged.passUnretained(box).release()
    return false
  }

  /// Ends an uncontended build that has failed.
  ///
  /// - Returns: False if the build is no longer uncontended; it must end through the cell (Q2).
  final func abandonUncontended() -> Bool { replace(Mark.building, by: Mark.free) }

  private final func replace(_ expected: UInt, by new: UInt) -> Bool {
    instance.compareExchange(expected: expected, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}
