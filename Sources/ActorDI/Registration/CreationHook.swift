/// What runs after a factory, with the instance it made.
struct CreationHook<Service>: Sendable {
  typealias Run = @Sendable (Service, Resolver) throws -> Void
  typealias RunAsync = @concurrent @Sendable (Box<Service>, Resolver) async throws -> Void

  /// Nil for a hook that has to suspend.
  let run: Run?
  /// Nil for one that never does. A hook that has both suspends where a dependency makes it, an injected property; or where
  /// it has to get to the main actor.
  let runAsync: RunAsync?
  let synchrony: Synchrony

  init(run: Run?, runAsync: RunAsync?) {
    self.run = run
    self.runAsync = runAsync
    synchrony =
      switch (run, runAsync) {
      case (_?, nil): .synchronous
      case (nil, _): .asynchronous
      case (_?, _?): .either
      }
  }

  init(mainActor hook: @escaping @MainActor @Sendable (Service, Resolver) throws -> Void)
  where Service: Sendable {
    run = { service, resolver in try MainExecutor.assumeIsolated { try hook(service, resolver) } }
    runAsync = { box, resolver in try await hook(box.value, resolver) }
    synchrony = .mainActor
  }
}
