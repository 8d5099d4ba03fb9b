// The short forms of registering: one service a call, by its factory. Each is isolated to the container, and visible to all threads when it
// returns. For the choice of forms see ``Registration``.
extension Container {
  /// Registers a service by a factory.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  @_alwaysEmitIntoClient
  public func register<Service: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil, scope: Scope? = nil,
    factory: @escaping @Sendable (Resolver) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(Registration(service, scope: scope, factory: factory, fileID: fileID, line: line).keyed(key))
  }

  /// Registers a service that need not be Sendable, by a factory: a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - unscoped: leave it out. It makes the type checker prefer the form with a scope where the service is Sendable.
  ///   - factory: makes an instance that nothing else refers to; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  @_alwaysEmitIntoClient
  public func register<Service>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    unscoped: (any Sendable)? = nil,
    factory: @escaping @Sendable (Resolver) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(Registration(service, factory: factory, fileID: fileID, line: line).keyed(key))
  }

  // MARK: With arguments, asynchronous, isolated

  /// Registers a service by a factory with run-time arguments.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil, scope: Scope? = nil,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(Registration(service, scope: scope, factory: factory, fileID: fileID, line: line).keyed(key))
  }

  /// Registers a service by an asynchronous factory, with or without run-time arguments.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the global actor that the factory is isolated to, if any.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  @_disfavoredOverload
  public func register<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil, scope: Scope? = nil,
    isolation: (any GlobalActor.Type)? = nil,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(service, scope: scope, isolation: isolation, factory: factory, fileID: fileID, line: line)
        .keyed(key))
  }

  /// Registers a service by a main-actor factory, with or without run-time arguments.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance, on the main actor; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil, scope: Scope? = nil,
    isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(service, scope: scope, isolation: isolation, factory: factory, fileID: fileID, line: line)
        .keyed(key))
  }

  /// Registers a service that need not be Sendable, by a factory with run-time arguments: a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - unscoped: leave it out. It makes the type checker prefer the form with a scope where the service is Sendable.
  ///   - factory: makes an instance that nothing else refers to; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    unscoped: (any Sendable)? = nil,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(Registration(service, factory: factory, fileID: fileID, line: line).keyed(key))
  }

  /// Registers a service that need not be Sendable, by an asynchronous factory, with or without run-time arguments: a new instance for each
  /// resolve.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - unscoped: leave it out. It makes the type checker prefer the form with a scope where the service is Sendable.
  ///   - isolation: leave it out, too.
  ///   - factory: makes an instance that nothing else refers to; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  @_disfavoredOverload
  public func register<Service, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    unscoped: (any Sendable)? = nil, isolation: (any GlobalActor.Type)? = nil,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(Registration(service, factory: factory, fileID: fileID, line: line).keyed(key))
  }

  /// Registers a service that need not be Sendable, by a main-actor factory, with or without run-time arguments: a new instance for each
  /// resolve.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - unscoped: leave it out. It makes the type checker prefer the form with a scope where the service is Sendable.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance, on the main actor, that nothing else refers to; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    unscoped: (any Sendable)? = nil, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(Registration(service, isolation: isolation, factory: factory, fileID: fileID, line: line).keyed(key))
  }
}
