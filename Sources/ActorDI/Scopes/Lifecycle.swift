internal import CActorDI
internal import Synchronization

/// The lifecycle of a container: its phase, its activity, pending disposals and open scopes.
///
/// An object apart from the container, so that these changing words share no cache line with those that the fast path reads.
///
/// ```
///      beginDraining           beginClosing        takeDisposals         markEnded
///   open ─────────▶ draining ─────────────▶ closing ───────▶ disposing ───────────▶ ended
/// ```
///
/// `draining` and `ended` are flags of ``Progress``, `closing` is the closed bit of ``activity``, and `disposing` is
/// ``State/isDisposing``.
///
/// Only a shutdown drains the container. While it drains, no scope opens in it, and it resolves only for the operations of open
/// scopes and for builds in flight. See ``Draining``. A container drains with the one above it, and can still be shut down by itself: a
/// mark of its own says whether a caller does so.
///
/// - L1: From `closing` on, no build begins, and no build that ends hands out its instance. A plain transient, which the container does
///   not dispose of, is the exception.
/// - L2: From `disposing` on, no disposal is listed. The thread that has made the instance disposes of it.
/// - L3: The caller that removes a disposal from the list, under the lock, runs it. So it runs once.
/// - L4: No factory, disposer or operation waits for an end that waits for it; see ``ClosingOrder``.
/// - L5 and L6 concern the draining; see ``Draining``.
/// - L7: A thread that creates the container's registry looks at the closed bit afterwards, under the registry's lock.
///   The end sets the bit, and then looks for the registry. So one of them sees the other, and only one takes the
///   snapshot. All four steps are sequentially consistent. For the same reason, a closed registry reads no snapshot.
/// - L8: The end closes the registry before it drops the bindings, and retires each of them. So a reader that has found one by its address
///   is done with it when it is freed.
///
/// `@unchecked Sendable` like its superclass; its own fields are immutable, atomic or under a lock.
final class Lifecycle: LinkedElement, @unchecked Sendable {
  let activity = Activity()

  /// The mutable state, guarded by the lock.
  struct State: ~Copyable {
    /// The outcome of a closing that has begun with ``beginClosing(after:)``.
    var outcome: ScopeOutcome?
    /// Whether the container disposes of its instances, or has done so.
    var isDisposing = false
    /// The pending disposals, in order of creation.
    var disposals = LinkedList<Disposal>()
    /// The disposals that callers have taken, until they have run.
    var taken: [ObjectIdentifier: TakenDisposal] = [:]
    /// The number of pending disposals that suspend.
    var suspendingCount = 0
    /// The number of the last disposal.
    var lastDisposal: UInt64 = 0
    /// The objects on which ``Disposable/dispose()`` will be called, with the disposals that will call it.
    var objects = [ObjectIdentifier: Disposal]()
    /// The attempts of builds of kept instances, except uncontended ones. Each running build retains its element.
    var builds = UnheldList<ListedBuild>()
    /// Opened when the last activity has ended.
    var idleLatches: [Latch] = []
    /// Opened when the container has ended.
    var endLatches: [Latch] = []
    /// The closing that has begun with this container, while it runs.
    var closing: (any RunningClosing)?
  }

  /// Facts about the container that stay true. Two of them are phases: `draining` and `ended`.
  private struct Progress: OptionSet {
    let rawValue: UInt

    /// A registration of the container has the scope of a named container, which may be above this one.
    static var instancesAbove: Progress { Progress(rawValue: 1) }
    /// A caller of a shutdown drains and closes the container.
    static var shutDown: Progress { Progress(rawValue: 2) }
    /// A shutdown of this container or of one above it drains it.
    static var draining: Progress { Progress(rawValue: 4) }
    /// There may be `endLatches`.
    static var awaited: Progress { Progress(rawValue: 8) }
    /// The closing has ended.
    static var ended: Progress { Progress(rawValue: 16) }
  }

  /// The ``Progress``.
  private let progress = Atomic<UInt>(0)

  let state = Lock(State())

  let scopes = OpenScopes()

  // The properties of a scope.

  /// The index of the parent's list of open scopes that contains this scope.
  let shard: Int
  /// The storage of ``openedAt``. Atomic, because an observed scope is listed before its opening time is measured.
  private let opening: Atomic<UInt64>
  /// The address of the task that runs the scope's operation; 0 if there is none. Others compare it, or read it under the lock of
  /// the list that contains the scope, so relaxed operations suffice.
  private let runner: Atomic<UInt>
  /// The scope's operation, if a task waits for it or extends it. Guarded by the lock of the list that contains the scope.
  nonisolated(unsafe) var operation: ScopeOperation?

