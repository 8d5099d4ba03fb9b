// The steps of every build on the calling thread. `Request+InTask` has those of a build that suspends.

extension Binding {
  /// Makes an instance on the calling thread.
  ///
  /// - Parameters:
  ///   - disposal: Receives the instance's disposal if it needs one, also if this function throws. Not that of an unkept instance which
  ///     only an asynchronous caller can complete: the caller completes the instance, or refuses it.
  ///   - record: The record of this thread, whose innermost build shows the instance to the hooks; nil if neither a container nor the call
  ///     tree keeps the instance.
  ///   - placement: The placement of a kept instance.
  /// - Throws: ``OnceCell/SuspensionNeeded`` with an instance that only an asynchronous caller can complete; ``PostponedHooks``.
  func makeOnThread(
    _ factory: borrowing Factory, _ arguments: Arguments?, _ resolver: Resolver, disposal: inout Disposal?,
    keptBy record: ThreadRecordPointer?, under placement: Placement = .asCalled
  ) throws -> Instance {
    let instance = try factory.makeInstance(of: descriptor.identity.service, resolver, arguments)
    // The instance's dynamic type may conform to protocols that the service type does not conform to.
    let isComplete = isComplete(instance)
    if !needsNoDisposal(at: instance.box.memory) && (isComplete || record != nil) {
      disposal = try note(instance, in: resolver.container, under: placement)
    }
    guard isComplete else { throw OnceCell.SuspensionNeeded(incomplete: instance) }
    if let hooks {
      let build = record.map { HookedBuild.kept(instance, disposal, $0) } ?? .unkept
      try run(hooks, at: instance.box.memory, resolver, in: build)
      if let disposal, build.isAlone { disposal.markCreated() }
    }
    return instance
  }

  /// The need for a caller that can suspend, if that is what has ended a build on the thread; nil if the error is a failure.
  func suspension(for error: any Error) -> OnceCell.SuspensionNeeded? {
    if let needed = error as? OnceCell.SuspensionNeeded { return needed }
    guard let error = error as? ResolutionError, mayBuildAsynchronously(after: error) else { return nil }
    return OnceCell.SuspensionNeeded(error: error)
  }

  /// Whether an asynchronous build may succeed after a build on the thread has thrown an error.
  ///
  /// It may if the thread could not wait for another service, and the asynchronous build can. The factory and the hooks of a synchronous
  /// registration would run again, and fail again. A decorator or an alias is as synchronous as the binding behind it was when it was
  /// placed. It can still wait for a task that builds that binding's instance, or for an override with an asynchronous factory.
  func mayBuildAsynchronously(after error: ResolutionError) -> Bool {
    guard error.code == .asyncRequired else { return false }
    if synchrony != .synchronous { return true }
    // The error of a refused module names no service.
    guard let refused = error.identity else { return false }
    return isDecorator && refused == identity || refused == undecorated.primary?.identity
  }
}
