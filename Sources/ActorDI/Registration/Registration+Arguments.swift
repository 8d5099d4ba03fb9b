// Factories with run-time arguments, and all asynchronous factories, whose parameter pack may be empty.
extension Registration where Service: Sendable {
  /// Registers a service by a factory with run-time arguments.
  ///
  /// ```swift
  /// Registration(Greeting.self) { (r, name: String) in
  ///   Greeting(name: name, clock: try r.resolve())
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted. A kept instance is built with the arguments of
  ///     the first resolve.
  ///   - factory: Creates an instance. The types of its arguments, in order, are part of the service's identity.
  @_disfavoredOverload @_alwaysEmitIntoClient
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self, scope: Scope? = nil,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(taking: factory, scope, fileID, line)
  }

  /// Registers a service by an asynchronous factory, with or without run-time arguments.
  ///
  /// The factory of a kept service runs in a task owned by the container. The task is cancelled only when the last waiter has left.
  /// For a ``Scope/singleton``, ``Scope/shared`` or ``Scope/automatic`` service, which outlives its callers, the task has no
  /// task-locals. For any other scope, it has the task-locals of the caller that began the build, such as a request's logger.
  ///
  /// A factory isolated to a global actor runs on that actor. If it contains no `await`, name the actor or declare the closure
  /// asynchronous, `{ @DatabaseActor r async in … }`:
  ///
  /// ```swift
  /// Registration(Index.self, scope: .singleton, isolation: DatabaseActor.self) {
  ///   @DatabaseActor r in Index()
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted. A kept instance is built with the arguments of
  ///     the first resolve.
  ///   - isolation: The global actor that the factory is isolated to, if any. It selects this form; the factory's own
  ///     `@DatabaseActor` makes it run there.
  ///   - factory: Creates an instance. The types of its arguments, in order, are part of the service's identity.
  @_disfavoredOverload @_alwaysEmitIntoClient
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self, scope: Scope? = nil, isolation: (any GlobalActor.Type)? = nil,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(asynchronous: factory, scope, fileID, line)
  }

  /// Registers a service by a factory with run-time arguments that runs on the main actor.
  ///
  /// Asynchronous code can resolve the service anywhere, synchronous code only on the main thread.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - scope: The scope of the instances; the container's default scope if omitted. A kept instance is built with the arguments of
  ///     the first resolve.
  ///   - isolation: The main actor. The default selects this form.
  ///   - factory: Creates an instance, on the main actor. The types of its arguments, in order, are part of the service's identity.
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self, scope: Scope? = nil, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(mainActor: factory, scope, fileID, line)
  }
}

extension Registration {
  /// Registers a service that need not be Sendable, by a factory with run-time arguments. Each resolve creates a new instance.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - unscoped: Do not pass. It makes the type checker prefer the form with a scope if the service is Sendable.
  ///   - factory: Creates an instance that nothing else references.
  @_disfavoredOverload @_alwaysEmitIntoClient
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self, unscoped: (any Sendable)? = nil,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(taking: factory, .transient, fileID, line)
  }

  /// Registers a service that need not be Sendable, by an asynchronous factory, with or without run-time arguments. Each resolve
  /// creates a new instance.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - unscoped: Do not pass. It makes the type checker prefer the form with a scope if the service is Sendable.
  ///   - isolation: Do not pass. Like `unscoped`, it only ranks the forms for the type checker.
  ///   - factory: Creates an instance that nothing else references.
  @_disfavoredOverload @_alwaysEmitIntoClient
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self, unscoped: (any Sendable)? = nil, isolation: (any GlobalActor.Type)? = nil,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(asynchronous: factory, .transient, fileID, line)
  }

  /// Registers a service that need not be Sendable, by a main-actor factory with run-time arguments. Each resolve creates a new instance.
  ///
  /// - Parameters:
  ///   - service: The service type; inferred from the factory if omitted.
  ///   - unscoped: Do not pass. It makes the type checker prefer the form with a scope if the service is Sendable.
  ///   - isolation: The main actor. The default selects this form.
  ///   - factory: Creates an instance, on the main actor, that nothing else references.
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self, unscoped: (any Sendable)? = nil, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(mainActor: factory, .transient, fileID, line)
  }
}
