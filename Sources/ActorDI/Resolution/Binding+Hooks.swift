// Running the hooks of a new instance. A hook may lead back to the instance, which its build therefore shows to it. An injection may have
// to wait for another build (G4).

/// The build whose hooks run.
@safe
enum HookedBuild {
  /// A build that shows its instance to nobody, because neither a container nor the call tree keeps it.
  case unkept
  /// The innermost uncontended build on the thread.
  case uncontended(ThreadRecordPointer)
  /// A build with waiters, or one that took the slow path.
  case contended(Attempt)

  /// Shows the instance to the hook that is about to run.
  func show(_ instance: Instance, to hook: CreationHook) {
    switch self {
    case .unkept: break
    case .uncontended(let record): unsafe record.showProvisional(instance, toInjection: hook.isInjection)
    case .contended(let attempt): attempt.show(instance, toInjection: hook.isInjection)
    }
  }

  /// The build that the injection that has just failed must wait for, if there is one.
  var awaited: Attempt? {
    switch self {
    case .unkept: nil
    case .uncontended(let record): unsafe record.innermostAttempt?.takeAwaited()
    case .contended(let attempt): attempt.takeAwaited()
    }
  }

  /// Whether no other build can have taken the instance. Otherwise the once cell notes when the instance is complete.
  var isAlone: Bool {
    switch self {
    case .unkept: true
    case .uncontended(let record): unsafe record.innermostAttempt == nil
    case .contended: false
    }
  }
}

extension Binding {
  /// Runs hooks of a new instance on this thread, in order.
  ///
  /// - Throws: The error of a hook; ``PostponedHooks`` if an injection must wait for another build.
  final func run(
    _ hooks: ArraySlice<CreationHook>, of instance: Instance, _ resolver: Resolver, in build: HookedBuild
  ) throws {
    for index in hooks.indices {
      let hook = hooks[index]
      build.show(instance, to: hook)
      do {
        try hook.run?(instance, resolver)
      } catch {
        guard hook.isInjection, let awaited = build.awaited else { throw error }
        throw PostponedHooks(hooks[index...], of: instance, by: self, in: resolver.container, awaiting: awaited)
      }
    }
  }

  /// Runs hooks of a new instance in the current task, in order.
  final func run(
    _ hooks: ArraySlice<CreationHook>, of instance: Instance, _ resolver: Resolver, in attempt: Attempt?
  ) async throws {
    for hook in hooks {
      attempt?.show(instance, toInjection: hook.isInjection)
      if let runAsync = hook.runAsync {
        try await runAsync(instance, resolver)
      } else {
        try hook.run?(instance, resolver)
      }
    }
  }
}
