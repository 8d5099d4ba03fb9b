internal import CActorDI
internal import Synchronization

/// The life of a container: whether it is open, what it is building, what it has to dispose of, and the scopes that are open in it.
///
/// Apart from the container, whose own words the read path reads: what changes here is not to share a cache line with them.
///
/// ```
///      beginDraining           beginClosing          takeAll                finishClosing
///   open ─────────▶ draining ─────────────▶ closing ───────▶ disposing ───────────────▶ ended
/// ```
///
/// Only a shutdown has it drain: from then on no scope is opened in it, and it is resolved from only for the operations of scopes that are open,
/// and for builds in flight. See ``Draining``.
///
/// - L1: from `closing` on no build begins, and none that ends hands anything out.
/// - L2: from `disposing` on no instance is taken on to be disposed of: whoever made it does that.
/// - L3: an instance is disposed of by whoever has taken it out of the list, under the lock: once.
/// - L4: no disposer waits for an end that waits for the disposer: see ``ClosingOrder``.
///
/// `@unchecked Sendable` as its superclass: what it adds is atomic, under a lock, or immutable.
final class Lifecycle: LinkedElement, @unchecked Sendable {
  let activity = Activity()

  struct State: ~Copyable {
    /// What has to be disposed of, in order of creation.
    var disposals = LinkedList<Disposal>()
    /// How many of them suspend.
    var suspendingCount = 0
    /// The number of the last one.
    var lastNumber: UInt64 = 0
    /// What ``Disposable/dispose()`` will be called on, and by what.
    var objects: [ObjectIdentifier: Disposal] = [:]
    /// What was replaced, and is disposed of at the next reset.
    var leftovers: [Disposal] = []
    /// The frames of the asynchronous builds of which nothing is kept. Whoever runs one holds it.
    var builds = UnheldList<LinkedElement>()
    /// Opened, with true, when nothing is in flight any more.
    var idleLatches: [Latch<Bool>] = []
    /// Opened, with true, when the container is closed.
    var closedLatches: [Latch<Bool>] = []
  }

  /// Whether the container is closed.
  private let hasEnded = Atomic<Bool>(false)
  /// Whether there may be `closedLatches`.
  private let isAwaited = Atomic<Bool>(false)

  enum Phase: UInt8, AtomicRepresentable { case open, closing, disposing }

  let state = Lock(State())

  /// The scopes that are open; made for the first one.
  private let lazyScopes = LazyReference<OpenScopes>()
  private let draining = Atomic<Bool>(false)

  // Of a scope. Written before anybody else has it, but for the last.

  /// In which list of its parent's open scopes it stands.
  nonisolated(unsafe) var shard = 0
  /// When it was opened, by the clock of `actordi_tick`; 0 for a container that is no scope.
  nonisolated(unsafe) private(set) var openedAt: UInt64 = 0
  /// The address of the task that runs its operation, which is alive as long as it is listed.
  nonisolated(unsafe) private(set) var task: UInt = 0
  /// The operation, if somebody waits for it. Under the lock of the list that it stands in.
  nonisolated(unsafe) var awaitedOperation: AwaitedOperation?

  private let identity = Atomic<UInt64>(0)
  private static let lastIdentity = Atomic<UInt64>(0)

  /// Read and written under the lock, but where nobody else has the container: so it is relaxed.
  private let phase = Atomic(Phase.open)

  /// Whether it is too late to note that something has to be disposed of (L2). Under the lock.
  var isDisposing: Bool { phase.load(ordering: .relaxed) == .disposing }

  /// Whose life it is. Unowned, since the container holds this.
  unowned(unsafe) private var unheldOwner: (any LifecycleOwner)?
  var owner: (any LifecycleOwner)? { unsafe unheldOwner }

  /// Called once, by the container's initialiser.
  func begin(of owner: any LifecycleOwner) { unsafe unheldOwner = owner }

  var isClosed: Bool { activity.isClosed }

  /// The container's number, unique in the process. Given when it is first asked for: scopes that nobody asks would share the counter for
  /// nothing.
  var number: UInt64 {
    let known = identity.load(ordering: .relaxed)
    if known != 0 { return known }
    let new = Self.lastIdentity.add(1, ordering: .relaxed).newValue
    let (isFirst, other) = identity.compareExchange(expected: 0, desired: new, ordering: .relaxed)
    return isFirst ? new : other
  }

  // MARK: Builds

  /// The end of something that began in ``activity``.
  func endActivity() {
    if activity.end() { openIdleLatches() }
  }

  private func openIdleLatches() {
    let latches = state.withLock { state in
      let latches = state.idleLatches
      state.idleLatches = []
      return latches
    }
    for latch in latches { latch.open(with: true) }
  }

  /// A latch that opens when nothing is in flight any more, of a container that takes nothing on. Opened already, if that is now.
  func idleLatch() -> Latch<Bool> {
    let latch = Latch<Bool>()
    // Listed first: who ends the last build after this look sees it.
    state.withLock { $0.idleLatches.append(latch) }
    if activity.isIdle { openIdleLatches() }
    return latch
  }

  // MARK: Closing

  /// Whether it takes nothing on but for what has begun.
  var isDraining: Bool { draining.load(ordering: .acquiring) }

