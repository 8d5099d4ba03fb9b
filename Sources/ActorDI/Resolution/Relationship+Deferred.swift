// The relationship types that resolve their service later.

/// A relationship type that resolves its service when it is called: ``Lazy`` or ``Provider``.
private protocol DeferredType: RelationshipType {
  associatedtype Requested

  init(dependencyOf resolver: Resolver, _ request: DeferredRequest<Requested>)
}

extension DeferredType {
  static func dependency(key: Key?) -> Dependency { Dependency(ServiceIdentity(Requested.self, key: key), .deferred) }

  static func isAvailable<each Argument: Sendable>(
    from container: Container, key: Key?, arguments: repeat (each Argument).Type
  ) -> Bool {
    container.hasAvailable(Requested.self, key: key, arguments: repeat each arguments)
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) throws -> Instance {
    Instance(holding: Self(dependencyOf: resolver, DeferredRequest(key, repeat each arguments)))
  }
}

extension Lazy: DeferredType {
  fileprivate typealias Requested = Service
}

extension Provider: DeferredType {
  fileprivate typealias Requested = Service

  static func isAvailable<each Argument: Sendable>(
    from container: Container, key: Key?, arguments: repeat (each Argument).Type
  ) -> Bool {
    container.hasAvailable(Service.self, key: key, arguments: repeat each arguments)
      // A provider requested without arguments can be called with any.
      || (TypeList(repeat each arguments).types.isEmpty
        && container.isRegistered(ServiceIdentity(Service.self, key: key)))
  }
}
