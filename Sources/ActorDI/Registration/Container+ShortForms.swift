// Short forms that register one service by a factory. Each is isolated to the container. The registration is visible to all threads
// when the call returns. For the choice of forms see ``Registration``.
extension Container {
  /// Registers a service by a factory.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - key: The key to register the service under, or nil for none.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - factory: Creates an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` if the registration is faulty, is a duplicate that ``Container/Configuration/duplicates`` forbids,
  ///   or if the registry is frozen or closed.
  @_alwaysEmitIntoClient
  public func register<Service: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil, scope: Scope? = nil,
    factory: @escaping @Sendable (Resolver) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(Registration(service, scope: scope, factory: factory, fileID: fileID, line: line).keyed(key))
  }

  /// Registers a service that need not be Sendable, by a factory. Each resolve creates a new instance.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - key: The key to register the service under, or nil for none.
  ///   - unscoped: Do not pass. It makes the type checker prefer the form with a scope if the service is Sendable.
  ///   - factory: Creates an instance that nothing else references; see ``Registration``.
  /// - Throws: ``ResolutionError`` if the registration is faulty, is a duplicate that ``Container/Configuration/duplicates`` forbids,
  ///   or if the registry is frozen or closed.
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
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - key: The key to register the service under, or nil for none.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - factory: Creates an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` if the registration is faulty, is a duplicate that ``Container/Configuration/duplicates`` forbids,
  ///   or if the registry is frozen or closed.
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
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - key: The key to register the service under, or nil for none.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - isolation: The global actor that the factory is isolated to, if any.
  ///   - factory: Creates an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` if the registration is faulty, is a duplicate that ``Container/Configuration/duplicates`` forbids,
  ///   or if the registry is frozen or closed.
  @_disfavoredOverload
  public func register<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil, scope: Scope? = nil,
    isolation: (any GlobalActor.Type)? = nil,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(Registration<Service>(asynchronous: factory, scope, fileID, line).keyed(key))
  }

  /// Registers a service by a main-actor factory, with or without run-time arguments.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - key: The key to register the service under, or nil for none.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - isolation: The main actor. The default selects this form.
  ///   - factory: Creates an instance, on the main actor; see ``Registration``.
  /// - Throws: ``ResolutionError`` if the registration is faulty, is a duplicate that ``Container/Configuration/duplicates`` forbids,
  ///   or if the registry is frozen or closed.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil, scope: Scope? = nil,
    isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(Registration<Service>(mainActor: factory, scope, fileID, line).keyed(key))
  }

  /// Registers a service that need not be Sendable, by a factory with run-time arguments. Each resolve creates a new instance.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - key: The key to register the service under, or nil for none.
  ///   - unscoped: Do not pass. It makes the type checker prefer the form with a scope if the service is Sendable.
  ///   - factory: Creates an instance that nothing else references; see ``Registration``.
  /// - Throws: ``ResolutionError`` if the registration is faulty, is a duplicate that ``Container/Configuration/duplicates`` forbids,
  ///   or if the registry is frozen or closed.
  public func register<Service, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    unscoped: (any Sendable)? = nil,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(Registration(service, factory: factory, fileID: fileID, line: line).keyed(key))
  }

  /// Registers a service that need not be Sendable, by an asynchronous factory, with or without run-time arguments. Each resolve
  /// creates a new instance.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - key: The key to register the service under, or nil for none.
  ///   - unscoped: Do not pass. It makes the type checker prefer the form with a scope if the service is Sendable.
  ///   - isolation: Do not pass. Like `unscoped`, it only ranks the forms for the type checker.
  ///   - factory: Creates an instance that nothing else references; see ``Registration``.
  /// - Throws: ``ResolutionError`` if the registration is faulty, is a duplicate that ``Container/Configuration/duplicates`` forbids,
  ///   or if the registry is frozen or closed.
  @_disfavoredOverload
  public func register<Service, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    unscoped: (any Sendable)? = nil, isolation: (any GlobalActor.Type)? = nil,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(Registration(service, factory: factory, fileID: fileID, line: line).keyed(key))
  }

  /// Registers a service that need not be Sendable, by a main-actor factory, with or without run-time arguments. Each resolve creates
  /// a new instance.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - key: The key to register the service under, or nil for none.
  ///   - unscoped: Do not pass. It makes the type checker prefer the form with a scope if the service is Sendable.
  ///   - isolation: The main actor. The default selects this form.
  ///   - factory: Creates an instance, on the main actor, that nothing else references; see ``Registration``.
  /// - Throws: ``ResolutionError`` if the registration is faulty, is a duplicate that ``Container/Configuration/duplicates`` forbids,
  ///   or if the registry is frozen or closed.
  public func register<Service, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    unscoped: (any Sendable)? = nil, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(Registration(service, isolation: isolation, factory: factory, fileID: fileID, line: line).keyed(key))
  }
}
