@testable import ActorDI

/// How a binding gets its one instance: `InstanceHolder` with its marks, `LazyReference`, `OnceCell` with its waiters,
/// `Attempt`, `Binding.buildUncontended`, `Binding.retire`. The decisions are made by the real `OnceStateMachine`.
///
/// A critical section of the cell is one step: besides the cell, it accesses only the holder's word. The model complains if
///
/// - a caller gets an instance that may be incomplete for it;
/// - a caller that knows of the end of a reset gets an instance made from data of before the reset;
/// - a build begins while another one runs, or while there is an instance;
/// - a waiter gets no outcome, or two;
/// - a retired binding keeps an instance.
struct OnceModel: ConcurrentModel {
  enum Thread: Hashable, Sendable {
    /// A synchronous resolve that goes to the cell at once. It builds inline, or blocks.
    case blocking
    /// A resolve that may build uncontended, by a mark in the holder, until another thread makes the cell.
    case alone(Extra = .nothing)
    /// A resolve that may build uncontended and begins after the reset has ended.
    case aloneAfterReset(by: Int)
    /// An asynchronous resolve of a service that a task builds. The task is the worker, another thread of the model.
    case suspending(worker: Int)
    /// A synchronous resolve that begins after the reset has ended.
    case blockingAfterReset(by: Int)
    /// A task that builds. If it does not end by itself, it ends when it is cancelled.
    case worker(endsByItself: Bool)
    /// A thread that cancels the task of a caller.
    case canceller(of: Int)
    /// `Closing.waitForBuilds`, of a container with a build in flight: cancels the attempt regardless of its waiters.
    case closer
    /// A thread that changes the data that factories read, then calls `InstanceHolder.forgetInstance`.
    case resetter
    /// A thread that unlinks the binding, then calls `Binding.retire`.
    case retirer
    /// The last user of the instance that is shown weakly.
    case user
  }

  /// What an uncontended build needs besides its mark.
  enum Extra: Hashable, Sendable {
    case nothing
    /// An attempt, since the factory takes the slow path: `makeAttempts`.
    case attempt
  }

  let threads: [Thread]
  /// Whether a build may fail.
  let mayFail: Bool
  /// Whether the instance is kept weakly.
  let isWeak: Bool
  let weakening: OnceWeakening?
  private let layout: WeakMemory.Layout

  init(_ threads: [Thread], mayFail: Bool = false, without weakening: OnceWeakening? = nil) {
    self.threads = threads
    self.mayFail = mayFail
    isWeak = threads.contains(.user)
    self.weakening = weakening
    layout = WeakMemory.Layout(threads: threads.count, locks: 3, capacities: [3, 10, 3], marks: 12)
  }

  // MARK: Locations and marks

  static let snapshot = 0
  static let holder = 1
  static let lazyCell = 2
  /// Guards the data that factories read. The other locks are those of the cells.
  static let configurationLock = 0

  /// The values of the holder's word: a mark, or an instance.
  enum Word {
    static let free = 0
    static let building = 1
    static let inCell = 2
    static func showing(_ instance: Int) -> Int { Self.inCell + instance }
    /// The instance that a word shows; 0 for a mark.
    static func instance(_ word: Int) -> Int { max(word - Self.inCell, 0) }
  }

  /// The instance that a word shows and that is alive; 0 for none.
  func living(_ word: Int, _ state: State) -> Int {
    let instance = Word.instance(word)
    return state.dead & 1 << UInt16(instance) == 0 ? instance : 0
  }

  func making(_ instance: Int) -> Int { instance - 1 }
  func makingCell(_ cell: Int) -> Int { 9 + cell }

  // MARK: State

  struct State: Hashable, Sendable {
    var memory: WeakMemory
    var frames: [Frame]
    var cells = [Cell(), Cell()]
    var attempts: [Attempt] = []
    var lastCell = 0
    var lastInstance = 0
    /// The attempt of the uncontended build in progress.
    var alone = 0
    /// The number of builds in progress.
    var underWay = 0
    /// Whether the data that factories read has changed.
    var isChanged = false
    /// The set of instances made from the old data, one bit each.
    var old: UInt16 = 0
    /// The set of weakly kept instances whose last user has released them, one bit each.
    var dead: UInt16 = 0
    /// Whether the newest word of the holder is one that the cell has stored or claimed. A flag of the word itself.
    var isOfCell = false
  }

  struct Cell: Hashable, Sendable {
    var machine = OnceStateMachine()
    var waiters: [UInt64: Waiter] = [:]
    var attempt: Int?
    var isInCharge = false

