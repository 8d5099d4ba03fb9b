@testable import ActorDI

/// How a binding gets its one instance: `InstanceHolder` with its marks, `LazyReference`, `OnceCell` with its waiters, `Attempt`,
/// `Binding.buildAlone`, `Binding.retire`. The decisions are those of the real `OnceStateMachine`.
///
/// A critical section of the cell is one step: besides the cell it touches the holder's word. The model complains of
///
/// - a caller that gets an instance which is not complete for it;
/// - a caller that knows of the end of a reset, and gets an instance made of what was there before the reset;
/// - a build that begins beside another one, or while there is an instance;
/// - a waiter that gets no outcome, or two;
/// - a retired binding that keeps an instance.
struct OnceModel: ConcurrentModel {
  enum Thread: Hashable, Sendable {
    /// A synchronous resolve by the cell: builds inline, or blocks.
    case blocking
    /// A resolve that may build uncontended: by a mark in the holder, until a second party makes the cell.
    case alone(Extra = .nothing)
    /// The same, begun by a caller that has waited for the end of the reset.
    case aloneAfterReset(by: Int)
    /// An asynchronous one of a service that a task builds: the worker, another thread of the model.
    case suspending(worker: Int)
    /// A synchronous resolve, begun by a caller that has waited for the end of the reset.
    case blockingAfterReset(by: Int)
    /// A task that builds; one that never ends of itself ends when it is cancelled.
    case worker(endsByItself: Bool)
    /// Cancels the task of a caller.
    case canceller(of: Int)
    /// `Closing.waitForBuilds`, of a container that builds something: cancels the attempt, whoever waits for it.
    case closer
    /// Changes what factories read, then `InstanceHolder.forgetInstance`.
    case resetter
    /// Unlinks the binding, then `Binding.retire`.
    case retirer
  }

  /// What an uncontended build needs besides the mark.
  enum Extra: Hashable, Sendable {
    case nothing
    /// Its factory takes the slow path: `makeAttempts`.
    case attempt
  }

  let threads: [Thread]
  /// Whether a build may fail.
  let mayFail: Bool
  let weakening: OnceWeakening?
  private let layout: WeakMemory.Layout

  init(_ threads: [Thread], mayFail: Bool = false, without weakening: OnceWeakening? = nil) {
    self.threads = threads
    self.mayFail = mayFail
    self.weakening = weakening
    layout = WeakMemory.Layout(threads: threads.count, locks: 3, capacities: [3, 10, 3], marks: 12)
  }

  // MARK: Locations and marks

  static let snapshot = 0
  static let holder = 1
  static let lazyCell = 2
  /// Guards what factories read; the others are those of the cells.
  static let configurationLock = 0

  /// What the holder's word says: a mark, or an instance.
  enum Word {
    static let free = 0
    static let building = 1
    static let inCell = 2
    static func showing(_ instance: Int) -> Int { Self.inCell + instance }
    /// 0 for a mark.
    static func instance(_ word: Int) -> Int { max(word - Self.inCell, 0) }
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
    /// The uncontended build in progress.
    var alone = 0
    /// How many builds have begun and not ended.
    var underWay = 0
    /// Whether what factories read was changed.
    var isChanged = false
    /// The set of instances that were made of what was there before; one bit each.
    var old: UInt16 = 0
  }

  struct Cell: Hashable, Sendable {
    var machine = OnceStateMachine()
    var waiters: [UInt64: Waiter] = [:]
    var attempt: Int?
    var isInCharge = false
    /// The build that had begun without the cell.
    var claimed: Int?

    func hash(into hasher: inout Hasher) {
      if case .building(let build) = machine.state { hasher.combine(build.members) }
      hasher.combine(waiters.count)
      hasher.combine(attempt)
      hasher.combine(isInCharge)
    }
  }

  enum Waiter: Hashable, Sendable { case reserved, waiting, settled(Outcome) }

  /// A build. One without a cell has no attempt yet.
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
    /// Whether the build that it runs is, or was, an uncontended one.
    var isAlone = false
    /// Where it goes on with the cell.
    var then = Point.done
    var outcome: Outcome?
    var wakeups: [Wakeup] = []
  }

  enum Point: Hashable, Sendable {
    // A caller.
    case find, hit, cell, makeCell, arrive, build, finish, wake, start, runTask, enter, reserve, park, asleep, awake
    // An uncontended build.
    case beginAlone, makeAttempt, finishAlone, abandonAlone, attemptInFlight
    // A worker.
    case idle, work, finishWork, wakeFromWork
    // The others.
    case cancel, leave, wakeCancelled, close, cancelAttempt, change, reset, look, unlink, retireCell, forget
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
      }
    }
  }

  func isFinished(_ thread: Int, in state: State) -> Bool {
    state.frames[thread].at == .done || state.frames[thread].at == .idle
  }

  func complaint(atEnd state: State) -> String? {
    let word = state.memory.newest(Self.holder)
    if word == Word.building { return "the holder says for ever that a build is running" }
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
    }
    if move.isBlocked { return }
    precondition(before != state.frames[thread].at || !move.choices.isEmpty || before == .asleep)
    state.memory.tidy(readers: threads.indices.filter { !isFinished($0, in: state) })
  }

  func lacks(_ weakening: OnceWeakening) -> Bool { self.weakening == weakening }
}
