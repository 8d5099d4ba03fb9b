/// A decorator of a service, as an expression of a builder.
///
/// ```swift
/// let container = Container {
///   Registration(autowired: (any Store).self, scope: .singleton, initializer: DiskStore.init)
///   Decorator((any Store).self) { r, inner in
///     CachedStore(inner, cache: try r.resolve())
///   }
/// }
/// ```
///
/// The container that registers the batch decorates the service, as by ``Container/decorate(_:with:)-1paa4``: its registrations
/// before and after this expression, and those that it finds in its parents and links. Several decorators apply in order, the
/// last one outermost. The scope and key of a ``RegistrationGroup`` do not apply to the decorators in it.
///
/// A resolve by an alias, see ``Registration/implements(_:_:)-(Other.Type,_)``, returns the service without these decorators: decorate the
/// type of the alias, too.
///
/// To decorate a single registration, use ``Registration/decorated(_:)-4s75s``.
@safe
public struct Decorator: Sendable {
  // The decorated service is behind a binding of the decorator, which has the same scope. The inner binding makes an
  // instance and runs its hooks; the decorator then wraps the instance. The container keeps the wrapped instance.

  /// The decorated service. With a key, only registrations under that key are decorated.
  let service: ServiceIdentity
  let source: RegistrationSource
  /// Whether the decorator comes from the container's initial registrations.
  var isInitial = false

  /// Takes or makes the inner instance for a synchronous caller, in memory.
  private typealias WriteInner = @Sendable (Resolver, ServiceMemory, Arguments?) throws -> Void

  /// That of the decorator itself: synchronous, asynchronous or of the main actor.
  private let ownSynchrony: Synchrony
  /// Makes a factory that wraps the product of another factory.
  private let factory: @Sendable (_ writeInner: @escaping WriteInner) -> Factory
  /// Wraps an instance for an asynchronous caller.
  private let makeAsync: @concurrent @Sendable (Resolver, _ inner: Instance) async throws -> Instance

  init<Service>(
    _ service: ServiceIdentity, _ source: RegistrationSource,
    _ decorator: @escaping @Sendable (Resolver, Service) throws -> Service
  ) {
    self.service = service
    self.source = source
    ownSynchrony = .synchronous
    factory = { Self.factory(calling: decorator, around: $0) }
    makeAsync = { Instance(holding: try decorator($0, $1.value(as: Service.self))) }
  }

  init<Service: Sendable>(
    asynchronous service: ServiceIdentity, _ source: RegistrationSource,
    _ decorator: @escaping @concurrent @Sendable (Resolver, Service) async throws -> Service
  ) {
    self.service = service
    self.source = source
    ownSynchrony = .asynchronous
    factory = { _ in Factory(failingWith: ResolutionError(.asyncRequired, for: service)) }
    makeAsync = { Instance(holding: try await decorator($0, $1.value(as: Service.self))) }
  }

  init<Service: Sendable>(
    mainActor service: ServiceIdentity, _ source: RegistrationSource,
    _ decorator: @escaping @MainActor @Sendable (Resolver, Service) throws -> Service
  ) {
    self.service = service
    self.source = source
    ownSynchrony = .mainActor
    factory = { writeInner in
      Self.factory(
        calling: { r, inner in try MainExecutor.assumeIsolated { try decorator(r, inner) } }, around: writeInner)
    }
    makeAsync = { Instance(holding: try await decorator($0, $1.value(as: Service.self))) }
  }

  /// Makes a factory that calls a decorator with the product of another factory.
  private static func factory<Service>(
    calling decorator: @escaping @Sendable (Resolver, Service) throws -> Service,
    around writeInner: @escaping WriteInner
  ) -> Factory {
    Factory { resolver, memory, arguments in
      let inner = try Container.receive(Service.self) { try writeInner(resolver, $0, arguments) }
      memory.initialize(as: Service.self, to: try decorator(resolver, inner))
    }
  }

  /// The decorator as one of the container's initial registrations.
  var asInitial: Decorator {
    var decorator = self
    decorator.isInitial = true
    return decorator
  }

  /// Whether another decorator is the same expression of a builder, evaluated again.
  func isSame(as other: Decorator) -> Bool { service.isSame(as: other.service) && source == other.source }

  /// Creates a binding that decorates another one.
  ///
  /// - Parameters:
  ///   - inner: The binding to decorate. A binding of another container stays unchanged.
  ///   - container: The container with the decorator, which gets the new binding.
  /// - Returns: nil if the decorator does not apply to the binding.
  func wrap(_ inner: Binding, in container: Container) -> Binding? {
    guard applies(to: inner) else { return nil }
    let foreign = unsafe inner.owner === container ? nil : ContainerReference(inner.owner)
    var descriptor = inner.decoratedDescriptor(synchrony(around: inner))
    if inner.descriptor.inheriting != nil {
      descriptor.options.making.inheriting = { recipe(around: inner, foreign, inheriting: $0) }
    }
    let outer = Binding(descriptor, recipe(around: inner, foreign, inheriting: nil))
    outer.deriveTraits(in: container)
    outer.become(.decorator(of: inner, foreignOwner: foreign))
    return outer
  }

  /// - Parameter inherited: The key that the dependencies of the inner binding inherit.
  private func recipe(around inner: Binding, _ foreign: ContainerReference?, inheriting inherited: Key?) -> Recipe {
    Recipe(
      synchrony(around: inner),
      factory { resolver, memory, arguments in
        let held = try Self.hold(foreign)
        defer { withExtendedLifetime(held) {} }
        if inherited == nil { return try inner.writeInstanceBehind(resolver, arguments, to: memory) }
        try inner.instanceBehind(resolver, arguments, inheriting: inherited).write(to: memory)
      },
      makeAsync: { resolver, arguments in
        let held = try Self.hold(foreign)
        defer { withExtendedLifetime(held) {} }
        return try await makeAsync(resolver, inner.instanceBehind(resolver, arguments, inheriting: inherited))
      })
  }

  /// That of the decorator together with the binding that it decorates.
  private func synchrony(around inner: Binding) -> Synchrony {
    switch (ownSynchrony, inner.synchrony) {
    case (.asynchronous, _), (_, .asynchronous): .asynchronous
    case (.mainActor, _): .mainActor
    case (_, let behind): behind
    }
  }

  func applies(to inner: Binding) -> Bool { service.key == nil || service.key == inner.key }

  /// Retains the inner binding's container for a call.
  ///
  /// - Parameter reference: nil if the binding is in the same container as its decorator.
  /// - Throws: ``BindingIsGone`` if the container is gone, so that the caller searches again.
  private static func hold(_ reference: ContainerReference?) throws -> Container? {
    guard let reference else { return nil }
    guard let container = reference.container else { throw BindingIsGone() }
    return container
  }
}
