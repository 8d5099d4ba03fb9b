/// A type that says how a service is wanted, rather than which: `T?`, `[T]`, `[Key: T]`, ``Lazy``, ``Provider``, ``Owned``.
///
/// They are told apart after a lookup has missed, so that the read path knows nothing of them, and an explicit
/// registration of `T?` or `[T]` itself wins.
protocol RelationshipType {
  /// What it needs to be there, for analysis without running anything.
  static func dependency(key: Key?) -> Dependency

  /// Whether there is something to resolve: if not, an optional one is nil.
  static func isAvailable<each Argument: Sendable>(
    from container: Container, key: Key?, arguments: repeat (each Argument).Type
  ) -> Bool

  /// Resolves it. The run-time arguments are those of the service that it is about.
  ///
  /// - Returns: one of type `Self`.
  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) throws -> Instance
  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) async throws -> Instance
}

extension RelationshipType {
  static func isAvailable<each Argument: Sendable>(
    from container: Container, key: Key?, arguments: repeat (each Argument).Type
  ) -> Bool { true }
}

/// A relationship type that holds all that is registered for a service, or some of it: `[T]`, `[Key: T]`.
protocol CollectionType: RelationshipType {
  /// Whether what is found under a key, or under none, is an element.
  static func holds(_ key: Key?) -> Bool

  /// Whether there is one element for each key: the one that a resolve by the key finds.
  static var hasEachKeyOnce: Bool { get }
}

extension Dependency {
  /// The collection that it is wanted as; nil where one service is wanted.
  var collection: (any CollectionType.Type)? {
    guard need == .all else { return nil }
    return forms.lazy.compactMap { $0.service as? any CollectionType.Type }.first
  }

  init<Service>(_ type: Service.Type, key: Key? = nil) {
    if let relationship = type as? any RelationshipType.Type {
      let wanted = relationship.dependency(key: key)
      self.init(
        wanted.identity, wanted.need, forms: [ServiceIdentity(type, key: key)] + wanted.forms,
        isOptional: wanted.isOptional)
    } else {
      self.init(ServiceIdentity(type, key: key), .required)
    }
  }

  /// What it means to ask for something.
  init(on identity: ServiceIdentity) {
    func dependency<Service>(_ type: Service.Type) -> Dependency { Dependency(type, key: identity.key) }
    let isRelated = identity.service is any RelationshipType.Type
    self = isRelated ? dependency(identity.service) : Dependency(identity, .required)
  }
}
