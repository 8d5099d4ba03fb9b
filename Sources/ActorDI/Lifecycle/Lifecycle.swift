internal import Synchronization

/// The life of a container: whether it is open, what it is building, what it has to dispose of, and the scopes that are open in it.
///
/// Apart from the container, whose own words the read path reads: what changes here is not to share a cache line with them.
///
/// ```
///          beginClosing          takeAll                finishClosing
///   open ───────────────▶ closing ───────▶ disposing ───────────────▶ closed
/// ```
///
/// - L1: from `closing` on no build begins, and none that ends hands anything out.
/// - L2: from `disposing` on no instance is taken on to be disposed of: whoever made it does that.
/// - L3: an instance is disposed of by whoever has taken it out of the list, under the lock: once.
///
/// `@unchecked Sendable` as its superclass: what it adds is atomic, under a lock, or immutable.
final class Lifecycle: LinkedElement, @unchecked Sendable {
  let activity = Activity()

  /// Whether there may be stand-ins in this container or below it; see ``StandIn``.
  let mayHaveStandInsBelow = Atomic<Bool>(false)

  struct State: ~Copyable {
    var phase = Phase.open
    /// What has to be disposed of, in order of creation.
    var disposals = LinkedList<Disposal>()
    /// How many of them suspend.
    var suspendingCount = 0
    /// What ``Disposable/dispose()`` will be called on.
    var objects: Set<ObjectIdentifier> = []
    /// What was replaced, and is disposed of at the next reset.
    var leftovers: [Disposal] = []
    /// The scopes that are open, in order of creation.
    var scopes = LinkedList<Lifecycle>()
    /// Those of scopes that have ended, for others to come.
    var spares: [Lifecycle] = []
    /// Opened, with true, when nothing is in flight any more.
    var idleLatches: [Latch<Bool>] = []
    /// Opened, with true, when the container is closed.
    var closedLatches: [Latch<Bool>] = []
  }

  enum Phase { case open, closing, disposing, closed }

  let state = Lock(State())

  /// What the container keeps for registrations of other ones.
  let cells = BindingCells()

  /// Whose life it is. Unowned, since the container holds this.
  unowned(unsafe) private var owner: Container?
  var container: Container? { unsafe owner }

  /// The container of a scope that is open, which lives until it is closed. Under the lock of its parent's lifecycle.
  var openScope: Container?

  /// Whether it is a scope's. Set before that is used.
  var isScope = false

  /// Called once, by the container's initialiser.
  func begin(of container: Container) { unsafe owner = container }

  var isClosed: Bool { activity.isClosed }

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

  /// - Returns: whether it is the caller who has to close the container.
  func beginClosing() -> Bool {
    state.withLock { state in
      guard case .open = state.phase else { return false }
      state.phase = .closing
      activity.close()
      return true
    }
  }

  /// Whether nothing of the closing suspends, if the container has no children.
  var canCloseAtOnce: Bool {
    activity.isIdle && state.withLock { $0.suspendingCount == 0 && $0.scopes.isEmpty }
  }

  /// The last instances to dispose of, in that order, if none of them suspends.
  func takeAllIfSynchronous() -> [Disposal]? {
    state.withLock { state in state.suspendingCount == 0 ? takeAll(&state) : nil }?.disposals.reversed()
  }

  /// The last instances to dispose of, in that order.
  func takeAll() -> [Disposal] { state.withLock { takeAll(&$0) }.disposals.reversed() }

  /// - Returns: also what else is let go of: it may hold what is the user's, and goes after the lock.
  private func takeAll(
    _ state: inout State
  ) -> (disposals: [Disposal], leftovers: [Disposal], spares: [Lifecycle]) {
    let (leftovers, spares) = (state.leftovers, state.spares)
    state.phase = .disposing
    state.objects = []
    state.suspendingCount = 0
    state.leftovers = []
    state.spares = []
    return (state.disposals.removeAll(), leftovers, spares)
  }

  func finishClosing() {
    let latches = state.withLock { state in
      let latches = state.closedLatches
      state.closedLatches = []
      state.phase = .closed
      return latches
    }
    for latch in latches { latch.open(with: true) }
  }

  /// A latch that opens when the container is closed. Opened already, if it is.
  func closedLatch() -> Latch<Bool> {
    let latch = Latch<Bool>()
    let isClosed = state.withLock { state in
      if case .closed = state.phase { return true }
      state.closedLatches.append(latch)
      return false
    }
    if isClosed { latch.open(with: true) }
    return latch
  }

  // MARK: Scopes

  /// Lists an open scope. It is kept alive until ``remove(_:)``.
  ///
  /// - Returns: false when this container is closed.
  func add(_ scope: Container) -> Bool {
    state.withLock { state in
      guard case .open = state.phase else { return false }
      scope.lifecycle.openScope = scope
      scope.lifecycle.isScope = true
      state.scopes.append(scope.lifecycle)
      return true
    }
  }

  func remove(_ scope: Container) {
    // It may be the last reference: it goes after the lock.
    _ = state.withLock { state -> Container? in
      guard state.scopes.remove(scope.lifecycle) else { return nil }
      let container = scope.lifecycle.openScope
      scope.lifecycle.openScope = nil
      return container
    }
  }

  /// The scopes that are open, in order of creation.
  var openScopes: [Container] {
    state.withLock { state in state.scopes.all.compactMap(\.openScope) }
  }
}
