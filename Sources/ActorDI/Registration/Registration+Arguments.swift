// Registration by a factory that takes run-time arguments beside the resolver; otherwise as `Registration+Factories.swift`.
extension Registration where Service: Sendable {
  /// Registers a service by a factory with run-time arguments.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - scope: how long instances are kept. A kept instance is made with the arguments
  ///     of the first resolve.
  ///   - factory: makes an instance. The types of its arguments, in order, are part of what the service is found under.
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self, scope: Scope,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(arguments: ArgumentRecipe(synchronous: factory), scope, fileID, line)
  }

  /// Registers a service by a factory with run-time arguments, in the container's default scope.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - factory: makes an instance. The types of its arguments, in order, are part of what the service is found under.
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(arguments: ArgumentRecipe(synchronous: factory), nil, fileID, line)
  }

  /// Registers a service by an asynchronous factory with run-time arguments.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - scope: how long instances are kept. A kept instance is made with the arguments
  ///     of the first resolve.
  ///   - factory: makes an instance. The types of its arguments, in order, are part of what the service is found under.
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self, scope: Scope,
    factory:
      @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws ->
      Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let recipe = ArgumentRecipe(asynchronous: Service.self) { (resolver: Resolver, arguments: repeat each Argument) in
      Instance(holding: try await factory(resolver, repeat each arguments))
    }
    self.init(arguments: recipe, scope, fileID, line)
  }

  /// Registers a service by an asynchronous factory with run-time arguments, in the container's default scope.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - factory: makes an instance. The types of its arguments, in order, are part of what the service is found under.
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self,
    factory:
      @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws ->
      Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let recipe = ArgumentRecipe(asynchronous: Service.self) { (resolver: Resolver, arguments: repeat each Argument) in
      Instance(holding: try await factory(resolver, repeat each arguments))
    }
    self.init(arguments: recipe, nil, fileID, line)
  }

  /// Registers a service by a factory with run-time arguments that runs on the main actor.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - scope: how long instances are kept. A kept instance is made with the arguments
  ///     of the first resolve.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance, on the main actor.
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self, scope: Scope,
    isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(arguments: ArgumentRecipe(mainActor: factory), scope, fileID, line)
  }

  /// Registers a service by a factory with run-time arguments that runs on the main actor, in the container's default scope.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance, on the main actor.
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self,
    isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(arguments: ArgumentRecipe(mainActor: factory), nil, fileID, line)
  }
}

extension Registration {
  /// Registers a service that need not be Sendable, by a factory with run-time arguments: a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - factory: makes an instance that nothing else refers to.
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(arguments: ArgumentRecipe(synchronous: factory), .transient, fileID, line)
  }

  /// Registers a service that need not be Sendable, by an asynchronous factory with run-time arguments: a new instance for
  /// each resolve.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - factory: makes an instance that nothing else refers to.
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self,
    factory:
      @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws ->
      sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    let recipe = ArgumentRecipe(asynchronous: Service.self) { (resolver: Resolver, arguments: repeat each Argument) in
      Instance(holding: try await factory(resolver, repeat each arguments))
    }
    self.init(arguments: recipe, .transient, fileID, line)
  }

  /// Registers a service that need not be Sendable, by a factory with run-time arguments that runs on the main actor: a new
  /// instance for each resolve.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance, on the main actor, that nothing else refers to.
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self,
    isolation: MainActor.Type = MainActor.self,
    factory:
      @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws ->
      sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(arguments: ArgumentRecipe(mainActor: factory), .transient, fileID, line)
  }
}
