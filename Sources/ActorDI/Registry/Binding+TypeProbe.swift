internal import Synchronization

// The dynamic types that a binding remembers from earlier instances.
extension Binding {
  /// Whether no instance needs a check of its dynamic type.
  var isSettled: Bool { completeType.load(ordering: .relaxed) == DynamicTypeProbe.settled }

  /// Whether an instance is known to need no completion after its factory. False may also mean unknown.
  ///
  /// For a class instance in an existential, `completeType` is the type's address with the lowest bit set. The
  /// existential stores the type that the compiler knew when it was formed, and the object may be of a subclass.
  ///
  /// - Parameter memory: The address of the instance, stored as the service's type.
  // Inlined, since each transient is checked.
  @inline(__always)
  func isKnownAsComplete(at memory: ServiceMemory) -> Bool { isSettled || isOfCompleteType(at: memory) }

  /// Compares the dynamic type with the remembered one.
  ///
  /// Out of line to keep the derived case short, which covers all classes and value types.
  @inline(never)
  private func isOfCompleteType(at memory: ServiceMemory) -> Bool {
    let known = completeType.load(ordering: .relaxed)
    switch typeProbe {
    case .object: return TypeAddress.ofObject(at: memory) == known
    case .payload:
      let type = memory.word(at: DynamicTypeProbe.typeOffset)
      return type == known || (type | 1 == known && TypeAddress.ofObject(at: memory) == type)
    case .fixed, .firstObject, .unknown: return false
    }
  }

  /// Remembers a type whose instances need no completion after their factory.
  func rememberAsComplete(_ type: any Any.Type) {
    if typeProbe == .firstObject {
      // Once an instance has needed completion, every later one is checked.
      _ = completeType.compareExchange(expected: 0, desired: DynamicTypeProbe.settled, ordering: .relaxed)
      return
    }
    let address = UInt(bitPattern: ObjectIdentifier(type))
    let isBoxedClass = typeProbe == .payload && type is AnyClass
    completeType.store(isBoxedClass ? address | 1 : address, ordering: .relaxed)
  }
}

extension TypeAddress {
  /// The address of an object's type, given memory that begins with a reference to the object.
  fileprivate static func ofObject(at memory: ServiceMemory) -> UInt {
    let reference = UnheldReference<AnyObject>(at: memory.word())
    return reference.borrow { UInt(bitPattern: ObjectIdentifier(type(of: $0))) }
  }
}
