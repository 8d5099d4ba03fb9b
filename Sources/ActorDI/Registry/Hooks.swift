/// What runs after a factory, with the instance it made.
struct CreationHook: Sendable {
  typealias Run = @Sendable (Instance, Resolver) throws -> Void
  typealias RunAsync = @concurrent @Sendable (Instance, Resolver) async throws -> Void

  /// Nil for a hook that has to suspend.
  let run: Run?
  /// Nil for one that never does. A hook that has both suspends where a dependency makes it, an injected property; or where
  /// it has to get to the main actor.
  let runAsync: RunAsync?
  let synchrony: Synchrony

  init<Service>(_ hook: @escaping @Sendable (Service, Resolver) throws -> Void) {
    run = { instance, resolver in try instance.lend { try hook($0, resolver) } }
    runAsync = nil
    synchrony = .synchronous
  }

  init<Service: Sendable>(asynchronous hook: @escaping @concurrent @Sendable (Service, Resolver) async throws -> Void) {
    run = nil
    runAsync = { try await hook($0.value(), $1) }
    synchrony = .asynchronous
  }

  /// As what it takes is.
  init<Service>(
    either hook: @escaping @Sendable (Service, Resolver) throws -> Void, _ runAsync: @escaping RunAsync
  ) {
    run = { instance, resolver in try instance.lend { try hook($0, resolver) } }
    self.runAsync = runAsync
    synchrony = .either
  }

  init<Service: Sendable>(mainActor hook: @escaping @MainActor @Sendable (Service, Resolver) throws -> Void) {
    run = { instance, resolver in try MainExecutor.assumeIsolated { try hook(instance.value(), resolver) } }
    runAsync = { instance, resolver in try await hook(instance.value(), resolver) }
    synchrony = .mainActor
  }
}

/// What a registration does at the end of its instances.
///
struct DisposalHook: Sendable {
  /// Nil for a hook that has to suspend.
  let run: (@Sendable (Instance, ScopeOutcome) throws -> Void)?
  let runAsync: (@concurrent @Sendable (Instance, ScopeOutcome) async throws -> Void)?

  init<Service>(_ hook: @escaping @Sendable (Service) throws -> Void) {
    run = { instance, _ in try instance.lend(to: hook) }
    runAsync = nil
  }

  init<Service>(withOutcome hook: @escaping @Sendable (Service, ScopeOutcome) throws -> Void) {
    run = { instance, outcome in try instance.lend { try hook($0, outcome) } }
    runAsync = nil
  }

  init<Service: Sendable>(
    asynchronous hook: @escaping @concurrent @Sendable (Service, ScopeOutcome) async throws -> Void
  ) {
    run = nil
    runAsync = { try await hook($0.value(), $1) }
  }
}
