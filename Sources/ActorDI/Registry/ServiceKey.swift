/// A key that knows the type of its service.
///
/// Declare tokens where both sides see them, and name the service once:
///
/// ```swift
/// extension ServiceKey where Service == any Database {
///   static var replica: Self { .init("replica") }
/// }
///
/// Registration(.replica) { _ in ReadReplica() }
/// let replica = try await container.resolve(.replica)
/// ```
///
/// A token made of a string literal is equal to the string key of the same text, and is found as fast as a type:
/// the container remembers the literal by its address.
public struct ServiceKey<Service>: Sendable {
  @usableFromInline
  enum Storage: Sendable {
    case literal(StaticString)
    /// Nil for a value that is no key: an optional that is nil.
    case key(Key?)
  }

  @usableFromInline let storage: Storage

  /// A token by name.
  ///
  /// - Parameter name: a string literal. It is the same key as the `String` of the same text.
  @inlinable
  public init(_ name: StaticString) {
    storage = .literal(name)
  }

  /// A token made of any hashable value.
  ///
  /// Disfavoured, so that a string literal makes the token by name.
  ///
  /// - Parameter value: the key, as it would be given to `key:`. An optional is the key that it holds, and nil is no key.
  @_disfavoredOverload
  @inlinable
  public init(_ value: some Hashable & Sendable) {
    storage = .key(Key.of(value))
  }

  /// The word of a literal, 0 when the token is not made of one.
  @inlinable var literalWord: UInt {
    if case .literal(let name) = storage { KeyWord.literal(name) } else { 0 }
  }

  /// The word of a key that is no literal.
  @usableFromInline var keyWord: UInt { key?.word ?? 0 }

  /// Whether the binding at an address has this key.
  @usableFromInline
  func isKey(of binding: UInt) -> Bool {
    unsafe Binding.at(binding)._withUnsafeGuaranteedRef { $0.key == key }
  }

  /// The same key of another type.
  func of<Other>(_ service: Other.Type) -> ServiceKey<Other> {
    switch storage {
    case .literal(let name): ServiceKey<Other>(name)
    case .key(let key): ServiceKey<Other>(erased: key)
    }
  }

  var identity: ServiceIdentity { ServiceIdentity(Service.self, key: key) }

  private init(erased key: Key?) { storage = .key(key) }

  /// The erased key.
  @usableFromInline var key: Key? {
    switch storage {
    case .literal(let name): TypedKey(name.description)
    case .key(let key): key
    }
  }
}
