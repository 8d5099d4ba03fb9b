/// The request that a ``Lazy``, a ``Provider`` or an ``Injected`` property will resolve: the service, its key and its run-time arguments.
///
/// Not generic, so that the classes behind a ``Lazy`` and a ``Provider`` need not be: the runtime would look up the metadata of a generic
/// class for each new object.
struct DeferredRequest: Sendable {
  let identity: ServiceIdentity
  let arguments: Arguments?

  init<Service>(_ type: Service.Type, key: Key?, _ arguments: Arguments? = nil) {
    identity = ServiceIdentity(type, key: key, taking: arguments)
    self.arguments = arguments
  }

  func make<Service>(_ type: Service.Type, _ resolver: Resolver) throws -> sending Service {
    try resolver.resolve(type, erasedKey: identity.key, arguments: arguments)
  }

  nonisolated(nonsending) func makeAsync<Service>(
    _ type: Service.Type, _ resolver: Resolver
  ) async throws -> sending Service {
    try await resolver.resolve(type, erasedKey: identity.key, arguments: arguments)
  }

  /// Whether the resolve is expected not to suspend. If so, an asynchronous caller resolves on its own thread, so that a synchronous
  /// caller can wait for the build.
  func isSynchronous(in container: Container) -> Bool {
    container.targets(of: Dependency(on: identity)).allSatisfy { container.canResolveSynchronously($0.binding) }
  }

  /// Whether a container keeps the service, so that each resolve yields the same instance. A weakly kept value is made anew each time.
  func isKept(in container: Container) -> Bool {
    guard let scope = container.locate(identity)?.binding.effectiveScope else { return false }
    return scope.policy.isKept && !scope.policy.isWeak
  }

  /// Runs a resolve on the caller's thread.
  ///
  /// - Throws: ``OnceCell/SuspensionNeeded`` if it must suspend: a service is asynchronous, or a task is building it.
  func needingSuspension<Result>(_ resolve: () throws -> Result) throws -> Result {
    do {
      return try resolve()
    } catch let error as ResolutionError where error.code == .asyncRequired {
      throw OnceCell.SuspensionNeeded(error: error)
    }
  }
}
