/// Builds one instance for any number of callers.
///
/// The cell adds a lock, waiters and tasks to an ``OnceStateMachine``. Each event is one critical section, in which the machine
/// decides and the cell updates its waiters. The side effects follow after the lock: resuming, cancelling, releasing, calling
/// factories.
final class OnceCell: Sendable {
  typealias WaiterID = OnceStateMachine.WaiterID

  /// The cell's mutable state, guarded by its lock.
  struct State: ~Copyable {
    var machine = OnceStateMachine()
    /// The instance, if no holder has it.
    var places = InstanceStorage.OwnPlaces()
    /// Whether the cell has claimed its holder, together with an uncontended build that began without the cell.
    var isInCharge = false
    var waiters: [WaiterID: Waiter] = [:]
    var lastWaiter: WaiterID = 0
    /// The attempt of the build in flight.
    var attempt: Attempt?
    /// Whether the cell's call tree has ended during the build in flight.
    var isCallOver = false
    /// The unfinished part of the last build, which the next one continues.
    var unfinished: Unfinished?
    /// The disposal of the kept instance.
    var disposal: Disposal?
    /// The number of the build that has made the kept instance; nil once another build has begun.
    var builder: OnceStateMachine.AttemptID?
    /// The requests of the build that made the kept instance; nil if there were none.
    var notes: RequestNotes?
    /// The times of the build that made the kept instance; nil if nothing observed it.
    var times: BuildTimes?

    /// Removes a waiter. Removing the last one also frees the list's memory, because most cells are never waited for again.
    @discardableResult
    mutating func removeWaiter(_ id: WaiterID) -> Waiter? {
      let waiter = waiters.removeValue(forKey: id)
      if waiters.isEmpty { waiters = [:] }
      return waiter
    }
  }

  /// The unfinished part of a build that only an asynchronous caller can continue.
  struct Unfinished: Sendable {
    /// An instance whose factory has run.
    let instance: Instance?
    /// The disposal of the instance. An expired instance may have its own at the same time.
    let disposal: Disposal?
    /// The requests that made the instance.
    let notes: RequestNotes?
    /// The life of the instance; nil without a time to live.
    let life: Life?
    /// The run that the next build continues, if its beginning was reported to observers.
    let run: ObservedRun?
  }

  let identity: ServiceIdentity
  /// The instance's binding, which the cell passes to its builds; nil for a ``Lazy``.
  let binding: BindingID?
  let storage: InstanceStorage
  /// The cell's membership in a managed scope; nil if the instance belongs to no validity period.
  private let membership: ValidityPeriods.Member?
  /// The lifecycle of the keeper; nil if no container keeps the instance.
  ///
  /// Unheld, because the keeper holds the cell, and users of the cell retain the keeper.
  let lifecycle: UnheldReference<Lifecycle>?
  let state = Lock(State())

  /// Creates a cell. The defaults are those of a ``Lazy``.
  init(
    _ identity: ServiceIdentity, binding: BindingID? = nil, keeping storage: InstanceStorage = InstanceStorage(.strong),
    membership: ValidityPeriods.Member? = nil, in lifecycle: Lifecycle? = nil
  ) {
    self.identity = identity
    self.binding = binding
    self.storage = storage
    self.membership = membership
    self.lifecycle = lifecycle.map { UnheldReference($0) }
  }

