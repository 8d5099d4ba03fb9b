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
///
/// A token can have a default registration. Code that can name such a token can always find the service:
///
/// ```swift
/// extension ServiceKey where Service == any Mailer {
///   static var mailer: Self {
///     Self("mailer") {
///       Registration(scope: .singleton) { r in SMTPMailer(host: try r.resolve(.host)) }
///     }
///   }
/// }
/// ```
public struct ServiceKey<Service>: Sendable {
  @usableFromInline let storage: ServiceKeyStorage
  /// Makes the registration for when nothing else registers the service.
  @usableFromInline let makeDefault: (@Sendable () -> Registration<Service>)?

  /// Creates a token with a name.
  ///
  /// - Parameter name: A string literal. It is the same key as the `String` of the same text.
  @inlinable
  public init(_ name: StaticString) {
    storage = .literal(name)
    makeDefault = nil
  }

  /// Creates a token with a name and a default.
  ///
  /// A registration under the token wins, if the container, its links or its parents have one, and so does an override. Without one,
  /// the first resolve by the token registers the default in the outermost parent of the container that is asked, also if that is
  /// frozen. A resolve by the type and the name alone finds it only then.
  ///
  /// The default may be internal to the module that declares the token. It may take run-time arguments, which the resolve then passes.
  /// A scope, aliases and decorators of the registration are those of any registration, but its aliases yield to other registrations, too.
  /// Its key is the token. A resolve of a default with a condition, by ``Registration/when(_:)``, throws
  /// ``ResolutionError/Code/invalidRegistration``: the default is for when there is no other registration.
  ///
  /// The closure only makes the registration. If it resolves its own token, that resolve throws ``ResolutionError/Code/cycle``; resolve in
  /// the factory of the registration instead.
  ///
  /// - Parameters:
  ///   - name: A string literal. It is the same key as the `String` of the same text.
  ///   - registration: Makes the default. Threads that need it at the same time may each call this, and one result is registered.
  /// - Complexity: A resolve of an instance that exists costs no more than one by a token without a default.
  @inlinable
  public init(_ name: StaticString, default registration: @escaping @Sendable () -> Registration<Service>) {
    storage = .literal(name)
    makeDefault = registration
  }

  /// Creates a token from any hashable value.
  ///
  /// Disfavoured, so that a string literal selects the initialiser with a name.
  ///
  /// - Parameter value: The key, as passed to `key:`. For an optional, the key is the wrapped value; nil is no key.
  @_disfavoredOverload @inlinable
  public init(_ value: some Hashable & Sendable) {
    storage = .key(Key.of(value))
    makeDefault = nil
  }

  /// Returns this key for another service type. The default remains that of the service, which the other type may relate to.
  func of<Other>(_ service: Other.Type) -> ServiceKey<Other> {
    ServiceKey<Other>(storage: makeDefault == nil ? storage : .key(key))
  }

  var identity: ServiceIdentity { ServiceIdentity(Service.self, key: key) }

  fileprivate init(storage: ServiceKeyStorage) {
    self.storage = storage
    makeDefault = nil
  }

  /// The type-erased key.
  @usableFromInline var key: Key? {
    switch storage {
    case .literal(let name): TextKey(name, default: makeDefault.map { DefaultRegistration($0) })
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
