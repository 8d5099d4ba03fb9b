/// How one kept service comes to have its instance: a pure value that decides, and does nothing.
///
/// Each `mutating func` is an event; what it returns is what the ``OnceCell`` has to do after it has left its lock.
/// There is no lock, task, continuation or thread in here, so every event in every state is tested as it is.
///
/// States:
///
/// ```
///            arrive                 finish(value)
///   idle ─────────────▶ building ───────────────▶ ready
///    ▲                   │  live / cancelled / detached
///    └───────────────────┘ finish(failure), or the value belongs to nobody any more
/// ```
///
/// Named rules, which the tests cite:
///
/// - N1 *one attempt*: there is at most one attempt at a time; a successor starts after it has finished.
/// - N2 *whole audience*: each waiter that arrived is in exactly one list, and leaves it once: delivered, told to
///   retry, or departed.
/// - N3 *cancelled is final*: a cancelled attempt takes no new members.
/// - N4 *detached is private*: the value of an attempt that was reset goes to its members and is never published.
/// - N5 *held is not cancelled*: nobody's leaving stops an attempt whose factory and hooks have run.
struct OnceStateMachine: Equatable, Sendable {
  typealias AttemptID = UInt64
  typealias WaiterID = UInt64

  /// Who asks: one that can suspend, or one that can only block its thread.
  enum Caller: Sendable { case synchronous, asynchronous }

  /// How the caller could have an instance built.
  enum BuildMode: Sendable {
    /// By itself, on its own thread.
    case inline
    /// By a task of the container's, for which it waits.
    case task
    /// Not at all: the factory is asynchronous and the caller is not.
    case unavailable
  }

  struct Build: Equatable, Sendable {
    let attempt: AttemptID
    var mode: BuildMode
    /// Its last member left: the task was told to stop.
    var isCancelled = false
    /// The service was reset or registered anew meanwhile.
    var isDetached = false
    /// What was built waits for what it was made from, and is nobody's to stop; see ``WaitGraph``.
    var isHeld = false
    /// Those who get what the attempt yields, in order of arrival.
    var members: [WaiterID] = []
    /// Those who came when it was too late to join, and wait for its end.
    var successors: [WaiterID] = []
  }

  enum State: Equatable, Sendable {
    case idle
    case building(Build)
    case ready
  }

  private(set) var state = State.idle

  /// The registration is gone: whoever still arrives has to look it up again.
  private(set) var isRetired = false

  private var lastAttempt: AttemptID = 0

  /// Whether nothing is kept, and nothing is being built.
  ///
  /// - Parameter hasValue: as for `arrive`.
  func isEmpty(hasValue: Bool) -> Bool {
    switch state {
    case .idle: true
    case .ready: !hasValue
    case .building: false
    }
  }

  /// The attempt in progress.
  var attempt: AttemptID? {
    guard case .building(let build) = state else { return nil }
    return build.attempt
  }

  // MARK: Beginning

  /// What there is before the machine has a part in it.
  enum Claimed { case nothing, instance, build }

  /// What has begun before the machine had a part in it.
  mutating func take(over claimed: Claimed) {
    switch claimed {
    case .nothing: break
    case .instance: state = .ready
    case .build:
      lastAttempt += 1
      state = .building(Build(attempt: lastAttempt, mode: .inline))
    }
  }

  // MARK: Arriving

  enum Arrival: Equatable, Sendable {
    /// The instance is there.
    case value
    /// The caller builds, on its own thread, and reports by `finish`.
    case build(AttemptID)
    /// The caller starts a task that builds and reports by `finish`, and waits for it.
    case start(AttemptID)
    /// The caller waits for the attempt.
    case wait(AttemptID)
    /// The caller would have to wait for an asynchronous build, and cannot.
    case asyncRequired
    /// The registration is gone.
    case retired
  }

  /// Somebody wants the instance.
  ///
  /// - Parameter hasValue: whether the instance of a `ready` cell is still there; a weakly held one may not be.
  mutating func arrive(
    _ waiter: WaiterID, _ caller: Caller, mode: BuildMode, hasValue: Bool
  ) -> Arrival {
    if isRetired { return .retired }
    switch state {
    case .ready where hasValue:
      return .value
    case .idle, .ready:
      return begin(waiter, mode)
    case .building(var build):
      if build.mode == .task && caller == .synchronous { return .asyncRequired }
      if build.isCancelled || build.isDetached {
        build.successors.append(waiter)
      } else {
        build.members.append(waiter)
      }
      state = .building(build)
      return .wait(build.attempt)
    }
  }

