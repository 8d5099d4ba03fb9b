/// The operation of an open scope that somebody waits for: made by the first one who does, so that other scopes have no part in it.
///
/// The task that runs it is known by its address alone. It is alive until the operation's end, which waits for a cancellation in progress.
@usableFromInline
final class AwaitedOperation: Sendable {
  private struct State: Sendable {
    var hasReturned = false
    /// How many are cancelling the task now.
    var cancellations = 0
    /// Opened, with true, at the end.
    var latches: [Latch<Bool>] = []
    /// Opened when nobody cancels the task any more.
    var cancelled: Latch<Bool>?
  }

  /// The address of the task.
  let task: UInt
  /// The scope's life, to be described as long as the operation has not returned.
  private let scope: OpenScope
  private let state = Lock(State())

  init(of scope: Lifecycle, in container: String) {
    task = unsafe scope.task
    self.scope = OpenScope(scope, in: container)
  }

  /// A latch that opens when the operation has returned, and all of its scope is disposed of.
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

  /// The scope, if it is still open.
  var openScope: OpenScope? { hasReturned ? nil : scope.now }

  /// Cancels the task, unless the operation has returned. Runs the user's cancellation handlers.
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

  /// The end of the operation, in its task: from then on that is not cancelled on its account, and may end.
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
