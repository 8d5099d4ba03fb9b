// Disposers: closures that run when the container disposes of an instance.
//
// The type checker does not try a disfavoured form where another one fits. The synchronous disposer is the most frequent one, and a
// main-actor disposer would otherwise be taken for it, so these two are not disfavoured.
extension Registration where Service: Sendable {
  /// Adds a disposer, which runs when the container disposes of an instance that it made.
  ///
  /// The disposers of an instance run once, at its end, in order of addition, before its ``Disposable/dispose()``.
  ///
  /// ```swift
  /// Registration(autowired: Cache.self, scope: .singleton) { Cache() }
  ///   .onDispose { $0.removeAll() }
  /// ```
  ///
  /// For the times of disposal see ``Container/shutdown(timeout:)``. The container does not own an instance that it was given,
  /// and refuses a disposer for one.
  ///
  /// - Parameter disposer: Receives the instance. An error that it throws is reported, and the other disposals continue.
  /// - Returns: The changed copy.
  public consuming func onDispose(_ disposer: @escaping @Sendable (Service) throws -> Void) -> Self {
    onDispose { service, _ in try disposer(service) }
  }

  /// Adds an asynchronous disposer, which runs when the container disposes of an instance that it made.
  ///
  /// The disposers of an instance run once, at its end, in order of addition, before its ``Disposable/dispose()``.
  ///
  /// - Parameter disposer: Receives the instance. An error that it throws is reported, and the other disposals continue.
  /// - Returns: The changed copy.
  @_disfavoredOverload
  public consuming func onDispose(_ disposer: @escaping @concurrent @Sendable (Service) async throws -> Void) -> Self {
    onDispose { service, _ in try await disposer(service) }
  }

  /// Adds a main-actor disposer, which runs when the container disposes of an instance that it made.
  ///
  /// - Parameters:
  ///   - isolation: The main actor. The default selects this form.
  ///   - disposer: Receives the instance. An error that it throws is reported, and the other disposals continue.
  /// - Returns: The changed copy.
  public consuming func onDispose(
    isolation: MainActor.Type = MainActor.self,
    _ disposer: @escaping @MainActor @Sendable (Service) throws -> Void
  ) -> Self {
    onDispose { service, _ in try await disposer(service) }
  }

  /// Adds a disposer, which runs when the container disposes of an instance that it made, and receives the outcome of its scope. It can
  /// commit or roll back.
  ///
  /// ```swift
  /// .onDispose { cart, outcome in if case .completed = outcome { cart.save() } }
  /// ```
  ///
  /// - Parameter disposer: Receives the instance and the outcome of its scope; see ``ScopeOutcome``. An error that it throws is reported,
  ///   and the other disposals continue.
  /// - Returns: The changed copy.
  @_disfavoredOverload
  public consuming func onDispose(_ disposer: @escaping @Sendable (Service, ScopeOutcome) throws -> Void) -> Self {
    describing { $0.options.disposalHook = DisposalHook(after: $0.disposalHook, disposer) }
  }

  /// Adds an asynchronous disposer, which runs when the container disposes of an instance that it made, and receives the outcome of its
  /// scope.
  ///
  /// - Parameter disposer: Receives the instance and the outcome of its scope; see ``ScopeOutcome``. An error that it throws is reported,
  ///   and the other disposals continue.
  /// - Returns: The changed copy.
  @_disfavoredOverload
  public consuming func onDispose(
    _ disposer: @escaping @concurrent @Sendable (Service, ScopeOutcome) async throws -> Void
  ) -> Self {
    describing { $0.options.disposalHook = DisposalHook(after: $0.disposalHook, asynchronous: disposer) }
  }

  /// Adds a main-actor disposer, which runs when the container disposes of an instance that it made, and receives the outcome of its
  /// scope.
  ///
  /// - Parameters:
  ///   - isolation: The main actor. The default selects this form.
  ///   - disposer: Receives the instance and the outcome of its scope; see ``ScopeOutcome``. An error that it throws is reported, and the
  ///     other disposals continue.
  /// - Returns: The changed copy.
  @_disfavoredOverload
  public consuming func onDispose(
    isolation: MainActor.Type = MainActor.self,
    _ disposer: @escaping @MainActor @Sendable (Service, ScopeOutcome) throws -> Void
  ) -> Self {
    onDispose { service, outcome in try await disposer(service, outcome) }
  }
}
