/// How the type of an instance can be told from a few words of the service's memory.
///
/// Whether an instance conforms to ``PostInitialization`` or ``ResolutionAware`` is a matter of its dynamic type, and asking the runtime
/// costs more than many a factory. So a binding remembers the last type that was found to conform to neither, and a
/// plain transient compares: two or three loads for an existential; for a value type and a class, whether that is settled.
/// (`type(of: value as Any)` allocates in specialised code: it boxes the existential once more.)
@usableFromInline
enum DynamicTypeProbe: UInt8, Sendable {
  /// There is nothing to find: the service's type says it all.
  case fixed
  /// The service is of a class type. Subclasses that conform where the class itself does not are looked for in the first instance
  /// only: a factory that makes now this subclass, now that, is not worth a comparison for all others.
  case firstObject
  /// The service is a class-bound existential, whose first word is an object reference.
  case object
  /// The service is an existential of any type: three words of payload, then the payload's type.
  case payload
  /// The layout is not known; the runtime has to be asked each time.
  case unknown

  /// Reads the kind of a type, and an existential's flags, from its metadata; their place and values are part of the
  /// language's binary interface.
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
        // `any Error` is neither.
        self = flags & Self.specialProtocol == 0 ? .payload : .unknown
      }
    // An existential with constraints is laid out as one without, but says so elsewhere. A mistake would do no harm: a
    // type is remembered only where it was found in its place.
    case .constrainedExistential where Self.size(of: service) > Self.typeOffset: self = .payload
    case .constrainedExistential, .optional, .other: self = service is AnyClass ? .firstObject : .unknown
    }
  }

  private static func size(of service: any Any.Type) -> Int {
    func size<Service>(_ service: Service.Type) -> Int { MemoryLayout<Service>.size }
    return size(service)
  }

  private static var isNotClassBound: UInt32 { 0x8000_0000 }
  private static var specialProtocol: UInt32 { 0x3F00_0000 }

  /// Where the payload's type stands in an existential.
  @usableFromInline static var typeOffset: Int {
    @inlinable @inline(__always) get { 3 * MemoryLayout<UInt>.size }
  }

  /// In place of a type: there is nothing to find, or nothing any more.
  @usableFromInline static var settled: UInt {
    @inlinable @inline(__always) get { 1 }
  }

  /// In place of a type: the last instance did conform.
  static var conforming: UInt { 2 }

  /// In place of a type: an instance of a class has an end, though the class does not say so. Each is asked from then on.
  static var ending: UInt { 4 }
}

extension TypeAddress {
  /// The address of an object's type, given the memory that begins with a reference to it.
  static func ofObject(at memory: UnsafeRawPointer) -> UInt {
    let reference = unsafe memory.loadUnaligned(as: Unmanaged<AnyObject>.self)
    return unsafe reference._withUnsafeGuaranteedRef { UInt(bitPattern: ObjectIdentifier(type(of: $0))) }
  }
}
