/// The operation of an open scope that another task waits for.
///
/// The first waiter makes it, so scopes without waiters pay nothing. The task that runs the operation is known by address only. It
/// stays alive until the operation has ended, and the end waits for cancellations in progress.
@usableFromInline
final class AwaitedOperation: Sendable {
  private struct State: Sendable {
    var hasReturned = false
    /// The number of calls that are cancelling the task now.
    var cancellations = 0
    /// Opened, with true, when the operation has returned.
    var latches: [Latch<Bool>] = []
    /// Opened when no call is cancelling the task any more.
    var cancelled: Latch<Bool>?
  }

  /// The address of the task that runs the operation.
  let task: UInt
  /// A description of the scope, valid until the operation has returned.
  private let scope: OpenScope
  private let state = Lock(State())

  init(of scope: Lifecycle, in container: String) {
    task = unsafe scope.task
    self.scope = OpenScope(scope, in: container)
  }

  /// A latch that opens when the operation has returned and its scope's instances are disposed of.
  var latch: Latch<Bool> {
    let latch = Latch<Bool>()
    let hasReturned = state.withLock { state in
      if !state.hasReturned { state.latches.append(latch) }
      return state.hasReturned
    }
    if hasReturned { latch.open(with: true) }
    return latch
  }

  var hasReturned: Bool { state.withLock { $0.hasReturned } }

  /// The scope, while its operation runs.
  var openScope: OpenScope? { hasReturned ? nil : scope.now }

  /// Cancels the task unless the operation has returned. Runs user-defined cancellation handlers.
  func cancel() {
    let isRunning = state.withLock { state in
      if !state.hasReturned { state.cancellations += 1 }
      return !state.hasReturned
    }
    guard isRunning else { return }
    TaskAddress.cancel(task)
    let latch = state.withLock { state -> Latch<Bool>? in
      state.cancellations -= 1
      return state.cancellations == 0 ? state.cancelled : nil
    }
    latch?.open(with: true)
  }

  /// Ends the operation, in its task. From now on, no call cancels the task, so the task may end.
  @usableFromInline
  nonisolated(nonsending) func end() async {
    let (latches, cancelled) = state.withLock { state -> ([Latch<Bool>], Latch<Bool>?) in
      state.hasReturned = true
      if state.cancellations > 0 { state.cancelled = Latch() }
      defer { state.latches = [] }
      return (state.latches, state.cancelled)
    }
    for latch in latches { latch.open(with: true) }
    _ = await cancelled?.wait()
  }
}

extension AwaitedOperation: Hashable {
  @usableFromInline
  static func == (left: AwaitedOperation, right: AwaitedOperation) -> Bool { left === right }

  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension OpenScope {
  init(_ scope: Lifecycle, in container: String) {
    self.init(scope.number, scope.owner?.name ?? "", in: container, unsafe scope.openedAt)
  }
}
