// The relationship types that resolve their service later.

/// A relationship type that resolves its service when it is called: ``Lazy`` or ``Provider``.
private protocol DeferredType: RelationshipType {
  // Borrowing: an initialiser owns its parameters otherwise, and requests would contend for the container's reference count.
  init(dependencyOf resolver: borrowing Resolver, key: Key?, arguments: Arguments?)
}

extension DeferredType {
  static func make(from resolver: Resolver, key: Key?, arguments: Arguments?) throws -> Self {
    Self(dependencyOf: resolver, key: key, arguments: arguments)
  }

  static func make(from resolver: Resolver, key: Key?, arguments: Arguments?) async throws -> Self {
    Self(dependencyOf: resolver, key: key, arguments: arguments)
  }
}

extension Lazy: DeferredType {
  static func dependency(key: Key?) -> Dependency { Dependency(ServiceIdentity(Service.self, key: key), .deferred) }

  static func isAvailable(from container: Container, key: Key?, arguments: Arguments?) -> Bool {
    container.hasAvailable(Service.self, key: key, arguments: arguments)
  }
}

extension Provider: DeferredType {
  static func dependency(key: Key?) -> Dependency { Dependency(ServiceIdentity(Service.self, key: key), .deferred) }

  static var takesArguments: Bool { true }

  static func isAvailable(from container: Container, key: Key?, arguments: Arguments?) -> Bool {
    container.hasAvailable(Service.self, key: key, arguments: arguments)
      // A provider requested without arguments can be called with any.
      || (arguments == nil
        && container.isRegistered(ServiceIdentity(Service.self, key: key)))
  }
}
