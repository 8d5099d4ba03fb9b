/// The content of a hazard slot: the address of what the slot protects, and whether it is a step of the thread's resolution path.
///
/// A step is a binding whose factory or hooks run. Other slots protect a borrowed instance, a link array or a list of elements, or mark
/// something in the path.
@usableFromInline @frozen
struct HazardSlot: Hashable, BitwiseCopyable, Sendable {
  /// The address. The lowest bit is set if the slot is no step.
  @usableFromInline let bits: UInt

  @_alwaysEmitIntoClient @inline(__always)
  init(bits: UInt) { self.bits = bits }

  /// Creates the slot of a binding, as a step.
  @_alwaysEmitIntoClient @inline(__always)
  init(_ step: FoundBinding) { bits = step.bits }

  /// Creates a slot for the object at an address, which is no step.
  @_alwaysEmitIntoClient @inline(__always)
  init(holding address: UInt) { bits = address | 1 }

  /// Creates a slot for links, which are no step.
  @_alwaysEmitIntoClient @inline(__always)
  init(_ links: LinksWord) { self.init(holding: links.bits) }

  /// Creates a slot that marks something in the path: a container that builds a service, or the chain of a ``Lazy``.
  init(marking object: AnyObject) { self.init(holding: UnheldReference(object).address) }

  /// Protects and marks nothing. Holds a call tree open.
  static var placeholder: HazardSlot { HazardSlot(holding: 0) }

  var isStep: Bool { bits & 1 == 0 }

  /// The address of the protected object; 0 for none.
  var address: UInt { bits & ~1 }
}

extension BindingID {
  /// The binding that is a step of a thread's path; nil if a slot is no step.
  init?(_ slot: HazardSlot) {
    guard slot.isStep, slot.address != 0 else { return nil }
    self.init(at: slot.address)
  }

  /// The slot of the binding as a step.
  var step: HazardSlot { HazardSlot(bits: address) }
}
