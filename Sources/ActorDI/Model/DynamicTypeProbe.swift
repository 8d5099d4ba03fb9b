/// How to read the dynamic type of an instance from a few words of the service's memory.
///
/// Whether an instance conforms to ``PostInitialization`` or ``ResolutionAware`` depends on its dynamic type. Asking the
/// runtime costs more than many factories. So a binding remembers the last type found to conform to neither, and a plain
/// transient compares the type of each instance with it. The comparison takes two or three loads for an existential; a value
/// type or a class needs a check of one flag.
///
/// `type(of: value as Any)` is no alternative: specialised code boxes the existential again, which allocates.
@usableFromInline
enum DynamicTypeProbe: UInt8, Sendable {
  /// The service's static type determines the conformances.
  case fixed
  /// The service is a transient class. Only the first instance is checked for a subclass that conforms although the class does
  /// not. A factory that returns varying subclasses is too rare to justify a comparison for every instance.
  case firstObject
  /// The service is a class that is kept, or a class-bound existential. Its first word is an object reference.
  case object
  /// The service is an opaque existential: three words of payload, followed by the payload's type.
  case payload
  /// The layout is unknown; the runtime is asked about each instance.
  case unknown

  /// The probe of a transient service.
  ///
  /// Reads the kind of a type, and an existential's flags, from the type's metadata. Their positions and values are part of
  /// Swift's stable ABI.
  init(of service: any Any.Type) {
    switch TypeKind(of: service) {
    case .structure, .enumeration, .tuple, .function, .metatype: self = .fixed
    case .class: self = .firstObject
    case .existential:
      let metadata = unsafe UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(service))).unsafelyUnwrapped
      let flags = unsafe metadata.load(fromByteOffset: MemoryLayout<UInt>.size, as: UInt32.self)
      if flags & Self.isNotClassBound == 0 {
        self = .object
      } else {
        // `any Error` has a layout of its own.
        self = flags & Self.specialProtocol == 0 ? .payload : .unknown
      }
    // A constrained existential has the layout of an unconstrained one, but its metadata stores the flags elsewhere. A wrong
    // guess is harmless: a type is remembered only if it was found at its expected offset.
    case .constrainedExistential where Self.size(of: service) > Self.typeOffset: self = .payload
    case .constrainedExistential, .optional, .other: self = service is AnyClass ? .firstObject : .unknown
    }
  }

  private static func size<Service>(of service: Service.Type) -> Int { MemoryLayout<Service>.size }

  private static var isNotClassBound: UInt32 { 0x8000_0000 }
  private static var specialProtocol: UInt32 { 0x3F00_0000 }

  // The fast path checks the type of a plain transient in the client: these two are emitted there.

  /// The offset of the payload's type in an opaque existential.
  @_alwaysEmitIntoClient @inline(__always) static var typeOffset: Int { 3 * MemoryLayout<UInt>.size }

  /// A mark in place of a type: no instance needs a check, or none needs one any more.
  @_alwaysEmitIntoClient @inline(__always) static var settled: UInt { 1 }

  /// A mark in place of a type: the last instance conformed.
  static var conforming: UInt { 2 }

  /// A mark in place of a type: an instance is `Disposable` although its static class is not. Each later instance is checked.
  static var ending: UInt { 4 }
}
