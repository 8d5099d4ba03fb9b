/// What a registration adds to the life of its instances.
struct Hooks<Service>: Sendable {
  /// What runs after the factory, in order.
  var creation: [CreationHook<Service>] = []
  /// What runs at the end, in order.
  var disposal: [DisposalHook] = []

  /// By `count`: in code that is generic over the service, `isEmpty` costs a look-up of the array's metadata.
  var hasCreation: Bool { creation.count > 0 }
}

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
