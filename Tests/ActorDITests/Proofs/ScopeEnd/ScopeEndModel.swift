/// The end of a scope that does not hold its parent: `Container.endScope` and `ParentReference`.
///
/// The runner of `withScope` closes the scope, stores `isEndedByRunner`, and checks whether its reference is the only one. Then it
/// returns, and its caller drops the parent. Other threads have a weak reference to the scope, or a strong one from within the
/// operation. They ask the scope for its parent, or search it.
///
/// The model complains if the parent is used after it was freed, if it is freed and its last use did not happen before, or if
/// it is never freed.
///
/// Reference counts are modelled after Swift's runtime. A weak load and a retain are relaxed exchanges. A release has release
/// semantics, and the last one also acquires. A look at the count acquires.
struct ScopeEndModel: ConcurrentModel {
  enum Asker: Hashable, Sendable {
    /// `Container.parent`, of a scope loaded from a weak reference.
    case parent
    /// `Container.parent`, of a scope held since its operation.
    case heldParent
    /// `Container.search`, of a scope loaded from a weak reference.
    case search
  }

  enum Weakening: String, CaseIterable, Sendable {
    /// `endScope`: `isEndedByRunner` is stored.
    case ending
    /// `endScope`: `isEndedByRunner` is stored before the look at the count.
    case endBeforeLook
    /// `markEndedByRunner`: the fence between the store and the look at the count.
    case endFence
    /// `endScope`: a scope with other references takes a reference to its parent.
    case holding
    /// `endScope`: the look at the count acquires.
    case countAcquire
    /// `isParentAlive`: the fence between the load of the weak reference and the look at `isEndedByRunner`.
    case askFence
    /// `isParentAlive`: the look at `isEndedByRunner`.
    case askLook
    /// `releaseParent`: the scope drops its reference to the parent.
    case dropping

    // Redundant: the fences or the counts give the same order.
    /// `markEndedByRunner`: the store is sequentially consistent.
    case endOrder
    /// `isParentAlive`: the load of `isEndedByRunner` is sequentially consistent.
    case askOrder
    /// `holdParent`: the store of `holdsParent` releases.
    case holdRelease
    /// `closeRegistry`: the scope is closed before it ends.
    case closing
    /// `look`: a search does not go beyond a closed scope.
    case closedLook

    static let redundant: [Weakening] = [.endOrder, .askOrder, .holdRelease, .closing, .closedLook]
  }

  let askers: [Asker]
  let weakening: Weakening?
  private let layout: WeakMemory.Layout

  init(_ askers: [Asker], without weakening: Weakening? = nil) {
    self.askers = askers
    self.weakening = weakening
    layout = WeakMemory.Layout(
      threads: askers.count + 1, locks: 0, capacities: [8, 2, 2, 2, 6], marks: askers.count)
  }

  private static let (count, isEndedByRunner, holdsParent, isClosed, parentCount) = (0, 1, 2, 3, 4)
  private var runner: Int { askers.count }

  struct State: Hashable, Sendable {
    var memory: WeakMemory
    var at: [Point]
    var isParentFreed = false
  }

  enum Point: Hashable, Sendable {
    // Steps of the runner.
    case close, end, endFence, look, hold, sayHolding
    // Steps of the other threads.
    case load, search, askHolding, askFence, ask, use
    // The end of a reference to the scope, and the scope's `deinit`.
    case release, deinitialize, releaseParent
    /// The runner's caller drops the parent.
    case dropParent
    case done
  }

  var initial: State {
    let held = askers.count { $0 == .heldParent }
    return State(
      memory: WeakMemory(layout, initially: [1 + held, 0, 0, 0, 1]),
      at: askers.map { $0 == .heldParent ? .askHolding : .load } + [.close])
  }

  var threadNames: [String] { askers.indices.map { "thread \($0 + 1)" } + ["runner"] }
  func isFinished(_ thread: Int, in state: State) -> Bool { state.at[thread] == .done }
  func complaint(atEnd state: State) -> String? { state.isParentFreed ? nil : "the parent is never freed" }

  func step(_ thread: Int, _ state: inout State, _ move: inout Move) {
    state.at[thread] =
      switch state.at[thread] {
      case .close, .end, .endFence, .look, .hold, .sayHolding: run(thread, &state, &move)
      case .load, .search, .askHolding, .askFence, .ask, .use: ask(thread, &state, &move)
      default: drop(thread, &state, &move)
      }
    state.memory.tidy(readers: state.at.indices.filter { state.at[$0] != .done })
  }

  private func lacks(_ weakening: Weakening) -> Bool { self.weakening == weakening }

  // MARK: The runner

