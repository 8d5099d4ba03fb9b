// The short forms of registering by initialiser under a typed token: those of `Container+Autoregistering.swift`.
extension Container {
  /// Registers a service under a token by its initialiser, whose parameters are resolved from the container by
  /// their types.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func autoregister<Service: Sendable, each Dependency>(
    _ token: ServiceKey<Service>, scope: Scope? = nil,
    initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        autowired: token, scope: scope, initializer: initializer, fileID: fileID, line: line))
  }

  /// Registers a service under a token by its asynchronous initialiser, whose parameters are resolved from the container by
  /// their types.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func autoregister<Service: Sendable, each Dependency>(
    _ token: ServiceKey<Service>, scope: Scope? = nil,
    initializer: @escaping @concurrent @Sendable (repeat each Dependency) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        autowired: token, scope: scope, initializer: initializer, fileID: fileID, line: line))
  }

  /// Registers a service under a token by its main-actor initialiser, whose parameters are resolved from the container by
  /// their types.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the main actor.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func autoregister<Service: Sendable, each Dependency>(
    _ token: ServiceKey<Service>, scope: Scope? = nil, isolation: MainActor.Type = MainActor.self,
    initializer: @escaping @MainActor @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        autowired: token, scope: scope, isolation: isolation, initializer: initializer, fileID: fileID, line: line))
  }

  /// Registers a service under a token by its initialiser: some of its parameters are given at run time, the rest
  /// is resolved.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - arguments: the types of the run-time arguments, in the order in which callers give them.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError/Code/ambiguousArguments`` when the arguments cannot be matched with the parameters;
  ///   ``ResolutionError/Code/duplicate`` where that is forbidden.
  public func autoregister<Service: Sendable, each Argument: Sendable, each Dependency>(
    _ token: ServiceKey<Service>, scope: Scope? = nil,
    arguments: repeat (each Argument).Type,
    initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        autowired: token, scope: scope, arguments: repeat each arguments, initializer: initializer,
        fileID: fileID, line: line))
  }
}
