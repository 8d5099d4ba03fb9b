internal import CActorDI

/// The operation of an open scope that another task waits for, or that is extended.
///
/// ```
///            noteReturn             end
///   running ────────────▶ returned ─────────▶ over
///      │                                       ▲
///      └────────────────── end ────────────────┘
/// ```
///
/// - `running`: a task runs the operation, and a call may cancel it.
/// - `returned` (`hasReturned`): the task has returned, and an extension or the closing of the scope continues. An operation with the task
///   address 0 begins here, because no task runs it: an extension of a scope of several tasks, or the operation of a scope whose task
///   had returned before the first waiter came.
/// - `over` (`isOver`): nothing waits for the operation any more.
///
/// The first waiter or extension makes it, so other scopes pay nothing. The task that runs the operation is known by address only. It
/// stays alive until the operation has returned, and the return waits for cancellations in progress.
final class ScopeOperation: Sendable, Hashable {
  private struct State: ~Copyable {
    /// Whether no task runs the operation, usually because it has returned.
    var hasReturned = false
    /// Whether nothing waits for the operation any more: its scope has ended or, in a scope of several tasks, it has returned.
    var isOver = false
    /// The number of extensions that have not ended.
    var extensions = 0
    /// The outcome of the operation and its extensions so far: the first one that is not `completed`.
    var outcome = ScopeOutcome.completed
    /// The number of calls that are cancelling the task now.
    var cancellations = 0
    /// Opened when the operation is over.
    var latches: [Latch] = []
    /// Opened when the last call that was cancelling the task has returned.
    var cancelled: Latch?

    /// Whether a task runs the operation, or an extension continues.
    var isOpen: Bool { !isOver && (!hasReturned || extensions > 0) }

    mutating func add(_ outcome: ScopeOutcome) { if case .completed = self.outcome { self.outcome = outcome } }

    /// Notes that the task has returned from the operation.
    ///
    /// - Returns: A latch that opens when the task may end; nil if it may end now.
    mutating func noteReturn() -> Latch? {
      hasReturned = true
      if cancellations > 0, cancelled == nil { cancelled = Latch() }
      return cancelled
    }
  }

  /// The address of the task that runs the operation.
  private let address: UInt
  /// A description of the scope, valid until the scope has ended.
  private let scope: OpenScope
  /// The operations of the scope, if it is one of several tasks.
  private let uses: (any ScopeUses)?
  private let state = Lock(State())

  convenience init(of scope: Lifecycle, in container: String) {
    self.init(by: scope.runnerAddress, in: OpenScope(scope, in: container))
  }

  /// Creates an operation.
  ///
  /// - Parameters:
  ///   - task: The address of the task that runs it; 0 if none does.
  ///   - scope: The scope.
  ///   - uses: The operations of the scope, if it is one of several tasks.
  init(by task: UInt, in scope: OpenScope, usedBy uses: (any ScopeUses)? = nil) {
    address = task
    self.scope = scope
    self.uses = uses
    guard task == 0 else { return }
    state.withLock { state in
      state.hasReturned = true
      // In a scope of several tasks, such an operation is an extension.
      if uses != nil { state.extensions = 1 }
    }
  }

  /// Returns a latch that opens when the operation is over: it has returned and, in a scope of one task, the scope's instances are disposed
  /// of. It may be open already.
  func endLatch() -> Latch {
    let latch = Latch()
    let isOver = state.withLock { state in
      if !state.isOver { state.latches.append(latch) }
      return state.isOver
    }
    if isOver { latch.open() }
    return latch
  }

  /// The task that runs the operation; nil once it has returned.
  var task: UInt? { state.withLock { $0.hasReturned } ? nil : address }

  /// The scope, while a task runs the operation, or an extension continues.
  var openScope: OpenScope? { state.withLock { $0.isOpen } ? scope.now(uses?.status) : nil }

  /// Cancels the task unless the operation has returned. Runs user-defined cancellation handlers.
  func cancel() {
    let isRunning = state.withLock { state in
      if !state.hasReturned { state.cancellations += 1 }
      return !state.hasReturned
    }
    guard isRunning else { return }
    TaskAddress.cancel(address)
    let latch = state.withLock { state -> Latch? in
      state.cancellations -= 1
      return state.cancellations == 0 ? state.cancelled : nil
    }
    latch?.open()
  }

  /// Ends the operation, in its task or that of its last extension. From now on, no call cancels the task, so the task may end.
  nonisolated(nonsending) func end() async {
    let (latches, cancelled) = state.withLock { state -> ([Latch], Latch?) in
      state.isOver = true
      return (exchange(&state.latches, with: []), state.noteReturn())
    }
    latches.open()
    _ = await cancelled?.wait()
  }

  // MARK: Extensions

  /// Adds an extension.
  ///
  /// - Returns: False if the operation has returned and all extensions have ended.
  func extend() -> Bool {
    state.withLock { state in
      guard state.isOpen else { return false }
      state.extensions += 1
      return true
    }
  }

  /// Ends an extension.
  ///
  /// - Returns: The outcome of the scope; nil if the operation or another extension continues.
  func endExtension(after outcome: ScopeOutcome) -> ScopeOutcome? {
    state.withLock { state in
      state.extensions -= 1
      state.add(outcome)
      return state.hasReturned && state.extensions == 0 ? state.outcome : nil
    }
  }

  /// Notes that the operation has returned, in its task.
  ///
  /// - Returns: The outcome of the scope; nil if an extension continues.
  nonisolated(nonsending) func noteReturn(after outcome: ScopeOutcome) async -> ScopeOutcome? {
    let (outcome, cancelled) = state.withLock { state -> (ScopeOutcome?, Latch?) in
      state.add(outcome)
      return (state.extensions == 0 ? state.outcome : nil, state.noteReturn())
    }
    _ = await cancelled?.wait()
    return outcome
  }

  // MARK: Hashable

  static func == (left: ScopeOperation, right: ScopeOperation) -> Bool { left === right }

  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension OpenScope {
  init(_ scope: Lifecycle, in container: String, _ status: KeyedScopeStatus? = nil, at now: UInt64 = actordi_tick()) {
    self.init(scope.number, scope.owner?.name ?? "", in: container, scope.openedAt, status, at: now)
  }
}
