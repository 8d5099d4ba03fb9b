internal import Synchronization

// What a binding remembers of the types of its instances.
extension Binding {
  /// Whether no instance has to be looked at, whatever its type.
  final var isSettled: Bool { completeType.load(ordering: .relaxed) == DynamicTypeProbe.settled }

  /// Whether an instance is known to have nothing to do after its factory. False may also mean that it is not known.
  ///
  /// The mark of a class in an existential is its type with the lowest bit set: the type that stands there is the one that the
  /// compiler knew when the existential was made, and the object's may be a subclass.
  ///
  /// - Parameter memory: where the instance is, as the service's type.
  @inline(__always)
  final func isKnownAsComplete(at memory: UnsafeRawPointer) -> Bool {
    unsafe isSettled || isOfCompleteType(at: memory)
  }

  /// Out of line: where it is settled, as for all classes and value types, nothing of this is to stand in the way.
  @inline(never)
  private final func isOfCompleteType(at memory: UnsafeRawPointer) -> Bool {
    let known = completeType.load(ordering: .relaxed)
    switch typeProbe {
    case .object: return unsafe TypeAddress.ofObject(at: memory) == known
    case .payload:
      let type = unsafe memory.loadUnaligned(fromByteOffset: DynamicTypeProbe.typeOffset, as: UInt.self)
      return unsafe type == known || (type | 1 == known && TypeAddress.ofObject(at: memory) == type)
    case .fixed, .firstObject, .unknown: return false
    }
  }

  /// Remembers a type none of whose instances has anything to do after its factory.
  final func rememberAsComplete(_ type: any Any.Type) {
    if typeProbe == .firstObject {
      // Not after one that did conform: then each is asked.
      _ = completeType.compareExchange(
        expected: 0, desired: DynamicTypeProbe.settled, ordering: .relaxed)
      return
    }
    let address = UInt(bitPattern: ObjectIdentifier(type))
    let isBoxedClass = typeProbe == .payload && type is AnyClass
    completeType.store(isBoxedClass ? address | 1 : address, ordering: .relaxed)
  }
}
