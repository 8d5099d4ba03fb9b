// Registration by factory: a synchronous, an asynchronous and a main-actor form of each.
//
// Each comes three times: for a Sendable service with a scope, and without; and for any service, whose factory then has to give
// a `sending` result, since each caller owns what it gets. The last two differ by more than a default value of the first, because
// the compiler prefers the form that needs fewer defaults, and only then the one that knows the service to be Sendable.
//
// They are `@inlinable`, and stand apart from the forms with arguments, so that the factory is stored as it is written: a
// transient resolve is then one call of it, without a thunk for an argument list that is empty.
extension Registration where Service: Sendable {
  /// Registers a service by a factory.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - scope: how long instances are kept.
  ///   - factory: makes an instance. It resolves what it needs from the resolver.
  @inlinable
  public init(
    _ service: Service.Type = Service.self, scope: Scope,
    factory: @escaping @Sendable (Resolver) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(synchronous: Factory(factory), scope, fileID, line)
  }

  /// Registers a service by a factory, in the container's default scope.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - factory: makes an instance. It resolves what it needs from the resolver.
  @inlinable
  public init(
    _ service: Service.Type = Service.self,
    factory: @escaping @Sendable (Resolver) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(synchronous: Factory(factory), nil, fileID, line)
  }

  /// Registers a service by an asynchronous factory.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - scope: how long instances are kept.
  ///   - factory: makes an instance. For a kept service it runs in a task of the container's: without the caller's
  ///     task-locals, and cancelled only when nobody waits for it any more.
  @inlinable
  public init(
    _ service: Service.Type = Service.self, scope: Scope,
    factory: @escaping @concurrent @Sendable (Resolver) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(Recipe(asynchronous: Service.self) { Instance(holding: try await factory($0)) }, scope, fileID, line)
  }

  /// Registers a service by an asynchronous factory, in the container's default scope.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - factory: makes an instance. For a kept service it runs in a task of the container's: without the caller's
  ///     task-locals, and cancelled only when nobody waits for it any more.
  @inlinable
  public init(
    _ service: Service.Type = Service.self,
    factory: @escaping @concurrent @Sendable (Resolver) async throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(Recipe(asynchronous: Service.self) { Instance(holding: try await factory($0)) }, nil, fileID, line)
  }

  /// Registers a service by a factory that runs on the main actor.
  ///
  /// Asynchronous code resolves it from anywhere, synchronous code on the main thread.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - scope: how long instances are kept.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance, on the main actor.
  public init(
    _ service: Service.Type = Service.self, scope: Scope,
    isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(Recipe(mainActor: factory), scope, fileID, line)
  }

  /// Registers a service by a factory that runs on the main actor, in the container's default scope.
  ///
  /// Asynchronous code resolves it from anywhere, synchronous code on the main thread.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance, on the main actor.
  public init(
    _ service: Service.Type = Service.self,
    isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver) throws -> Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(Recipe(mainActor: factory), nil, fileID, line)
  }
}

extension Registration {
  /// Registers a service that need not be Sendable, by a factory: a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - factory: makes an instance that nothing else refers to.
  @inlinable
  public init(
    _ service: Service.Type = Service.self,
    factory: @escaping @Sendable (Resolver) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(synchronous: Factory(factory), .transient, fileID, line)
  }

  /// Registers a service that need not be Sendable, by an asynchronous factory: a new instance for each resolve.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - factory: makes an instance that nothing else refers to.
  @inlinable
  public init(
    _ service: Service.Type = Service.self,
    factory: @escaping @concurrent @Sendable (Resolver) async throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(Recipe(asynchronous: Service.self) { Instance(holding: try await factory($0)) }, .transient, fileID, line)
  }

  /// Registers a service that need not be Sendable, by a factory that runs on the main actor: a new instance for each
  /// resolve.
  ///
  /// - Parameters:
  ///   - service: what it is resolved as; inferred from the factory if left out.
  ///   - isolation: the main actor.
  ///   - factory: makes an instance, on the main actor, that nothing else refers to.
  public init(
    _ service: Service.Type = Service.self,
    isolation: MainActor.Type = MainActor.self,
    factory: @escaping @MainActor @Sendable (Resolver) throws -> sending Service,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(Recipe(mainActor: factory), .transient, fileID, line)
  }
}
