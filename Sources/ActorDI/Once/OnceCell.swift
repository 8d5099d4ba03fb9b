/// Makes one instance, however many ask: the ``OnceStateMachine`` with a lock, waiters and tasks around it.
///
/// Every event is one critical section, in which the machine decides and the cell notes who waits; what follows from the
/// decision is done after it: resuming, cancelling, releasing, calling factories.
@safe
final class OnceCell: Sendable {
  typealias WaiterID = OnceStateMachine.WaiterID

  struct State: Sendable {
    var machine = OnceStateMachine()
    /// Whether the holder was asked for what had begun without the cell.
    var isInCharge = false
    var waiters: [WaiterID: Waiter] = [:]
    var lastWaiter: WaiterID = 0
    /// The attempt in progress; none while nobody needs it.
    var attempt: Attempt?
    /// An instance whose factory has run, and that only an asynchronous caller can complete: kept aside for one.
    var incomplete: Instance?
    /// The end of the instance that is kept.
    var disposal: Disposal?
    /// The end of the one that is kept aside; beside that may stand one that has expired.
    var incompleteDisposal: Disposal?
    /// The attempt that has made the instance that is kept.
    var builder: OnceStateMachine.AttemptID?
    /// What the one that is kept aside was made from.
    var incompleteObserved: RequestNotes?
    /// What the instance was made from; nil when it has asked for nothing.
    var observed: RequestNotes?
    /// When the instance was made, where somebody wanted to be told.
    var times: BuildTimes?

    /// Forgets a waiter. The last one takes the list's memory along: most cells are never waited for again.
    @discardableResult
    mutating func removeWaiter(_ id: WaiterID) -> Waiter? {
      let waiter = waiters.removeValue(forKey: id)
      if waiters.isEmpty { waiters = [:] }
      return waiter
    }
  }

  let identity: ServiceIdentity
  /// The address of the binding whose instance this is, for its attempts; 0 for a ``Lazy``.
  let binding: UInt
  let storage: any InstanceStorage
  /// By which a managed scope knows of the instance; nil for one that no period ends.
  private let membership: ValidityPeriods.Member?
  /// The life of the container that keeps the instance; nil for a cell that ends with its call. Unowned, since that container holds
  /// the cell, and whoever uses it holds the container.
  private let home: Unmanaged<Lifecycle>?
  let state = Lock(State())

  convenience init(lazily identity: ServiceIdentity) {
    self.init(identity, binding: 0, keeping: OwnedStorage(), membership: nil, in: nil)
  }

  init(
    _ identity: ServiceIdentity, binding: UInt, keeping storage: any InstanceStorage,
    membership: ValidityPeriods.Member?, in home: Lifecycle?
  ) {
    self.identity = identity
    self.binding = binding
    self.storage = storage
    self.membership = membership
    unsafe self.home = home.map { unsafe Unmanaged.passUnretained($0) }
  }

