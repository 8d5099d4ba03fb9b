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
    self.init(
      arguments: ArgumentRecipe(synchronous: factory), scope: scope, isKeepable: true,
      RegistrationSource(fileID, line))
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
    self.init(
      arguments: ArgumentRecipe(synchronous: factory), scope: nil, isKeepable: true,
      RegistrationSource(fileID, line))
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
    let recipe = ArgumentRecipe<Service, repeat each Argument>(
      asynchronous: { (resolver: Resolver, arguments: repeat each Argument) in
        Box(try await factory(resolver, repeat each arguments))
      })
    self.init(
      arguments: recipe, scope: scope, isKeepable: true, RegistrationSource(fileID, line))
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
    let recipe = ArgumentRecipe<Service, repeat each Argument>(
      asynchronous: { (resolver: Resolver, arguments: repeat each Argument) in
        Box(try await factory(resolver, repeat each arguments))
      })
    self.init(
      arguments: recipe, scope: nil, isKeepable: true, RegistrationSource(fileID, line))
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
    self.init(
      arguments: ArgumentRecipe(mainActor: factory), scope: scope, isKeepable: true,
      RegistrationSource(fileID, line))
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
    self.init(
      arguments: ArgumentRecipe(mainActor: factory), scope: nil, isKeepable: true,
      RegistrationSource(fileID, line))
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
    self.init(
      arguments: ArgumentRecipe(synchronous: factory), scope: .transient, isKeepable: false,
      RegistrationSource(fileID, line))
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
    let recipe = ArgumentRecipe<Service, repeat each Argument>(
      asynchronous: { (resolver: Resolver, arguments: repeat each Argument) in
        Box(try await factory(resolver, repeat each arguments))
      })
    self.init(
      arguments: recipe, scope: .transient, isKeepable: false, RegistrationSource(fileID, line))
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
    self.init(
      arguments: ArgumentRecipe(mainActor: factory), scope: .transient, isKeepable: false,
      RegistrationSource(fileID, line))
  }
}

extension ArgumentRecipe {
  init(synchronous make: @escaping Make) {
    self.init(synchrony: .synchronous, make: make, makeAsync: nil)
  }

  init(asynchronous makeAsync: @escaping MakeAsync) {
    self.init(
      synchrony: .asynchronous,
      make: { (_: Resolver, _: repeat each Argument) in
        throw ResolutionError(.asyncRequired, for: ServiceIdentity(Service.self))
      }, makeAsync: makeAsync)
  }

  init(
    mainActor factory:
      @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws ->
      Service
  ) {
    self.init(
      synchrony: .mainActor,
      make: { (resolver: Resolver, arguments: repeat each Argument) in
        try MainExecutor.assumeIsolated { try factory(resolver, repeat each arguments) }
      },
      makeAsync: { (resolver: Resolver, arguments: repeat each Argument) in
        try await MainActor.run { Box(try factory(resolver, repeat each arguments)) }
      })
  }
}
