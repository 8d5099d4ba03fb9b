public import Synchronization

/// A factory that resolves a service at each call, for code that should not depend on the container.
///
/// Ask for one as a dependency, or create one with ``Container/provider(for:)-(Service.Type)``. The latter finds its registration once,
/// so a call is cheaper than a resolve by type.
///
/// ```swift
/// final class Server: Sendable {
///   // In `.graph` scope: one for each request, shared within that request.
///   let unitOfWork: Provider<UnitOfWork>
///   init(unitOfWork: Provider<UnitOfWork>) { … }
///   func handle(_ request: Request) async throws { try await unitOfWork().run(request) }
/// }
/// ```
///
/// Each call is a resolve with its own graph, wherever the provider was created. It shares `.graph` instances neither with the resolve
/// that created the provider nor with other calls. A ``Lazy``, in contrast, shares the instances of the resolve that created it.
///
/// A provider retains its container, except a scope whose service depends on the provider. A kept service that holds a provider is
/// therefore released by ``Container/reset(_:)-(Scope?)``, not by dropping the container.
///
/// A provider requested with run-time arguments, as in `resolve(Provider<Report>.self, arguments: "title")`, passes them to each call.
///
/// In a synchronous closure inside an asynchronous function, write `provider.callAsFunction()`. For an implicit call, the compiler chooses
/// the overload by the function, not by the closure.
public struct Provider<Service>: Sendable {
  /// For a handle, the binding found at its creation, if the container itself has one. Nil for a handle created under overrides, which
  /// hide the binding. Nil also for a dependency: the binding may keep the service that holds the provider, which would be a reference
  /// cycle.
  @usableFromInline let binding: Binding?
  @usableFromInline let source: ProviderSource

  /// Creates a handle to a service of a container.
  init(handleOf container: Container, key: Key?) {
    let layer = OverrideLayer.active
    binding = layer == nil ? container.ownBinding(of: ServiceIdentity(Service.self, key: key)) : nil
    source = ProviderSource(DeferredOrigin(container, under: layer), DeferredRequest(Service.self, key: key))
  }

  init(dependencyOf resolver: borrowing Resolver, key: Key?, arguments: Arguments?) {
    binding = nil
    let origin = DeferredOrigin(dependencyOf: resolver, sharing: nil)
    source = ProviderSource(origin, DeferredRequest(Service.self, key: key, arguments))
  }

  // MARK: Resolving

  /// Resolves the service.
  ///
  /// - Returns: The instance, kept or new according to the registration's scope.
  /// - Throws: The errors of `resolve(_:)`.
  /// - Complexity: O(1) for an instance that exists; a handle from ``Container/provider(for:)-(Service.Type)`` needs no lookup.
  /// - Concurrency: Callable from any thread.
  @_alwaysEmitIntoClient @inline(__always)
  public func callAsFunction() throws -> sending Service {
    // Specialised in the caller's module, like the fast path itself.
    if let found = binding?.lookup() { return found.hit(Service.self) }
    return try source.resolve(Service.self)
  }

  /// Resolves the service, suspending if it is built asynchronously.
  ///
  /// - Returns: The instance, kept or new according to the registration's scope.
  /// - Throws: The errors of `resolve(_:)`.
  /// - Complexity: O(1) for an instance that exists; a handle from ``Container/provider(for:)-(Service.Type)`` needs no lookup.
  /// - Concurrency: Callable from any task.
  @_alwaysEmitIntoClient @inline(__always)
  public func callAsFunction() async throws -> sending Service {
    if let found = binding?.lookup() { return found.hit(Service.self) }
    return try await source.resolve(Service.self)
  }

  /// Resolves the service with run-time arguments.
  ///
  /// - Parameter arguments: The factory's arguments besides the resolver.
  /// - Returns: The instance, kept or new according to the registration's scope.
  /// - Throws: The errors of `resolve(_:arguments:)`.
  /// - Concurrency: Callable from any thread.
  public func callAsFunction<each Argument: Sendable>(_ arguments: repeat each Argument) throws -> sending Service {
    try source.resolve(Service.self, with: repeat each arguments)
  }