    func hash(into hasher: inout Hasher) {
      if case .building(let build) = machine.state { hasher.combine(build.joined) }
      hasher.combine(waiters.count)
      hasher.combine(attempt)
      hasher.combine(isInCharge)
    }
  }

  enum Waiter: Hashable, Sendable { case reserved, waiting, answered(Outcome) }

  /// A build. A build without a cell has no number yet.
  struct Attempt: Hashable, Sendable {
    var cell = 0
    var number: UInt64 = 0
    let instance: Int
    var isCancelled = false
    var hasTask = false
    var isTaskCancelled = false
  }

  enum Outcome: Hashable, Sendable { case value(Int), failure, retry, cancelled }

  struct Wakeup: Hashable, Sendable {
    let thread: Int
    let outcome: Outcome
  }

  struct Frame: Hashable, Sendable {
    var at: Point
    var isInHandler = false
    var isCancelled = false
    var knowsReset = false
    var cell = 0
    var round: UInt64 = 0
    var attempt = 0
    /// Whether the frame's build is an uncontended one, or began as one.
    var isUncontended = false
    /// The word that the frame's build is to replace.
    var released = 0
    /// The step to take once the cell has been found or made.
    var then = Point.done
    var outcome: Outcome?
    var wakeups: [Wakeup] = []
  }

  enum Point: Hashable, Sendable {
    // Steps of a caller.
    case find, hit, cell, makeCell, arrive, build, finish, wake, start, runTask, enter, reserve, park, asleep, awake
    // Steps of an uncontended build.
    case beginUncontended, beginInsteadOfReleased, makeAttempt, finishUncontended, abandonUncontended, attemptInFlight
    // Steps of a worker.
    case idle, work, finishWork, wakeFromWork
    // Steps of the other threads.
    case cancel, leave, wakeCancelled, close, cancelAttempt, change, reset, look, unlink, retireCell, forget, drop
    case done
  }

  var initial: State {
    State(
      memory: WeakMemory(layout, initially: [1, 0, 0]),
      frames: threads.map { thread in
        switch thread {
        case .blocking, .alone, .aloneAfterReset, .suspending, .blockingAfterReset: Frame(at: .find)
        case .worker: Frame(at: .idle)
        case .canceller: Frame(at: .cancel)
        case .closer: Frame(at: .close)
        case .resetter: Frame(at: .change)
        case .retirer: Frame(at: .unlink)
        case .user: Frame(at: .drop)
        }
      })
  }

  var threadNames: [String] {
    threads.enumerated().map { number, thread in
      switch thread {
      case .blocking, .alone, .aloneAfterReset, .blockingAfterReset: "thread \(number + 1)"
      case .suspending: "task \(number + 1)"
      case .worker: "build task \(number + 1)"
      case .canceller(let caller): "canceller of task \(caller + 1)"
      case .closer: "shutdown"
      case .resetter: "reset"
      case .retirer: "unregister"
      case .user: "user"
      }
    }
  }

  func isFinished(_ thread: Int, in state: State) -> Bool {
    state.frames[thread].at == .done || state.frames[thread].at == .idle
  }

  func complaint(atEnd state: State) -> String? {
    let word = state.memory.newest(Self.holder)
    if word == Word.building { return "the holder reports a running build for ever" }
    let kept = Word.instance(word)
    if kept != 0, threads.contains(.retirer) { return "the retired binding keeps instance \(kept)" }
    for cell in state.cells.prefix(state.lastCell) {
      if !cell.waiters.isEmpty { return "a waiter is left in the cell" }
      if case .building = cell.machine.state { return "the cell is building for ever" }
    }
    return nil
  }

  func step(_ thread: Int, _ state: inout State, _ move: inout Move) {
    let before = state.frames[thread].at
    switch threads[thread] {
    case .blocking, .alone, .aloneAfterReset, .suspending, .blockingAfterReset: call(thread, &state, &move)
    case .worker: work(thread, &state, &move)
    case .canceller(let caller): cancel(caller, thread, &state, &move)
    case .closer: close(thread, &state, &move)
    case .resetter, .retirer: end(thread, &state, &move)
    case .user: drop(thread, &state, &move)
    }
    if move.isBlocked { return }
    precondition(before != state.frames[thread].at || !move.choices.isEmpty || before == .asleep)
    state.memory.tidy(readers: threads.indices.filter { !isFinished($0, in: state) })
  }

  func lacks(_ weakening: OnceWeakening) -> Bool { self.weakening == weakening }
}
