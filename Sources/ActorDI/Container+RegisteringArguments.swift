// The short forms of registering: one service a call, by a factory that takes run-time arguments. Each is isolated to the container, and visible
// to all threads when it returns. The forms are those of ``Registration``; see there why there are three of each kind.
extension Container {
  /// Registers a service by a factory with run-time arguments.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    scope: Scope,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        service, scope: scope, factory: factory, fileID: fileID, line: line
      )
      .keyed(key))
  }

  /// Registers a service by an asynchronous factory with run-time arguments.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    scope: Scope,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        service, scope: scope, factory: factory, fileID: fileID, line: line
      )
      .keyed(key))
  }

  /// Registers a service by a main-actor factory with run-time arguments.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    scope: Scope, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        service, scope: scope, isolation: isolation, factory: factory, fileID: fileID, line: line
      )
      .keyed(key))
  }

  /// Registers a service by a factory with run-time arguments, in the container's default scope.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        service, factory: factory, fileID: fileID, line: line
      )
      .keyed(key))
  }

  /// Registers a service by an asynchronous factory with run-time arguments, in the container's default scope.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        service, factory: factory, fileID: fileID, line: line
      )
      .keyed(key))
  }

  /// Registers a service by a main-actor factory with run-time arguments, in the container's default scope.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        service, isolation: isolation, factory: factory, fileID: fileID, line: line
      )
      .keyed(key))
  }

  /// Registers a service that need not be Sendable by a factory with run-time arguments: a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        service, factory: factory, fileID: fileID, line: line
      )
      .keyed(key))
  }

  /// Registers a service that need not be Sendable by an asynchronous factory with run-time arguments: a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        service, factory: factory, fileID: fileID, line: line
      )
      .keyed(key))
  }

  /// Registers a service that need not be Sendable by a main-actor factory with run-time arguments: a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        service, isolation: isolation, factory: factory, fileID: fileID, line: line
      )
      .keyed(key))
  }
}
