// Factories and initialisers that run on a global actor of the user's.
//
// The language cannot say "isolated to the actor type that is given"; but a synchronous function that is isolated to any
// global actor is an asynchronous function for everybody else. Naming the actor takes the forms below, whose only
// choice is that conversion; the compiler then makes the factory run where it is isolated. Without it, a closure that has no `await`
// of its own is taken for a synchronous one, which it cannot be: write `{ @DatabaseActor r async in … }`, or name the actor.
extension Registration where Service: Sendable {
  /// Registers a service by a factory that runs on a global actor.
  ///
  /// ```swift
  /// Registration(Index.self, scope: .singleton, isolation: DatabaseActor.self) { @DatabaseActor r in Index() }
  /// ```
  ///
  /// Asynchronous code resolves it from anywhere; synchronous code finds it once it is built and kept.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the actor, for the reader and for the choice of this form; it is the factory's own `@DatabaseActor` that
  ///     makes it run there.
  ///   - factory: makes an instance, on the actor.
  public init<Isolation: GlobalActor>(
    _ service: Service.Type = Service.self, scope: Scope? = nil, isolation: Isolation.Type,
    factory: @escaping @concurrent @Sendable (Resolver) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(service, factory: factory, fileID: fileID, line: line).scoped(scope)
  }

  /// Registers a service by a factory with run-time arguments that runs on a global actor.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the actor that the factory is isolated to.
  ///   - factory: makes an instance, on the actor. The types of its arguments, in order, are part of what it is found under.
  public init<Isolation: GlobalActor, each Argument: Sendable>(
    _ service: Service.Type = Service.self, scope: Scope? = nil, isolation: Isolation.Type,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(service, factory: factory, fileID: fileID, line: line).scoped(scope)
  }

  /// Registers a service by its initialiser, which is isolated to a global actor, and whose parameters are resolved from the
  /// container by their types.
  ///
  /// ```swift
  /// Registration(autowired: Index.self, scope: .singleton, isolation: DatabaseActor.self, initializer: Index.init)
  /// ```
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the actor that the initialiser is isolated to.
  ///   - initializer: `Type.init`, or any function that returns the service.
  public init<Isolation: GlobalActor, each Dependency>(
    autowired service: Service.Type = Service.self, scope: Scope? = nil,
    isolation: Isolation.Type,
    initializer: @escaping @concurrent @Sendable (repeat each Dependency) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self = Registration(
      autowired: service, scope: scope, initializer: initializer, fileID: fileID, line: line)
  }
}

extension Container {
  /// Registers a service by a factory that runs on a global actor.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the actor that the factory is isolated to.
  ///   - factory: makes an instance, on the actor; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable, Isolation: GlobalActor>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    scope: Scope? = nil, isolation: Isolation.Type,
    factory: @escaping @concurrent @Sendable (Resolver) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(service, factory: factory, fileID: fileID, line: line)
        .scoped(scope).keyed(key))
  }

  /// Registers a service by a factory with run-time arguments that runs on a global actor.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the actor that the factory is isolated to.
  ///   - factory: makes an instance, on the actor; see ``Registration``.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func register<Service: Sendable, Isolation: GlobalActor, each Argument: Sendable>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    scope: Scope? = nil, isolation: Isolation.Type,
    factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(service, factory: factory, fileID: fileID, line: line)
        .scoped(scope).keyed(key))
  }

  /// Registers a service by its initialiser, which is isolated to a global actor, and whose parameters are resolved from the
  /// container by their types.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the initialiser if left out.
  ///   - key: the key it is found under, if any.
  ///   - scope: how long instances are kept; the container's default if left out.
  ///   - isolation: the actor that the initialiser is isolated to.
  ///   - initializer: `Type.init`, or any function that returns the service.
  /// - Throws: ``ResolutionError`` for a duplicate registration where that is forbidden.
  public func autoregister<Service: Sendable, Isolation: GlobalActor, each Dependency>(
    _ service: Service.Type = Service.self, key: (any Hashable & Sendable)? = nil,
    scope: Scope? = nil, isolation: Isolation.Type,
    initializer: @escaping @concurrent @Sendable (repeat each Dependency) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws {
    try register(
      Registration(
        autowired: service, scope: scope, initializer: initializer, fileID: fileID, line: line
      )
      .keyed(key))
  }
}
