/// Wraps a service: what ``Container/decorate(_:with:)`` registers.
///
/// The decorated service stands behind a binding of its own, in the same scope: it is made, hooks and all, then wrapped; what is
/// kept is the wrapped one.
struct Decorator: Sendable {
  /// The service; with a key, only what is registered under that key.
  let service: ServiceIdentity

  private let isAsynchronous: Bool
  /// Makes a factory that wraps what it gets.
  private let factory: @Sendable (_ inner: @escaping @Sendable (Resolver) throws -> Instance) -> Factory
  /// Wraps an instance for an asynchronous caller.
  private let makeAsync: @concurrent @Sendable (Resolver, _ inner: Instance) async throws -> Instance

  init<Service>(
    _ service: ServiceIdentity, _ decorator: @escaping @Sendable (Resolver, Service) throws -> Service
  ) {
    self.service = service
    isAsynchronous = false
    factory = { inner in Factory { try decorator($0, inner($0).value()) } }
    makeAsync = { Instance(holding: try decorator($0, $1.value())) }
  }

  init<Service: Sendable>(
    asynchronous service: ServiceIdentity,
    _ decorator: @escaping @concurrent @Sendable (Resolver, Service) async throws -> Service
  ) {
    self.service = service
    isAsynchronous = true
    factory = { _ in Factory(failingWith: ResolutionError(.asyncRequired, for: service)) }
    makeAsync = { Instance(holding: try await decorator($0, $1.value())) }
  }

  /// A binding that stands for another one, and wraps what that one makes. Nil when it is not one to wrap.
  func wrap(_ inner: Binding) -> Binding? {
    guard service.key == nil || service.key == inner.key else { return nil }
    let synchrony = isAsynchronous ? .asynchronous : inner.synchrony
    let outer = inner.deriving(inner.decoratedDescriptor(synchrony)) { recipe in
      Recipe(
        synchrony, factory { try inner.current($0, recipe(inner)) },
        makeAsync: { try await makeAsync($0, inner.current($0, recipe(inner))) })
    }
    outer.settle(beside: inner)
    outer.stand(for: [inner], as: .decorator)
    return outer
  }
}

extension Container {
  /// Wraps a service: whatever is resolved as it goes through the decorator first.
  ///
  /// ```swift
  /// try await container.decorate((any Store).self) { r, inner in CachedStore(inner, cache: try r.resolve()) }
  /// ```
  ///
  /// It applies to this container's registrations of the service, with or without key or run-time arguments, those that stand
  /// and those to come, and so to each element of `[Service]`. Several apply in order; the last one is outermost. The wrapped
  /// service is kept as the registration's scope says; an instance that was kept before is wrapped at its next resolve.
  ///
  /// - Parameters:
  ///   - service: the type that it is found under.
  ///   - decorator: gets a resolver and the service as it is without it.
  /// - Throws: ``ResolutionError/Code/frozen``.
  /// - Concurrency: isolated to the container; readers see it at once.
  public func decorate<Service>(
    _ service: Service.Type, with decorator: @escaping @Sendable (Resolver, Service) throws -> Service
  ) throws {
    try decorate(Decorator(ServiceIdentity(service), decorator))
  }

  /// Wraps what is registered for a service under one key.
  ///
  /// - Parameters:
  ///   - service: the type that it is found under.
  ///   - key: the key that it is found under.
  ///   - decorator: gets a resolver and the service as it is without it.
  /// - Throws: ``ResolutionError/Code/frozen``.
  public func decorate<Service>(
    _ service: Service.Type, key: some Hashable & Sendable,
    with decorator: @escaping @Sendable (Resolver, Service) throws -> Service
  ) throws {
    let identity = ServiceIdentity(service, key: Key.of(key))
    try decorate(Decorator(identity, decorator))
  }

  /// Wraps a service by an asynchronous decorator: it is built by asynchronous callers only.
  ///
  /// - Parameters:
  ///   - service: the type that it is found under.
  ///   - decorator: gets a resolver and the service as it is without it.
  /// - Throws: ``ResolutionError/Code/frozen``.
  public func decorate<Service: Sendable>(
    _ service: Service.Type,
    with decorator: @escaping @concurrent @Sendable (Resolver, Service) async throws -> Service
  ) throws {
    try decorate(Decorator(asynchronous: ServiceIdentity(service), decorator))
  }

  /// Wraps what is registered for a service under one key, by an asynchronous decorator.
  ///
  /// - Parameters:
  ///   - service: the type that it is found under.
  ///   - key: the key that it is found under.
  ///   - decorator: gets a resolver and the service as it is without it.
  /// - Throws: ``ResolutionError/Code/frozen``.
  public func decorate<Service: Sendable>(
    _ service: Service.Type, key: some Hashable & Sendable,
    with decorator: @escaping @concurrent @Sendable (Resolver, Service) async throws -> Service
  ) throws {
    try decorate(Decorator(asynchronous: ServiceIdentity(service, key: Key.of(key)), decorator))
  }

  private func decorate(_ decorator: Decorator) throws {
    try change { registry, snapshot in
      try registry.decorate(with: decorator, in: snapshot, container: name)
    }
  }
}
