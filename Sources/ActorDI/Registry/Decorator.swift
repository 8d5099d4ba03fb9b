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

  func applies(to inner: Binding) -> Bool { service.key == nil || service.key == inner.key }

  /// A binding that stands for another one of its container, and wraps what that one makes. Nil when it is not one to wrap.
  func wrap(_ inner: Binding) -> Binding? {
    guard applies(to: inner) else { return nil }
    let outer = wrapping(inner, in: nil)
    outer.settle(beside: inner)
    outer.stand(for: [inner], as: .decorator)
    return outer
  }

  /// The same in another container than that of the binding, which stays as it is.
  func wrap(_ inner: Located, in container: Container) -> Binding? {
    guard applies(to: inner.binding) else { return nil }
    let home = ContainerReference(inner.container)
    let outer = wrapping(inner.binding, in: home)
    outer.settle(in: container, order: inner.binding.order)
    outer.extras.reach(inner.binding, in: home)
    return outer
  }

  /// - Parameter home: the container of the binding, if it may go before the one that decorates.
  private func wrapping(_ inner: Binding, in home: ContainerReference?) -> Binding {
    let synchrony = isAsynchronous ? .asynchronous : inner.synchrony
    return inner.deriving(inner.decoratedDescriptor(synchrony)) { recipe in
      Recipe(
        synchrony,
        factory { resolver in
          try Self.holding(home) { try inner.current(resolver, recipe(inner)) }
        },
        makeAsync: { resolver in
          try await makeAsync(resolver, Self.holding(home) { try await inner.current(resolver, recipe(inner)) })
        })
    }
  }

  /// - Throws: ``PrimaryIsGone``, by which who has found the binding looks again.
  private static func holding(_ home: ContainerReference?, _ make: () throws -> Instance) throws -> Instance {
    let container = home?.container
    if home != nil && container == nil { throw PrimaryIsGone() }
    defer { withExtendedLifetime(container) {} }
    return try make()
  }

  private static func holding(_ home: ContainerReference?, _ make: () async throws -> Instance) async throws -> Instance
  {
    let container = home?.container
    if home != nil && container == nil { throw PrimaryIsGone() }
    defer { withExtendedLifetime(container) {} }
    return try await make()
  }
}

extension Container {
  /// Wraps a service: whatever is resolved as it goes through the decorator first.
  ///
  /// ```swift
  /// try await container.decorate((any Store).self) { r, inner in CachedStore(inner, cache: try r.resolve()) }
  /// ```
  ///
  /// It applies to all that is resolved through this container, with or without key or run-time arguments: its own registrations of the
  /// service and those that it finds in its parents and links, those that stand and those to come, and so each element of `[Service]`. Who
  /// asks a parent, or a service of the parent that lives as long as that, sees nothing of it. Several apply in order, the last one
  /// outermost; those of a child stand around those of its parent.
  ///
  /// The wrapped service is kept as the registration's scope says, by this container, and goes when what it wraps is reset or replaced. An
  /// instance that was kept before is wrapped at its next resolve. An override stands in the place of the service as it is, with nothing
  /// around it.
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
    linkList.decorate(decorator.service.service)
  }
}
