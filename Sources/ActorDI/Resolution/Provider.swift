public import Synchronization

/// Resolves a service anew at each call: a factory to hand on, without handing on the container.
///
/// Ask for one as a dependency, or make one with ``Container/provider(for:)-(Service.Type)``, which finds its registration once; a call is
/// then cheaper than a resolve by type.
///
/// ```swift
/// final class Server: Sendable {
///   let unitOfWork: Provider<UnitOfWork>   // in `.graph` scope: one for each request, shared by all that is made for it
///   init(unitOfWork: Provider<UnitOfWork>) { … }
///   func handle(_ request: Request) async throws { try await unitOfWork().run(request) }
/// }
/// ```
///
/// Each call is a resolve with a graph of its own, wherever the provider was made: it shares `.graph` instances neither with the resolve that
/// the provider was made in, nor with another call. ``Lazy`` shares those of the former.
///
/// It keeps its container alive: a kept service that holds a provider is let go of by ``Container/reset(_:)-(Scope?)``, not by dropping the
/// container.
///
/// One that was asked for with run-time arguments, as `resolve(Provider<Report>.self, arguments: "title")`, gives them to each call.
///
/// In a synchronous closure inside an asynchronous function, write `provider.callAsFunction()`: the compiler chooses between the two forms of an
/// implicit call by the function, not by the closure.
public struct Provider<Service>: Sendable {
  /// For a handle, the binding found when it was made, if it stands in the container itself. A dependency has none: its service
  /// may be what the binding keeps.
  @usableFromInline let binding: Binding?
  @usableFromInline let source: ProviderSource<Service>

  /// A handle, for the user of a container.
  init(handleOf container: Container, key: Key?) {
    binding = container.ownBinding(of: ServiceIdentity(Service.self, key: key))
    source = ProviderSource(LaterOrigin(handleOf: container), LaterRequest(key))
  }

  private init(dependencyOf resolver: Resolver, _ request: LaterRequest<Service>) {
    binding = nil
    source = ProviderSource(LaterOrigin(dependencyOf: resolver, sharing: nil), request)
  }

  // MARK: Resolving

  /// Resolves the service.
  ///
  /// - Returns: the instance, kept or made as the registration's scope says.
  /// - Throws: as `resolve(_:)`.
  /// - Complexity: O(1) for an instance that exists; a handle made by ``Container/provider(for:)-(Service.Type)`` has nothing to look up.
  /// - Concurrency: from any thread.
  @inlinable
  @inline(__always)
  public func callAsFunction() throws -> sending Service {
    // Specialised in the caller's module, like the read path itself.
    if let found = binding?.lookup() { return found.hit(Service.self) }
    return try source.resolve()
  }

  /// Resolves the service, suspending where it has to be built asynchronously.
  ///
  /// - Returns: the instance, kept or made as the registration's scope says.
  /// - Throws: as `resolve(_:)`.
  /// - Complexity: as the synchronous form.
  /// - Concurrency: from any task.
  @inlinable
  @inline(__always)
  public func callAsFunction() async throws -> sending Service {
    if let found = binding?.lookup() { return found.hit(Service.self) }
    return try await source.resolve()
  }

  /// Resolves the service with run-time arguments.
  ///
  /// - Parameter arguments: what the factory takes beside the resolver.
  /// - Returns: the instance, kept or made as the registration's scope says.
  /// - Throws: as `resolve(_:arguments:)`.
  public func callAsFunction<each Argument: Sendable>(
    _ arguments: repeat each Argument
  ) throws -> sending Service {
    try source.resolve(LaterRequest(source.request.identity.key, repeat each arguments))
  }

  /// Resolves the service with run-time arguments, suspending where it has to be built asynchronously.
  ///
  /// - Parameter arguments: what the factory takes beside the resolver.
  /// - Returns: the instance, kept or made as the registration's scope says.
  /// - Throws: as `resolve(_:arguments:)`.
  public func callAsFunction<each Argument: Sendable>(
    _ arguments: repeat each Argument
  ) async throws -> sending Service {
    try await source.resolve(LaterRequest(source.request.identity.key, repeat each arguments))
  }
}

/// What a ``Provider`` resolves and from where, when there is no binding to take the instance from.
@usableFromInline
final class ProviderSource<Service>: Sendable {
  private let origin: LaterOrigin
  let request: LaterRequest<Service>

  init(_ origin: LaterOrigin, _ request: LaterRequest<Service>) {
    self.origin = origin
    self.request = request
  }

  @usableFromInline
  @inline(never)
  func resolve() throws -> sending Service {
    try resolve(request)
  }

  @usableFromInline
  @inline(never)
  func resolve() async throws -> sending Service {
    try await resolve(request)
  }

  func resolve(_ request: LaterRequest<Service>) throws -> sending Service {
    let call = try origin.call(for: request.identity, Resolver.chainOfCaller)
    defer { call.end() }
    nonisolated(unsafe) let service = try OverrideLayer.holding(origin.overridesOfCall) {
      try request.make(call.resolver)
    }
    return unsafe service
  }

  func resolve(_ request: LaterRequest<Service>) async throws -> sending Service {
    let call = try origin.call(for: request.identity, Chain(ResolutionFrame.ofCurrentTask))
    defer { call.end() }
    nonisolated(unsafe) let service = try await OverrideLayer.holding(origin.overridesOfCall) {
      try await request.makeAsync(call.resolver)
    }
    return unsafe service
  }
}

extension Binding {
  /// What the binding keeps, if it is still the one that a lookup would find; pinned.
  @inlinable
  @inline(__always)
  final func lookup() -> Lookup? {
    let record = unsafe ThreadRecordPointer.current
    if unsafe !record.pin() {
      let found = unsafe Lookup(record: record, binding: address)
      // What was replaced after a `push` keeps its instance, for it may come back.
      if found.isKept && isListed.load(ordering: .acquiring) { return found }
    }
    unsafe record.unpin()
    return nil
  }
}

extension Provider: RelationshipType {
  static func dependency(key: Key?) -> Dependency {
    Dependency(ServiceIdentity(Service.self, key: key), .deferred)
  }

  static func isAvailable<each Argument: Sendable>(
    from container: Container, key: Key?, arguments: repeat (each Argument).Type
  ) -> Bool {
    container.hasAvailable(Service.self, key: key, arguments: repeat each arguments)
      // It can be called with any arguments, where it was not given some.
      || (TypeList(repeat each arguments).types.isEmpty
        && container.isRegistered(ServiceIdentity(Service.self, key: key)))
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) throws -> Instance {
    Instance(holding: Provider(dependencyOf: resolver, LaterRequest(key, repeat each arguments)))
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) async throws -> Instance {
    Instance(holding: Provider(dependencyOf: resolver, LaterRequest(key, repeat each arguments)))
  }
}
