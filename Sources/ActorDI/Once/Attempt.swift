internal import Synchronization

/// The shared state of one build: one run of a kept service's factory and hooks.
///
/// Its parts are set in this order, by the thread or the task that runs the build unless the list names another:
///
/// - by the cell, which makes the attempt: the incomplete instance, disposal and notes of an unfinished build that this one continues;
/// - while the factory runs: the notes, the instances to notify, and the life of an instance that it wraps;
/// - after the factory: the disposal, and those of the unkept instances that have taken the instance of an unfinished build;
/// - while the hooks run: the provisional instance, the flags of the current hook, and the build that it must wait for;
/// - by other builds, through the ``WaitGraph``: the ties, the rests that wait for this build, and the failure of a part;
/// - by callers, at any time: the cancellation and the priority of the task, and the calls that wait for the build;
/// - by the cell, at the end: `finished`. The cell then takes the disposals, and clears the provisional instance.
///
/// `@unchecked Sendable` like its superclass; its own fields are immutable, atomic or under a lock.
final class Attempt: ListedBuild, @unchecked Sendable {
  /// The build's number, unique in the process.
  let id: UInt64
  /// The binding under construction; nil for a ``Lazy``, which has no binding of its own.
  private let binding: BindingID?
  /// The build's number in the state machine of its cell.
  let number: OnceStateMachine.AttemptID

  /// The ``ResolutionAware`` instances made during the build, which are notified when the outermost resolve call ends.
  let awareInstances = LazyReference<AwareInstances>()

  /// The requests of the factory and the hooks.
  let notes = LazyReference<RequestNotes>()

  /// Whether a task runs the build, rather than the calling thread.
  let isTask: Bool
  /// The run that this build continues, if its beginning was reported to observers; see ``OnceCell/SuspensionNeeded``.
  let continuedRun: ObservedRun?

  private let flags = Atomic<UInt16>(0)
  private let state = Lock(State())

  /// What has happened in a build so far.
  struct Flags: OptionSet, Sendable {
    let rawValue: UInt16

    /// The build has ended. A chain that starts in a finished build is independent of it.
    static var finished: Flags { Flags(rawValue: 1) }
    /// Another build has taken the instance before this one ended, or is about to.
    static var taken: Flags { Flags(rawValue: 2) }
    /// This build has taken the instance of another one, or is about to, and is tied to it.
    static var tied: Flags { Flags(rawValue: 4) }
    /// The factory and the hooks have run, but the build has not ended.
    static var held: Flags { Flags(rawValue: 8) }
    /// Code has run after the factory: the instance's own initialisation, or a hook.
    static var pastFactory: Flags { Flags(rawValue: 16) }
    /// The current hook is an injection, which runs or waits for another build.
    static var injecting: Flags { Flags(rawValue: 32) }
    /// Builds that have waited for this one run their rest.
    static var resuming: Flags { Flags(rawValue: 64) }
    /// A request of this build has failed so that an injection around it can wait (G4). The failure is not for other callers.
    static var yielding: Flags { Flags(rawValue: 128) }
    /// An injection has begun.
    static var injected: Flags { Flags(rawValue: 256) }
    /// The end of the build waits for a task.
    static var endsInTask: Flags { Flags(rawValue: 512) }
  }

  private struct State: ~Copyable {
    var provisional: Instance?
    var incomplete: Instance?
    /// The build that the current injection must wait for (G4).
    var awaited: Attempt?
    /// The builds whose rest waits for this one (G4), in order of their beginning.
    var postponed: [PostponedBuild] = []
    /// Whether no rest may wait for this build any more, because it has run.
    var hasRun = false
    /// The failure of a build whose instance this one has taken, directly or through others.
    var failureOfPart: (any Error)?
    /// The suspended calls that wait for this build.
    var waitingCalls: [OnceCell.WaiterID: WaitingCall] = [:]
    var task: Task<Void, Never>?
    var isCancelled = false
    /// The highest priority of a caller. The raw value, because the size of `TaskPriority` is unknown at compile time; see ``Moment``.
    var priority: TaskPriority.RawValue?
    var disposal: Disposal?
    /// The disposals of further instances; see ``disposals``.
    var furtherDisposals: [Disposal] = []
    /// The bindings whose unkept instances, under construction in this build, have taken the instance of an unfinished build.
    var unkeptTakers: Set<BindingID> = []
    var times: BuildTimes?
    /// See ``Attempt/life``.
    var life: Life?
  }

  private static let lastID = Atomic<UInt64>(0)

  init(
    _ identity: ServiceIdentity, binding: BindingID?, number: OnceStateMachine.AttemptID,
    continuing unfinished: OnceCell.Unfinished? = nil, isTask: Bool = false
  ) {
    id = Self.lastID.add(1, ordering: .relaxed).newValue
    self.binding = binding
    self.number = number
    self.isTask = isTask
    continuedRun = unfinished?.run
    super.init(identity)
    guard let unfinished, let instance = unfinished.instance else { return }
    state.withLock { state in
      state.incomplete = instance
      state.disposal = unfinished.disposal
      state.life = unfinished.life
    }
    if let earlier = unfinished.notes { _ = notes.storeIfNil(earlier) }
  }