  /// The storage of ``uses``. Written before the scope is shared.
  nonisolated(unsafe) private var storedUses: (any ScopeUses)?
  /// The operations of a scope of several tasks; nil for any other container.
  var uses: (any ScopeUses)? { unsafe storedUses }

  private let assignedNumber = Atomic<UInt64>(0)
  private static let lastNumber = Atomic<UInt64>(0)

  /// The container. Unowned, because the container owns its lifecycle.
  unowned(unsafe) private var unheldOwner: (any LifecycleOwner)?
  var owner: (any LifecycleOwner)? { unsafe unheldOwner }

  /// Creates a lifecycle.
  ///
  /// - Parameter isScope: Whether it is that of a scope, opened now and run by the calling task.
  init(isScope: Bool) {
    shard = isScope ? ThreadRecordPointer.current.pointee.shard : 0
    opening = Atomic(isScope ? actordi_tick() : 0)
    runner = Atomic(isScope ? TaskAddress.current : 0)
  }

  /// Sets the owner. The container's initialiser calls this once.
  func setOwner(_ owner: any LifecycleOwner) { unsafe unheldOwner = owner }

  var isClosed: Bool { activity.isClosed }

  /// The container's number, unique in the process. Assigned on first use, so that short scopes do not contend for the counter.
  var number: UInt64 {
    let known = assignedNumber.load(ordering: .relaxed)
    if known != 0 { return known }
    let new = Self.lastNumber.add(1, ordering: .relaxed).newValue
    let (isFirst, other) = assignedNumber.compareExchange(expected: 0, desired: new, ordering: .relaxed)
    return isFirst ? new : other
  }

  // MARK: Builds

  /// Lists a build that ``activity`` has counted.
  func list(_ build: ListedBuild) {
    state.withLock { $0.builds.append(build) }
    // Closed since the build was counted: the closing may already have cancelled the listed builds.
    if isClosed { build.cancel() }
  }

  /// Ends a listed build.
  func endBuild(_ build: ListedBuild) {
    state.withLock { _ = $0.builds.remove(build) }
    endActivity()
  }

  /// Ends a disposal that ``activity`` has counted.
  func endDisposal(_ disposal: Disposal) {
    // The reference is released after the lock.
    let taken = state.withLock { $0.taken.removeValue(forKey: ObjectIdentifier(disposal)) }
    taken?.endLatches.open()
    endActivity()
  }

  /// Ends a build or a disposal that ``activity`` has counted.
  func endActivity() { if activity.end() { openIdleLatches() } }

  private func openIdleLatches() { state.withLock { exchange(&$0.idleLatches, with: []) }.open() }

  /// Returns a latch that opens when a closed container has no activity in flight. It may be open already.
  func idleLatch() -> Latch {
    let latch = Latch()
    // Listed before the check: a thread that ends the last activity after the check sees the latch.
    state.withLock { $0.idleLatches.append(latch) }
    if activity.isIdle { openIdleLatches() }
    return latch
  }

  // MARK: Instances in other containers

  /// Notes that a registration of the container has the scope of a container of another name, which may be above this one.
  func noteInstancesAbove() { note(.instancesAbove) }

  /// Whether a container above may keep an instance of a registration of the container.
  var mayHaveInstancesAbove: Bool { Progress(rawValue: progress.load(ordering: .acquiring)).contains(.instancesAbove) }

  // MARK: Closing

  var isDraining: Bool { Progress(rawValue: progress.load(ordering: .acquiring)).contains(.draining) }

  /// Begins draining, by a shutdown of this container or of one above it.
  func beginDraining() {
    // Sequentially consistent: a thread may list a scope or child before it loads the flag. A look at the lists after this exchange
    // finds it.
    note(.draining)
  }

  /// Begins a shutdown of this container itself.
  ///
  /// - Returns: Whether the caller must drain and close the container; false if another one does, or has closed it.
  func beginShutdown() -> Bool { !note(.shutDown).contains(.shutDown) && !isClosed }

