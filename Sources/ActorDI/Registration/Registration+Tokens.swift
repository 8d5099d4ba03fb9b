// Registration under a typed token, which combines type and key. Each kind of factory has one form, whose parameter pack may be
// empty.
extension Registration where Service: Sendable {
  /// Registers a service under a token, by a factory with or without run-time arguments.
  ///
  /// - Parameters:
  ///   - token: The service type and key.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - factory: Creates an instance. The types of its arguments, in order, are part of the service's identity.
  @_disfavoredOverload @_alwaysEmitIntoClient
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>, scope: Scope? = nil,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(taking: factory, scope, fileID, line).key(token)
  }

  /// Registers a service under a token, by an asynchronous factory with or without run-time arguments.
  ///
  /// - Parameters:
  ///   - token: The service type and key.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - isolation: The global actor that the factory is isolated to, if any.
  ///   - factory: Creates an instance. The types of its arguments, in order, are part of the service's identity.
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>, scope: Scope? = nil, isolation: (any GlobalActor.Type)? = nil,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(asynchronous: factory, scope, fileID, line).key(token)
  }

  /// Registers a service under a token, by a main-actor factory with or without run-time arguments.
  ///
  /// Asynchronous code can resolve the service anywhere, synchronous code only on the main thread.
  ///
  /// - Parameters:
  ///   - token: The service type and key.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - isolation: The main actor. The default selects this form.
  ///   - factory: Creates an instance, on the main actor. The types of its arguments, in order, are part of the service's identity.
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>, scope: Scope? = nil, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(mainActor: factory, scope, fileID, line).key(token)
  }
}

extension Registration {
  /// Registers a service that need not be Sendable under a token, by a factory with or without run-time arguments. Each resolve
  /// creates a new instance.
  ///
  /// - Parameters:
  ///   - token: The service type and key.
  ///   - unscoped: Do not pass. It makes the type checker prefer the form with a scope if the service is Sendable.
  ///   - factory: Creates an instance that nothing else references.
  @_disfavoredOverload @_alwaysEmitIntoClient
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>, unscoped: (any Sendable)? = nil,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(taking: factory, .transient, fileID, line).key(token)
  }

  /// Registers a service that need not be Sendable under a token, by an asynchronous factory with or without run-time arguments: a new
  /// instance for each resolve.
  ///
  /// - Parameters:
  ///   - token: The service type and key.
  ///   - unscoped: Do not pass. It makes the type checker prefer the form with a scope if the service is Sendable.
  ///   - isolation: Do not pass. Like `unscoped`, it only ranks the forms for the type checker.
  ///   - factory: Creates an instance that nothing else references.
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>, unscoped: (any Sendable)? = nil, isolation: (any GlobalActor.Type)? = nil,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(asynchronous: factory, .transient, fileID, line).key(token)
  }

  /// Registers a service that need not be Sendable under a token, by a main-actor factory with or without run-time arguments: a new
  /// instance for each resolve.
  ///
  /// - Parameters:
  ///   - token: The service type and key.
  ///   - unscoped: Do not pass. It makes the type checker prefer the form with a scope if the service is Sendable.
  ///   - isolation: The main actor. The default selects this form.
  ///   - factory: Creates an instance, on the main actor, that nothing else references.
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>, unscoped: (any Sendable)? = nil, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(mainActor: factory, .transient, fileID, line).key(token)
  }
}