  /// - Returns: whether it is the caller who has to close the container.
  func beginDraining() -> Bool {
    // Sequentially consistent: whoever lists a scope or a child before it looks here is found by a look at the lists that comes after this.
    !draining.exchange(true, ordering: .sequentiallyConsistent) && !isClosed
  }

  /// - Returns: whether it is the caller who has to close the container.
  func beginClosing() -> Bool {
    guard activity.close() else { return false }
    state.withLock { _ in phase.store(.closing, ordering: .relaxed) }
    return true
  }

  /// Whether nothing of the closing suspends, if the container has no children.
  var canCloseAtOnce: Bool {
    activity.isIdle && hasNoScopes && state.withLock { $0.suspendingCount == 0 }
  }

  /// What is taken out at the end. It may hold what is the user's, and goes after the lock.
  struct Rest: ~Copyable, Sendable {
    /// What has to be disposed of, in order of creation.
    var disposals: LinkedChain<Disposal>
    fileprivate let leftovers: [Disposal]
  }

  /// Takes out what has to be disposed of. There are no open scopes, and nothing is in flight, but for what is late.
  func takeAll() -> Rest { state.withLock { takeAll(&$0) } }

  /// The same if nothing is in flight: what somebody else has taken has been disposed of, and nobody will take anything any more.
  func takeAllIfIdle() -> Rest? { state.withLock { activity.isIdle ? takeAll(&$0) : nil } }

  /// The same if nothing of it suspends, and no scope is open.
  func takeAllIfSynchronous() -> Rest? {
    state.withLock { state -> Rest? in
      guard activity.isIdle && state.suspendingCount == 0 else {
        phase.store(.closing, ordering: .relaxed)
        return nil
      }
      return takeAll(&state)
    }
  }

  private func takeAll(_ state: inout State) -> Rest {
    let rest = Rest(disposals: state.disposals.removeAll(), leftovers: state.leftovers)
    phase.store(.disposing, ordering: .relaxed)
    if !state.objects.isEmpty { state.objects = [:] }
    if !state.leftovers.isEmpty { state.leftovers = [] }
    state.suspendingCount = 0
    return rest
  }

  func finishClosing() {
    // Both are sequentially consistent, as their counterparts in `closedLatch`: one of the two sees the other.
    hasEnded.store(true, ordering: .sequentiallyConsistent)
    if isAwaited.load(ordering: .sequentiallyConsistent) { openClosedLatches() }
  }

  private func openClosedLatches() {
    let latches = state.withLock { state in
      let latches = state.closedLatches
      state.closedLatches = []
      return latches
    }
    for latch in latches { latch.open(with: true) }
  }

  /// A latch that opens when the container is closed. Opened already, if it is.
  func closedLatch() -> Latch<Bool> {
    let latch = Latch<Bool>()
    // Listed first: who closes the container after this look sees it.
    state.withLock { $0.closedLatches.append(latch) }
    isAwaited.store(true, ordering: .sequentiallyConsistent)
    if hasEnded.load(ordering: .sequentiallyConsistent) { openClosedLatches() }
    return latch
  }

  // MARK: Scopes

  /// Lists an open scope, which whoever has opened it keeps alive until ``remove(_:)``.
  ///
  /// - Returns: false when this container is closed, or about to be.
  func add(_ scope: Lifecycle) -> Bool {
    let scopes = unsafe lazyScopes.loadUnretained() ?? Unmanaged.passUnretained(lazyScopes.storeIfNil(OpenScopes()))
    return unsafe scopes._withUnsafeGuaranteedRef { $0.add(scope) { !isClosed && !isDraining } }
  }

  /// - Returns: the scope's operation, if somebody waits for it.
  @discardableResult
  func remove(_ scope: Lifecycle) -> AwaitedOperation? {
    unsafe lazyScopes.loadUnretained()?._withUnsafeGuaranteedRef { $0.remove(scope) }
  }

  /// Notes that it is a scope, which is opened now and by this task.
  func beginScope() {
    unsafe openedAt = actordi_tick()
    unsafe task = TaskAddress.current
  }

  var hasNoScopes: Bool { unsafe lazyScopes.loadUnretained()?._withUnsafeGuaranteedRef { $0.isEmpty } ?? true }

  /// Those whose lives the open scopes are.
  var ownersOfOpenScopes: [any LifecycleOwner] { lazyScopes.load()?.owners ?? [] }

  /// The open scopes, for people.
  var openScopes: [OpenScope] { lazyScopes.load()?.described(in: owner?.name ?? "") ?? [] }

  /// The operation of an open scope, for somebody who is going to wait for it; nil when the scope is open no more.
  func operation(of scope: Lifecycle) -> AwaitedOperation? {
    lazyScopes.load()?.operation(of: scope, in: owner?.name ?? "")
  }

  /// Lets the age of a scope that was just opened be known as exactly as the clock goes, for somebody who wants to be told.
  func measureScope() { unsafe openedAt = actordi_now() }

  /// How long ago the scope was opened.
  var scopeAge: Duration {
    let now = actordi_now()
    return unsafe .nanoseconds(now > openedAt ? now - openedAt : 0)
  }

  /// Whether it is a scope, and the calling task runs its operation.
  var isRunByCaller: Bool { unsafe openedAt != 0 && task == TaskAddress.current }
}

/// Whose life a ``Lifecycle`` is: it holds that, and is held as long as something of it runs.
protocol LifecycleOwner: AnyObject, Sendable {
  /// For messages.
  var name: String { get }
}
