// Short forms that register one service by its initialiser. Each is isolated to the container. The registration is visible to all
// threads when the call returns.
extension Container {
  /// Registers a service by its initialiser. The container resolves the parameters by type, or the caller passes them as run-time
  /// arguments.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - key: The key to register the service under, or nil for none.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - arguments: The types of the run-time arguments, if any, in the order in which callers pass them.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError/Code/ambiguousArguments`` if the arguments cannot be matched with the parameters; another
  ///   ``ResolutionError`` if the registration is a duplicate that ``Container/Configuration/duplicates`` forbids, or if the registry
  ///   is frozen or closed.
  /// - Complexity: That of `register`. Unspecialised code resolves the parameter pack. For a transient service that is
  ///   resolved very often, `register { Registration(autowired:) }` is several times as fast.
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

  /// Registers a service by its asynchronous initialiser. The container resolves the parameters by type, or the caller passes them as
  /// run-time arguments.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - key: The key to register the service under, or nil for none.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - isolation: The global actor that the initialiser is isolated to, if any.
  ///   - arguments: The types of the run-time arguments, if any, in the order in which callers pass them.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError`` if the registration is faulty, is a duplicate that ``Container/Configuration/duplicates`` forbids,
  ///   or if the registry is frozen or closed.
  public func autoregister<Service: Sendable, each Argument: Sendable, each Dependency>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil, scope: Scope? = nil,
    isolation: (any GlobalActor.Type)? = nil, arguments: repeat (each Argument).Type,
    initializer: @escaping @concurrent @Sendable (repeat each Dependency) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(autowiring: initializer, arguments: repeat (each Argument).self, scope: scope, fileID, line).keyed(
        key))
  }

  /// Registers a service by its main-actor initialiser. The container resolves the parameters by type, or the caller passes them as
  /// run-time arguments.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - key: The key to register the service under, or nil for none.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - isolation: The main actor. The default selects this form.
  ///   - arguments: The types of the run-time arguments, if any, in the order in which callers pass them.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError`` if the registration is faulty, is a duplicate that ``Container/Configuration/duplicates`` forbids,
  ///   or if the registry is frozen or closed.
  public func autoregister<Service: Sendable, each Argument: Sendable, each Dependency>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil, scope: Scope? = nil,
    isolation: MainActor.Type = MainActor.self, arguments: repeat (each Argument).Type,
    initializer: @escaping @MainActor @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(autowiring: initializer, arguments: repeat (each Argument).self, scope: scope, fileID, line).keyed(
        key))
  }
}