  /// Begins closing.
  ///
  /// - Parameter outcome: The outcome that the disposers will get.
  /// - Returns: Whether the caller must close the container.
  func beginClosing(after outcome: ScopeOutcome) -> Bool {
    guard activity.close() else { return false }
    state.withLock { $0.outcome = outcome }
    return true
  }

  /// The outcome of the closing; nil if the runner of a scope closes it, and knows the outcome.
  var outcome: ScopeOutcome? { state.withLock { $0.outcome } }

  /// The condition under which the closing takes the pending disposals.
  enum TakingCondition {
    /// None: what is still in flight has exceeded the timeout.
    case always
    /// Nothing is in flight. Every disposal that another caller has taken has run by then, and no caller will take another one.
    case ifIdle
    /// Nothing is in flight, and no pending disposal suspends.
    case ifSynchronous
  }

  /// Removes all pending disposals, if a condition holds. No scope is open.
  ///
  /// - Returns: The disposals, in order of creation; nil if the condition does not hold. They may own user objects, so they are released
  ///   after the lock.
  func takeDisposals(_ condition: TakingCondition) -> LinkedList<Disposal>? {
    state.withLock { state in
      let isMet =
        switch condition {
        case .always: true
        case .ifIdle: activity.isIdle
        case .ifSynchronous: activity.isIdle && state.suspendingCount == 0
        }
      guard isMet else { return nil }
      let disposals = exchange(&state.disposals, with: LinkedList())
      state.isDisposing = true
      if !state.objects.isEmpty { state.objects = [:] }
      state.suspendingCount = 0
      return disposals
    }
  }

  /// Whether the closing has ended.
  // Sequentially consistent, because a thread that adds something looks at it afterwards.
  var hasEnded: Bool { Progress(rawValue: progress.load(ordering: .sequentiallyConsistent)).contains(.ended) }

  /// The closing that has begun with this container, while it runs.
  var closing: (any RunningClosing)? { state.withLock { $0.closing } }

  func setClosing(_ closing: (any RunningClosing)?) {
    // The old reference is released after the lock.
    _ = state.withLock { exchange(&$0.closing, with: closing) }
  }

  /// Marks the container as ended, and wakes the waiters for its end.
  func markEnded() { if note(.ended).contains(.awaited) { openEndLatches() } }

  /// Sets a flag of the progress. Of two threads that set different flags, the second one sees the other's.
  ///
  /// - Returns: The flags before.
  @discardableResult
  private func note(_ fact: Progress) -> Progress {
    Progress(rawValue: progress.bitwiseOr(fact.rawValue, ordering: .sequentiallyConsistent).oldValue)
  }

  private func openEndLatches() { state.withLock { exchange(&$0.endLatches, with: []) }.open() }

  /// Returns a latch that opens when the container has ended. It may be open already.
  func endLatch() -> Latch {
    let latch = Latch()
    // Listed before the check: a thread that ends the closing after the check sees the latch.
    state.withLock { $0.endLatches.append(latch) }
    if note(.awaited).contains(.ended) { openEndLatches() }
    return latch
  }

  // MARK: Scopes

  /// The address of the task that runs the scope's operation; 0 if there is none.
  var runnerAddress: UInt { runner.load(ordering: .relaxed) }

  /// Notes that the task has returned from the operation, although the scope may stay open.
  func noteReturn() { runner.store(0, ordering: .relaxed) }

  /// When the scope was opened, by the clock of `actordi_tick`; 0 for a container that is no scope.
  var openedAt: UInt64 { opening.load(ordering: .relaxed) }

  var isScope: Bool { openedAt != 0 }

  var isScopeOfOneTask: Bool { isScope && uses == nil }

  /// Sets the opening time of a new scope with the clock's full precision, for observers.
  func measureScope() { opening.store(actordi_now(), ordering: .relaxed) }

  /// The time since the scope was opened.
  var scopeAge: Duration {
    let (now, openedAt) = (actordi_now(), openedAt)
    return .nanoseconds(now > openedAt ? now - openedAt : 0)
  }

  /// Makes the new scope one of several tasks.
  func setUses(_ uses: any ScopeUses) {
    unsafe storedUses = uses
    // No task runs the scope.
    runner.store(0, ordering: .relaxed)
  }

  /// Whether this is a scope in which the calling task runs an operation.
  var isRunByCaller: Bool {
    if let uses { return uses.isUsedByCaller }
    let runner = runnerAddress
    return runner != 0 && runner == TaskAddress.current
  }
}
