// Registration under a typed token: the forms of `Registration+Factories.swift`, with type and key in one.
extension Registration where Service: Sendable {
  /// Registers a service under a token by a factory.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept.
  ///   - factory: makes an instance. It resolves what it needs from the resolver.
  public init(
    _ token: ServiceKey<Service>, scope: Scope,
    factory: @escaping @Sendable (Resolver) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      Service.self, scope: scope, factory: factory, fileID: fileID, line: line
    ).keyed(token)
  }

  /// Registers a service under a token by a factory, in the container's default scope.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - factory: makes an instance. It resolves what it needs from the resolver.
  public init(
    _ token: ServiceKey<Service>,
    factory: @escaping @Sendable (Resolver) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      Service.self, factory: factory, fileID: fileID, line: line
    ).keyed(token)
  }

  /// Registers a service under a token by an asynchronous factory.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept.
  ///   - factory: makes an instance. For a kept service it runs in a task of the container's: without the caller's
  ///     task-locals, and cancelled only when nobody waits for it any more.
  public init(
    _ token: ServiceKey<Service>, scope: Scope,
    factory: @escaping @concurrent @Sendable (Resolver) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      Service.self, scope: scope, factory: factory, fileID: fileID, line: line
    ).keyed(token)
  }

  /// Registers a service under a token by an asynchronous factory, in the container's default scope.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - factory: makes an instance. For a kept service it runs in a task of the container's: without the caller's
  ///     task-locals, and cancelled only when nobody waits for it any more.
  public init(
    _ token: ServiceKey<Service>,
    factory: @escaping @concurrent @Sendable (Resolver) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      Service.self, factory: factory, fileID: fileID, line: line
    ).keyed(token)
  }

  /// Registers a service under a token by a factory that runs on the main actor.
  ///
  /// Asynchronous code resolves it from anywhere, synchronous code on the main thread.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance, on the main actor.
  public init(
    _ token: ServiceKey<Service>, scope: Scope,
    isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      Service.self, scope: scope, isolation: isolation, factory: factory, fileID: fileID, line: line
    ).keyed(token)
  }

  /// Registers a service under a token by a factory that runs on the main actor, in the container's default scope.
  ///
  /// Asynchronous code resolves it from anywhere, synchronous code on the main thread.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance, on the main actor.
  public init(
    _ token: ServiceKey<Service>,
    isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      Service.self, isolation: isolation, factory: factory, fileID: fileID, line: line
    ).keyed(token)
  }
}

extension Registration {
  /// Registers a service under a token that need not be Sendable, by a factory: a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - factory: makes an instance that nothing else refers to.
  public init(
    _ token: ServiceKey<Service>,
    factory: @escaping @Sendable (Resolver) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      Service.self, factory: factory, fileID: fileID, line: line
    ).keyed(token)
  }

  /// Registers a service under a token that need not be Sendable, by an asynchronous factory: a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - factory: makes an instance that nothing else refers to.
  public init(
    _ token: ServiceKey<Service>,
    factory: @escaping @concurrent @Sendable (Resolver) async throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      Service.self, factory: factory, fileID: fileID, line: line
    ).keyed(token)
  }

  /// Registers a service under a token that need not be Sendable, by a factory that runs on the main actor: a new instance for each
  /// resolve.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance, on the main actor, that nothing else refers to.
  public init(
    _ token: ServiceKey<Service>,
    isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      Service.self, isolation: isolation, factory: factory, fileID: fileID, line: line
    ).keyed(token)
  }
}

extension Registration {
  /// The same under a token and, if one is given, in a scope.
  consuming func keyed(_ token: ServiceKey<Service>, scope: Scope? = nil) -> Self {
    let key = token.key
    return scoped(scope).describing { $0.identity = $0.identity.with(key) }
  }
}
