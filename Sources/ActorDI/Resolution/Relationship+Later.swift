// Dependencies that are resolved later.

extension Lazy: RelationshipType {
  static func dependency(key: Key?) -> Dependency {
    Dependency(ServiceIdentity(Service.self, key: key), .deferred)
  }

  static func isAvailable<each Argument: Sendable>(
    from container: Container, key: Key?, arguments: repeat (each Argument).Type
  ) -> Bool {
    container.hasAvailable(Service.self, key: key, arguments: repeat each arguments)
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) throws -> Instance {
    Instance(holding: Lazy(resolver, LaterRequest(key, repeat each arguments)))
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) async throws -> Instance {
    Instance(holding: Lazy(resolver, LaterRequest(key, repeat each arguments)))
  }
}

extension Provider: RelationshipType {
  static func dependency(key: Key?) -> Dependency {
    Dependency(ServiceIdentity(Service.self, key: key), .deferred)
  }

  static func isAvailable<each Argument: Sendable>(
    from container: Container, key: Key?, arguments: repeat (each Argument).Type
  ) -> Bool {
    container.hasAvailable(Service.self, key: key, arguments: repeat each arguments)
      // A provider that was given no arguments can be called with any.
      || (TypeList(repeat each arguments).types.isEmpty
        && container.isRegistered(ServiceIdentity(Service.self, key: key)))
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) throws -> Instance {
    Instance(holding: Provider(dependencyOf: resolver, LaterRequest(key, repeat each arguments)))
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) async throws -> Instance {
    Instance(holding: Provider(dependencyOf: resolver, LaterRequest(key, repeat each arguments)))
  }
}
