// Registration under a typed token, with run-time arguments, by initialiser, and of an instance: the forms of
// `Registration+Arguments.swift` and `Registration+Autowired.swift`, with type and key in one.
extension Registration where Service: Sendable {
  /// Registers a service under a token by a factory with run-time arguments.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept.
  ///   - factory: makes an instance. The types of its arguments, in order, are part of what it is found under.
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>, scope: Scope,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      Service.self, factory: factory, fileID: fileID, line: line
    ).keyed(token, scope: scope)
  }

  /// Registers a service under a token by an asynchronous factory with run-time arguments.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept.
  ///   - factory: makes an instance. The types of its arguments, in order, are part of what it is found under.
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>, scope: Scope,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      Service.self, factory: factory, fileID: fileID, line: line
    ).keyed(token, scope: scope)
  }

  /// Registers a service under a token by a main-actor factory with run-time arguments.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance. The types of its arguments, in order, are part of what it is found under.
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>, scope: Scope, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      Service.self, isolation: isolation, factory: factory, fileID: fileID, line: line
    ).keyed(token, scope: scope)
  }

  /// Registers a service under a token by a factory with run-time arguments, in the default scope.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - factory: makes an instance. The types of its arguments, in order, are part of what it is found under.
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      Service.self, factory: factory, fileID: fileID, line: line
    ).keyed(token)
  }

  /// Registers a service under a token by an asynchronous factory with run-time arguments, in the default scope.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - factory: makes an instance. The types of its arguments, in order, are part of what it is found under.
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      Service.self, factory: factory, fileID: fileID, line: line
    ).keyed(token)
  }

  /// Registers a service under a token by a main-actor factory with run-time arguments, in the default scope.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance. The types of its arguments, in order, are part of what it is found under.
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      Service.self, isolation: isolation, factory: factory, fileID: fileID, line: line
    ).keyed(token)
  }
}

extension Registration {
  /// Registers a service that need not be Sendable under a token by a factory with run-time arguments: a new instance for each
  /// resolve.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - factory: makes an instance. The types of its arguments, in order, are part of what it is found under.
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      Service.self, factory: factory, fileID: fileID, line: line
    ).keyed(token)
  }

  /// Registers a service that need not be Sendable under a token by an asynchronous factory with run-time arguments: a new instance for each
  /// resolve.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - factory: makes an instance. The types of its arguments, in order, are part of what it is found under.
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      Service.self, factory: factory, fileID: fileID, line: line
    ).keyed(token)
  }

  /// Registers a service that need not be Sendable under a token by a main-actor factory with run-time arguments: a new instance for each
  /// resolve.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance. The types of its arguments, in order, are part of what it is found under.
  public init<each Argument: Sendable>(
    _ token: ServiceKey<Service>, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      Service.self, isolation: isolation, factory: factory, fileID: fileID, line: line
    ).keyed(token)
  }
}

extension Registration where Service: Sendable {
  /// Registers a service under a token by its initialiser, whose parameters are resolved from the container by
  /// their types.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - initializer: `Type.init`, or any function that returns the service.
  public init<each Dependency>(
    autowired token: ServiceKey<Service>, scope: Scope? = nil,
    initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      autowired: Service.self, initializer: initializer, fileID: fileID, line: line
    ).keyed(token, scope: scope)
  }

  /// Registers a service under a token by its asynchronous initialiser, whose parameters are resolved from the container by
  /// their types.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - initializer: `Type.init`, or any function that returns the service.
  public init<each Dependency>(
    autowired token: ServiceKey<Service>, scope: Scope? = nil,
    initializer: @escaping @concurrent @Sendable (repeat each Dependency) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      autowired: Service.self, initializer: initializer, fileID: fileID, line: line
    ).keyed(token, scope: scope)
  }

  /// Registers a service under a token by its main-actor initialiser, whose parameters are resolved from the container by
  /// their types.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the main actor.
  ///   - initializer: `Type.init`, or any function that returns the service.
  public init<each Dependency>(
    autowired token: ServiceKey<Service>, scope: Scope? = nil, isolation: MainActor.Type = MainActor.self,
    initializer: @escaping @MainActor @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      autowired: Service.self, isolation: isolation, initializer: initializer, fileID: fileID, line: line
    ).keyed(token, scope: scope)
  }

  /// Registers a service under a token by its initialiser: some of its parameters are given at run time, the rest
  /// is resolved.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - arguments: the types of the run-time arguments, in the order in which callers give them.
  ///   - initializer: `Type.init`, or any function that returns the service.
  public init<each Argument: Sendable, each Dependency>(
    autowired token: ServiceKey<Service>, scope: Scope? = nil,
    arguments: repeat (each Argument).Type,
    initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      autowired: Service.self, arguments: repeat each arguments, initializer: initializer,
      fileID: fileID, line: line
    ).keyed(token, scope: scope)
  }

  /// Registers an instance that exists under a token. The container does not own it: it is never disposed of.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - instance: what each resolve returns.
  public init(
    _ token: ServiceKey<Service>, instance: Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(instance: instance, fileID: fileID, line: line).keyed(token)
  }
}
