public import Synchronization

/// The place of one kept instance.
///
/// A ``Binding`` is the holder of an instance that its own container keeps. A ``KeptSlot`` is the holder of an instance that some
/// other container keeps for the same registration.
///
/// `@unchecked Sendable` because its state is atomic; each subclass gives the reason for what it adds.
@usableFromInline
class InstanceHolder: @unchecked Sendable {
  /// The address of the kept instance's ``Box``, which owns a reference (B1), or a mark.
  ///
  /// The address is stored by ``show(_:)`` under the cell's lock, or by an uncontended build. It is removed under the cell's lock
  /// only, and its reference then goes to the ``Reclaimer`` (B2), except in a ``GraphSlot``.
  @usableFromInline let instance = Atomic<UInt>(0)

  /// The cell that coordinates builds and resets, created when first needed. An uncontended build has none.
  private let lazyCell = LazyReference<OnceCell>()

  /// The values of `instance` that are not addresses.
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
  /// A binding whose instances are kept by the asking containers has this number in `instance`, where the fast path finds it
  /// without another load.
  static func isKeptNumber(_ word: UInt) -> Bool { Int(bitPattern: word) < 0 }

  /// Whether a word is the address of a box. Addresses have the highest bit clear; a ``KeptNumber`` has it set.
  @_alwaysEmitIntoClient @inline(__always)
  static func isAddress(_ word: UInt) -> Bool { Int(bitPattern: word) > 7 }

  deinit {
    let address = instance.load(ordering: .acquiring)
    guard Self.isAddress(address), let pointer = unsafe UnsafeRawPointer(bitPattern: address) else { return }
    unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
  }

  /// The cell, or nil if none has been made.
  final var existingCell: OnceCell? { lazyCell.load() }

  /// The cell, made on first use.
  final var ownCell: OnceCell { cell { makeCell() } }

  /// Returns the cell, made on first use.
  final func cell(_ make: () -> OnceCell) -> OnceCell { lazyCell.load() ?? lazyCell.storeIfNil(make()) }

  /// The cells for single tuples of run-time arguments; nil if the tuples share one instance.
  var argumentCells: ArgumentCells? { nil }

  /// Returns the cell for the run-time arguments of a call, made on first use.
  ///
  /// - Parameter values: The arguments, if each tuple of them has its own instance; nil otherwise.
  final func cell(for values: ArgumentValues?, orMake make: () -> OnceCell) -> OnceCell {
    if let values, let argumentCells { return argumentCells.cell(for: values, orMake: make) }
    return cell(make)
  }

  /// All cells that have been made.
  final var cells: [OnceCell] { (existingCell.map { [$0] } ?? []) + (argumentCells?.all ?? []) }

  /// Makes a cell for this holder, without storing it.
  func makeCell() -> OnceCell { fatalError("abstract") }

  /// Forgets the instance. A build in flight continues for its waiters.
  ///
  /// - Returns: The instance that was kept, for the caller to release.
  final func forgetInstance() -> [DroppedInstance] {
    if existingCell == nil && instance.load(ordering: .acquiring) == Mark.free { return [] }
    return ownCell.forget()
  }

  /// The holders of the aliases, which show the same instance under other types.
  var shownBy: [InstanceHolder] { [] }

  /// Replaces the weakly kept instance that readers see; nil for none.
  ///
  /// - Returns: The reference that was shown before, for the caller to release.
  func showWeakly(_ new: WeakBox?) -> [DroppedInstance] { fatalError("abstract") }

  /// The address of the box of the instance that is shown; 0 for none.
  final var shown: UInt {
    let address = instance.load(ordering: .acquiring)
    return Self.isAddress(address) ? address : 0
  }
}

// MARK: - Under the cell's lock

extension InstanceHolder {
  /// Puts the cell in charge. From now on, `instance` changes only under the cell's lock.
  final func claim() -> OnceStateMachine.Claimed {
    while true {
      let found = instance.load(ordering: .acquiring)
      if Self.isAddress(found) { return .instance }
      if found == Mark.inCell { return .nothing }
      if replace(found, by: Mark.inCell) { return found == Mark.building ? .build : .nothing }
    }
  }

  /// Replaces the instance that readers see; nil for none.
  ///
  /// - Returns: The reference that was shown before, for the caller to release.
  final func show(_ new: Instance?) -> [DroppedInstance] {
    let address = new.map { UInt(bitPattern: unsafe Unmanaged.passRetained($0.box).toOpaque()) } ?? Mark.inCell
    let old = instance.exchange(address, ordering: .acquiringAndReleasing)
    return Self.isAddress(old) ? [.published(address: old)] : []
  }

  /// Stops showing the instance, and returns it. Only for a holder whose readers rely on no pin.
  final func takeShown() -> Instance? {
    let old = instance.exchange(Mark.inCell, ordering: .acquiringAndReleasing)
    guard Self.isAddress(old), let pointer = unsafe UnsafeRawPointer(bitPattern: old) else { return nil }
    return Instance(unsafe Unmanaged<Box>.fromOpaque(pointer).takeRetainedValue())
  }

  /// The instance that is shown. Only the holder of the cell's lock removes it, so it can be retained without a pin (B2).
  final var current: Instance? {
    guard let pointer = unsafe UnsafeRawPointer(bitPattern: shown) else { return nil }
    return Instance(unsafe Unmanaged<Box>.fromOpaque(pointer).takeUnretainedValue())
  }
}

// MARK: - Uncontended builds

// Most builds end before another caller asks for the instance. Such a build has a mark in the holder, and neither cell nor
// `Attempt`. A second caller, a reset, or a factory that has to wait makes the cell, which takes the mark away under its lock (Q1).
// A build that finds its mark gone ends through the cell (Q2).
extension InstanceHolder {
  /// Begins an uncontended build.
  ///
  /// - Returns: False if a cell is in charge, or a build or an instance exists.
  final func beginAlone() -> Bool { replace(Mark.free, by: Mark.building) }

  /// Ends an uncontended build by showing its instance.
  ///
  /// - Returns: False if the build is no longer uncontended; it must end through the cell (Q2).
  @_optimize(speed)
  final func finishAlone(_ new: Instance) -> Bool {
    let address = UInt(bitPattern: unsafe Unmanaged.passRetained(new.box).toOpaque())
    if replace(Mark.building, by: address) { return true }
    unsafe Unmanaged.passUnretained(new.box).release()
    return false
  }

  /// Ends an uncontended build that has failed.
  ///
  /// - Returns: False if the build is no longer uncontended; it must end through the cell (Q2).
  final func abandonAlone() -> Bool { replace(Mark.building, by: Mark.free) }

  @inline(__always)
  private final func replace(_ expected: UInt, by new: UInt) -> Bool {
    instance.compareExchange(expected: expected, desired: new, ordering: .acquiringAndReleasing).exchanged
  }
}
