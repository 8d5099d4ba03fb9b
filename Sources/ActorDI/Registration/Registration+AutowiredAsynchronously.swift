// Registration by an initialiser that is asynchronous or isolated to the main actor.
extension Registration where Service: Sendable {
  /// Registers a service by its asynchronous initialiser. The container resolves the parameters by type.
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
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_disfavoredOverload
  public init<each Dependency>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil, isolation: (any GlobalActor.Type)? = nil,
    initializer: @escaping @concurrent @Sendable (repeat each Dependency) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(autowiring: initializer, scope, fileID, line)
  }

  /// Registers a service under a token by its asynchronous initialiser. The container resolves the parameters by type.
  ///
  /// - Parameters:
  ///   - token: The service type and key.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - isolation: The global actor that the initialiser is isolated to, if any.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_disfavoredOverload
  public init<each Dependency>(
    autowired token: ServiceKey<Service>, scope: Scope? = nil, isolation: (any GlobalActor.Type)? = nil,
    initializer: @escaping @concurrent @Sendable (repeat each Dependency) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(autowiring: initializer, scope, fileID, line).key(token)
  }

  /// Registers a service under a token by its main-actor initialiser. The container resolves the parameters by type.
  ///
  /// - Parameters:
  ///   - token: The service type and key.
  ///   - scope: The scope of the instances; the container's default scope if omitted.
  ///   - isolation: The main actor. The default selects this form.
  ///   - initializer: `Type.init`, or any function that returns the service.
  @_disfavoredOverload
  public init<each Dependency>(
    autowired token: ServiceKey<Service>, scope: Scope? = nil, isolation: MainActor.Type = MainActor.self,
    initializer: @escaping @MainActor @Sendable (repeat each Dependency) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(autowiring: initializer, scope, fileID, line).key(token)
  }

  init<each Dependency>(
    autowiring initializer: @escaping @concurrent @Sendable (repeat each Dependency) async throws -> Service,
    _ scope: Scope?, _ fileID: StaticString, _ line: UInt
  ) {
    self.init(TypeList(repeat (each Dependency).self).dependencies(), scope, fileID, line) { inherited in
      Recipe(Service.self) { resolver, _ in
        Instance(
          holding: try await initializer(
            repeat try await resolver.resolve((each Dependency).self, inheriting: inherited)))
      }
    }
  }

  init<each Dependency>(
    autowiring initializer: @escaping @MainActor @Sendable (repeat each Dependency) throws -> Service,
    _ scope: Scope?, _ fileID: StaticString, _ line: UInt
  ) {
    self.init(TypeList(repeat (each Dependency).self).dependencies(), scope, fileID, line) { inherited in
      Recipe(
        mainActor: { resolver in
          try initializer(repeat try resolver.resolve((each Dependency).self, inheriting: inherited))
        },
        { resolver, _ in
          Instance(
            holding: try initializer(repeat try await resolver.resolve((each Dependency).self, inheriting: inherited)))
        })
    }
  }
}