  var isLazy: Bool { binding == nil }

  /// The slot at which the build's part of a chain begins: that of the binding or, for a ``Lazy``, a mark.
  var slot: HazardSlot { binding?.step ?? HazardSlot(marking: self) }

  private var current: Flags { Flags(rawValue: flags.load(ordering: .acquiring)) }

  func has(_ flag: Flags) -> Bool { current.contains(flag) }

  /// Sets flags.
  ///
  /// - Returns: The flags before.
  @discardableResult
  func set(_ new: Flags) -> Flags {
    Flags(rawValue: flags.bitwiseOr(new.rawValue, ordering: .acquiringAndReleasing).oldValue)
  }

  private func clear(_ old: Flags) { flags.bitwiseAnd(~old.rawValue, ordering: .acquiringAndReleasing) }

  /// Marks the build as finished unless it is tied to another build, or another build to it; see ``WaitGraph``.
  ///
  /// - Returns: False if there are ties; the build is then not marked.
  func finishUntied() -> Bool {
    var found = current
    while found.isDisjoint(with: [.taken, .tied]) {
      let (isDone, now) = flags.compareExchange(
        expected: found.rawValue, desired: found.union(.finished).rawValue, ordering: .acquiringAndReleasing)
      if isDone { return true }
      found = Flags(rawValue: now)
    }
    return false
  }

  /// Marks the build as about to be tied to another one, or another one to it.
  ///
  /// - Returns: False if the build has already ended.
  func setUnlessFinished(_ tie: Flags) -> Bool { !set(tie).contains(.finished) }

  /// Whether the build may end only after a task has run, so that no thread may block until its end.
  var endsInTask: Bool { isTask || has(.endsInTask) }

  /// The instance while its hooks run. A hook that leads back to this service gets it.
  var provisional: Instance? { state.withLock { $0.provisional } }

  func setProvisional(_ instance: Instance?) {
    // The old instance may hold the last reference to other objects, whose `deinit` is user code. So it is released after the lock.
    _ = state.withLock { exchange(&$0.provisional, with: instance) }
  }

  // MARK: Hooks

  /// Whether the build is that of a binding, and runs a hook that is no injection.
  func isInOtherHook(of binding: BindingID) -> Bool { self.binding == binding && has(.pastFactory) && !has(.injecting) }

  /// Whether a waiter may get the instance although the build continues: an injection runs, or the rest of another build.
  var isOpen: Bool { !current.isDisjoint(with: [.injecting, .resuming]) }

  /// Shows the instance to the next hook.
  func show(_ instance: Instance, toInjection isInjection: Bool) {
    setProvisional(instance)
    _ = takeAwaited()
    if isInjection {
      set([.pastFactory, .injecting, .injected])
    } else {
      set(.pastFactory)
      clear(.injecting)
    }
  }

  // MARK: Postponed builds

  /// Notes that the current injection must wait for another build (G4).
  func mustWait(for other: Attempt) { state.withLock { if $0.awaited == nil { $0.awaited = other } } }

  /// The failure with which the builds that have taken the instance fail, too, if this build fails with an error; nil if they are dropped.
  ///
  /// Dropped builds ask again. If an injection has let them take the instance before its hooks were done, they would do so again and again.
  func failureForTakers(_ error: any Error) -> (any Error)? {
    if error is OnceCell.SuspensionNeeded || error is OnceCell.Dropped { return nil }
    return has(.injected) && !state.withLock({ $0.isCancelled }) ? error : nil
  }

  /// The failure of a build whose instance this one has taken, if this one fails with it.
  var failureOfPart: (any Error)? { state.withLock { $0.failureOfPart } }

  func fail(with error: any Error) { state.withLock { if $0.failureOfPart == nil { $0.failureOfPart = error } } }

  /// Takes the build that the current injection must wait for, if there is one.
  func takeAwaited() -> Attempt? { state.withLock { exchange(&$0.awaited, with: nil) } }

  /// Lists a build whose rest waits for this one.
  ///
  /// - Returns: False if this build has run already.
  func postpone(_ build: PostponedBuild) -> Bool {
    state.withLock { state in
      if !state.hasRun { state.postponed.append(build) }
      return !state.hasRun
    }
  }

  /// The builds whose rest waits for this one.
  var postponed: [PostponedBuild] { state.withLock { $0.postponed } }

  /// Takes the next build whose rest waits for this one, which has run. If there is none, none is listed from now on.
  func takePostponed() -> PostponedBuild? {
    state.withLock { state in
      state.hasRun = state.postponed.isEmpty
      return state.hasRun ? nil : state.postponed.removeFirst()
    }
  }

