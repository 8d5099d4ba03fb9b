// Registration under a typed token: type and key in one. Each kind of factory has one form, whose parameter pack may be empty.
extension Registration where Service: Sendable {
  /// Registers a service under a token, by a factory with or without run-time arguments.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - factory: makes an instance. The types of its arguments, in order, are part of the service's identity.
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>, scope: Scope? = nil,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(ArgumentRecipe(synchronous: factory), token.key, scope, fileID, line)
  }

  /// Registers a service under a token, by an asynchronous factory with or without run-time arguments.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the global actor that the factory is isolated to, if any.
  ///   - factory: makes an instance. The types of its arguments, in order, are part of the service's identity.
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>, scope: Scope? = nil, isolation: (any GlobalActor.Type)? = nil,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(ArgumentRecipe(asynchronous: factory), token.key, scope, fileID, line)
  }

  /// Registers a service under a token, by a main-actor factory with or without run-time arguments.
  ///
  /// Asynchronous code resolves it from anywhere, synchronous code on the main thread.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance, on the main actor. The types of its arguments, in order, are part of the service's identity.
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>, scope: Scope? = nil, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(ArgumentRecipe(mainActor: factory), token.key, scope, fileID, line)
  }

  /// Registers an existing instance under a token. The container does not own it: it never disposes of it.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - instance: the result of each resolve.
  public init(
    _ token: ServiceKey<Service>, instance: Service, fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(instance: instance, fileID: fileID, line: line).key(token)
  }
}

extension Registration {
  /// Registers a service that need not be Sendable under a token, by a factory with or without run-time arguments: a new instance for each
  /// resolve.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - unscoped: leave it out. It makes the type checker prefer the form with a scope where the service is Sendable.
  ///   - factory: makes an instance that nothing else refers to.
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>, unscoped: (any Sendable)? = nil,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(ArgumentRecipe(synchronous: factory), token.key, .transient, fileID, line)
  }

  /// Registers a service that need not be Sendable under a token, by an asynchronous factory with or without run-time arguments: a new
  /// instance for each resolve.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - unscoped: leave it out. It makes the type checker prefer the form with a scope where the service is Sendable.
  ///   - isolation: leave it out, too.
  ///   - factory: makes an instance that nothing else refers to.
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>, unscoped: (any Sendable)? = nil, isolation: (any GlobalActor.Type)? = nil,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(ArgumentRecipe(asynchronous: factory), token.key, .transient, fileID, line)
  }

  /// Registers a service that need not be Sendable under a token, by a main-actor factory with or without run-time arguments: a new instance
  /// for each resolve.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - unscoped: leave it out. It makes the type checker prefer the form with a scope where the service is Sendable.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance, on the main actor, that nothing else refers to.
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>, unscoped: (any Sendable)? = nil, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(ArgumentRecipe(mainActor: factory), token.key, .transient, fileID, line)
  }
}
