// For the numbers of parameters that most initialisers have, as `Registration` has them: so that those are what is used.
extension Container {
  /// Registers a service by an initialiser without parameters.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  /// - Concurrency: isolated to the container; visible to all threads when it returns.
  @inlinable
  @inline(__always)
  public func autoregister<Service: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    scope: Scope? = nil, initializer: @escaping @Sendable () throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        autowired: service, scope: scope, initializer: initializer, fileID: fileID, line: line
      )
      .keyed(key))
  }

  /// Registers a service by an initialiser with one parameter, resolved from the container by type.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  /// - Concurrency: isolated to the container; visible to all threads when it returns.
  @inlinable
  @inline(__always)
  public func autoregister<Service: Sendable, A>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    scope: Scope? = nil, initializer: @escaping @Sendable (consuming A) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        autowired: service, scope: scope, initializer: initializer, fileID: fileID, line: line
      )
      .keyed(key))
  }

  /// Registers a service by an initialiser with two parameters, resolved from the container by type.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  /// - Concurrency: isolated to the container; visible to all threads when it returns.
  @inlinable
  @inline(__always)
  public func autoregister<Service: Sendable, A, B>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    scope: Scope? = nil, initializer: @escaping @Sendable (consuming A, consuming B) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        autowired: service, scope: scope, initializer: initializer, fileID: fileID, line: line
      )
      .keyed(key))
  }

  /// Registers a service by an initialiser with three parameters, resolved from the container by type.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  /// - Concurrency: isolated to the container; visible to all threads when it returns.
  @inlinable
  @inline(__always)
  public func autoregister<Service: Sendable, A, B, C>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    scope: Scope? = nil, initializer: @escaping @Sendable (consuming A, consuming B, consuming C) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        autowired: service, scope: scope, initializer: initializer, fileID: fileID, line: line
      )
      .keyed(key))
  }

  /// Registers a service by an initialiser with four parameters, resolved from the container by type.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  /// - Concurrency: isolated to the container; visible to all threads when it returns.
  @inlinable
  @inline(__always)
  public func autoregister<Service: Sendable, A, B, C, D>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    scope: Scope? = nil,
    initializer: @escaping @Sendable (consuming A, consuming B, consuming C, consuming D) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        autowired: service, scope: scope, initializer: initializer, fileID: fileID, line: line
      )
      .keyed(key))
  }
}
