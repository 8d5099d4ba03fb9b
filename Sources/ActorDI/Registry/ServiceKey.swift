/// A typed token: a key together with the type of its service.
///
/// Declare tokens where the registration and the resolves can see them, and name the service once:
///
/// ```swift
/// extension ServiceKey where Service == any Database {
///   static var replica: Self { .init("replica") }
/// }
///
/// Registration(autowired: .replica) { ReadReplica() }
/// let replica = try await container.resolve(.replica)
/// ```
///
/// A token made of a string literal equals the string key of the same text. The compiler hashes the literal, so a lookup by such a token
/// is as fast as one by type. A token with characters beyond ASCII is hashed at each lookup.
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

  /// Returns this key for another service type.
  func of<Other>(_ service: Other.Type) -> ServiceKey<Other> { ServiceKey<Other>(storage: storage) }

  var identity: ServiceIdentity { ServiceIdentity(Service.self, key: key) }

  fileprivate init(storage: ServiceKeyStorage) { self.storage = storage }

  /// The type-erased key.
  @usableFromInline var key: Key? {
    switch storage {
    case .literal(let name): TextKey(name)
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
