// The short forms of registering: one service a call, by its initialiser.
extension Container {
  /// Registers a service by its initialiser, whose parameters are resolved from the container by their types.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  /// - Concurrency: isolated to the container; visible to all threads when it returns.
  public func autoregister<Service: Sendable, each Dependency>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    scope: Scope? = nil,
    initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        autowired: service, scope: scope, initializer: initializer, fileID: fileID, line: line
      )
      .keyed(key))
  }

  /// Registers a service by its asynchronous initialiser, whose parameters are resolved from the container by their types.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  /// - Concurrency: isolated to the container; visible to all threads when it returns.
  public func autoregister<Service: Sendable, each Dependency>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    scope: Scope? = nil,
    initializer: @escaping @concurrent @Sendable (repeat each Dependency) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        autowired: service, scope: scope, initializer: initializer, fileID: fileID, line: line
      )
      .keyed(key))
  }

  /// Registers a service by its main-actor initialiser, whose parameters are resolved from the container by their types.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the main actor.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  /// - Concurrency: isolated to the container; visible to all threads when it returns.
  public func autoregister<Service: Sendable, each Dependency>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    scope: Scope? = nil, isolation: MainActor.Type = MainActor.self,
    initializer: @escaping @MainActor @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        autowired: service, scope: scope, isolation: isolation, initializer: initializer,
        fileID: fileID, line: line
      )
      .keyed(key))
  }

  /// Registers a service by its initialiser: some of its parameters are given at run time, the rest is resolved.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - arguments: the types of the run-time arguments, in the order in which callers give them.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError/Code/ambiguousArguments`` when the arguments cannot be matched with the parameters;
  ///   ``ResolutionError/Code/duplicate`` where that is forbidden.
  /// - Concurrency: isolated to the container; visible to all threads when it returns.
  public func autoregister<Service: Sendable, each Argument: Sendable, each Dependency>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    scope: Scope? = nil, arguments: repeat (each Argument).Type,
    initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        autowired: service, scope: scope, arguments: repeat each arguments,
        initializer: initializer, fileID: fileID, line: line
      )
      .keyed(key))
  }
}
