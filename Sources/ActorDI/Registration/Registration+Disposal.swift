// What is done at the end of an instance.
extension Registration where Service: Sendable {
  /// Runs when the container lets go of an instance that it made: once for each, in order of addition, and before
  /// ``Disposable/dispose()``.
  ///
  /// ```swift
  /// Registration(Cache.self, scope: .singleton) { _ in Cache() }
  ///   .onDispose { $0.removeAll() }
  /// ```
  ///
  /// When that is: see ``Container/shutdown(timeout:)``. An instance that was registered as such is not the container's to dispose of.
  ///
  /// - Parameter hook: gets the instance. What it throws is reported, and keeps nothing else from being disposed of.
  /// - Returns: the changed copy.
  public consuming func onDispose(_ hook: @escaping @Sendable (Service) throws -> Void) -> Self {
    describing { $0.disposalHooks.append(DisposalHook(hook)) }
  }

  /// Runs asynchronously when the container lets go of an instance that it made: once for each, in order of addition, and before
  /// ``Disposable/dispose()``.
  ///
  /// - Parameter hook: gets the instance. What it throws is reported, and keeps nothing else from being disposed of.
  /// - Returns: the changed copy.
  public consuming func onDispose(
    _ hook: @escaping @concurrent @Sendable (Service) async throws -> Void
  ) -> Self {
    describing { $0.disposalHooks.append(DisposalHook(asynchronous: { service, _ in try await hook(service) })) }
  }

  /// Runs on the main actor when the container lets go of an instance that it made.
  ///
  /// - Parameters:
  ///   - isolation: the main actor.
  ///   - hook: gets the instance. What it throws is reported, and keeps nothing else from being disposed of.
  /// - Returns: the changed copy.
  public consuming func onDispose(
    isolation: MainActor.Type = MainActor.self,
    _ hook: @escaping @MainActor @Sendable (Service) throws -> Void
  ) -> Self {
    describing { $0.disposalHooks.append(DisposalHook(asynchronous: { service, _ in try await hook(service) })) }
  }

  /// Runs when the container lets go of an instance that it made, and is told how its scope has ended: to commit, or to roll back.
  ///
  /// ```swift
  /// .onDispose { cart, outcome in if case .completed = outcome { cart.save() } }
  /// ```
  ///
  /// - Parameter hook: gets the instance, and the outcome: see ``ScopeOutcome``. What it throws is reported, and keeps nothing else from being
  ///   disposed of.
  /// - Returns: the changed copy.
  public consuming func onDispose(_ hook: @escaping @Sendable (Service, ScopeOutcome) throws -> Void) -> Self {
    describing { $0.disposalHooks.append(DisposalHook(withOutcome: hook)) }
  }

  /// Runs asynchronously when the container lets go of an instance that it made, and is told how its scope has ended.
  ///
  /// - Parameter hook: gets the instance, and the outcome: see ``ScopeOutcome``. What it throws is reported, and keeps nothing else from being
  ///   disposed of.
  /// - Returns: the changed copy.
  public consuming func onDispose(
    _ hook: @escaping @concurrent @Sendable (Service, ScopeOutcome) async throws -> Void
  ) -> Self {
    describing { $0.disposalHooks.append(DisposalHook(asynchronous: hook)) }
  }

  /// Runs on the main actor when the container lets go of an instance that it made, and is told how its scope has ended.
  ///
  /// - Parameters:
  ///   - isolation: the main actor.
  ///   - hook: gets the instance, and the outcome: see ``ScopeOutcome``. What it throws is reported, and keeps nothing else from being disposed of.
  /// - Returns: the changed copy.
  public consuming func onDispose(
    isolation: MainActor.Type = MainActor.self,
    _ hook: @escaping @MainActor @Sendable (Service, ScopeOutcome) throws -> Void
  ) -> Self {
    describing { $0.disposalHooks.append(DisposalHook(asynchronous: { try await hook($0, $1) })) }
  }
}
