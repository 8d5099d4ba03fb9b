internal import Synchronization

/// The runtime's answer whether a type conforms to ``PostInitialization``, ``ResolutionAware`` or ``Disposable``.
struct TypeFacts: OptionSet {
  let rawValue: UInt

  /// Instances have asynchronous work between their factory and the end of the resolve.
  static let completesAsynchronously = TypeFacts(rawValue: 1)
  /// Instances must be disposed of.
  static let isDisposable = TypeFacts(rawValue: 2)

  /// The facts of a type.
  ///
  /// - Complexity: O(1) for a recently requested type; otherwise the runtime searches all conformances of the program.
  static func of(_ type: any Any.Type) -> TypeFacts {
    let address = UInt(bitPattern: ObjectIdentifier(type))
    let known = unsafe knownTypes + Int(bitPattern: (address &* 0x9E37_79B9_7F4A_7C15) &>> (64 - knownTypesBits))
    // Relaxed: the word is self-contained.
    let found = unsafe known.pointee.load(ordering: .relaxed)
    if found & ~mask == address { return TypeFacts(rawValue: found & mask) }
    let facts = query(type)
    if address & mask == 0 { unsafe known.pointee.store(address | facts.rawValue, ordering: .relaxed) }
    return facts
  }

  private static func query(_ type: any Any.Type) -> TypeFacts {
    guard type is any LifecycleParticipant.Type else { return [] }
    var facts: TypeFacts = []
    if type is any PostInitialization.Type || type is any ResolutionAware.Type {
      facts.insert(.completesAsynchronously)
    }
    if type is any Disposable.Type { facts.insert(.isDisposable) }
    return facts
  }

  /// The facts of an instance.
  ///
  /// For some types, such as an optional, a cast examines the value inside. Instances of these types are cast.
  ///
  /// - Returns: The facts and the instance's type. The type is nil if another instance of it may conform to other protocols.
  static func of<Value>(instance: Value) -> (facts: TypeFacts, type: (any Any.Type)?) {
    let type = type(of: instance as Any)
    if determinesCasts(type) { return (of(type), type) }
    var facts: TypeFacts = []
    if instance is any PostInitialization || instance is any ResolutionAware { facts.insert(.completesAsynchronously) }
    if instance is any Disposable { facts.insert(.isDisposable) }
    return (facts, nil)
  }

  /// Whether casts of a type's instances find exactly the conformances of the type itself.
  private static func determinesCasts(_ type: any Any.Type) -> Bool {
    switch TypeKind(of: type) {
    case .class, .enumeration, .tuple: true
    case .structure: type != AnyHashable.self
    case .optional, .function, .metatype, .existential, .constrainedExistential, .other: false
    }
  }

  // MARK: Cached types

  /// The lowest bits of a type's address, which are free to hold facts.
  private static var mask: UInt { 3 }
  private static var knownTypesBits: UInt { 10 }

  /// A cache indexed by a hash of the type's address; each place holds the latest type. Never freed.
  private nonisolated(unsafe) static let knownTypes = {
    let count = 1 << Int(knownTypesBits)
    let types = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: count)
    for index in 0..<count { unsafe (types + index).initialize(to: Atomic(0)) }
    return unsafe types
  }()
}

/// Whether instances conform to a protocol with work for the container.
enum Conformance: UInt8, Sendable {
  /// The work is not done: another registration or the user makes the instances.
  case none
  /// All instances conform, since the service's type does.
  case certain
  /// Each instance must be checked.
  case dependsOnInstance

  /// Derives the value from whether the service's type conforms.
  init(of typeConforms: Bool) { self = typeConforms ? .certain : .dependsOnInstance }
}

/// The kind of a type according to its metadata. Position and values of the kind are part of Swift's stable ABI.
enum TypeKind {
  case structure, enumeration, optional, tuple, function, metatype, `class`, existential, constrainedExistential
  /// A kind that the library does not need to distinguish.
  case other

  init(of type: any Any.Type) {
    let metadata = unsafe UnsafeRawPointer(bitPattern: UInt(bitPattern: ObjectIdentifier(type))).unsafelyUnwrapped
    self =
      switch unsafe metadata.load(as: UInt.self) {
      case 0x200: .structure
      case 0x201: .enumeration
      case 0x202: .optional
      case 0x301: .tuple
      case 0x302: .function
      case 0x303: .existential
      case 0x304, 0x306: .metatype
      case 0x307: .constrainedExistential
      // A class has a pointer in this position on platforms with Objective-C, and 0 elsewhere.
      case 0, 0x800...: .class
      default: .other
      }
  }
}
