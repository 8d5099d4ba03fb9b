internal import Synchronization

/// The end and the duration of the build that made an instance.
struct BuildTimes: Sendable {
  let end: ContinuousClock.Instant
  let duration: Duration
}

/// The shared state of one build: one run of a kept service's factory and hooks.
///
/// `@unchecked Sendable` like its superclass; its own fields are immutable, atomic or under a lock.
final class Attempt: ListedBuild, @unchecked Sendable {
  /// The build's number, unique in the process.
  let id: UInt64
  /// The service under construction, for dependency paths.
  let identity: ServiceIdentity
  /// The address of the binding under construction; 0 for a ``Lazy``, which has no binding of its own.
  private let binding: UInt
  /// The build's number in the state machine of its cell.
  let number: OnceStateMachine.AttemptID

  /// The ``ResolutionAware`` instances made during the build, which are notified when the outermost resolve call ends.
  let awareInstances = LazyReference<AwareInstances>()

  /// The requests of the factory and the hooks.
  let notes = LazyReference<RequestNotes>()

  /// Whether a task runs the build, rather than the calling thread.
  let isTask: Bool
  /// The run that this build continues, if its beginning was reported to observers; see ``OnceCell/SuspensionNeeded``.
  let suspended: ObservedRun?

  private let flags = Atomic<UInt8>(0)
  private let state = Lock(State())

  private static var finished: UInt8 { 1 }
  /// Other builds are tied to this one.
  private static var taken: UInt8 { 2 }
  /// The build is tied to others.
  private static var tied: UInt8 { 4 }
  /// The factory and the hooks have run.
  private static var held: UInt8 { 8 }

  private struct State: ~Copyable {
    var provisional: Instance?
    var incomplete: Instance?
    var task: Task<Void, Never>?
    var isCancelled = false
    var priority: TaskPriority?
    var disposal: Disposal?
    var times: BuildTimes?
  }

  private static let lastID = Atomic<UInt64>(0)

  init(
    _ identity: ServiceIdentity, binding: UInt, number: OnceStateMachine.AttemptID,
    continuing unfinished: OnceCell.Unfinished? = nil, isTask: Bool = false
  ) {
    id = Self.lastID.add(1, ordering: .relaxed).newValue
    self.identity = identity
    self.binding = binding
    self.number = number
    self.isTask = isTask
    suspended = unfinished?.run
    super.init()
    guard let unfinished, let instance = unfinished.instance else { return }
    state.withLock { state in
      state.incomplete = instance
      state.disposal = unfinished.disposal
    }
    if let earlier = unfinished.notes { _ = notes.storeIfNil(earlier) }
  }

  override var service: ServiceIdentity? { identity }

  var isLazy: Bool { binding == 0 }

  /// The slot value at which the build's part of a chain begins: the address of the binding or, for a ``Lazy``, a mark.
  var slot: UInt { isLazy ? UInt(bitPattern: unsafe Unmanaged.passUnretained(self).toOpaque()) | 1 : binding }

  /// Whether the build has ended. A chain that starts in a finished build is independent of it.
  var isFinished: Bool { has(Self.finished) }
  func markFinished() { flags.bitwiseOr(Self.finished, ordering: .acquiringAndReleasing) }

  private func has(_ flag: UInt8) -> Bool { flags.load(ordering: .acquiring) & flag != 0 }

  /// Marks the build as finished unless it is tied to another build, or another build to it; see ``WaitGraph``.
  ///
  /// - Returns: False if there are ties; the build is then not marked.
  func finishUntied() -> Bool {
    var found = flags.load(ordering: .acquiring)
    while found & (Self.taken | Self.tied) == 0 {
      let (isDone, now) = flags.compareExchange(
        expected: found, desired: found | Self.finished, ordering: .acquiringAndReleasing)
      if isDone { return true }
      found = now
    }
    return false
  }

  /// Whether another build has taken the instance before this build ended.
  var isTaken: Bool { has(Self.taken) }

  /// Marks that another build is about to be tied to this one.
  ///
  /// - Returns: False if this build has already ended.
  func markTaken() -> Bool { mark(Self.taken) }

  /// Marks that this build is about to be tied to another one.
  ///
  /// - Returns: False if this build has already ended.
  func markTied() -> Bool { mark(Self.tied) }

  private func mark(_ flag: UInt8) -> Bool {
    flags.bitwiseOr(flag, ordering: .acquiringAndReleasing).oldValue & Self.finished == 0
  }

  /// Whether the factory and the hooks have run but the build has not ended.
  var isHeld: Bool { has(Self.held) }
  func markHeld() { flags.bitwiseOr(Self.held, ordering: .acquiringAndReleasing) }

  /// The instance while its hooks run. A hook that leads back to this service gets it.
  var provisional: Instance? { state.withLock { $0.provisional } }

  func setProvisional(_ instance: Instance?) {
    // The old instance may hold the last reference to other objects, whose `deinit` is user code. So it is released after the lock.
    _ = state.withLock { exchange(&$0.provisional, with: instance) }
  }

  /// The disposal of the instance that the build has made, if the instance needs one.
  var disposal: Disposal? { state.withLock { $0.disposal } }

  func setDisposal(_ disposal: Disposal?) { state.withLock { $0.disposal = disposal } }

  /// The times of the build; nil if nothing observed it.
  var times: BuildTimes? { state.withLock { $0.times } }

  func setTimes(_ times: BuildTimes) { state.withLock { $0.times = times } }

  /// Takes the instance that an earlier build made but could not complete; see ``OnceCell/SuspensionNeeded``. Later calls return nil.
  func takeIncomplete() -> Instance? { state.withLock { exchange(&$0.incomplete, with: nil) } }

  // MARK: The build's task

  /// Connects the build to its task, and forwards an earlier `cancel` or `escalate`.
  func run(in task: Task<Void, Never>) {
    let (isCancelled, priority) = state.withLock { state in
      state.task = task
      return (state.isCancelled, state.priority)
    }
    if isCancelled { task.cancel() }
    if let priority { Self.escalate(task, to: priority) }
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
      if let highest = state.priority, highest >= priority { return nil }
      state.priority = priority
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

  /// Notes this build's requests in another build, too.
  ///
  /// Used for a ``Lazy``, which is not a service, and for a `.graph` service, which is part of the service that requests it.
  func note(in other: Attempt) { _ = notes.storeIfNil(other.ownNotes) }
}

/// A run of a factory whose beginning has been reported to observers.
struct ObservedRun: Sendable {
  /// The number of the build.
  let id: UInt64
  /// The number of the build that requested this one; 0 for none.
  let parent: UInt64
  /// The time at which the build began, or at which a later caller continued it.
  var began: ContinuousClock.Instant
  /// The duration before the build was continued.
  var earlier = Duration.zero

  func duration(to end: ContinuousClock.Instant) -> Duration { earlier + began.duration(to: end) }
}
