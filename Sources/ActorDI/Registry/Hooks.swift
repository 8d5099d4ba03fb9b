/// A hook that runs after a factory, with the new instance, and the hooks that run after it.
///
/// An object that is borrowed, rather than an element of an array: threads would contend for the reference counts of the array and of its
/// closures.
final class CreationHook: Sendable {
  typealias Run = @Sendable (ServiceMemory, Resolver) throws -> Void
  typealias RunAsync = @concurrent @Sendable (Instance, Resolver) async throws -> Void

  /// The synchronous form, which takes the memory of the instance; nil for a hook that must suspend.
  let run: Run?
  /// The asynchronous form; nil for a hook that never suspends.
  ///
  /// A hook with both forms suspends if an injected dependency suspends, or to reach the main actor.
  let runAsync: RunAsync?
  /// The trait of a registration with such a hook.
  let trait: RegistrationTraits
  /// The hook that runs after this one.
  let next: CreationHook?

  private init(_ run: Run?, _ runAsync: RunAsync?, _ trait: RegistrationTraits, before next: CreationHook? = nil) {
    self.run = run
    self.runAsync = runAsync
    self.trait = trait
    self.next = next
  }

  /// The same hooks, followed by another one.
  func followed(by last: CreationHook) -> CreationHook {
    CreationHook(run, runAsync, trait, before: next?.followed(by: last) ?? last)
  }

  /// Whether the hook sets a property from the container, and does nothing else.
  var isInjection: Bool { trait == .hasInjectingHook }

  /// Creates a synchronous hook.
  ///
  /// - Parameter runAsync: The form for a hook that suspends only if its dependencies do; nil for one that never suspends.
  convenience init<Service>(
    _ hook: @escaping @Sendable (Service, Resolver) throws -> Void, runAsync: RunAsync? = nil
  ) {
    let run: Run = { memory, resolver in try memory.borrow(as: Service.self) { try hook($0, resolver) } }
    self.init(run, runAsync, runAsync == nil ? .hasSynchronousHook : .hasInjectingHook)
  }

  convenience init<Service: Sendable>(
    asynchronous hook: @escaping @concurrent @Sendable (Service, Resolver) async throws -> Void
  ) {
    self.init(nil, { try await hook($0.value(as: Service.self), $1) }, .hasAsynchronousHook)
  }

  convenience init<Service: Sendable>(
    mainActor hook: @escaping @MainActor @Sendable (Service, Resolver) throws -> Void
  ) {
    let run: Run = { memory, resolver in
      try memory.borrow(as: Service.self) { service in
        let service = copy service
        try MainExecutor.assumeIsolated { try hook(service, resolver) }
      }
    }
    let runAsync: RunAsync = { instance, resolver in try await hook(instance.value(as: Service.self), resolver) }
    self.init(run, runAsync, .hasMainActorHook)
  }
}

/// A hook that runs when an instance of a registration is disposed of, and the hooks that were added before it.
///
/// An object that is borrowed, rather than an array of closures: concurrent scopes would contend for their reference counts.
final class DisposalHook: Sendable {
  /// Copies of this hook for disposals to hold, by shard of threads, so that threads do not contend for one reference
  /// count.
  private let copies = Sharded<LazyReference<DisposalHook>>()

  typealias Run = @Sendable (Instance, ScopeOutcome) throws -> Void
  typealias RunAsync = @concurrent @Sendable (Instance, ScopeOutcome) async throws -> Void

  private let previous: DisposalHook?
  /// Nil for a hook that must suspend.
  private let run: Run?
  private let runAsync: RunAsync?
  /// Whether neither this hook nor any before it suspends.
  let isSynchronous: Bool

  private init(after previous: DisposalHook?, _ run: Run?, _ runAsync: RunAsync?) {
    self.previous = previous
    self.run = run
    self.runAsync = runAsync
    isSynchronous = run != nil && previous?.isSynchronous ?? true
  }

  convenience init<Service>(
    after previous: DisposalHook?, _ hook: @escaping @Sendable (Service, ScopeOutcome) throws -> Void
  ) {
    let run: Run = { instance, outcome in try instance.borrow(as: Service.self) { try hook($0, outcome) } }
    self.init(after: previous, run, nil)
  }

  convenience init<Service: Sendable>(
    after previous: DisposalHook?,
    asynchronous hook: @escaping @concurrent @Sendable (Service, ScopeOutcome) async throws -> Void
  ) {
    self.init(after: previous, nil) { try await hook($0.value(as: Service.self), $1) }
  }

  /// A copy of the hook for a disposal of the calling thread.
  var ofThread: DisposalHook {
    copies.borrow(at: ThreadRecordPointer.current.pointee.shard, orMake: { LazyReference() }) { copy in
      copy.load(orStore: DisposalHook(after: previous, run, runAsync))
    }
  }

  /// Runs the hooks that do not suspend, in the order of their addition.
  func perform(_ instance: Instance, after outcome: ScopeOutcome, _ failures: inout [any Error]) {
    previous?.perform(instance, after: outcome, &failures)
    do { try run?(instance, outcome) } catch { failures.append(error) }
  }

  /// Runs the hooks, in the order of their addition.
  ///
  /// - Returns: Their errors.
  func perform(_ instance: Instance, after outcome: ScopeOutcome) async -> [any Error] {
    var failures = await previous?.perform(instance, after: outcome) ?? []
    do {
      if let runAsync { try await runAsync(instance, outcome) } else { try run?(instance, outcome) }
    } catch {
      failures.append(error)
    }
    return failures
  }
}
