internal import Synchronization

/// What the runtime says of a type: whether its instances conform to ``PostInitialization``, ``ResolutionAware`` or ``Disposable``.
struct TypeFacts: OptionSet {
  let rawValue: UInt

  /// They have something to do between their factory and the end of their resolve.
  static let completesAsynchronously = TypeFacts(rawValue: 1)
  /// They have an end of their own.
  static let isDisposable = TypeFacts(rawValue: 2)

  /// - Complexity: O(1) for a type that was asked for lately; else what the runtime takes to look at all conformances of the program.
  static func of(_ type: any Any.Type) -> TypeFacts {
    let address = UInt(bitPattern: ObjectIdentifier(type))
    let known = unsafe knownTypes + Int(bitPattern: (address &* 0x9E37_79B9_7F4A_7C15) &>> (64 - knownTypesBits))
    // Relaxed: a word says all by itself.
    let found = unsafe known.pointee.load(ordering: .relaxed)
    if found & ~mask == address { return TypeFacts(rawValue: found & mask) }
    let facts = asked(of: type)
    if address & mask == 0 { unsafe known.pointee.store(address | facts.rawValue, ordering: .relaxed) }
    return facts
  }

  private static func asked(of type: any Any.Type) -> TypeFacts {
    guard type is any LifecycleParticipant.Type else { return [] }
    var facts: TypeFacts = []
    if type is any PostInitialization.Type || type is any ResolutionAware.Type {
      facts.insert(.completesAsynchronously)
    }
    if type is any Disposable.Type { facts.insert(.isDisposable) }
    return facts
  }

  /// Those of an instance.
  ///
  /// A cast looks through some values at what is in them, as an optional: these are cast.
  ///
  /// - Returns: the instance's type, too; nil where another instance of the type may conform to something else.
  static func of<Value>(instance: Value) -> (facts: TypeFacts, type: (any Any.Type)?) {
    let type = type(of: instance as Any)
    if saysAll(type) { return (of(type), type) }
    var facts: TypeFacts = []
    if instance is any PostInitialization || instance is any ResolutionAware { facts.insert(.completesAsynchronously) }
    if instance is any Disposable { facts.insert(.isDisposable) }
    return (facts, nil)
  }

  /// Whether what a type conforms to is what a cast of an instance finds.
  private static func saysAll(_ type: any Any.Type) -> Bool {
    switch TypeKind(of: type) {
    case .class, .enumeration, .tuple: true
    case .structure: type != AnyHashable.self
    case .optional, .function, .metatype, .existential, .constrainedExistential, .other: false
    }
  }

  // MARK: Types that were asked for

  /// The lowest bits of a type's address, which are free.
  private static var mask: UInt { 3 }
  private static var knownTypesBits: UInt { 10 }

  /// By some bits of their addresses, the last one in each place. Never freed.
  private nonisolated(unsafe) static let knownTypes = {
    let count = 1 << Int(knownTypesBits)
    let types = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: count)
    for index in 0..<count { unsafe (types + index).initialize(to: Atomic(0)) }
    return unsafe types
  }()
}

/// Whether instances have something to do between their factory and the end of their resolve: ``PostInitialization``,
/// ``ResolutionAware``.
enum Completion: UInt8, Sendable {
  /// They have not.
  case none
  /// They have, all of them: the service's type says so. Then only an asynchronous caller can have one made.
  case asynchronous
  /// Each instance has to be asked.
  case dependsOnInstance

  /// - Parameter facts: those of the service's type.
  init(_ facts: TypeFacts) {
    self = facts.contains(.completesAsynchronously) ? .asynchronous : .dependsOnInstance
  }
}

/// Whether instances conform to ``Disposable``.
enum Disposability: UInt8, Sendable {
  /// They are not the container's to dispose of: another registration makes them, or the user.
  case none
  /// They do: the service's type says so.
  case certain
  /// Each instance has to be asked.
  case dependsOnInstance

  /// - Parameter facts: those of the service's type.
  init(_ facts: TypeFacts) {
    self = facts.contains(.isDisposable) ? .certain : .dependsOnInstance
  }
}

/// What a type is, as its metadata says: the place and the values of that are part of the language's binary interface.
enum TypeKind {
  case structure, enumeration, optional, tuple, function, metatype, `class`, existential, constrainedExistential
  /// What the library has no need to know.
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
      // A class has a pointer there where there is Objective-C, and 0 elsewhere.
      case 0, 0x800...: .class
      default: .other
      }
  }
}