  private mutating func begin(_ waiter: WaiterID, _ mode: BuildMode) -> Arrival {
    switch mode {
    case .unavailable:
      return .asyncRequired
    case .inline:
      lastAttempt += 1
      state = .building(Build(attempt: lastAttempt, mode: .inline))
      return .build(lastAttempt)
    case .task:
      lastAttempt += 1
      state = .building(Build(attempt: lastAttempt, mode: .task, members: [waiter]))
      return .start(lastAttempt)
    }
  }

  // MARK: Leaving

  enum Departure: Equatable, Sendable {
    /// It had gone already: its outcome is on the way.
    case tooLate
    case left
    /// It was the last one: the attempt's task is to be cancelled.
    case leftLast(AttemptID)
  }

  /// A waiter gives up.
  mutating func leave(_ waiter: WaiterID) -> Departure {
    guard case .building(var build) = state else { return .tooLate }
    if let index = build.successors.firstIndex(of: waiter) {
      build.successors.remove(at: index)
      state = .building(build)
      return .left
    }
    guard let index = build.members.firstIndex(of: waiter) else { return .tooLate }
    build.members.remove(at: index)
    let isLast = build.mode == .task && build.members.isEmpty && !build.isCancelled && !build.isHeld
    if isLast { build.isCancelled = true }
    state = .building(build)
    return isLast ? .leftLast(build.attempt) : .left
  }

  // MARK: Holding

  /// What the attempt has built is complete, but not all that it was made from.
  ///
  /// - Parameter isAsynchronous: whether that may take longer than a thread may be blocked.
  mutating func hold(_ attempt: AttemptID, isAsynchronous: Bool) {
    guard case .building(var build) = state, build.attempt == attempt else { return }
    build.isHeld = true
    if isAsynchronous { build.mode = .task }
    state = .building(build)
  }

  /// Everybody has to arrive anew: some may have the instance of a held attempt now.
  ///
  /// - Returns: those who wait.
  mutating func recall() -> [WaiterID] {
    guard case .building(var build) = state else { return [] }
    let all = build.members + build.successors
    (build.members, build.successors) = ([], [])
    state = .building(build)
    return all
  }

  // MARK: Finishing

  enum Outcome: Sendable {
    /// An instance that is kept from now on.
    case value
    /// An instance that the scope does not keep, as a value type in a weak scope: one for each caller.
    case unkeptValue
    case failure
    /// The attempt turned out to need a way of building that its caller does not have: nobody's fault but the caller's.
    case abandoned
  }

  struct Completion: Equatable, Sendable {
    /// The instance becomes the cell's.
    var publishes = false
    /// Waiters that get the outcome.
    var deliver: [WaiterID] = []
    /// Waiters that have to arrive anew.
    var retry: [WaiterID] = []
  }

  /// The attempt has ended. A report of any other attempt than the one in progress changes nothing.
  mutating func finish(_ attempt: AttemptID, _ outcome: Outcome) -> Completion {
    guard case .building(let build) = state, build.attempt == attempt else { return Completion() }
    state = .idle
    switch outcome {
    case .value where build.isDetached, .failure:
      return Completion(deliver: build.members, retry: build.successors)
    case .abandoned:
      return Completion(retry: build.members + build.successors)
    case .value:
      state = .ready
      return Completion(publishes: true, deliver: build.members + build.successors)
    case .unkeptValue:
      // A task builds for the first of its members; a caller that builds inline is no member.
      let owner = build.mode == .task ? build.members.prefix(1) : []
      return Completion(
        deliver: Array(owner), retry: Array(build.members.dropFirst(owner.count)) + build.successors)
    }
  }

  /// Whether what the attempt yields would be the cell's.
  func isAttached(_ attempt: AttemptID) -> Bool {
    guard case .building(let build) = state else { return false }
    return build.attempt == attempt && !build.isDetached
  }

  // MARK: Resetting

  /// The instance is to be forgotten.
  ///
  /// - Returns: whether there is one to drop.
  @discardableResult
  mutating func reset() -> Bool {
    switch state {
    case .idle:
      return false
    case .ready:
      state = .idle
      return true
    case .building(var build):
      build.isDetached = true
      state = .building(build)
      return false
    }
  }

  /// The registration is gone, and the instance with it.
  ///
  /// - Returns: whether there is one to drop.
  @discardableResult
  mutating func retire() -> Bool {
    isRetired = true
    return reset()
  }
}
