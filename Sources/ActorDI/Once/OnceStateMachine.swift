/// The state of one kept instance and its build: a pure value that makes decisions and has no side effects.
///
/// Each `mutating func` is an event. It returns the side effects, if there are any, which the ``OnceCell`` performs after leaving its lock.
/// The value contains no lock, task, continuation or thread, so tests can apply every event in every state.
///
/// States:
///
/// ```
///            arrive                 finish(value)
///   idle ─────────────▶ building ───────────────▶ ready
///    ▲                   │  live / cancelled / detached
///    └───────────────────┘ finish(failure), or a value that is not kept
/// ```
///
/// Rules, which the tests cite:
///
/// - N1 *one build*: there is at most one build at a time; the next one starts after it has finished.
/// - N2 *every waiter is answered*: each waiter is in exactly one list. It leaves the list once: it gets the outcome, asks
///   again, or departs.
/// - N3 *cancelled is final*: a cancelled build accepts no new waiters. Later callers wait for its end. They get the instance if it is kept
///   after all, and ask again otherwise.
/// - N4 *detached is private*: the value of a build that was reset goes to the waiters that joined before, and is never published.
/// - N5 *held is not cancelled*: a departing waiter never cancels a build whose factory and hooks have run, or whose only waiter has
///   taken its instance.
struct OnceStateMachine: Equatable, Sendable {
  typealias AttemptID = UInt64
  typealias WaiterID = UInt64

  /// How a caller can get the instance built.
  enum BuildMode: Sendable {
    /// Inline, on the caller's own thread.
    case inline
    /// In a task of the container, while the caller waits.
    case task
    /// Not at all: the factory is asynchronous and the caller is synchronous.
    case unavailable
  }

  /// A build in flight.
  struct Build: Equatable, Sendable {
    let attempt: AttemptID
    var mode: BuildMode
    /// The last joined waiter has left, and the build's task was cancelled.
    var isCancelled = false
    /// The instance was reset, or its registration removed, during the build.
    var isDetached = false
    /// No departure cancels the build any more (N5): it is held (see ``WaitGraph``), or its only waiter has taken its instance.
    var isExemptFromCancellation = false
    /// The waiters that get the result, in order of arrival.
    var joined: [WaiterID] = []
    /// The waiters that came too late to join (N3): after a cancellation, or a reset.
    var latecomers: [WaiterID] = []

    /// Whether a new waiter joins.
    var acceptsWaiters: Bool { !isCancelled && !isDetached }
  }

  enum State: Equatable, Sendable {
    case idle
    case building(Build)
    case ready
  }

  private(set) var state = State.idle

  /// Whether the registration has been removed. Callers that still arrive look the service up again.
  private(set) var isRetired = false

  private var lastAttempt: AttemptID = 0

  /// Whether no instance is kept and no build is running.
  ///
  /// - Parameter hasValue: Whether the instance of a `ready` cell still exists.
  func isEmpty(hasValue: Bool) -> Bool { state == .idle || state == .ready && !hasValue }

  /// The build in flight, if there is one.
  private var build: Build? {
    get { if case .building(let build) = state { build } else { nil } }
    set { state = newValue.map(State.building) ?? .idle }
  }

  /// The number of the build in flight.
  var attempt: AttemptID? { build?.attempt }

  /// Whether a new waiter joins the build in flight.
  var acceptsWaiters: Bool { build?.acceptsWaiters ?? false }

  // MARK: Beginning

  /// The content of the holder when the cell claimed it.
  enum Claimed { case nothing, instance, build }

  /// Adopts the content of the holder.
  mutating func adopt(_ claimed: Claimed) {
    switch claimed {
    case .nothing: break
    case .instance: state = .ready
    case .build:
      lastAttempt += 1
      build = Build(attempt: lastAttempt, mode: .inline)
    }
  }

  // MARK: Arriving

  /// The next step of a caller after its arrival.
  enum Arrival: Equatable, Sendable {
    /// The instance exists.
    case value
    /// The caller builds on its own thread, and then calls `finish`.
    case build(AttemptID)
    /// The caller starts a task and waits for it. The task builds, and then calls `finish`.
    case start(AttemptID)
    /// The caller waits for the build.
    case wait
    /// The caller is synchronous and would have to wait for an asynchronous build.
    case asyncRequired
    /// The registration has been removed.
    case retired
  }

  /// Handles a caller that wants the instance.
  ///
  /// - Parameter hasValue: Whether the instance of a `ready` cell still exists; a weakly kept instance may be gone.
  mutating func arrive(_ waiter: WaiterID, _ caller: Caller, mode: BuildMode, hasValue: Bool) -> Arrival {
    if isRetired { return .retired }
    switch state {
    case .ready where hasValue:
      return .value
    case .idle, .ready:
      if mode == .unavailable { return .asyncRequired }
      lastAttempt += 1
      build = Build(attempt: lastAttempt, mode: mode, joined: mode == .task ? [waiter] : [])
      return mode == .task ? .start(lastAttempt) : .build(lastAttempt)
    case .building(var build):
      if build.mode == .task && caller == .synchronous { return .asyncRequired }
      if build.acceptsWaiters {
        build.joined.append(waiter)
      } else {
        build.latecomers.append(waiter)
      }
      self.build = build
      return .wait
    }
  }

