internal import Synchronization

/// When an instance was made, and in how long.
struct BuildTimes: Sendable {
  let end: ContinuousClock.Instant
  let duration: Duration
}

/// One run of a kept service's factory and hooks.
final class Attempt: Sendable {
  /// Unique in the process.
  let id: UInt64
  /// What is being built, for paths.
  let identity: ServiceIdentity
  /// The address of the binding that is being built; 0 for a ``Lazy``, which is no service of its own: what it resolves is.
  private let binding: UInt
  /// The number of the attempt in its cell's state machine.
  let number: OnceStateMachine.AttemptID

  /// The instances made in it that are told when the call of whoever gets the result has ended.
  let awareInstances = LazyReference<AwareInstances>()

  /// What the factory and the hooks ask for.
  let observed = LazyReference<RequestNotes>()

  /// Whether a task runs it, rather than the thread of a caller.
  let isTask: Bool

  private let flags = Atomic<UInt8>(0)
  private let state = Lock(State())

  private enum Flag {
    static var finished: UInt8 { 1 }
    /// It may have a provisional instance.
    static var provisional: UInt8 { 2 }
    /// Others are tied to it.
    static var taken: UInt8 { 4 }
    /// It is tied to others.
    static var tied: UInt8 { 8 }
    /// Its factory and its hooks have run.
    static var held: UInt8 { 16 }
  }

  private struct State: Sendable {
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
    incomplete: Instance? = nil, isTask: Bool = false
  ) {
    id = Self.lastID.add(1, ordering: .relaxed).newValue
    self.identity = identity
    self.binding = binding
    self.number = number
    self.isTask = isTask
    if incomplete != nil { state.withLock { $0.incomplete = incomplete } }
  }

  var isLazy: Bool { binding == 0 }

  /// The slot or frame at which the attempt's part of a chain begins: its binding, or a mark of its own.
  var slot: UInt {
    isLazy ? UInt(bitPattern: unsafe Unmanaged.passUnretained(self).toOpaque()) | 1 : binding
  }

  /// Whether the attempt is over. A chain that starts in a finished attempt is a chain of its own.
  var isFinished: Bool { has(Flag.finished) }
  func markFinished() { flags.bitwiseOr(Flag.finished, ordering: .acquiringAndReleasing) }

  private func has(_ flag: UInt8) -> Bool { flags.load(ordering: .acquiring) & flag != 0 }

  /// Marks the attempt as finished, if it is tied to nothing and nothing to it; see ``WaitGraph``.
  ///
  /// - Returns: false if it is: then it has not been marked.
  func finishUntied() -> Bool {
    var found = flags.load(ordering: .acquiring)
    while found & (Flag.taken | Flag.tied) == 0 {
      let (isDone, now) = flags.compareExchange(
        expected: found, desired: found | Flag.finished, ordering: .acquiringAndReleasing)
      if isDone { return true }
      found = now
    }
    return false
  }

  /// Others have its instance, though it has not ended.
  var isTaken: Bool { has(Flag.taken) }

  /// Notes that another attempt is going to be tied to it.
  ///
  /// - Returns: false where it has ended.
  func beTaken() -> Bool { mark(Flag.taken) }

  /// Notes that it is going to be tied to another one.
  ///
  /// - Returns: false where it has ended.
  func beTied() -> Bool { mark(Flag.tied) }

  private func mark(_ flag: UInt8) -> Bool {
    flags.bitwiseOr(flag, ordering: .acquiringAndReleasing).oldValue & Flag.finished == 0
  }

  /// Whether its factory and its hooks have run, though it has not ended yet.
  var isHeld: Bool { has(Flag.held) }
  func markHeld() { flags.bitwiseOr(Flag.held, ordering: .acquiringAndReleasing) }

  /// The instance between factory and hooks: what a hook sees that leads back to this service.
  var provisional: Instance? { state.withLock { $0.provisional } }

  /// Whether an instance was ever set: the lock can wait until it is needed.
  var hasProvisional: Bool { has(Flag.provisional) }

  func setProvisional(_ instance: Instance?) {
    flags.bitwiseOr(Flag.provisional, ordering: .acquiringAndReleasing)
    // The old one may be the last reference to what a hook has failed on: it goes after the lock.
    _ = state.withLock { state in
      let old = state.provisional
      state.provisional = instance
      return old
    }
  }

  /// The end of the instance that it has made, if that has to be disposed of.
  var disposal: Disposal? { state.withLock { $0.disposal } }

  func setDisposal(_ disposal: Disposal?) {
    state.withLock { $0.disposal = disposal }
  }

  /// When the instance was made; nil where nobody wanted to be told.
  var times: BuildTimes? { state.withLock { $0.times } }

  func setTimes(_ times: BuildTimes) { state.withLock { $0.times = times } }

  /// What an earlier attempt made but could not complete; see ``OnceCell/SuspensionNeeded``. To be taken once.
  func takeIncomplete() -> Instance? {
    state.withLock { state in
      let instance = state.incomplete
      state.incomplete = nil
      return instance
    }
  }

  // MARK: The task that builds

  /// Makes the attempt answer to `cancel` and `escalate`; both may have been asked for already.
  func run(in task: Task<Void, Never>) {
    let (isCancelled, priority) = state.withLock { state in
      state.task = task
      return (state.isCancelled, state.priority)
    }
    if isCancelled { task.cancel() }
    if let priority { Self.escalate(task, to: priority) }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  /// Lets the task run at `priority` at least.
  func escalate(to priority: TaskPriority) {
    let task: Task<Void, Never>? = state.withLock { state in
      if let highest = state.priority, highest >= priority { return nil }
      state.priority = priority
      return state.task
    }
    if let task { Self.escalate(task, to: priority) }
  }

  /// Waits until the task has ended; at once for a build without one.
  func waitForTask() async { await state.withLock { $0.task }?.value }

  private static func escalate(_ task: Task<Void, Never>, to priority: TaskPriority) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      task.escalatePriority(to: priority)
    }
  }
}

extension Attempt {
  func note(_ identity: ServiceIdentity) { observed.made.note(identity) }

  func note(allOf others: [ServiceIdentity]?) { observed.made.note(allOf: others) }

  /// What this attempt asks for, another one does: a ``Lazy`` is no service of its own, and a `.graph` service is part of what it is made
  /// for.
  func note(in other: Attempt) { _ = observed.storeIfNil(other.observed.made) }
}
