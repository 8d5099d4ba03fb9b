/// The pending disposal of an instance that a registration has made.
///
/// `@unchecked Sendable` like its superclass; its own fields are immutable.
class BindingDisposal: Disposal, @unchecked Sendable {
  // The parts of the registration that a disposal needs. If it held the binding, concurrent scopes would contend for its reference
  // count, and each count would fetch the binding's cache line from the other processor.
  private let identity: ServiceIdentity
  private let scope: HeldScope
  let hook: DisposalHook?

  init(of binding: Binding, in lifecycle: Lifecycle, _ call: DisposeCall?, isSynchronous: Bool) {
    identity = binding.identity
    scope = HeldScope(isNamed: binding.isKeptByNamed, binding.effectiveScope)
    hook = binding.heldDisposalHook
    super.init(in: lifecycle, call, isSynchronous: isSynchronous)
  }

  // MARK: Running it

  final override func perform(after outcome: ScopeOutcome) async -> [ShutdownError.Failure] {
    guard let container = lifecycle.container else { return [] }
    let errors = await DisposalRun.run(for: [container]) {
      let began = isObserved ? container.observedNow : nil
      return notify(await self.run(after: outcome), in: container, since: began)
    }
    return errors.map { failure(.failed($0)) }
  }

  final override func performSynchronously(after outcome: ScopeOutcome, _ failures: inout [ShutdownError.Failure]) {
    // Retained for its observers, because the disposer may drop the last other reference.
    let container = BuildObservation.isPossible && isObserved ? lifecycle.container : nil
    let began = container?.observedNow
    let errors = notify(runSynchronously(after: outcome), in: container, since: began)
    for error in errors { failures.append(failure(.failed(error))) }
  }

  /// Whether observers are notified of the disposal.
  var isObserved: Bool { true }

  /// Notifies observers of a disposal with the given errors, unless its instance no longer existed.
  ///
  /// - Parameter began: Nil if there is no observer.
  private func notify(
    _ errors: [any Error]?, in container: Container?, since began: Moment?
  ) -> [any Error] {
    if let errors, let container, let began {
      container.emit(
        .disposed(duration: began.duration(to: .now), error: errors.first), of: identity, scope.scope(in: lifecycle))
    }
    return errors ?? []
  }

  final override func failure(_ reason: ShutdownError.Reason) -> ShutdownError.Failure {
    ShutdownError.Failure(identity: identity, container: lifecycle.owner?.name ?? "", reason: reason)
  }

  // MARK: Steps

  /// Disposes of the instance. Runs all steps, even if one fails.
  ///
  /// - Returns: The errors; nil if the instance no longer existed.
  func run(after outcome: ScopeOutcome) async -> [any Error]? { runSynchronously(after: outcome) }

  /// Disposes of the instance, for a disposal without suspending steps.
  func runSynchronously(after outcome: ScopeOutcome) -> [any Error]? { fatalError("abstract") }

  /// Runs the registration's disposal hooks, and then the instance's `dispose` if no other disposal does.
  ///
  /// - Returns: The errors.
  final func dispose(of instance: Instance, after outcome: ScopeOutcome) async -> [any Error] {
    var failures = await hook?.perform(instance, after: outcome) ?? []
    guard call != nil, let disposable = instance.anyValue as? any Disposable else { return failures }
    do { try await disposable.dispose(after: outcome) } catch { failures.append(error) }
    return failures
  }
}
