// Running the hooks of a new instance. A hook may lead back to the instance, which its build therefore shows to it. An injection may have
// to wait for another build (G4).

/// The build whose hooks run.
@safe
enum HookedBuild {
  /// A build that shows its instance to nobody, because neither a container nor the call tree keeps it.
  case unkept
  /// The innermost build on the thread.
  case kept(ThreadRecordPointer)

  /// Whether a container or the call tree keeps the instance.
  var isKept: Bool { if case .kept = self { true } else { false } }

  /// Shows the instance to the hook that is about to run.
  func show(_ instance: Instance, toInjection isInjection: Bool) {
    switch self {
    case .unkept: break
    case .kept(let record): record.showProvisional(instance, toInjection: isInjection)
    }
  }

  /// The build that the injection that has just failed must wait for, if there is one.
  var awaited: Attempt? {
    switch self {
    case .unkept: nil
    case .kept(let record): record.innermostAttempt?.takeAwaited()
    }
  }

  /// Whether no other build can have taken the instance. Otherwise the once cell notes when the instance is complete.
  var isAlone: Bool {
    switch self {
    case .unkept: true
    case .kept(let record): record.innermostAttempt == nil
    }
  }
}

extension Binding {
  /// The first of the hooks that run after the factory. The binding holds it.
  var hooks: UnheldReference<CreationHook>? { descriptor.hooks.map { UnheldReference($0) } }

  /// Runs a hook of a new instance on this thread, and those after it.
  ///
  /// - Throws: The error of a hook; ``PostponedHooks`` if an injection must wait for another build.
  func run(
    _ first: UnheldReference<CreationHook>, of instance: Instance, _ resolver: Resolver, in build: HookedBuild
  ) throws {
    var next: UnheldReference<CreationHook>? = first
    while let hook = next {
      build.show(instance, toInjection: hook.borrow(\.isInjection))
      do {
        try hook.borrow { try $0.run?(instance, resolver) }
      } catch {
        guard hook.borrow(\.isInjection), let awaited = build.awaited else { throw error }
        throw PostponedHooks(hook, of: instance, by: self, in: resolver.container, awaiting: awaited)
      }
      next = hook.borrow { $0.next.map { UnheldReference($0) } }
    }
  }

  /// Runs a hook of a new instance in the current task, and those after it.
  func run(
    _ first: UnheldReference<CreationHook>, of instance: Instance, _ resolver: Resolver, in attempt: Attempt?
  ) async throws {
    for hook in sequence(first: first.object, next: \.next) {
      attempt?.show(instance, toInjection: hook.isInjection)
      if let runAsync = hook.runAsync {
        try await runAsync(instance, resolver)
      } else {
        try hook.run?(instance, resolver)
      }
    }
  }
}
