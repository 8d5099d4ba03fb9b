@testable import ActorDI

/// The way from a binding to its one instance: `Lookup`, `LazyReference`, `OnceCell` with its waiters, `Attempt`, `Binding.retire`. What
/// decides is the real `OnceStateMachine`.
///
/// A critical section of the cell is one step: what else it touches is the instance word, once. Nobody may get an instance that is not
/// complete for him, or one from before a reset that he knows to be over; no second build may begin beside the first, or while there is an
/// instance; whoever waits gets an outcome, and gets it once; a retired binding keeps nothing.
struct OnceModel: ConcurrentModel {
  enum Thread: Hashable, Sendable {
    /// A synchronous resolve: builds inline, or blocks.
    case blocking
    /// A resolve that may build quietly: without an attempt, until somebody needs one.
    case quiet
    /// An asynchronous one of a service that a task builds: the worker, another thread of the model.
    case suspending(worker: Int)
    /// The same, begun by who has waited for the end of the reset.
    case blockingAfterReset(by: Int)
    /// A task that builds; one that never ends of itself ends when it is cancelled.
    case worker(endsByItself: Bool)
    /// Cancels the task of a caller.
    case canceller(of: Int)
    /// `Closing.waitForBuilds`, of a container that builds something: cancels the attempt, whoever waits for it.
    case closer
    /// `OnceCell.forget`.
    case resetter
    /// Unlinks the binding, then `Binding.retire`.
    case retirer
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
    layout = WeakMemory.Layout(threads: threads.count, locks: 3, capacities: [3, 8, 3], marks: 12)
  }

  // MARK: Locations and marks

  static let snapshot = 0
  static let instance = 1
  static let lazyCell = 2
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
    /// The last instance that was, or was being, built when the binding was reset.
    var lastBeforeReset = 0
  }

  struct Cell: Hashable, Sendable {
    var machine = OnceStateMachine()
    var waiters: [UInt64: Waiter] = [:]
    var attempt: Int?
    /// The build in progress that has no attempt yet.
    var quiet: Int?

    func hash(into hasher: inout Hasher) {
      if case .building(let build) = machine.state { hasher.combine(build.members) }
      hasher.combine(waiters.count)
      hasher.combine(attempt)
    }
  }

  enum Waiter: Hashable, Sendable { case reserved, waiting, settled(Outcome) }

  struct Attempt: Hashable, Sendable {
    let cell: Int
    let number: UInt64
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
    var isQuiet = false
    var outcome: Outcome?
    var wakeups: [Wakeup] = []
  }

  enum Point: Hashable, Sendable {
    // A caller.
    case find, hit, cell, makeCell, arriveQuietly, arrive, build, finishQuietly, finish, wake, start, runTask, enter,
      reserve, park, asleep, awake
    // A worker.
    case idle, work, finishWork, wakeFromWork
    // The others.
    case cancel, leave, wakeCancelled, close, cancelAttempt, reset, unlink, retireCell, retire
    case done
  }

  var initial: State {
    State(
      memory: WeakMemory(layout, initially: [1, 0, 0]),
      frames: threads.map { thread in
        switch thread {
        case .blocking, .quiet, .suspending, .blockingAfterReset: Frame(at: .find)
        case .worker: Frame(at: .idle)
        case .canceller: Frame(at: .cancel)
        case .closer: Frame(at: .close)
        case .resetter: Frame(at: .reset)
        case .retirer: Frame(at: .unlink)
        }
      })
  }

  var threadNames: [String] {
    threads.enumerated().map { number, thread in
      switch thread {
      case .blocking, .quiet, .blockingAfterReset: "thread \(number + 1)"
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
    let kept = state.memory.newest(Self.instance)
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
    case .blocking, .quiet, .suspending, .blockingAfterReset: call(thread, &state, &move)
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
