/// A typed token: a key together with the type of its service.
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
/// A token made of a string literal equals the string key of the same text. The container remembers the address of the
/// literal, so a lookup by such a token is as fast as one by type.
public struct ServiceKey<Service>: Sendable {
  @usableFromInline let storage: ServiceKeyStorage

  /// Creates a token with a name.
  ///
  /// - Parameter name: A string literal. It is the same key as the `String` of the same text.
  @inlinable
  public init(_ name: StaticString) { storage = .literal(name) }

  /// Creates a token from any hashable value.
  ///
  /// Disfavoured, so that a string literal selects the initialiser with a name.
  ///
  /// - Parameter value: The key, as passed to `key:`. For an optional, the key is the wrapped value; nil is no key.
  @_disfavoredOverload @inlinable
  public init(_ value: some Hashable & Sendable) { storage = .key(Key.of(value)) }

  /// The key word of the literal's address; 0 if the token is not made of a literal.
  @inlinable var literalWord: UInt { if case .literal(let name) = storage { KeyWord.literal(name) } else { 0 } }

  /// Returns this key for another service type.
  func of<Other>(_ service: Other.Type) -> ServiceKey<Other> { ServiceKey<Other>(storage: storage) }

  var identity: ServiceIdentity { ServiceIdentity(Service.self, key: key) }

  fileprivate init(storage: ServiceKeyStorage) { self.storage = storage }

  /// The type-erased key.
  @usableFromInline var key: Key? {
    switch storage {
    case .literal(let name): TypedKey(name.description)
    case .key(let key): key
    }
  }
}

/// The key of a ``ServiceKey``, the same type for every service.
@usableFromInline
enum ServiceKeyStorage: Sendable {
  case literal(StaticString)
  /// Nil for a token that was made of a nil optional, which is no key.
  case key(Key?)
}
