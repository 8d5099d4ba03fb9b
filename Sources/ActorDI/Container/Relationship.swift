/// A type that states how a service is wanted: `T?`, `[T]`, `[Key: T]`, ``Lazy``, ``Provider``, ``Owned``.
///
/// The slow path recognises these types after a lookup has missed. So the fast path ignores them, and an explicit
/// registration of `T?` or `[T]` itself wins.
protocol RelationshipType {
  /// The dependency that the relationship expresses, for analysis without running anything.
  static func dependency(key: Key?) -> Dependency

  /// Whether there is a service to resolve. If not, an optional of the relationship is nil.
  static func isAvailable<each Argument: Sendable>(
    from container: Container, key: Key?, arguments: repeat (each Argument).Type
  ) -> Bool

  /// The value of an injected property whose service cannot be resolved: nil for `T?`, empty for `[T]`. Nil if that is an error.
  static var absent: Self? { get }

  /// Resolves the relationship. The run-time arguments are those of the related service.
  ///
  /// - Returns: An instance of type `Self`.
  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) throws -> Instance
  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) async throws -> Instance

  /// Resolves the relationship without run-time arguments for a synchronous caller outside of any asynchronous factory.
  ///
  /// - Parameter memory: Receives the value, of type `Self`.
  static func write(from container: Container, key: Key?, to memory: UnsafeMutableRawPointer) throws
}

extension RelationshipType {
  static func write(from container: Container, key: Key?, to memory: UnsafeMutableRawPointer) throws {
    let record = unsafe ThreadRecordPointer.current
    try unsafe record.holdingCall { _ in
      unsafe try resolve(from: Resolver(container: container), key: key).write(to: memory)
    }
  }

  static func isAvailable<each Argument: Sendable>(
    from container: Container, key: Key?, arguments: repeat (each Argument).Type
  ) -> Bool { true }

  static var absent: Self? { nil }
}

/// A relationship type that contains all registrations of a service, or some of them: `[T]`, `[Key: T]`.
protocol CollectionType: RelationshipType {
  /// The type of the elements.
  associatedtype Member

  /// Creates a collection without elements.
  init()

  mutating func reserveCapacity(_ count: Int)

  /// Adds an element, which is registered under a key or under none.
  mutating func add(_ service: Member, under key: Key?)

  /// Whether a registration under a key, or under none, is an element.
  static func holds(_ key: Key?) -> Bool

  /// Whether there is one element for each key: the one that a resolve by the key finds.
  static var hasEachKeyOnce: Bool { get }
}

extension Dependency {
  /// The collection type of the dependency; nil if a single service is wanted.
  var collection: (any CollectionType.Type)? {
    guard need == .all else { return nil }
    return forms.lazy.compactMap { $0.service as? any CollectionType.Type }.first
  }

  init<Service>(_ type: Service.Type, key: Key? = nil) { self.init(on: ServiceIdentity(type, key: key)) }

  /// Creates the dependency that a request for an identity expresses. The run-time arguments of a relationship are ignored.
  init(on identity: ServiceIdentity) {
    guard let relationship = identity.service as? any RelationshipType.Type else {
      self.init(identity, .required)
      return
    }
    let wanted = relationship.dependency(key: identity.key)
    let form = ServiceIdentity(identity.service, key: identity.key)
    self.init(wanted.identity, wanted.need, forms: [form] + wanted.forms, isOptional: wanted.isOptional)
  }

  /// The dependency of a service that is itself a relationship type: for `Provider<Owned<Session>>`, that of the owned session.
  var nested: Dependency? { identity.service is any RelationshipType.Type ? Dependency(on: identity) : nil }
}