  /// Shows the instance to the builds whose rest has waited for it.
  func resumeOthers(with instance: Instance) {
    setProvisional(instance)
    set(.resuming)
  }

  // MARK: Waiting calls

  /// The suspended calls that wait for the build.
  var waitingCalls: [WaitingCall] { state.withLock { Array($0.waitingCalls.values) } }

  func add(_ call: WaitingCall, of waiter: OnceCell.WaiterID) { state.withLock { $0.waitingCalls[waiter] = call } }

  func removeCall(of waiter: OnceCell.WaiterID) {
    // Released after the lock.
    _ = state.withLock { $0.waitingCalls.removeValue(forKey: waiter) }
  }

  // MARK: Results

  /// The disposal of the instance that the build has made, if the instance needs one.
  var disposal: Disposal? { state.withLock { $0.disposal } }

  func setDisposal(_ disposal: Disposal?) { state.withLock { $0.disposal = disposal } }

  /// Takes the disposal, once the build has ended, and drops the others. They hold instances, which may hold a resolver with the attempt.
  ///
  /// - Returns: The disposal, and the times of the build; nil if there is none, or if nothing observed it.
  func takeResults() -> (disposal: Disposal?, times: BuildTimes?) {
    let (disposal, further, times) = state.withLock { state in
      (exchange(&state.disposal, with: nil), exchange(&state.furtherDisposals, with: []), state.times)
    }
    // Released after the lock.
    withExtendedLifetime(further) {}
    return (disposal, times)
  }

  /// The disposals that are numbered anew at the end of the build: that of its instance, that of a pooled instance beside its return, and
  /// those of unkept instances that have taken the instance of an unfinished build.
  var disposals: [Disposal] { state.withLock { $0.furtherDisposals + ($0.disposal.map { [$0] } ?? []) } }

  /// Adds the disposal of a pooled instance beside its return, which is the build's own disposal.
  func addDisposal(ofPooled disposal: Disposal) { state.withLock { $0.furtherDisposals.append(disposal) } }

  /// Notes that unkept instances, which are under construction in this build, have taken the instance of an unfinished build.
  func noteUnkeptTakers(_ bindings: [BindingID]) { state.withLock { $0.unkeptTakers.formUnion(bindings) } }

  /// Adds the disposal of an unkept instance, which is complete now, if it has taken the instance of an unfinished build.
  func addDisposal(_ disposal: Disposal, ofUnkept binding: BindingID) {
    state.withLock { if $0.unkeptTakers.remove(binding) != nil { $0.furtherDisposals.append(disposal) } }
  }

  func setTimes(_ times: BuildTimes) { state.withLock { $0.times = times } }

  /// The life of the instance, if it has a time to live. That of a wrapper is the life of the instance that it wraps.
  var life: Life? { state.withLock { $0.life } }

  /// Notes the life of the instance, or of the first one with a time to live that the build takes: the one that it wraps, if it is the
  /// build of a wrapper. Builds of other services ignore it.
  func noteLife(_ life: Life) { state.withLock { if $0.life == nil { $0.life = life } } }

  /// Takes the instance that an earlier build made but could not complete; see ``OnceCell/SuspensionNeeded``. Later calls return nil.
  func takeIncomplete() -> Instance? { state.withLock { exchange(&$0.incomplete, with: nil) } }

  // MARK: The build's task

  /// Connects the build to its task, and forwards an earlier `cancel` or `escalate`.
  func connect(to task: Task<Void, Never>) {
    let (isCancelled, priority) = state.withLock { state in
      state.task = task
      return (state.isCancelled, state.priority)
    }
    if isCancelled { task.cancel() }
    if let priority { Self.escalate(task, to: TaskPriority(rawValue: priority)) }
  }

  /// Cancels the build's task, now or as soon as it has one.
  override func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  /// Raises the task's priority to `priority` or above.
  func escalate(to priority: TaskPriority) {
    let task: Task<Void, Never>? = state.withLock { state in
      if let highest = state.priority, highest >= priority.rawValue { return nil }
      state.priority = priority.rawValue
      return state.task
    }
    if let task { Self.escalate(task, to: priority) }
  }

  /// Waits until the task has ended. Returns at once for a build without a task.
  func waitForTask() async { await state.withLock { $0.task }?.value }

  private static func escalate(_ task: Task<Void, Never>, to priority: TaskPriority) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { task.escalatePriority(to: priority) }
  }
}

extension Attempt {
  private var ownNotes: RequestNotes { notes.load(orStore: RequestNotes()) }

  func note(_ identity: ServiceIdentity) { ownNotes.note(identity) }

  func note(allOf others: [ServiceIdentity]?) { ownNotes.note(allOf: others) }

  /// Shares the notes of another build, so that this build's requests are noted in both. Has no effect if this build has notes already.
  ///
  /// Used for a ``Lazy``, which is not a service, and for a `.graph` service, which is part of the service that requests it.
  func shareNotes(of other: Attempt) { _ = notes.storeIfNil(other.ownNotes) }
}
