// The relationship types that resolve their service later.

/// A relationship type that resolves its service when it is called: ``Lazy`` or ``Provider``.
private protocol DeferredType: RelationshipType {
  associatedtype Requested

  // Borrowing: an initialiser owns its parameters otherwise, and requests would contend for the container's reference count.
  init(dependencyOf resolver: borrowing Resolver, key: Key?, arguments: Arguments?)
}

extension DeferredType {
  static func dependency(key: Key?) -> Dependency { Dependency(ServiceIdentity(Requested.self, key: key), .deferred) }

  static func isAvailable(from container: Container, key: Key?, arguments: Arguments?) -> Bool {
    container.hasAvailable(Requested.self, key: key, arguments: arguments)
  }

  static func write(
    to memory: ServiceMemory, from resolver: Resolver, key: Key?, arguments: Arguments?
  ) throws {
    let value = Self(dependencyOf: resolver, key: key, arguments: arguments)
    memory.initialize(as: Self.self, to: value)
  }

  static func resolve(from resolver: Resolver, key: Key?, arguments: Arguments?) async throws -> Instance {
    Instance(holding: Self(dependencyOf: resolver, key: key, arguments: arguments))
  }
}

extension Lazy: DeferredType {
  fileprivate typealias Requested = Service
}

extension Provider: DeferredType {
  fileprivate typealias Requested = Service

  static var takesArguments: Bool { true }

  static func isAvailable(from container: Container, key: Key?, arguments: Arguments?) -> Bool {
    container.hasAvailable(Service.self, key: key, arguments: arguments)
      // A provider requested without arguments can be called with any.
      || (arguments == nil
        && container.isRegistered(ServiceIdentity(Service.self, key: key)))
  }
}
