// Running the hooks of a new instance. A hook may lead back to the instance, which its build therefore shows to it. An injection may have
// to wait for another build (G4).

/// The build whose hooks run.
@safe
enum HookedBuild {
  /// A build that shows its instance to no other resolve, because neither a container nor the call tree keeps it.
  case unkept
  /// The innermost build on the thread, with its instance and that instance's disposal. If a hook fails, the disposal holds the instance,
  /// which the build releases before it.
  case kept(Instance, Disposal?, ThreadRecordPointer)

  /// Shows the instance to the hook that is about to run.
  func show(toInjection isInjection: Bool) {
    switch self {
    case .unkept: break
    case .kept(let instance, _, let record): record.showProvisional(instance, toInjection: isInjection)
    }
  }

  /// Whether no other build can have taken the instance. Otherwise the once cell notes when the instance is complete.
  var isAlone: Bool {
    switch self {
    case .unkept: true
    case .kept(_, _, let record): record.innermostAttempt == nil
    }
  }
}

extension Binding {
  /// Runs a hook of a new instance on this thread, and those after it.
  ///
  /// - Parameter memory: The memory of the instance.
  /// - Throws: The error of a hook; ``PostponedHooks`` if an injection must wait for another build.
  func run(
    _ first: UnheldReference<CreationHook>, at memory: ServiceMemory, _ resolver: Resolver, in build: HookedBuild
  ) throws {
    var next: UnheldReference<CreationHook>? = first
    while let hook = next {
      build.show(toInjection: hook.borrow(\.isInjection))
      do {
        try hook.borrow { try $0.run?(memory, resolver) }
      } catch {
        guard case .kept(let instance, let disposal, let record) = build else { throw error }
        guard hook.borrow(\.isInjection), let awaited = record.innermostAttempt?.takeAwaited() else {
          disposal?.retainInstance()
          throw error
        }
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
        try hook.run?(instance.box.memory, resolver)
      }
    }
  }
}
