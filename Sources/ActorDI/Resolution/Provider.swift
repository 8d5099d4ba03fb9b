/// Resolves a service anew at each call: a factory to hand on, without handing on the container.
///
/// Ask for one as a dependency, or make one with ``Container/provider(for:)``. It finds its registration once; a call is
/// then cheaper than a resolve by type. It keeps its container alive: a kept
/// service that holds a provider is let go of by ``Container/reset(_:)``, not by dropping the container.
///
/// In a synchronous closure inside an asynchronous function, write `provider.callAsFunction()`: the compiler chooses between the two forms of an
/// implicit call by the function, not by the closure.
public struct Provider<Service>: Sendable {
  private let origin: LaterOrigin
  private let key: Key?
  /// For a handle, the binding found when it was made, if it stands in the container itself. A dependency has none: its service
  /// may be what the binding keeps.
  private let binding: Binding?

  /// A handle, for the user of a container.
  init(handleOf container: Container, key: Key?) {
    origin = LaterOrigin(handleOf: container)
    self.key = key
    binding = container.lookup(ServiceIdentity(Service.self, key: key)).retainBinding()
  }

  private init(dependencyOf resolver: Resolver, key: Key?) {
    origin = LaterOrigin(dependencyOf: resolver)
    self.key = key
    binding = nil
  }

  /// Resolves the service.
  ///
  /// - Returns: the instance, kept or made as the registration's scope says.
  /// - Throws: as ``Resolving/resolve(_:)``.
  /// - Concurrency: from any thread.
  public func callAsFunction() throws -> sending Service {
    nonisolated(unsafe) let service =
      try kept ?? call(from: Resolver.chainOfCaller.frame).resolve(Service.self, key: key)
    return unsafe service
  }

  /// Resolves the service, suspending where it has to be built asynchronously.
  ///
  /// - Returns: the instance, kept or made as the registration's scope says.
  /// - Throws: as ``Resolving/resolve(_:)``.
  /// - Concurrency: from any task.
  public func callAsFunction() async throws -> sending Service {
    if let kept {
      nonisolated(unsafe) let service = kept
      return unsafe service
    }
    nonisolated(unsafe) let service: Service = try await call(
      from: ResolutionFrame.ofCurrentTask
    ).resolve(Service.self, key: key)
    return unsafe service
  }

  /// Resolves the service with run-time arguments.
  ///
  /// - Parameter arguments: what the factory takes beside the resolver.
  /// - Returns: the instance, kept or made as the registration's scope says.
  /// - Throws: as ``Resolving/resolve(_:arguments:)``.
  public func callAsFunction<each Argument: Sendable>(
    _ arguments: repeat each Argument
  ) throws -> sending Service {
    let resolver = try call(from: Resolver.chainOfCaller.frame).resolver
    let found = resolver.container.lookup(identity(repeat (each Argument).self))
    nonisolated(unsafe) let service: Service = try resolver.makeWithArguments(
      Service.self, found.retainBinding(), key: key, arguments: repeat each arguments)
    return unsafe service
  }

  /// Resolves the service with run-time arguments, suspending where it has to be built asynchronously.
  ///
  /// - Parameter arguments: what the factory takes beside the resolver.
  /// - Returns: the instance, kept or made as the registration's scope says.
  /// - Throws: as ``Resolving/resolve(_:arguments:)``.
  public func callAsFunction<each Argument: Sendable>(
    _ arguments: repeat each Argument
  ) async throws -> sending Service {
    let resolver = try call(from: ResolutionFrame.ofCurrentTask).resolver
    let found = resolver.container.lookup(identity(repeat (each Argument).self))
    nonisolated(unsafe) let service: Service = try await resolver.makeWithArguments(
      Service.self, found.retainBinding(), key: key, arguments: repeat each arguments)
    return unsafe service
  }

  /// The instance that is kept, if there is one. A binding that was replaced keeps none.
  private var kept: Service? {
    let found: Lookup
    if let binding {
      let record = unsafe ThreadRecordPointer.current
      unsafe record.pin()
      found = unsafe Lookup(record: record, binding: binding.address)
    } else if let container = origin.container {
      found = container.lookup(ServiceIdentity(Service.self, key: key))
    } else {
      return nil
    }
    guard found.instance != 0 else {
      unsafe found.record.unpin()
      return nil
    }
    return found.hit(Service.self)
  }

  private func call(from parent: ResolutionFrame?) throws -> LaterCall {
    try origin.call(for: ServiceIdentity(Service.self, key: key), parent: parent)
  }

  private func identity<each Argument>(
    _ arguments: repeat (each Argument).Type
  ) -> ServiceIdentity {
    ServiceIdentity(Service.self, arguments: repeat each arguments, key: key)
  }
}

extension Provider: RelationshipType {
  static func dependency(key: Key?) -> Dependency {
    Dependency(ServiceIdentity(Service.self, key: key), .deferred)
  }

  static func resolve(from resolver: Resolver, key: Key?) throws -> AnyObject {
    Box(Provider(dependencyOf: resolver, key: key))
  }

  static func resolve(from resolver: Resolver, key: Key?) async throws -> AnyObject {
    Box(Provider(dependencyOf: resolver, key: key))
  }
}
