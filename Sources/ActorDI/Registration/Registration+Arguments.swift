// Registration by factory closure with run-time arguments, and all asynchronous factories: their parameter pack may be empty.
extension Registration where Service: Sendable {
  /// Registers a service by a factory with run-time arguments.
  ///
  /// ```swift
  /// Registration(Greeting.self) { (r, name: String) in Greeting(name: name, clock: try r.resolve()) }
  /// ```
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the factory if left out.
  ///   - scope: how long instances are kept; the container's default if left out. A kept instance is made with the arguments of the first
  ///     resolve.
  ///   - factory: makes an instance. The types of its arguments, in order, are part of the service's identity.
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self, scope: Scope? = nil,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(ArgumentRecipe(synchronous: factory), nil, scope, fileID, line)
  }

  /// Registers a service by an asynchronous factory, with or without run-time arguments.
  ///
  /// A factory of a kept service runs in a task of the container's, which is cancelled only when no caller waits for it any more. That of a
  /// ``Scope/singleton`` or ``Scope/shared`` service, which outlives its callers, has no task-locals; any other one has those of the caller that
  /// has begun it, such as a request's logger.
  ///
  /// A factory that is isolated to a global actor runs there. If it has no `await` of its own, name the actor, or declare the closure
  /// asynchronous, `{ @DatabaseActor r async in … }`:
  ///
  /// ```swift
  /// Registration(Index.self, scope: .singleton, isolation: DatabaseActor.self) { @DatabaseActor r in Index() }
  /// ```
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the factory if left out.
  ///   - scope: how long instances are kept; the container's default if left out. A kept instance is made with the arguments of the first
  ///     resolve.
  ///   - isolation: the global actor that the factory is isolated to, if any. It selects this form; the factory's own `@DatabaseActor`
  ///     makes it run there.
  ///   - factory: makes an instance. The types of its arguments, in order, are part of the service's identity.
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self, scope: Scope? = nil, isolation: (any GlobalActor.Type)? = nil,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(ArgumentRecipe(asynchronous: factory), nil, scope, fileID, line)
  }

  /// Registers a service by a factory with run-time arguments that runs on the main actor.
  ///
  /// Asynchronous code resolves it from anywhere, synchronous code on the main thread.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the factory if left out.
  ///   - scope: how long instances are kept; the container's default if left out. A kept instance is made with the arguments of the first
  ///     resolve.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance, on the main actor. The types of its arguments, in order, are part of the service's identity.
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self, scope: Scope? = nil, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(ArgumentRecipe(mainActor: factory), nil, scope, fileID, line)
  }
}

extension Registration {
  /// Registers a service that need not be Sendable, by a factory with run-time arguments: a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the factory if left out.
  ///   - unscoped: leave it out. It makes the type checker prefer the form with a scope where the service is Sendable.
  ///   - factory: makes an instance that nothing else refers to.
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self, unscoped: (any Sendable)? = nil,
    factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(ArgumentRecipe(synchronous: factory), nil, .transient, fileID, line)
  }

  /// Registers a service that need not be Sendable, by an asynchronous factory, with or without run-time arguments: a new instance for each
  /// resolve.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the factory if left out.
  ///   - unscoped: leave it out. It makes the type checker prefer the form with a scope where the service is Sendable.
  ///   - isolation: leave it out, too.
  ///   - factory: makes an instance that nothing else refers to.
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self, unscoped: (any Sendable)? = nil, isolation: (any GlobalActor.Type)? = nil,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(ArgumentRecipe(asynchronous: factory), nil, .transient, fileID, line)
  }

  /// Registers a service that need not be Sendable, by a main-actor factory with run-time arguments: a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - service: the type it is resolved as; inferred from the factory if left out.
  ///   - unscoped: leave it out. It makes the type checker prefer the form with a scope where the service is Sendable.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance, on the main actor, that nothing else refers to.
  @_disfavoredOverload
  public init<each Argument: Sendable>(
    _ service: Service.Type = Service.self, unscoped: (any Sendable)? = nil, isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(ArgumentRecipe(mainActor: factory), nil, .transient, fileID, line)
  }
}
