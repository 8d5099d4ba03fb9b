// Registration by an initialiser that is asynchronous or isolated to the main actor.
extension Registration where Service: Sendable {
  /// Registers a service by its asynchronous initialiser. The container resolves the parameters by type, or the caller passes them as
  /// run-time arguments.
  ///
  /// An initialiser isolated to a global actor runs on that actor. Name the actor:
  ///
  /// ```swift
  /// Registration(
  ///   autowired: Index.self, scope: .singleton, isolation: DatabaseActor.self,
  ///   initializer: Index.init)
  /// ```
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the initialiser if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - isolation: The global actor that the initialiser is isolated to, if any.
  ///   - arguments: The types of the run-time arguments, if any, in the order in which callers pass them.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_disfavoredOverload
  public init<each Argument: Sendable, each Dependency>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil, isolation: (any GlobalActor.Type)? = nil,
    arguments: repeat (each Argument).Type,
    initializer: @escaping @concurrent @Sendable (repeat each Dependency) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(autowiring: initializer, arguments: repeat (each Argument).self, scope: scope, fileID, line)
  }

  /// Registers a service under a token by its asynchronous initialiser. The container resolves the parameters by type, or the caller passes
  /// them as run-time arguments.
  ///
  /// - Parameters:
  ///   - token: The service type and key.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - isolation: The global actor that the initialiser is isolated to, if any.
  ///   - arguments: The types of the run-time arguments, if any, in the order in which callers pass them.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_disfavoredOverload
  public init<each Argument: Sendable, each Dependency>(
    autowired token: ServiceKey<Service>, scope: Scope? = nil, isolation: (any GlobalActor.Type)? = nil,
    arguments: repeat (each Argument).Type,
    initializer: @escaping @concurrent @Sendable (repeat each Dependency) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(autowiring: initializer, arguments: repeat (each Argument).self, scope: scope, fileID, line)
      .key(token)
  }

  /// Registers a service under a token by its main-actor initialiser. The container resolves the parameters by type, or the caller passes
  /// them as run-time arguments.
  ///
  /// - Parameters:
  ///   - token: The service type and key.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - isolation: The main actor. The default selects this form.
  ///   - arguments: The types of the run-time arguments, if any, in the order in which callers pass them.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_disfavoredOverload
  public init<each Argument: Sendable, each Dependency>(
    autowired token: ServiceKey<Service>, scope: Scope? = nil, isolation: MainActor.Type = MainActor.self,
    arguments: repeat (each Argument).Type,
    initializer: @escaping @MainActor @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(autowiring: initializer, arguments: repeat (each Argument).self, scope: scope, fileID, line)
      .key(token)
  }

  // MARK: Shared initialisers

  init<each Argument: Sendable, each Dependency>(
    autowiring initializer: @escaping @concurrent @Sendable (repeat each Dependency) async throws -> Service,
    arguments: repeat (each Argument).Type, scope: Scope?, _ fileID: StaticString, _ line: UInt
  ) {
    self.init(
      TypeList(repeat (each Dependency).self), taking: repeat (each Argument).self, scope: scope, fileID, line
    ) { inherited in
      Recipe(Service.self) { resolver, arguments in
        let values = try Arguments.values(of: arguments, for: Service.self, repeat (each Argument).self)
        let given = GivenArguments(repeat each values)
        return Instance(
          holding: try await initializer(
            repeat try await given.resolve((each Dependency).self, from: resolver, inheriting: inherited)))
      }
    }
  }

  init<each Argument: Sendable, each Dependency>(
    autowiring initializer: @escaping @MainActor @Sendable (repeat each Dependency) throws -> Service,
    arguments: repeat (each Argument).Type, scope: Scope?, _ fileID: StaticString, _ line: UInt
  ) {
    self.init(
      TypeList(repeat (each Dependency).self), taking: repeat (each Argument).self, scope: scope, fileID, line
    ) { inherited in
      Recipe(
        mainActor: { (resolver, arguments: repeat each Argument) in
          let given = GivenArguments(repeat each arguments)
          return try initializer(
            repeat try given.resolve((each Dependency).self, from: resolver, inheriting: inherited))
        },
        { resolver, arguments in
          let values = try Arguments.values(of: arguments, for: Service.self, repeat (each Argument).self)
          let given = GivenArguments(repeat each values)
          return Instance(
            holding: try initializer(
              repeat try await given.resolve((each Dependency).self, from: resolver, inheriting: inherited)))
        })
    }
  }
}
