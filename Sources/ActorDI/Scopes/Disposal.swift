/// The pending disposal of an instance. It runs once, by the caller that removes it from its container's list.
///
/// A subclass defines the steps; see ``BindingDisposal``.
///
/// `@unchecked Sendable` like its superclass; its own fields are immutable, or guarded by the lifecycle's lock.
class Disposal: LinkedElement, @unchecked Sendable {
  /// The position in the order of creation, process-wide. Later instances are disposed of first. Set when the disposal is listed, and
  /// again when the hooks of its instance are done.
  final var number: UInt64 = 0

  /// Whether the next reset runs the disposal; see ``leaveToReset()``. Guarded by the lifecycle's lock.
  final var isDueAtReset = false

  // The task that runs the disposal, if it suspends and no closing runs it, and whether the task is cancelled. Guarded by the lifecycle's
  // lock.
  private final var task: Task<[ShutdownError.Failure], Never>?
  private final var isCancelled = false

  /// The call of ``Disposable/dispose()`` that this disposal makes, if any. No other disposal may call the same object.
  let call: DisposeCall?

  /// Whether the object is still alive. Once a weakly held object is gone, another one may have its address.
  var hasObject: Bool { true }

  /// Called when the disposal is due.
  ///
  /// A weakly held instance that is alive now is retained until its disposal, even if its last owner is dropped at the same time.
  func retainInstance() {}

  /// Undoes ``retainInstance()``, because the disposal is not due after all.
  func releaseInstance() {}

  /// Whether no step suspends.
  let isSynchronous: Bool

  /// The lifecycle that lists the disposal. Unowned, because the lifecycle owns the disposal; its remover holds the container.
  unowned(unsafe) private let unheldLifecycle: Lifecycle
  final var lifecycle: Lifecycle { unsafe unheldLifecycle }

  init(in lifecycle: Lifecycle, _ call: DisposeCall?, isSynchronous: Bool) {
    self.call = call
    self.isSynchronous = isSynchronous
    unsafe unheldLifecycle = lifecycle
  }

  // MARK: Running it

  /// Disposes of the instance. Only the caller that has removed the disposal from its list may call this.
  ///
  /// - Parameter outcome: How the instance's scope ended.
  /// - Returns: The failures.
  func perform(after outcome: ScopeOutcome) async -> [ShutdownError.Failure] { fatalError("abstract") }

  /// Disposes of the instance, for a disposal without suspending steps.
  func performSynchronously(after outcome: ScopeOutcome, _ failures: inout [ShutdownError.Failure]) {
    fatalError("abstract")
  }

  /// Connects the disposal to the task that runs it, and forwards an earlier ``cancel()``.
  final func connect(to task: Task<[ShutdownError.Failure], Never>) {
    let isCancelled = lifecycle.state.withLock { _ in
      self.task = task
      return self.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  /// Cancels the task that runs the disposal, now or as soon as it has one.
  final func cancel() {
    let task = lifecycle.state.withLock { _ in
      isCancelled = true
      return self.task
    }
    task?.cancel()
  }

  /// Describes a failure of this disposal.
  func failure(_ reason: ShutdownError.Reason) -> ShutdownError.Failure { fatalError("abstract") }

  /// Called if the instance must not be handed out again, not even by a pool: it is forgotten before its container ends, during its build
  /// or later, or a build that it was made from has failed.
  func discard() {}

  /// Whether this is the disposal of a given instance.
  func disposes(of instance: Instance) -> Bool { false }
}

/// A call of ``Disposable/dispose()`` that a disposal makes.
struct DisposeCall: Sendable {
  /// The identity of the object; nil for a value, since each copy of a value is separate.
  let object: ObjectIdentifier?

  init(on disposable: any Disposable) {
    object = type(of: disposable) is AnyClass ? ObjectIdentifier(disposable as AnyObject) : nil
  }
}

/// A disposal that a caller has taken and that has not ended.
struct TakenDisposal: Sendable {
  let disposal: Disposal
  /// The batch that the disposal is part of.
  let batch: DisposalBatch
  /// Opened when the disposal has ended.
  var endLatches: [Latch] = []
}