  private func run(_ thread: Int, _ state: inout State, _ move: inout Move) -> Point {
    switch state.at[thread] {
    case .close:
      move.notify("closes the scope")
      if !lacks(.closing) { state.memory.modify(Self.isClosed, .sequentiallyConsistent, by: thread) { _ in 1 } }
      return lacks(.endBeforeLook) ? .look : .end
    case .end:
      move.notify("says that the scope has ended")
      if !lacks(.ending) {
        state.memory.store(Self.isEndedByRunner, 1, lacks(.endOrder) ? .relaxed : .sequentiallyConsistent, by: thread)
      }
      return lacks(.endBeforeLook) ? .release : .endFence
    case .endFence:
      move.notify("fences")
      if !lacks(.endFence) { state.memory.fence(by: thread) }
      return .look
    case .look:
      let found = state.memory.load(Self.count, lacks(.countAcquire) ? .relaxed : .acquiring, by: thread, &move)
      move.notify(found == 1 ? "finds no other reference to the scope" : "finds other references to the scope")
      if found > 1, !lacks(.holding) { return .hold }
      return lacks(.endBeforeLook) ? .end : .release
    case .hold:
      move.notify("takes a reference to the parent, for the scope")
      state.memory.modify(Self.parentCount, .relaxed, by: thread) { $0 + 1 }
      return .sayHolding
    default:
      move.notify("says that the scope holds its parent")
      state.memory.store(Self.holdsParent, 1, lacks(.holdRelease) ? .relaxed : .releasing, by: thread)
      return lacks(.endBeforeLook) ? .end : .release
    }
  }

  // MARK: Other threads

  private func ask(_ thread: Int, _ state: inout State, _ move: inout Move) -> Point {
    switch state.at[thread] {
    case .load:
      guard state.memory.newest(Self.count) > 0 else {
        move.notify("finds the scope gone")
        return .done
      }
      move.notify("loads the weak reference")
      state.memory.modify(Self.count, .relaxed, by: thread) { $0 + 1 }
      return askers[thread] == .search ? .search : .askHolding
    case .search:
      let isClosed = state.memory.load(Self.isClosed, .sequentiallyConsistent, by: thread, &move) != 0
      move.notify(isClosed ? "finds the scope closed" : "finds the scope open")
      if isClosed, !lacks(.closedLook) { return .release }
      return .askHolding
    case .askHolding:
      let isHeld = state.memory.load(Self.holdsParent, .acquiring, by: thread, &move) != 0
      move.notify(isHeld ? "finds that the scope holds its parent" : "finds that the scope does not hold its parent")
      return isHeld || lacks(.askLook) ? .use : .askFence
    case .askFence:
      move.notify("fences")
      if !lacks(.askFence) { state.memory.fence(by: thread) }
      return .ask
    case .ask:
      let ordering: WeakMemory.Ordering = lacks(.askOrder) ? .relaxed : .sequentiallyConsistent
      let isEndedByRunner = state.memory.load(Self.isEndedByRunner, ordering, by: thread, &move) != 0
      move.notify(isEndedByRunner ? "finds that the scope has ended" : "finds that the scope has not ended")
      return isEndedByRunner ? .release : .use
    default:
      move.notify("uses the parent")
      if state.isParentFreed { move.complain("the parent is used after it was freed") }
      state.memory.mark(thread, by: thread)
      return .release
    }
  }

  // MARK: The end of references

  private func drop(_ thread: Int, _ state: inout State, _ move: inout Move) -> Point {
    switch state.at[thread] {
    case .release:
      let isLast = state.memory.newest(Self.count) == 1
      move.notify(isLast ? "drops the last reference to the scope" : "drops its reference to the scope")
      state.memory.modify(Self.count, isLast ? .acquiringAndReleasing : .releasing, by: thread) { $0 - 1 }
      return isLast ? .deinitialize : afterScope(thread)
    case .deinitialize:
      let isHeld = state.memory.load(Self.holdsParent, .acquiring, by: thread, &move) != 0
      move.notify(isHeld ? "finds that the scope held its parent" : "finds nothing to drop")
      return isHeld && !lacks(.dropping) ? .releaseParent : afterScope(thread)
    default:
      let isLast = state.memory.newest(Self.parentCount) == 1
      move.notify(isLast ? "drops the last reference to the parent, which is freed" : "drops a reference to the parent")
      state.memory.modify(Self.parentCount, isLast ? .acquiringAndReleasing : .releasing, by: thread) { $0 - 1 }
      if isLast { free(thread, &state, &move) }
      return state.at[thread] == .dropParent ? .done : afterScope(thread)
    }
  }

  private func afterScope(_ thread: Int) -> Point { thread == runner ? .dropParent : .done }

  private func free(_ thread: Int, _ state: inout State, _ move: inout Move) {
    state.isParentFreed = true
    for asker in askers.indices where !state.memory.hasSeen(asker, by: thread) {
      move.complain("the parent is freed though its last use did not happen before")
    }
  }
}
