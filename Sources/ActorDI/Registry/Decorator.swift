/// A decorator of a service, as registered by ``Container/decorate(_:with:)``.
///
/// The decorated service is behind a binding of the decorator, which has the same scope. The inner binding makes an
/// instance and runs its hooks; the decorator then wraps the instance. The container keeps the wrapped instance.
struct Decorator: Sendable {
  /// The decorated service. With a key, only registrations under that key are decorated.
  let service: ServiceIdentity

  private let isAsynchronous: Bool
  /// Makes a factory that wraps the product of another factory.
  private let factory: @Sendable (_ inner: @escaping @Sendable (Resolver) throws -> Instance) -> Factory
  /// Wraps an instance for an asynchronous caller.
  private let makeAsync: @concurrent @Sendable (Resolver, _ inner: Instance) async throws -> Instance

  init<Service>(
    _ service: ServiceIdentity, _ decorator: @escaping @Sendable (Resolver, Service) throws -> Service
  ) {
    self.service = service
    isAsynchronous = false
    factory = { inner in Factory { try decorator($0, inner($0).value(as: Service.self)) } }
    makeAsync = { Instance(holding: try decorator($0, $1.value(as: Service.self))) }
  }

  init<Service: Sendable>(
    asynchronous service: ServiceIdentity,
    _ decorator: @escaping @concurrent @Sendable (Resolver, Service) async throws -> Service
  ) {
    self.service = service
    isAsynchronous = true
    factory = { _ in Factory(failingWith: ResolutionError(.asyncRequired, for: service)) }
    makeAsync = { Instance(holding: try await decorator($0, $1.value(as: Service.self))) }
  }

  func applies(to inner: Binding) -> Bool { service.key == nil || service.key == inner.key }

  /// Creates the decorator's binding in front of a binding of the same container.
  ///
  /// - Returns: nil if the decorator does not apply to the binding.
  func wrap(_ inner: Binding) -> Binding? {
    guard applies(to: inner) else { return nil }
    let outer = wrapping(inner, in: nil)
    outer.join(beside: inner)
    outer.stand(for: [inner], as: .decorator)
    return outer
  }

  /// Creates a binding that decorates a binding of another container, which stays unchanged.
  ///
  /// - Parameter container: The container with the decorator.
  /// - Returns: nil if the decorator does not apply to the binding.
  func wrap(_ inner: Located, in container: Container) -> Binding? {
    guard applies(to: inner.binding) else { return nil }
    let home = ContainerReference(inner.container)
    let outer = wrapping(inner.binding, in: home)
    outer.join(in: container, order: inner.binding.order)
    outer.extras.reach(inner.binding, in: home)
    return outer
  }

  /// Derives the outer binding from the inner one.
  ///
  /// - Parameter home: The container of the inner binding; nil if the decorator is in the same container.
  private func wrapping(_ inner: Binding, in home: ContainerReference?) -> Binding {
    let synchrony = isAsynchronous ? .asynchronous : inner.synchrony
    return inner.deriving(inner.decoratedDescriptor(synchrony)) { recipe in
      Recipe(
        synchrony,
        factory { resolver in
          let held = try Self.hold(home)
          defer { withExtendedLifetime(held) {} }
          return try inner.current(resolver, recipe(inner))
        },
        makeAsync: { resolver in
          let held = try Self.hold(home)
          defer { withExtendedLifetime(held) {} }
          return try await makeAsync(resolver, inner.current(resolver, recipe(inner)))
        })
    }
  }

  /// Retains the inner binding's container for the time of a call.
  ///
  /// - Throws: ``PrimaryIsGone`` if the container is gone, so that the caller searches again.
  private static func hold(_ home: ContainerReference?) throws -> Container? {
    let container = home?.container
    if home != nil && container == nil { throw PrimaryIsGone() }
    return container
  }
}

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
  /// Each element of `[Service]` is decorated as well.
  ///
  /// Resolves from a parent do not see the decorator, nor do services that a parent builds and keeps. Several
  /// decorators apply in order, the last one outermost. A child's decorators wrap those of its parent.
  ///
  /// This container keeps the decorated instance as the registration's scope says. It drops the instance when the inner
  /// instance is reset or its registration is replaced. An instance that was built before is decorated at its next
  /// resolve. Overrides are not decorated.
  ///
  /// - Parameters:
  ///   - service: The type under which the service is registered.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  /// - Throws: ``ResolutionError/Code/frozen``.
  /// - Concurrency: Isolated to the container. Readers see the change at once.
  public func decorate<Service>(
    _ service: Service.Type, with decorator: @escaping @Sendable (Resolver, Service) throws -> Service
  ) throws {
    try decorate(Decorator(ServiceIdentity(service), decorator))
  }

  /// Decorates the registrations of a service under one key.
  ///
  /// - Parameters:
  ///   - service: The type under which the service is registered.
  ///   - key: The key under which the service is registered.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  /// - Throws: ``ResolutionError/Code/frozen``.
  public func decorate<Service>(
    _ service: Service.Type, key: some Hashable & Sendable,
    with decorator: @escaping @Sendable (Resolver, Service) throws -> Service
  ) throws {
    let identity = ServiceIdentity(service, key: Key.of(key))
    try decorate(Decorator(identity, decorator))
  }

  /// Decorates a service asynchronously: only asynchronous callers can have it built.
  ///
  /// - Parameters:
  ///   - service: The type under which the service is registered.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
  /// - Throws: ``ResolutionError/Code/frozen``.
  public func decorate<Service: Sendable>(
    _ service: Service.Type,
    with decorator: @escaping @concurrent @Sendable (Resolver, Service) async throws -> Service
  ) throws {
    try decorate(Decorator(asynchronous: ServiceIdentity(service), decorator))
  }

  /// Decorates the registrations of a service under one key asynchronously: only asynchronous callers can have them
  /// built.
  ///
  /// - Parameters:
  ///   - service: The type under which the service is registered.
  ///   - key: The key under which the service is registered.
  ///   - decorator: Receives a resolver and the undecorated service, and returns the decorated one.
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
