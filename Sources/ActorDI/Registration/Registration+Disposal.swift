// Hooks that run when the container disposes of an instance.
//
// The type checker does not try a disfavoured form where another one fits. The synchronous hook is the most frequent one, and a
// main-actor hook would otherwise be taken for it, so these two are not disfavoured.
extension Registration where Service: Sendable {
  /// Adds a hook that runs when the container disposes of an instance that it made.
  ///
  /// Hooks run once for each instance, in order of addition, before ``Disposable/dispose()``.
  ///
  /// ```swift
  /// Registration(autowired: Cache.self, scope: .singleton) { Cache() }
  ///   .onDispose { $0.removeAll() }
  /// ```
  ///
  /// For the times of disposal see ``Container/shutdown(timeout:)``. The container does not own an instance that it was given,
  /// and refuses a hook for one.
  ///
  /// - Parameter hook: Receives the instance. An error that it throws is reported, and the other disposals continue.
  /// - Returns: The changed copy.
  public consuming func onDispose(_ hook: @escaping @Sendable (Service) throws -> Void) -> Self {
    onDispose { service, _ in try hook(service) }
  }

  /// Adds an asynchronous hook that runs when the container disposes of an instance that it made.
  ///
  /// Hooks run once for each instance, in order of addition, before ``Disposable/dispose()``.
  ///
  /// - Parameter hook: Receives the instance. An error that it throws is reported, and the other disposals continue.
  /// - Returns: The changed copy.
  @_disfavoredOverload
  public consuming func onDispose(_ hook: @escaping @concurrent @Sendable (Service) async throws -> Void) -> Self {
    onDispose { service, _ in try await hook(service) }
  }

  /// Adds a main-actor hook that runs when the container disposes of an instance that it made.
  ///
  /// - Parameters:
  ///   - isolation: The main actor. The default selects this form.
  ///   - hook: Receives the instance. An error that it throws is reported, and the other disposals continue.
  /// - Returns: The changed copy.
  public consuming func onDispose(
    isolation: MainActor.Type = MainActor.self,
    _ hook: @escaping @MainActor @Sendable (Service) throws -> Void
  ) -> Self {
    onDispose { service, _ in try await hook(service) }
  }

  /// Adds a hook that runs when the container disposes of an instance that it made, and receives the outcome of its scope. It can
  /// commit or roll back.
  ///
  /// ```swift
  /// .onDispose { cart, outcome in if case .completed = outcome { cart.save() } }
  /// ```
  ///
  /// - Parameter hook: Receives the instance and the outcome of its scope; see ``ScopeOutcome``. An error that it throws is reported,
  ///   and the other disposals continue.
  /// - Returns: The changed copy.
  @_disfavoredOverload
  public consuming func onDispose(_ hook: @escaping @Sendable (Service, ScopeOutcome) throws -> Void) -> Self {
    describing { $0.options.disposalHook = DisposalHook(after: $0.disposalHook, hook) }
  }

  /// Adds an asynchronous hook that runs when the container disposes of an instance that it made, and receives the outcome of its
  /// scope.
  ///
  /// - Parameter hook: Receives the instance and the outcome of its scope; see ``ScopeOutcome``. An error that it throws is reported,
  ///   and the other disposals continue.
  /// - Returns: The changed copy.
  @_disfavoredOverload
  public consuming func onDispose(
    _ hook: @escaping @concurrent @Sendable (Service, ScopeOutcome) async throws -> Void
  ) -> Self {
    describing { $0.options.disposalHook = DisposalHook(after: $0.disposalHook, asynchronous: hook) }
  }

  /// Adds a main-actor hook that runs when the container disposes of an instance that it made, and receives the outcome of its scope.
  ///
  /// - Parameters:
  ///   - isolation: The main actor. The default selects this form.
  ///   - hook: Receives the instance and the outcome of its scope; see ``ScopeOutcome``. An error that it throws is reported, and the
  ///     other disposals continue.
  /// - Returns: The changed copy.
  @_disfavoredOverload
  public consuming func onDispose(
    isolation: MainActor.Type = MainActor.self,
    _ hook: @escaping @MainActor @Sendable (Service, ScopeOutcome) throws -> Void
  ) -> Self {
    onDispose { service, outcome in try await hook(service, outcome) }
  }
}
