/// A hook that runs after a factory, with the new instance.
struct CreationHook: Sendable {
  typealias Run = @Sendable (Instance, Resolver) throws -> Void
  typealias RunAsync = @concurrent @Sendable (Instance, Resolver) async throws -> Void

  /// The synchronous form; nil for a hook that must suspend.
  let run: Run?
  /// The asynchronous form; nil for a hook that never suspends.
  ///
  /// A hook with both forms suspends if an injected dependency suspends, or to reach the main actor.
  let runAsync: RunAsync?
  let synchrony: Synchrony

  /// Creates a synchronous hook.
  ///
  /// - Parameter runAsync: The form for a hook that suspends only if its dependencies do; nil for one that never suspends.
  init<Service>(
    _ hook: @escaping @Sendable (Service, Resolver) throws -> Void, runAsync: RunAsync? = nil
  ) {
    run = { instance, resolver in try instance.borrow { try hook($0, resolver) } }
    self.runAsync = runAsync
    synchrony = runAsync == nil ? .synchronous : .either
  }

  init<Service: Sendable>(asynchronous hook: @escaping @concurrent @Sendable (Service, Resolver) async throws -> Void) {
    run = nil
    runAsync = { try await hook($0.value(), $1) }
    synchrony = .asynchronous
  }

  init<Service: Sendable>(mainActor hook: @escaping @MainActor @Sendable (Service, Resolver) throws -> Void) {
    run = { instance, resolver in try MainExecutor.assumeIsolated { try hook(instance.value(), resolver) } }
    runAsync = { instance, resolver in try await hook(instance.value(), resolver) }
    synchrony = .mainActor
  }
}

/// A hook that runs when an instance of a registration is disposed of.
struct DisposalHook: Sendable {
  /// Nil for a hook that must suspend.
  let run: (@Sendable (Instance, ScopeOutcome) throws -> Void)?
  let runAsync: (@concurrent @Sendable (Instance, ScopeOutcome) async throws -> Void)?

  init<Service>(_ hook: @escaping @Sendable (Service) throws -> Void) {
    run = { instance, _ in try instance.borrow(to: hook) }
    runAsync = nil
  }

  init<Service>(withOutcome hook: @escaping @Sendable (Service, ScopeOutcome) throws -> Void) {
    run = { instance, outcome in try instance.borrow { try hook($0, outcome) } }
    runAsync = nil
  }

  init<Service: Sendable>(
    asynchronous hook: @escaping @concurrent @Sendable (Service, ScopeOutcome) async throws -> Void
  ) {
    run = nil
    runAsync = { try await hook($0.value(), $1) }
  }
}
