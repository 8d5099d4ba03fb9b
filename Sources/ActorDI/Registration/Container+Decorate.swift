extension Container {
  /// Decorates a service: each resolve of it through this container returns the decorator's result.
  ///
  /// ```swift
  /// try await container.decorate((any Store).self) { r, inner in
  ///   CachedStore(inner, cache: try r.resolve())
  /// }
  /// ```
  ///
  /// The decorator applies to every registration of the service, with or without a key or run-time arguments. This
  /// includes the container's own registrations, those found in its parents and links, and registrations added later.
  /// Each element of `[Service]` is decorated as well. A resolve by an alias, see ``Registration/implements(_:_:)-(Other.Type,_)``, returns
  /// the service without the decorator: decorate the type of the alias, too.
  ///
  /// Resolves from a parent do not see the decorator, nor do services that a parent builds and keeps. Several
  /// decorators apply in order, the last one outermost. A child's decorators wrap those of its parent.
  ///
  /// This container keeps the decorated instance according to the registration's scope. It drops the instance when the
  /// inner instance is reset or its registration is replaced. An instance that was built before is decorated at its
  /// next resolve. With a time to live, the decorated instance expires with the inner one. Overrides are not decorated.
  ///
  /// - Parameters:
  ///   - service: The type under which the service is registered.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  /// - Throws: ``ResolutionError/Code/frozen`` or ``ResolutionError/Code/closed``.
  /// - Concurrency: Isolated to the container. Readers see the change at once.
  public func decorate<Service>(
    _ service: Service.Type, with decorator: @escaping @Sendable (Resolver, Service) throws -> Service
  ) throws {
    try decorate(Decorator(service, with: decorator))
  }

  /// Decorates the registrations of a service under one key.
  ///
  /// - Parameters:
  ///   - service: The type under which the service is registered.
  ///   - key: The key under which the service is registered. Nil stands for all registrations, as in the overload without it.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  /// - Throws: ``ResolutionError/Code/frozen`` or ``ResolutionError/Code/closed``.
  public func decorate<Service>(
    _ service: Service.Type, key: some Hashable & Sendable,
    with decorator: @escaping @Sendable (Resolver, Service) throws -> Service
  ) throws {
    try decorate(Decorator(service, key: key, with: decorator))
  }

  /// Decorates the registrations of a service under a typed token.
  ///
  /// - Parameters:
  ///   - token: The type and key under which the service is registered.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  /// - Throws: ``ResolutionError/Code/frozen`` or ``ResolutionError/Code/closed``.
  public func decorate<Service>(
    _ token: ServiceKey<Service>, with decorator: @escaping @Sendable (Resolver, Service) throws -> Service
  ) throws {
    try decorate(Decorator(token, with: decorator))
  }

  /// Decorates a service asynchronously: only asynchronous callers can have it built.
  ///
  /// - Parameters:
  ///   - service: The type under which the service is registered.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  /// - Throws: ``ResolutionError/Code/frozen`` or ``ResolutionError/Code/closed``.
  public func decorate<Service: Sendable>(
    _ service: Service.Type,
    with decorator: @escaping @concurrent @Sendable (Resolver, Service) async throws -> Service
  ) throws {
    try decorate(Decorator(service, with: decorator))
  }

  /// Decorates the registrations of a service under one key asynchronously: only asynchronous callers can have them
  /// built.
  ///
  /// - Parameters:
  ///   - service: The type under which the service is registered.
  ///   - key: The key under which the service is registered. Nil stands for all registrations, as in the overload without it.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  /// - Throws: ``ResolutionError/Code/frozen`` or ``ResolutionError/Code/closed``.
  public func decorate<Service: Sendable>(
    _ service: Service.Type, key: some Hashable & Sendable,
    with decorator: @escaping @concurrent @Sendable (Resolver, Service) async throws -> Service
  ) throws {
    try decorate(Decorator(service, key: key, with: decorator))
  }

  /// Decorates the registrations of a service under a typed token asynchronously: only asynchronous callers can have them built.
  ///
  /// - Parameters:
  ///   - token: The type and key under which the service is registered.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  /// - Throws: ``ResolutionError/Code/frozen`` or ``ResolutionError/Code/closed``.
  public func decorate<Service: Sendable>(
    _ token: ServiceKey<Service>,
    with decorator: @escaping @concurrent @Sendable (Resolver, Service) async throws -> Service
  ) throws {
    try decorate(Decorator(token, with: decorator))
  }

  /// Decorates a service on the main actor: asynchronous callers can have it built anywhere, synchronous callers only on the main thread.
  ///
  /// - Parameters:
  ///   - service: The type under which the service is registered.
  ///   - isolation: The main actor. The default selects this form.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  /// - Throws: ``ResolutionError/Code/frozen`` or ``ResolutionError/Code/closed``.
  public func decorate<Service: Sendable>(
    _ service: Service.Type, isolation: MainActor.Type = MainActor.self,
    with decorator: @escaping @MainActor @Sendable (Resolver, Service) throws -> Service
  ) throws {
    try decorate(Decorator(service, with: decorator))
  }

  /// Decorates the registrations of a service under one key on the main actor: asynchronous callers can have them built anywhere,
  /// synchronous callers only on the main thread.
  ///
  /// - Parameters:
  ///   - service: The type under which the service is registered.
  ///   - key: The key under which the service is registered. Nil stands for all registrations, as in the overload without it.
  ///   - isolation: The main actor. The default selects this form.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  /// - Throws: ``ResolutionError/Code/frozen`` or ``ResolutionError/Code/closed``.
  public func decorate<Service: Sendable>(
    _ service: Service.Type, key: some Hashable & Sendable, isolation: MainActor.Type = MainActor.self,
    with decorator: @escaping @MainActor @Sendable (Resolver, Service) throws -> Service
  ) throws {
    try decorate(Decorator(service, key: key, with: decorator))
  }

  /// Decorates the registrations of a service under a typed token on the main actor: asynchronous callers can have them built anywhere,
  /// synchronous callers only on the main thread.
  ///
  /// - Parameters:
  ///   - token: The type and key under which the service is registered.
  ///   - isolation: The main actor. The default selects this form.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  /// - Throws: ``ResolutionError/Code/frozen`` or ``ResolutionError/Code/closed``.
  public func decorate<Service: Sendable>(
    _ token: ServiceKey<Service>, isolation: MainActor.Type = MainActor.self,
    with decorator: @escaping @MainActor @Sendable (Resolver, Service) throws -> Service
  ) throws {
    try decorate(Decorator(token, with: decorator))
  }

  private func decorate(_ decorator: Decorator) throws {
    sendSearchesToSlowPath(for: [decorator])
    try change { registry, snapshot throws(ResolutionError) in
      try registry.decorate(with: decorator, in: snapshot, container: name)
    }
  }

  /// Has searches that find decorated services in other containers take the slow path, which asks the registry.
  ///
  /// Before the decorators are published: observers and readers see the whole batch or none of it. If the registry refuses the decorators,
  /// the slow path finds none.
  nonisolated func sendSearchesToSlowPath(for decorators: [Decorator]) {
    for decorator in decorators { linkList.decorate(decorator.service.service) }
  }
}
