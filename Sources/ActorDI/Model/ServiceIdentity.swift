/// The identity under which a registration is found: a type, the types of its run-time arguments in order, and a key.
@usableFromInline
struct ServiceIdentity: Sendable {
  /// The service's type.
  let service: any Any.Type
  /// The types of the run-time arguments; nil if there are none.
  private var argumentTypes: ArgumentTypes?
  @usableFromInline private(set) var key: Key?
  /// The key's word in a ``Snapshot``; 0 without a key.
  private(set) var word: UInt

  private final class ArgumentTypes: Sendable {
    let pack: Arguments.Type
    /// The address of the metadata that represents the service with its arguments.
    let signature: UInt

    init(_ pack: Arguments.Type, _ signature: UInt) {
      self.pack = pack
      self.signature = signature
    }
  }

  /// Creates an identity without run-time arguments.
  ///
  /// - Parameters:
  ///   - service: The service's type.
  ///   - key: The key, if any.
  ///   - word: The key's word, where it is already known.
  init(service: any Any.Type, key: Key?, word: UInt) {
    self.service = service
    argumentTypes = nil
    self.key = key
    self.word = word
  }

  /// - Parameter arguments: The types of the run-time arguments; nil if there are none.
  init<Service>(_ service: Service.Type, taking arguments: Arguments.Type? = nil, key: Key? = nil) {
    self.init(service: service, key: key, word: key?.word ?? 0)
    argumentTypes = arguments.map { ArgumentTypes($0, $0.signature(of: service)) }
  }

  /// The identity of another type that is resolved with the same run-time arguments.
  func of<Other>(_ other: Other.Type) -> ServiceIdentity { ServiceIdentity(other, taking: argumentTypes?.pack) }

  /// The types of the run-time arguments.
  var arguments: [any Any.Type] { argumentTypes?.pack.types ?? [] }

  var takesArguments: Bool { argumentTypes != nil }

  /// Whether the run-time arguments have these types; nil for no arguments.
  func takes(_ arguments: Arguments.Type?) -> Bool { argumentTypes?.pack == arguments }

  /// The address of the metadata that represents the service with its arguments: see ``Snapshot``.
  var signature: UInt { argumentTypes?.signature ?? UInt(bitPattern: ObjectIdentifier(service)) }

  func isSame(as other: ServiceIdentity) -> Bool {
    signature == other.signature && word == other.word && key == other.key
  }

  /// Whether both have the same type and key, with any run-time arguments.
  func isSameService(as other: ServiceIdentity) -> Bool { service == other.service && key == other.key }

  /// The same identity with another key.
  func with(_ key: Key?) -> ServiceIdentity {
    var identity = self
    identity.setKey(key, word: key?.word ?? 0)
    return identity
  }

  /// - Parameter word: The key's word, where it is already known.
  mutating func setKey(_ key: consuming Key?, word: UInt) {
    self.key = key
    self.word = word
  }
}

/// A type that represents a service together with its run-time arguments. It is never instantiated: only its metadata is
/// used.
@usableFromInline struct Signature<Service, each Argument> {}

@usableFromInline
enum TypeAddress {
  /// The address of a type's metadata, which is unique to the type in the process.
  // Emitted into the client, where the compiler knows the type.
  @_alwaysEmitIntoClient @inline(__always)
  static func of<T>(_ type: T.Type) -> UInt { UInt(bitPattern: ObjectIdentifier(type)) }
}

extension ServiceIdentity: Hashable, CustomStringConvertible {
  @usableFromInline
  static func == (left: ServiceIdentity, right: ServiceIdentity) -> Bool { left.isSame(as: right) }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(signature)
    hasher.combine(word)
  }

  /// A short text, such as `Greeting(String)["formal"]`.
  @usableFromInline var description: String {
    var text = TypeName.short(service)
    if !arguments.isEmpty { text += "(" + arguments.map { TypeName.short($0) }.joined(separator: ", ") + ")" }
    if let key { text += "[\(key)]" }
    return text
  }
}
