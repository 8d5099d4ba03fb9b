/// The address of a published ``LinkArray``, or ``none``. Under a pin or in a hazard slot.
@usableFromInline @frozen
struct LinksWord: Equatable, BitwiseCopyable, Sendable {
  @usableFromInline let bits: UInt

  @_alwaysEmitIntoClient @inline(__always)
  init(bits: UInt) { self.bits = bits }

  // Inlined earlier than a synthesised one, so that the functions of the fast path stay small enough to be inlined themselves.
  @_alwaysEmitIntoClient @inline(__always)
  static func == (left: Self, right: Self) -> Bool { left.bits == right.bits }

  @_alwaysEmitIntoClient @inline(__always) static var none: LinksWord { LinksWord(bits: 0) }
}
