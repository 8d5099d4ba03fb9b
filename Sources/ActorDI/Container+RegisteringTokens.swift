// The short forms of registering under a typed token. As those by type and key in `Container+Registering.swift`, they are isolated to
// the container, and visible to all threads when they return.
extension Container {
  /// Registers a service under a token by a factory.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable>(
    _ token: ServiceKey<Service>, scope: Scope,
    factory: @escaping @Sendable (Resolver) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        Service.self, factory: factory, fileID: fileID, line: line
      )
      .keyed(token, scope: scope))
  }

  /// Registers a service under a token by an asynchronous factory.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable>(
    _ token: ServiceKey<Service>, scope: Scope,
    factory: @escaping @concurrent @Sendable (Resolver) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        Service.self, factory: factory, fileID: fileID, line: line
      )
      .keyed(token, scope: scope))
  }

  /// Registers a service under a token by a main-actor factory.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - scope: how long instances are kept.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable>(
    _ token: ServiceKey<Service>, scope: Scope, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        Service.self, isolation: isolation, factory: factory, fileID: fileID, line: line
      )
      .keyed(token, scope: scope))
  }

  /// Registers a service under a token by a factory, in the container's default scope.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable>(
    _ token: ServiceKey<Service>,
    factory: @escaping @Sendable (Resolver) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        Service.self, factory: factory, fileID: fileID, line: line
      )
      .keyed(token))
  }

  /// Registers a service under a token by an asynchronous factory, in the container's default scope.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable>(
    _ token: ServiceKey<Service>,
    factory: @escaping @concurrent @Sendable (Resolver) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        Service.self, factory: factory, fileID: fileID, line: line
      )
      .keyed(token))
  }

  /// Registers a service under a token by a main-actor factory, in the container's default scope.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable>(
    _ token: ServiceKey<Service>, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        Service.self, isolation: isolation, factory: factory, fileID: fileID, line: line
      )
      .keyed(token))
  }

  /// Registers a service that need not be Sendable under a token by a factory:
  /// a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service>(
    _ token: ServiceKey<Service>,
    factory: @escaping @Sendable (Resolver) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        Service.self, factory: factory, fileID: fileID, line: line
      )
      .keyed(token))
  }

  /// Registers a service that need not be Sendable under a token by an asynchronous factory:
  /// a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service>(
    _ token: ServiceKey<Service>,
    factory: @escaping @concurrent @Sendable (Resolver) async throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        Service.self, factory: factory, fileID: fileID, line: line
      )
      .keyed(token))
  }

  /// Registers a service that need not be Sendable under a token by a main-actor factory:
  /// a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is resolved by.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service>(
    _ token: ServiceKey<Service>, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        Service.self, isolation: isolation, factory: factory, fileID: fileID, line: line
      )
      .keyed(token))
  }
}
