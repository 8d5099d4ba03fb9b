// Registration by initialiser, one overload for each number of parameters up to twelve. Longer initialisers use the parameter pack.
//
// The compiler does not unroll a parameter pack. Unspecialised code resolves each argument and passes it through memory, and the
// initialiser retains it once more. With explicit parameters an autowired service costs the same as a factory closure. The parameters
// are `consuming` because initialisers keep their arguments.
//
// Only one closure, which calls the initialiser, and one call are inlined into the client. Everything else stays in the library.
extension Registration where Service: Sendable {
  /// Registers a service by an initialiser without parameters.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_alwaysEmitIntoClient @inline(__always)
  public init(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer: @escaping @Sendable () throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(autowired: Factory { _ in try initializer() }, initializer, scope, fileID, line)
  }

  /// Registers a service by an initialiser with one parameter, which the container resolves by type.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_alwaysEmitIntoClient @inline(__always)
  public init<A>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer: @escaping @Sendable (consuming A) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(autowired: Factory { try initializer($0.resolve()) }, initializer, scope, fileID, line)
  }

  /// Registers a service by an initialiser with two parameters, which the container resolves by type.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_alwaysEmitIntoClient @inline(__always)
  public init<A, B>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer: @escaping @Sendable (consuming A, consuming B) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(autowired: Factory { try initializer($0.resolve(), $0.resolve()) }, initializer, scope, fileID, line)
  }

  /// Registers a service by an initialiser with three parameters, which the container resolves by type.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_alwaysEmitIntoClient @inline(__always)
  public init<A, B, C>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer: @escaping @Sendable (consuming A, consuming B, consuming C) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      autowired: Factory { try initializer($0.resolve(), $0.resolve(), $0.resolve()) }, initializer, scope, fileID,
      line)
  }

  /// Registers a service by an initialiser with four parameters, which the container resolves by type.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_alwaysEmitIntoClient @inline(__always)
  public init<A, B, C, D>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer: @escaping @Sendable (consuming A, consuming B, consuming C, consuming D) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      autowired: Factory { try initializer($0.resolve(), $0.resolve(), $0.resolve(), $0.resolve()) }, initializer,
      scope, fileID, line)
  }

  /// Registers a service by an initialiser with five parameters, which the container resolves by type.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_alwaysEmitIntoClient @inline(__always)
  public init<A, B, C, D, E>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer:
      @escaping @Sendable (consuming A, consuming B, consuming C, consuming D, consuming E) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      autowired: Factory { try initializer($0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve()) },
      initializer, scope, fileID, line)
  }

  /// Registers a service by an initialiser with six parameters, which the container resolves by type.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_alwaysEmitIntoClient @inline(__always)
  public init<A, B, C, D, E, F>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer:
      @escaping @Sendable (consuming A, consuming B, consuming C, consuming D, consuming E, consuming F) throws ->
      Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      autowired: Factory {
        try initializer($0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve())
      }, initializer, scope, fileID, line)
  }

  /// Registers a service by an initialiser with seven parameters, which the container resolves by type.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_alwaysEmitIntoClient @inline(__always)
  public init<A, B, C, D, E, F, G>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer:
      @escaping @Sendable (consuming A, consuming B, consuming C, consuming D, consuming E, consuming F, consuming G)
      throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      autowired: Factory {
        try initializer(
          $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve())
      }, initializer, scope, fileID, line)
  }

  /// Registers a service by an initialiser with eight parameters, which the container resolves by type.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_alwaysEmitIntoClient @inline(__always)
  public init<A, B, C, D, E, F, G, H>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer:
      @escaping @Sendable (
        consuming A, consuming B, consuming C, consuming D, consuming E, consuming F, consuming G, consuming H
      ) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      autowired: Factory {
        try initializer(
          $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve()
        )
      }, initializer, scope, fileID, line)
  }

  /// Registers a service by an initialiser with nine parameters, which the container resolves by type.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_alwaysEmitIntoClient @inline(__always)
  public init<A, B, C, D, E, F, G, H, I>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer:
      @escaping @Sendable (
        consuming A, consuming B, consuming C, consuming D, consuming E, consuming F, consuming G, consuming H,
        consuming I
      ) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      autowired: Factory {
        try initializer(
          $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(),
          $0.resolve(), $0.resolve())
      }, initializer, scope, fileID, line)
  }

  /// Registers a service by an initialiser with ten parameters, which the container resolves by type.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_alwaysEmitIntoClient @inline(__always)
  public init<A, B, C, D, E, F, G, H, I, J>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer:
      @escaping @Sendable (
        consuming A, consuming B, consuming C, consuming D, consuming E, consuming F, consuming G, consuming H,
        consuming I, consuming J
      ) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      autowired: Factory {
        try initializer(
          $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(),
          $0.resolve(), $0.resolve(), $0.resolve())
      }, initializer, scope, fileID, line)
  }

  /// Registers a service by an initialiser with eleven parameters, which the container resolves by type.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_alwaysEmitIntoClient @inline(__always)
  public init<A, B, C, D, E, F, G, H, I, J, K>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer:
      @escaping @Sendable (
        consuming A, consuming B, consuming C, consuming D, consuming E, consuming F, consuming G, consuming H,
        consuming I, consuming J, consuming K
      ) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      autowired: Factory {
        try initializer(
          $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(),
          $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve())
      }, initializer, scope, fileID, line)
  }

  /// Registers a service by an initialiser with twelve parameters, which the container resolves by type.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_alwaysEmitIntoClient @inline(__always)
  public init<A, B, C, D, E, F, G, H, I, J, K, L>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    initializer:
      @escaping @Sendable (
        consuming A, consuming B, consuming C, consuming D, consuming E, consuming F, consuming G, consuming H,
        consuming I, consuming J, consuming K, consuming L
      ) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      autowired: Factory {
        try initializer(
          $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(),
          $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve(), $0.resolve())
      }, initializer, scope, fileID, line)
  }
}
