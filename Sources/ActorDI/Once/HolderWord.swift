internal import Synchronization

/// The word of an ``InstanceHolder``: a reference to the kept instance, the number of a registration, or a mark.
///
/// | bits | word |
/// | --- | --- |
/// | the address of a ``Box`` | a strongly kept instance |
/// | the address of a ``WeakBox``, the highest and the lowest bit set | a weakly kept instance |
/// | the highest bit set, the four lowest clear | a ``KeptNumber`` |
/// | 0, 2 or 4 | a mark: ``free``, ``building`` or ``inCell`` |
@usableFromInline @frozen
struct HolderWord: Equatable, BitwiseCopyable, Sendable {
  @usableFromInline let bits: UInt

  @_alwaysEmitIntoClient @inline(__always)
  init(bits: UInt) { self.bits = bits }

  // Inlined earlier than a synthesised one, so that the functions of the fast path stay small enough to be inlined themselves.
  @_alwaysEmitIntoClient @inline(__always)
  static func == (left: Self, right: Self) -> Bool { left.bits == right.bits }

  // MARK: Marks

  /// No instance is kept, and the cell is not in charge.
  @_alwaysEmitIntoClient @inline(__always) static var free: HolderWord { HolderWord(bits: 0) }
  /// An uncontended build is running.
  static var building: HolderWord { HolderWord(bits: 2) }
  /// The cell is in charge, and shows no instance.
  static var inCell: HolderWord { HolderWord(bits: 4) }

  // MARK: References

  /// Creates the word of a strongly kept instance, whose box it retains.
  init(retaining instance: Instance) {
    bits = UnheldReference(retaining: instance.box).address
  }

  /// Creates the word of a weakly kept instance, whose box it retains.
  init(retainingWeakly box: WeakBox) {
    bits = Self.weak | UnheldReference(retaining: box).address
  }

  /// Whether an instance is kept strongly. Addresses have the highest bit clear.
  // Emitted into the client for the fast path.
  @_alwaysEmitIntoClient @inline(__always)
  var isInstance: Bool { Int(bitPattern: bits) > 7 }

  /// The box of a strongly kept instance, which there must be. Under a pin or in a hazard slot.
  @_alwaysEmitIntoClient @inline(__always)
  var box: UnheldReference<Box> { UnheldReference(at: bits) }

  /// The weak reference; nil for other words. Requires a pin, or the cell's lock.
  var weakReference: UnheldReference<WeakBox>? {
    bits & Self.weak == Self.weak ? UnheldReference(at: bits & ~(Self.weak | Self.ofCell)) : nil
  }

  /// The address of the object that the word refers to; 0 for a mark or a number.
  var address: UInt { isInstance ? bits : weakReference.map(\.address) ?? 0 }

  /// The flags of a weak reference: the highest bit, which no address has, and the lowest, which no ``KeptNumber`` has.
  private static var weak: UInt { 1 << 63 | 1 }
  /// The flag of a weak reference that the cell has stored or claimed, and that no uncontended build replaces (B3).
  private static var ofCell: UInt { 2 }

  /// Whether the cell has stored or claimed the weak reference.
  var isWeakOfCell: Bool { bits & Self.ofCell != 0 }
  /// The same weak reference, as one that the cell has stored or claimed.
  var weakOfCell: HolderWord { HolderWord(bits: bits | Self.ofCell) }

  // MARK: Numbers

  /// Creates the word of a registration whose instances containers or calls keep.
  init(_ number: KeptNumber) { bits = number.bits }

  var isNumber: Bool { Int(bitPattern: bits) < 0 && bits & 1 == 0 }

  /// Nil for other words.
  var number: KeptNumber? { isNumber ? KeptNumber(self) : nil }
}

/// The number of a registration whose instances are kept in ``KeptSlot``s or ``GraphSlot``s, unique in the process.
///
/// Its highest bit is set, which distinguishes it from an address. Its four low bits are clear, so masking it yields an offset into
/// a table.
struct KeptNumber: Hashable, BitwiseCopyable, Sendable {
  let bits: UInt

  private static let last = Atomic<UInt>(0)
  private static var flag: UInt { 1 << 63 }
  private static var nameFlag: UInt { 1 << 62 }

  /// Creates the number in a word that contains one.
  init(_ word: HolderWord) { bits = word.bits }

  /// Creates a new number.
  ///
  /// - Parameter isByName: Whether the scope names the container that keeps the instance.
  init(isByName: Bool) {
    bits = Self.flag | (isByName ? Self.nameFlag : 0) | Self.last.add(UInt(1) << 4, ordering: .relaxed).newValue
  }

  /// Whether the scope names the container that keeps the instance.
  var isByName: Bool { bits & Self.nameFlag != 0 }
}
