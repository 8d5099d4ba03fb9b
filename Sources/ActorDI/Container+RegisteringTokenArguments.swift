// The short forms of registering under a typed token, by a factory that takes run-time arguments. As those by type and key in
// `Container+RegisteringArguments.swift`, they are isolated to the container, and visible to all threads when they return.
extension Container {
  /// Registers a service under a token by a factory with run-time arguments.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ token: ServiceKey<Service>, scope: Scope,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        Service.self, factory: factory, fileID: fileID, line: line
      )
      .keyed(token, scope: scope))
  }

  /// Registers a service under a token by an asynchronous factory with run-time arguments.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ token: ServiceKey<Service>, scope: Scope,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        Service.self, factory: factory, fileID: fileID, line: line
      )
      .keyed(token, scope: scope))
  }

  /// Registers a service under a token by a main-actor factory with run-time arguments.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ token: ServiceKey<Service>, scope: Scope, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        Service.self, isolation: isolation, factory: factory, fileID: fileID, line: line
      )
      .keyed(token, scope: scope))
  }

  /// Registers a service under a token by a factory with run-time arguments, in the container's default scope.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ token: ServiceKey<Service>,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        Service.self, factory: factory, fileID: fileID, line: line
      )
      .keyed(token))
  }

  /// Registers a service under a token by an asynchronous factory with run-time arguments, in the container's default scope.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ token: ServiceKey<Service>,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        Service.self, factory: factory, fileID: fileID, line: line
      )
      .keyed(token))
  }

  /// Registers a service under a token by a main-actor factory with run-time arguments, in the container's default scope.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable, each Argument: Sendable>(
    _ token: ServiceKey<Service>, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        Service.self, isolation: isolation, factory: factory, fileID: fileID, line: line
      )
      .keyed(token))
  }

  /// Registers a service that need not be Sendable under a token by a factory with run-time arguments:
  /// a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service, each Argument: Sendable>(
    _ token: ServiceKey<Service>,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        Service.self, factory: factory, fileID: fileID, line: line
      )
      .keyed(token))
  }

  /// Registers a service that need not be Sendable under a token by an asynchronous factory with run-time arguments:
  /// a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service, each Argument: Sendable>(
    _ token: ServiceKey<Service>,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        Service.self, factory: factory, fileID: fileID, line: line
      )
      .keyed(token))
  }

  /// Registers a service that need not be Sendable under a token by a main-actor factory with run-time arguments:
  /// a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service, each Argument: Sendable>(
    _ token: ServiceKey<Service>, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        Service.self, isolation: isolation, factory: factory, fileID: fileID, line: line
      )
      .keyed(token))
  }
}
