// The steps of every build: the factory, the instance's own completion, the recording of its disposal, the hooks. They run on the calling
// thread if none of them suspends, and otherwise in the current task.

extension Binding {
  /// Makes an instance on the calling thread.
  ///
  /// - Parameters:
  ///   - disposal: Receives the instance's disposal if it needs one, also if this function throws.
  ///   - notesIncomplete: Whether to record the disposal of an instance that only an asynchronous caller can complete.
  ///   - build: The build, which shows the instance to the hooks.
  /// - Throws: ``OnceCell/SuspensionNeeded`` with an instance that only an asynchronous caller can complete; ``PostponedHooks``.
  func makeOnThread(
    _ factory: borrowing Factory, _ arguments: Arguments?, _ resolver: Resolver, disposal: inout Disposal?,
    notesIncomplete: Bool = true, in build: HookedBuild
  ) throws -> Instance {
    let instance = try factory.makeInstance(of: descriptor.identity.service, resolver, arguments)
    // The instance's dynamic type may conform to protocols that the service type does not conform to.
    let isComplete = isComplete(instance)
    if !needsNoDisposal && (isComplete || notesIncomplete) { disposal = try note(instance, in: resolver.container) }
    guard isComplete else { throw OnceCell.SuspensionNeeded(incomplete: instance) }
    if let hooks {
      try run(hooks, of: instance, resolver, in: build)
      if let disposal, build.isAlone { disposal.markCreated() }
    }
    return instance
  }

  /// Makes an instance in the current task, or completes one.
  ///
  /// - Parameters:
  ///   - resolver: The resolver of the factory, with its frame.
  ///   - attempt: The build; nil for an instance that is not kept.
  ///   - incomplete: An instance that the factory has already made and that still needs completion; nil to run the factory.
  func makeInTask(
    _ recipe: Recipe, _ arguments: Arguments?, _ resolver: Resolver, _ attempt: Attempt?,
    completing incomplete: Instance?
  ) async throws -> Instance {
    let instance =
      if let incomplete {
        incomplete
      } else if let makeAsync = recipe.makeAsync {
        try await makeAsync(resolver, arguments)
      } else {
        // A synchronous factory whose build is asynchronous for another reason, such as asynchronous hooks.
        try unsafe ThreadRecordPointer.current.continuing(resolver.frame) {
          try recipe.factory.makeInstance(of: identity.service, resolver, arguments)
        }
      }
    let isComplete = isComplete(instance)
    // The earlier build that made a kept instance has recorded its disposal.
    let disposal = incomplete == nil || attempt == nil ? try note(instance, in: resolver.container) : nil
    if let disposal { attempt?.setDisposal(disposal) }
    do {
      let noted = isComplete ? nil : try await complete(instance, in: resolver.frame)
      try await runHooks(of: instance, resolver, attempt, withdrawing: noted)
      // The once cell notes when a kept instance is complete.
      if attempt == nil { disposal?.markCreated() }
    } catch {
      // A failed build without a once cell disposes of its own instance.
      if attempt == nil, let disposal { await [disposal].dispose(after: .failed(error)) }
      throw error
    }
    return instance
  }

  /// Runs the hooks of a new instance in the current task.
  ///
  /// - Parameter noted: The number under which the instance is to be notified at the end of the call, unless a hook fails.
  private func runHooks(
    of instance: Instance, _ resolver: Resolver, _ attempt: Attempt?, withdrawing noted: UInt64?
  ) async throws {
    guard let hooks else { return }
    do {
      try await run(hooks, of: instance, resolver, in: attempt)
    } catch {
      if let noted { resolver.frame?.awareInstances.remove(noted) }
      throw error
    }
  }

  /// The product of a build: the instance, and its conversions for the aliases.
  func product(_ instance: Instance) -> Product {
    guard descriptor.isPublished, !isWeak, !isKeptByAsker else { return Product(instance: instance) }
    let aliased = aliases.map { Product.Aliased(holder: $0, instance: $0.converted(instance)) }
    return Product(instance: instance, aliased: aliased)
  }

  /// Whether a request for this binding within its own factory is always a cycle.
  ///
  /// With run-time arguments, the recursion may end: a tree builds its subtrees. An alias has no factory, so its target decides: a request
  /// within the target's hooks is no cycle.
  var recursionIsCycle: Bool { !identity.takesArguments && !isIndirect }
}
