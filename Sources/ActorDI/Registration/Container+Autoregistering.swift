// The short forms of registering: one service a call, by its initialiser. Each is isolated to the container, and visible to all threads when
// it returns.
extension Container {
  /// Registers a service by its initialiser, whose parameters are resolved from the container by type, or given at run time.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the initialiser if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - arguments: the types of the run-time arguments, if any, in the order in which callers give them.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError/Code/ambiguousArguments`` when the arguments cannot be matched with the parameters;
  ///   ``ResolutionError/Code/duplicate`` where that is forbidden.
  /// - Complexity: as `register`. It is one form for any number of parameters, which are passed on by code that does not know their types: for a
  ///   transient that is made very often, `register { Registration(autowired:) }` is several times as fast.
  @_alwaysEmitIntoClient
  public func autoregister<Service: Sendable, each Argument: Sendable, each Dependency>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil, scope: Scope? = nil,
    arguments: repeat (each Argument).Type,
    initializer: @escaping @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        autowired: service, scope: scope, arguments: repeat each arguments, initializer: initializer,
        fileID: fileID, line: line
      )
      .keyed(key))
  }

  /// Registers a service by its asynchronous initialiser, whose parameters are resolved from the container by type.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the initialiser if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the global actor that the initialiser is isolated to, if any.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func autoregister<Service: Sendable, each Dependency>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil, scope: Scope? = nil,
    isolation: (any GlobalActor.Type)? = nil,
    initializer: @escaping @concurrent @Sendable (repeat each Dependency) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        autowired: service, scope: scope, isolation: isolation, initializer: initializer, fileID: fileID, line: line
      )
      .keyed(key))
  }

  /// Registers a service by its main-actor initialiser, whose parameters are resolved from the container by type.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the initialiser if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the main actor.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func autoregister<Service: Sendable, each Dependency>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil, scope: Scope? = nil,
    isolation: MainActor.Type = MainActor.self,
    initializer: @escaping @MainActor @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        autowired: service, scope: scope, isolation: isolation, initializer: initializer, fileID: fileID, line: line
      )
      .keyed(key))
  }
}