  /// Runs one event under the lock. The first event claims the holder, and any build that began without the cell (Q1).
  func withClaimedState<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
    // A weakly kept instance may have lost its other references meanwhile, so it is released after the lock.
    var claimed: Instance?
    defer { withExtendedLifetime(claimed) {} }
    return state.withLock { state in
      if !state.isInCharge { claimed = takeCharge(&state) }
      return body(&state)
    }
  }

  private func takeCharge(_ state: inout State) -> Instance? {
    state.isInCharge = true
    let claimed = storage.holder?.claim() ?? .nothing
    state.machine.adopt(claimed)
    if let number = state.machine.attempt {
      let attempt = Attempt(identity, binding: binding, number: number)
      // The uncontended build has noted nothing.
      if storage.isKeptByCall { attempt.note(allOf: nil) }
      lifecycle?.borrow { $0.list(attempt) }
      state.attempt = attempt
    }
    guard claimed == .instance, let instance = storage.load(state.places) else { return nil }
    state.notes = instance.box.notes ?? (storage.isKeptByCall ? RequestNotes(nil) : nil)
    state.disposal = lifecycle?.borrow { $0.disposal(of: instance) }
    return instance
  }

  /// The error of an inline build that cannot continue without suspending.
  ///
  /// Either a dependency is available only to asynchronous callers, or only such a caller can complete the instance.
  struct SuspensionNeeded: Error {
    /// The error for a synchronous caller; by default, that the service itself requires an asynchronous caller.
    var error: ResolutionError?
    /// The instance made so far. The next build continues with it, so the factory runs once. A build with ties drops it.
    var incomplete: Instance?
    /// The run, if its beginning was reported to observers. They see it and the next build as one.
    var run: ObservedRun?
  }

  /// Runs the factory and then the hooks of a build.
  typealias InlineBuild = (Attempt) throws -> Product
  typealias TaskBuild = @Sendable (Attempt) async throws -> Product

  // MARK: Reading the instance

  /// Returns the kept instance, if there is one. Never builds or waits.
  func existing() -> Instance? {
    storage.readClock()
    return withClaimedState { storage.load($0.places) }
  }

  /// A kept instance, with what is known about its build.
  struct Kept: Sendable {
    let instance: Instance
    /// The requests of the factory and the hooks; nil if they are unknown.
    let requests: [ServiceIdentity]?
    /// Nil if nothing observed the build.
    let times: BuildTimes?
  }

  /// The kept instance, if there is one, with what is known about its build.
  var kept: Kept? {
    storage.readClock()
    // The loaded reference to a weakly kept instance may be the last one, so it is released after the lock.
    let (instance, notes, times) = withClaimedState { (storage.load($0.places), $0.notes, $0.times) }
    return instance.map { Kept(instance: $0, requests: notes.map(\.all) ?? [], times: times) }
  }

  /// The life of an instance that a caller has got from the cell; nil without a time to live. It is over if the cell does not keep the
  /// instance, or no longer.
  func life(of instance: Instance) -> Life? {
    guard let expiry = storage.expiry else { return nil }
    // The loaded reference to a weakly kept instance may be the last one, so it is released after the lock.
    let (kept, life, attempt) = withClaimedState { (storage.load($0.places), expiry.life, $0.attempt) }
    if let kept, kept.isSame(as: instance) { return life }
    // A build that takes the unfinished instance is tied to its build, and so ends no earlier.
    if let attempt, let provisional = attempt.provisional, provisional.isSame(as: instance) { return attempt.life }
    return expiry.makeEndedLife()
  }

  /// Whether these are the notes of the kept instance.
  func hasNotes(_ notes: RequestNotes?) -> Bool {
    guard let notes else { return false }
    return state.withLock { $0.notes === notes }
  }

  // MARK: Arriving

  /// The next step of a caller after its arrival.
  enum Step: Sendable {
    /// The instance; nil if the registration has been removed.
    case value(Instance?)
    case build(Attempt)
    /// The caller is the first waiter of a build in a task, and starts the task.
    case start(WaiterID, Attempt)
    case wait(WaiterID, Attempt, hasJoined: Bool)
    /// The build that the caller has joined has failed since the caller was asked to try again.
    case failed(any Error)
    case asyncRequired
    /// The keeper is closed. The instance is for the caller to release outside of the lock.
    case closed(Instance?)
  }

  /// Handles a caller that wants the instance.
  ///
  /// - Parameter joined: The build that the caller has joined, if it has been asked to try again.
  /// - Returns: The caller's next step.
  func arrive(_ caller: Caller, _ mode: OnceStateMachine.BuildMode, after joined: Attempt?) -> Step {
    storage.readClock()
    guard let membership else { return withClaimedState { arrive(caller, mode, after: joined, &$0) } }
    return membership.periods.betweenEnds { withClaimedState { arrive(caller, mode, after: joined, &$0) } }
  }

  private func arrive(
    _ caller: Caller, _ mode: OnceStateMachine.BuildMode, after joined: Attempt?, _ state: inout State
  ) -> Step {
    // If the caller built anew, its build could be held, recall it and fail again, without end (G2, G3).
    if let joined, joined !== state.attempt, let error = joined.failureOfPart { return .failed(error) }
    let existing = storage.load(state.places)
    state.lastWaiter += 1
    let id = state.lastWaiter
    switch state.machine.arrive(id, caller, mode: mode, hasValue: existing != nil) {
    case .value: return isKeeperClosed ? .closed(existing) : .value(existing)
    case .build(let number): return begin(number, &state).map(Step.build) ?? .closed(nil)
    case .start(let number):
      guard let attempt = begin(number, &state, isTask: true) else { return .closed(nil) }
      state.waiters[id] = .reserved
      return .start(id, attempt)
    case .wait:
      guard let attempt = state.attempt else { preconditionFailure("The machine builds, so there is an attempt.") }
      state.waiters[id] = .reserved
      return .wait(id, attempt, hasJoined: state.machine.acceptsWaiters)
    case .asyncRequired: return .asyncRequired
    case .retired: return .value(nil)
    }
  }

  /// Begins a build.
  ///
  /// - Returns: Nil if the keeper is closed.
  private func begin(_ number: OnceStateMachine.AttemptID, _ state: inout State, isTask: Bool = false) -> Attempt? {
    // The keeper counts the build until its end.
    if lifecycle?.borrow({ $0.activity.begin() }) == false {
      _ = state.machine.finish(number, .abandoned)
      return nil
    }
    let attempt = Attempt(identity, binding: binding, number: number, continuing: state.unfinished, isTask: isTask)
    state.unfinished = nil
    if let life = storage.expiry?.makeLife() { attempt.noteLife(life) }
    state.builder = nil
    state.attempt = attempt
    lifecycle?.borrow { $0.list(attempt) }
    if BuildLog.isAnyKept { BuildLog.current?.note(self, attempt) }
    return attempt
  }

  var isKeeperClosed: Bool { lifecycle?.borrow { $0.isClosed } ?? false }

  var keeper: (any LifecycleOwner)? { lifecycle?.borrow { $0.owner } }

  // MARK: Answering

  /// Makes a waiter ask again.
  ///
  /// The others stay. If they left, too, each could find itself alone when it comes back, and so decide on a cancellation.
  func recall(_ id: WaiterID) {
    let wakeup = withClaimedState { state in state.machine.recall(id) ? answer(id, .retry, &state) : nil }
    wakeup?()
  }

  /// Holds a build, unless it has ended, and makes its waiters ask again.
  ///
  /// - Parameter isAsynchronous: Whether its end waits for a task.
  func hold(_ attempt: Attempt, isAsynchronous: Bool) {
    if isAsynchronous { attempt.set(.endsInTask) }
    let wakeups = withClaimedState { state -> [Wakeup] in
      guard state.attempt === attempt else { return [] }
      state.machine.hold(attempt.number, isAsynchronous: isAsynchronous)
      return state.machine.recall().compactMap { answer($0, .retry, &state) }
    }
    for wakeup in wakeups { wakeup() }
  }

  /// Answers a waiter. Records the outcome if the waiter has not suspended yet.
  ///
  /// - Returns: The wake-up of a suspended waiter; otherwise nil.
  func answer(_ id: WaiterID, _ outcome: WaitOutcome, _ state: inout State) -> Wakeup? {
    switch state.waiters[id] {
    case .reserved:
      state.waiters[id] = .answered(outcome)
      return nil
    case .waiting(let wake):
      state.removeWaiter(id)
      return { wake(outcome) }
    case .answered, nil:
      return nil
    }
  }
}