  /// Every event: what has begun without the cell comes first (Q1).
  func withState<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
    state.withLock { state in
      if !state.isInCharge { takeCharge(&state) }
      return body(&state)
    }
  }

  private func takeCharge(_ state: inout State) {
    state.isInCharge = true
    let claimed = storage.claim()
    state.machine.take(over: claimed)
    guard claimed == .instance, let instance = storage.load() else { return }
    state.observed = instance.box.notes
    state.disposal = unsafe home?._withUnsafeGuaranteedRef { $0.disposal(of: instance) }
  }

  /// Thrown by an inline build that cannot go on without suspending: it met a dependency which only an asynchronous caller can
  /// have, or made an instance that only such a caller can complete.
  struct SuspensionNeeded: Error {
    /// What a synchronous caller gets to see of it; by default, that it is the service itself that needs it.
    var error: ResolutionError?
    /// What was made. The next attempt goes on with it, so that a factory runs once.
    var incomplete: Instance?
  }

  // MARK: Getting the instance

  /// What a build does, given its attempt: the factory, then the hooks.
  typealias InlineBuild = (Attempt) throws -> Product
  typealias TaskBuild = @Sendable (Attempt) async throws -> Product

  /// The instance if there is one now; never builds, never waits.
  func existing() -> Instance? {
    storage.readClock()
    return withState { _ in storage.load() }
  }

  // MARK: Arriving

  enum Step: Sendable {
    case value(Instance)
    case build(Attempt)
    case start(Attempt)
    case wait(Attempt)
    case asyncRequired
    case retired
    case closed
  }

  func arrive(
    _ caller: OnceStateMachine.Caller, _ mode: OnceStateMachine.BuildMode
  ) -> (Step, WaiterID) {
    storage.readClock()
    guard let membership else { return arriveNow(caller, mode) }
    return membership.periods.betweenEnds { arriveNow(caller, mode) }
  }

  private func arriveNow(
    _ caller: OnceStateMachine.Caller, _ mode: OnceStateMachine.BuildMode
  ) -> (Step, WaiterID) {
    withState { state in arrive(storage.load(), caller, mode, &state) }
  }

  private func arrive(
    _ existing: Instance?, _ caller: OnceStateMachine.Caller, _ mode: OnceStateMachine.BuildMode,
    _ state: inout State
  ) -> (Step, WaiterID) {
    state.lastWaiter += 1
    let id = state.lastWaiter
    switch state.machine.arrive(id, caller, mode: mode, hasValue: existing != nil) {
    case .value:
      if isHomeClosed { return (.closed, id) }
      return (existing.map(Step.value) ?? .retired, id)
    case .build(let number):
      guard let attempt = begin(number, &state) else { return (.closed, id) }
      return (.build(attempt), id)
    case .start(let number):
      guard let attempt = begin(number, &state, isTask: true) else { return (.closed, id) }
      state.waiters[id] = .reserved
      return (.start(attempt), id)
    case .wait:
      state.waiters[id] = .reserved
      return (attempt(in: &state).map(Step.wait) ?? .retired, id)
    case .asyncRequired: return (.asyncRequired, id)
    case .retired: return (.retired, id)
    }
  }

  /// Nil when the container that would keep the instance is closed.
  private func begin(_ number: OnceStateMachine.AttemptID, _ state: inout State, isTask: Bool = false) -> Attempt? {
    if !beginAtHome() {
      _ = state.machine.finish(number, .abandoned)
      return nil
    }
    let attempt = Attempt(
      identity, binding: binding, number: number, incomplete: state.incomplete, isTask: isTask)
    if state.incomplete != nil {
      attempt.setDisposal(state.incompleteDisposal)
      (state.incomplete, state.incompleteDisposal) = (nil, nil)
    }
    if let observed = state.incompleteObserved { _ = attempt.observed.storeIfNil(observed) }
    state.incompleteObserved = nil
    state.attempt = attempt
    if BuildLog.isAnyKept { BuildLog.current?.note(self, attempt) }
    return attempt
  }

  /// - Returns: false when the container that would keep the instance is closed: then no build begins.
  func beginAtHome() -> Bool { unsafe home?._withUnsafeGuaranteedRef { $0.activity.begin() } ?? true }

  func endAtHome() { unsafe home?._withUnsafeGuaranteedRef { $0.endActivity() } }

  var isHomeClosed: Bool { unsafe home?._withUnsafeGuaranteedRef { $0.isClosed } ?? false }

  var homeOwner: (any LifecycleOwner)? { unsafe home?.takeUnretainedValue().owner }

  private var closed: ResolutionError {
    ResolutionError(.closed, for: identity, path: [identity], container: homeOwner?.name)
  }

  // MARK: Building

  /// The factory and the hooks of an attempt have run.
  ///
  /// - Returns: the outcome for those who wait, and for the caller: a closed container hands nothing out (L1). Nil: the caller has to ask
  ///   anew, as what was built is held (G1), or dropped (G2).
  func finish(
    _ attempt: Attempt, _ result: Result<Product, any Error>, isInline: Bool = false
  ) -> Result<Product, any Error>? {
    let result = isHomeClosed ? .failure(closed) : result
    // A finished attempt takes part in no cycle: said before anybody wakes.
    if attempt.finishUntied() {
      Ending.perform([end(attempt, result, isInline: isInline)]).disposeInBackground(after: Self.end(of: result))
      return result
    }
    var held: WaitGraph.Held?
    if case .success(let product) = result {
      attempt.setProvisional(product.instance)
      held = WaitGraph.Held(attempt, of: self, product)
    }
    switch WaitGraph.conclude(attempt, held) {
    case .held(let isAsynchronous):
      withState { $0.machine.hold(attempt.number, isAsynchronous: isAsynchronous) }
      recall()
      return nil
    case .ends(let isDropped, let others):
      // All of them are published before anybody wakes: whoever has one finds the others.
      var endings = [end(attempt, isDropped ? .failure(Dropped()) : result, isInline: isInline)]
      for (held, isDropped) in others {
        endings.append(held.cell.end(held.attempt, isDropped ? .failure(Dropped()) : .success(held.product)))
      }
      Ending.perform(endings).disposeInBackground(after: isDropped ? .failed(Dropped()) : Self.end(of: result))
      withExtendedLifetime(others) {}
      return isDropped ? nil : result
    }
  }

  /// Something that the instance was made from has failed.
  private struct Dropped: Error, CustomStringConvertible {
    var description: String { "Something that the instance was made from could not be completed." }
  }

  /// What the disposers of what is not kept are told.
  private static func end(of result: Result<Product, any Error>) -> ScopeOutcome {
    switch result {
    case .success, .failure(is SuspensionNeeded): .completed
    case .failure(let error): .failed(error)
    }
  }

  /// Has everybody who waits ask again.
  func recall() {
    let wakeups = withState { state in state.machine.recall().compactMap { settle($0, .retry, &state) } }
    for wakeup in wakeups { wakeup.perform() }
  }

  /// What is still to be done when the instance of an attempt is published, or its failure noted.
  private struct Ending {
    let cell: OnceCell
    let attempt: Attempt
    let result: Result<Product, any Error>
    let wakeups: [Wakeup]
    let dropped: [DroppedInstance]
    /// Of an instance that is not the cell's.
    let disposal: Disposal?
    let isHandedOut: Bool

    /// - Returns: what has to be disposed of.
    static func perform(_ endings: [Ending]) -> [Disposal] {
      for wakeup in endings.flatMap(\.wakeups) { wakeup.perform() }
      return endings.flatMap { $0.cleanUp() }
    }

    private func cleanUp() -> [Disposal] {
      dropped.release()
      if attempt.hasProvisional { attempt.setProvisional(nil) }
      defer { cell.endAtHome() }
      guard let disposal else { return [] }
      return cell.leftOver(disposal, result, isHandedOut: isHandedOut || attempt.isTaken)
    }
  }

  /// Publishes the instance of an attempt, if it is to be kept.
  private func end(
    _ attempt: Attempt, _ result: Result<Product, any Error>, isInline: Bool = false
  ) -> Ending {
    storage.readClock()
    // That of what was held may have been closed meanwhile.
    let result = isHomeClosed ? .failure(closed) : result
    let observed = attempt.observed.load()
    let times = attempt.times
    var disposal = attempt.disposal
    let (wakeups, dropped, isHandedOut) = withState {
      state -> ([Wakeup], [DroppedInstance], Bool) in
      var dropped: [DroppedInstance] = []
      if case .failure(let needed as SuspensionNeeded) = result, state.machine.isAttached(attempt.number) {
        state.incomplete = needed.incomplete
        state.incompleteObserved = needed.incomplete == nil ? nil : observed
        (state.incompleteDisposal, disposal) = (disposal, nil)
      }
      let completion = state.machine.finish(attempt.number, outcome(of: result))
      if completion.publishes, case .success(let product) = result {
        dropped = storage.store(product)
        if let old = state.disposal { dropped.append(.ended(old)) }
        state.builder = attempt.number
        state.times = times
        (state.disposal, disposal) = (disposal, nil)
        if let old = state.observed { dropped.append(.notes(old)) }
        state.observed = observed
      }
      if state.attempt === attempt { state.attempt = nil }
      if state.waiters.isEmpty { return ([], dropped, isInline) }
      let delivered: WaitOutcome =
        switch result {
        case .success(let product): .value(product.instance)
        case .failure(let error): .failure(error)
        }
      let wakeups =
        completion.deliver.compactMap { settle($0, delivered, &state) }
        + completion.retry.compactMap { settle($0, .retry, &state) }
      return (wakeups, dropped, isInline || !completion.deliver.isEmpty)
    }
    return Ending(
      cell: self, attempt: attempt, result: result, wakeups: wakeups, dropped: dropped, disposal: disposal,
      isHandedOut: isHandedOut)
  }

  /// Ends an attempt that has not run.
  func abandon(_ attempt: Attempt) {
    attempt.markFinished()
    let wakeups = withState { state in
      let completion = state.machine.finish(attempt.number, .abandoned)
      if state.attempt === attempt { state.attempt = nil }
      return completion.retry.compactMap { settle($0, .retry, &state) }
    }
    for wakeup in wakeups { wakeup.perform() }
  }

  /// The attempt in progress, if there is one (Q1).
  func attempt(in state: inout State) -> Attempt? {
    if let attempt = state.attempt { return attempt }
    guard let number = state.machine.attempt else { return nil }
    let attempt = Attempt(identity, binding: binding, number: number)
    state.attempt = attempt
    return attempt
  }

  /// What was made has to be disposed of, and is not the cell's.
  ///
  /// - Returns: what has to be disposed of now.
  private func leftOver(
    _ disposal: Disposal, _ result: Result<Product, any Error>, isHandedOut: Bool
  ) -> [Disposal] {
    if case .failure(is Dropped) = result { disposal.discard() }
    // A container that is being closed disposes of all that it has made.
    if disposal.lifecycle.isClosed { return [] }
    guard case .success = result, isHandedOut else { return [disposal] }
    disposal.lifecycle.leave([disposal])
    return []
  }

  private func outcome(of result: Result<Product, any Error>) -> OnceStateMachine.Outcome {
    switch result {
    case .success(let product): storage.keeps(product) ? .value : .unkeptValue
    case .failure(is SuspensionNeeded), .failure(is Dropped): .abandoned
    case .failure: .failure
    }
  }

  /// Gives a waiter its outcome: now, or as soon as it is ready for it.
  func settle(_ id: WaiterID, _ outcome: WaitOutcome, _ state: inout State) -> Wakeup? {
    switch state.waiters[id] {
    case .reserved:
      state.waiters[id] = .settled(outcome)
      return nil
    case .task(let continuation):
      state.removeWaiter(id)
      return unsafe Wakeup(waiter: .task(continuation), outcome: outcome)
    case .thread(let thread):
      state.removeWaiter(id)
      return Wakeup(waiter: .thread(thread), outcome: outcome)
    case .settled, nil:
      return nil
    }
  }
}

extension OnceCell {
  /// What the factory and the hooks of the instance have asked for; nil when there is no instance now, or it is not known.
  var observed: [ServiceIdentity]? {
    storage.readClock()
    // What is loaded of a weakly kept one may be the last reference by now: it goes after the lock.
    let (instance, observed) = withState { (storage.load(), $0.observed) }
    guard instance != nil else { return nil }
    return observed.map(\.all) ?? []
  }

  /// The instance if there is one now, and when it was made, where that is known.
  var kept: (instance: Instance, times: BuildTimes?)? {
    storage.readClock()
    let (instance, times) = withState { (storage.load(), $0.times) }
    return instance.map { ($0, times) }
  }

  /// Whether what the instance was made from stands in these notes.
  func isObserved(in notes: RequestNotes?) -> Bool {
    guard let notes else { return false }
    return state.withLock { $0.observed === notes }
  }
}