  // MARK: Leaving

  /// The consequence of a waiter's departure.
  enum Departure: Equatable, Sendable {
    /// The waiter already has an outcome.
    case tooLate
    case left
    /// The last joined waiter left: the caller cancels the build's task.
    case leftLast
  }

  /// Handles a waiter that gives up.
  mutating func leave(_ waiter: WaiterID) -> Departure {
    guard var build else { return .tooLate }
    defer { self.build = build }
    if let index = build.latecomers.firstIndex(of: waiter) {
      build.latecomers.remove(at: index)
      return .left
    }
    guard let index = build.joined.firstIndex(of: waiter) else { return .tooLate }
    build.joined.remove(at: index)
    let isLast = build.mode == .task && build.joined.isEmpty && !build.isCancelled && !build.isExemptFromCancellation
    if isLast { build.isCancelled = true }
    return isLast ? .leftLast : .left
  }

  /// Handles a waiter that has taken the unfinished instance. Its own build needs this one, although no waiter may be left.
  mutating func leaveWithInstance(_ waiter: WaiterID) {
    if build?.joined == [waiter] { build?.isExemptFromCancellation = true }
    _ = leave(waiter)
  }

  // MARK: Holding

  /// Marks a build as held: its own factory and hooks have run, but some instance it was made from is incomplete.
  ///
  /// - Parameter isAsynchronous: Whether the wait may exceed the time for which a thread may be blocked.
  mutating func hold(_ attempt: AttemptID, isAsynchronous: Bool) {
    guard self.attempt == attempt else { return }
    build?.isExemptFromCancellation = true
    if isAsynchronous { build?.mode = .task }
  }

  /// Makes a waiter arrive again, because it may get the instance of an unfinished build now.
  ///
  /// - Returns: False if the waiter already has an outcome.
  mutating func recall(_ waiter: WaiterID) -> Bool {
    guard var build else { return false }
    let count = build.joined.count + build.latecomers.count
    build.joined.removeAll { $0 == waiter }
    build.latecomers.removeAll { $0 == waiter }
    self.build = build
    return build.joined.count + build.latecomers.count < count
  }

  /// Makes all waiters arrive again, because some may get the instance of a held build now.
  ///
  /// - Returns: The waiters.
  mutating func recall() -> [WaiterID] {
    guard let old = build else { return [] }
    build?.joined = []
    build?.latecomers = []
    return old.joined + old.latecomers
  }

  // MARK: Finishing

  /// The result of a build.
  enum Outcome: Sendable {
    /// An instance that is kept.
    case value
    /// An instance that the scope cannot keep, such as a value type in a weak scope: each caller gets its own.
    case unkeptValue
    case failure
    /// The build ends without a result, so its waiters ask again: it needs a mode that its caller lacks, or was dropped (G2).
    case abandoned
  }

  /// The consequences of a build's end.
  struct Ending: Equatable, Sendable {
    /// Whether the cell keeps the instance.
    var publishes = false
    /// The waiters that get the outcome.
    var deliver: [WaiterID] = []
    /// The waiters that arrive again.
    var retry: [WaiterID] = []
  }

  /// Handles the end of a build. The end of any build but the one in flight has no effect.
  mutating func finish(_ attempt: AttemptID, _ outcome: Outcome) -> Ending {
    guard let build, build.attempt == attempt else { return Ending() }
    state = .idle
    switch outcome {
    case .failure:
      return Ending(deliver: build.joined, retry: build.latecomers)
    case .abandoned:
      return Ending(retry: build.joined + build.latecomers)
    case .value where build.isDetached:
      return Ending(deliver: build.joined, retry: build.latecomers)
    case .value:
      state = .ready
      return Ending(publishes: true, deliver: build.joined + build.latecomers)
    case .unkeptValue:
      // A task builds for the first waiter. A caller that builds inline does not wait.
      let first = build.mode == .task ? build.joined.prefix(1) : []
      return Ending(deliver: Array(first), retry: Array(build.joined.dropFirst(first.count)) + build.latecomers)
    }
  }

  /// Whether the cell would keep the result of a build.
  func isAttached(_ attempt: AttemptID) -> Bool { self.attempt == attempt && build?.isDetached == false }

  // MARK: Resetting

  /// Forgets the instance, and detaches the build in flight.
  mutating func reset() {
    if state == .ready { state = .idle }
    build?.isDetached = true
  }

  /// Forgets the instance for good, because the registration has been removed.
  mutating func retire() {
    isRetired = true
    reset()
  }
}