  /// Resolves the service with run-time arguments, suspending if it is built asynchronously.
  ///
  /// - Parameter arguments: The factory's arguments besides the resolver.
  /// - Returns: The instance, kept or new according to the registration's scope.
  /// - Throws: The errors of `resolve(_:arguments:)`.
  /// - Concurrency: Callable from any task.
  public func callAsFunction<each Argument: Sendable>(
    _ arguments: repeat each Argument
  ) async throws -> sending Service {
    try await source.resolve(Service.self, with: repeat each arguments)
  }
}

/// The request and the origin of a ``Provider``, used if the provider's binding yields no instance.
@usableFromInline
final class ProviderSource: Sendable {
  private let origin: DeferredOrigin
  private let request: DeferredRequest

  init(_ origin: DeferredOrigin, _ request: DeferredRequest) {
    self.origin = origin
    self.request = request
  }

  /// The source of the same service with run-time arguments.
  private func source<Service, each Argument: Sendable>(
    of type: Service.Type, with arguments: repeat each Argument
  ) -> ProviderSource {
    ProviderSource(origin, DeferredRequest(type, key: request.identity.key, .of(repeat each arguments)))
  }

  func resolve<Service, each Argument: Sendable>(
    _ type: Service.Type, with arguments: repeat each Argument
  ) throws -> sending Service {
    guard let container = origin.containerOutsideOfCalls else {
      return try source(of: type, with: repeat each arguments).resolve(type)
    }
    let key = request.identity.key
    return try container.borrow { container in
      let signature = TypeAddress.of(type, taking: repeat (each Argument).self)
      let lookup = container.find(signature, erasedKey: key, nil)
      if lookup.isKept { return lookup.hit(type) }
      return try container.make(type, lookup, nil, key: key, arguments: .of(repeat each arguments))
    }
  }

  func resolve<Service, each Argument: Sendable>(
    _ type: Service.Type, with arguments: repeat each Argument
  ) async throws -> sending Service {
    try await source(of: type, with: repeat each arguments).resolve(type)
  }

  @usableFromInline
  func resolve<Service>(_ type: Service.Type) throws -> sending Service {
    if let container = origin.containerOutsideOfCalls {
      let (key, arguments) = (request.identity.key, request.arguments)
      return try container.borrow { try Resolver(container: $0).resolve(type, erasedKey: key, arguments: arguments) }
    }
    if let resolver = origin.resolverOutsideOfCalls { return try request.make(type, resolver) }
    if let kept = origin.keptInstance(of: request.identity) { return Container.service(type, in: kept) }
    let call = try origin.call(for: request.identity, Resolver.chainOfCaller(makingAttempts: true))
    defer { call.end() }
    return try OverrideLayer.holding(origin.overridesOfCall) { try request.make(type, call.resolver) }
  }

  @usableFromInline
  func resolve<Service>(_ type: Service.Type) async throws -> sending Service {
    if let kept = origin.keptInstance(of: request.identity) { return Container.service(type, in: kept) }
    if let resolver = origin.resolverOutsideOfCalls { return try await request.makeAsync(type, resolver) }
    let call = try origin.call(for: request.identity, Chain(ResolutionFrame.ofCurrentTask))
    defer { call.end() }
    return try await OverrideLayer.holding(origin.overridesOfCall) {
      try await request.makeAsync(type, call.resolver)
    }
  }
}

extension Binding {
  /// The kept instance, pinned, if a lookup would still find this binding; otherwise nil, without a pin.
  @_alwaysEmitIntoClient @inline(__always)
  func lookup() -> Lookup? {
    let record = ThreadRecordPointer.current
    if !record.pin() {
      let lookup = Lookup(record: record, binding: found)
      // A binding replaced after a `push` keeps its instance, because the binding may return.
      if lookup.isKept && isListed.load(ordering: .acquiring) { return lookup }
    }
    record.unpin()
    return nil
  }
}
