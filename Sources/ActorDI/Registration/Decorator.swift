/// Something that wraps a service, as a registry handles it.
protocol AnyDecorator: Sendable {
  /// The service; with a key, only what is registered under that key.
  var service: ServiceIdentity { get }

  /// A binding that stands for another one, and wraps what that one makes. Nil when it is not one to wrap.
  func wrap(_ binding: Binding) -> Binding?
}

/// Wraps a service: what ``Container/decorate(_:with:)`` registers.
///
/// The decorated service stands behind a binding of its own, in the same scope: it is made, hooks and all, then wrapped; what is
/// kept is the wrapped one.
struct Decorator<Service>: AnyDecorator {
  typealias Wrap = @Sendable (Resolver, Service) throws -> Service
  typealias WrapAsync = @concurrent @Sendable (Resolver, Box<Service>) async throws -> Box<Service>

  let service: ServiceIdentity
  let wrap: Wrap
  /// Nil for a synchronous one.
  let wrapAsync: WrapAsync?

  func wrap(_ binding: Binding) -> Binding? {
    guard service.key == nil || service.key == binding.key else { return nil }
    let inner = unsafe unsafeDowncast(binding, to: ServiceBinding<Service>.self)
    let outer = inner.decorated(by: self)
    outer.stand(for: [inner], as: .decorator)
    return outer
  }

  /// Whether the wrapped service can be had without suspending.
  func synchrony(of inner: Binding) -> Synchrony {
    wrapAsync == nil ? inner.synchrony : .asynchronous
  }

  func make(_ resolver: Resolver, _ inner: Service) throws -> Service {
    try wrap(resolver, inner)
  }

  func makeAsync(_ resolver: Resolver, _ inner: Box<Service>) async throws -> Box<Service> {
    if let wrapAsync { return try await wrapAsync(resolver, inner) }
    return Box(try wrap(resolver, inner.value))
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
    try decorate(Decorator(service: ServiceIdentity(service), wrap: decorator, wrapAsync: nil))
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
    let identity = ServiceIdentity(service, key: TypedKey(key))
    try decorate(Decorator(service: identity, wrap: decorator, wrapAsync: nil))
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
    try decorate(Decorator(asynchronous: ServiceIdentity(service, key: TypedKey(key)), decorator))
  }

  private func decorate(_ decorator: some AnyDecorator) throws {
    try change { registry, snapshot in
      try registry.decorate(with: decorator, in: snapshot, container: name)
    }
  }
}

extension Decorator where Service: Sendable {
  init(
    asynchronous service: ServiceIdentity,
    _ decorator: @escaping @concurrent @Sendable (Resolver, Service) async throws -> Service
  ) {
    self.service = service
    wrap = { _, _ in throw ResolutionError(.asyncRequired, for: service) }
    wrapAsync = { resolver, inner in Box(try await decorator(resolver, inner.value)) }
  }
}
