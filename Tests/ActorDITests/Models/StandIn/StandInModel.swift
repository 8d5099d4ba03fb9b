/// Rule N1 of the stand-ins: `Container.add(_: StandIn)` against `publishChange`, `link` and `dropStandInsBelow`.
///
/// A parent has the origin, a child gets a stand-in for it. Whoever has changed what a search from the child would find must not find the
/// stand-in in the child any more when his call has returned, nor may it stand there in the end.
struct StandInModel: ConcurrentModel {
  enum Thread: Hashable, Sendable {
    /// Adds a stand-in to the child.
    case adder
    /// Replaces the origin in the parent.
    case changer
    /// Publishes something else in the parent, which drops the stand-ins as well.
    case bystander
    /// Links the child to another container, its first link.
    case linker
  }

  enum Weakening: String, CaseIterable, Sendable {
    /// `noteStandIns` is said before the look.
    case noteBeforeLook
    /// The marks of the containers above are made before the look.
    case markBeforeLook
    /// Their stores, the publication and the looks take part in the order S.
    case order
    /// The fence between marks and look, for what is looked at by loads that only acquire.
    case fence
    /// The look at what a search would find.
    case look
    /// The drop is done under the lock of the child's registry, which who adds holds from mark to publication.
    case lock
    /// Who is dropping is counted: who finds no mark, but somebody at work on it, drops as well.
    case dropperCount
  }

  let threads: [Thread]
  let weakening: Weakening?
  private let layout: WeakMemory.Layout

  init(_ threads: [Thread], without weakening: Weakening? = nil) {
    self.threads = threads
    self.weakening = weakening
    layout = WeakMemory.Layout(
      threads: threads.count, locks: 2, capacities: [4, 6, 12, 6, 3], marks: 0)
  }

  static let parent = 0
  static let child = 1
  /// `standInsBelow` of the parent: the lowest bit is the mark, the rest counts the droppers.
  static let below = 2
  /// `hasStandIns` of the child.
  static let note = 3
  static let links = 4
  /// Of the child's registry, and of the parent's.
  static let childLock = 0
  static let parentLock = 1

  struct State: Hashable, Sendable {
    var memory: WeakMemory
    var frames: [Frame]
    var isLocked = false
    /// Whether the child's registry has one.
    var hasStandIn = false
  }

  struct Frame: Hashable, Sendable {
    var at: Point
    var isFound = false
  }

  enum Point: Hashable, Sendable {
    case lock, mark, fence, lookAtLinks, lookAtParent, publish
    case change, lookBelow, count, take, lookAtNote, drop, uncount, resolve
    case done
  }

  var initial: State {
    State(
      memory: WeakMemory(layout, initially: [1, 0, 0, 0, 0]),
      frames: threads.map { Frame(at: $0 == .adder ? .lock : .change) })
  }

  var threadNames: [String] {
    threads.enumerated().map { number, thread in
      switch thread {
      case .adder: "who adds \(number + 1)"
      case .changer: "who replaces \(number + 1)"
      case .bystander: "who changes \(number + 1)"
      case .linker: "who links \(number + 1)"
      }
    }
  }

  func isFinished(_ thread: Int, in state: State) -> Bool { state.frames[thread].at == .done }

  func complaint(atEnd state: State) -> String? {
    let isStale = state.memory.newest(Self.parent) != 1 || state.memory.newest(Self.links) != 0
    return isStale && state.memory.newest(Self.child) != 0 ? "a stand-in stands for what is not found any more" : nil
  }

  func step(_ thread: Int, _ state: inout State, _ move: inout Move) {
    var me = state.frames[thread]
    if threads[thread] == .adder {
      add(&me, thread, &state, &move)
    } else {
      change(&me, thread, &state, &move)
    }
    if move.isBlocked { return }
    state.frames[thread] = me
    state.memory.tidy(readers: threads.indices.filter { state.frames[$0].at != .done })
  }

  private func lacks(_ weakening: Weakening) -> Bool { self.weakening == weakening }
  private var ordering: WeakMemory.Ordering { lacks(.order) ? .acquiringAndReleasing : .sequentiallyConsistent }

  // MARK: Adding

  private func add(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    switch me.at {
    case .lock:
      guard !state.isLocked else { return move.block() }
      state.isLocked = true
      state.memory.acquire(lock: Self.childLock, by: thread)
      let isNoted = !lacks(.noteBeforeLook)
      if isNoted { state.memory.store(Self.note, 1, ordering, by: thread) }
      move.tell(isNoted ? "says that the child may have stand-ins" : "begins")
      me.at = .mark
    case .mark:
      let isMarked = !lacks(.markBeforeLook)
      if isMarked { state.memory.modify(Self.below, ordering, by: thread) { $0 | 1 } }
      move.tell(isMarked ? "marks the parent" : "does not mark the parent yet")
      me.at = .fence
    case .fence:
      if !lacks(.fence), !lacks(.order) { state.memory.fence(by: thread) }
      me.at = .lookAtLinks
    case .lookAtLinks:
      let found = state.memory.load(Self.links, .acquiring, by: thread, &move)
      move.tell(found == 0 ? "finds no link" : "finds a link")
      me.isFound = found == 0
      me.at = .lookAtParent
    case .lookAtParent:
      let found = state.memory.load(Self.parent, ordering, by: thread, &move)
      move.tell(found == 1 ? "finds the origin" : "does not find the origin")
      me.isFound = me.isFound && found == 1 || lacks(.look)
      me.at = .publish
    default:
      if lacks(.noteBeforeLook) { state.memory.store(Self.note, 1, ordering, by: thread) }
      if lacks(.markBeforeLook) { state.memory.modify(Self.below, ordering, by: thread) { $0 | 1 } }
      if me.isFound {
        state.hasStandIn = true
        state.memory.store(Self.child, 1, ordering, by: thread)
      }
      move.tell(me.isFound ? "publishes the stand-in" : "publishes nothing")
      state.memory.release(lock: Self.childLock, by: thread)
      state.isLocked = false
      me.at = .done
    }
  }

  // MARK: Changing

  private func change(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    switch me.at {
    case .change:
      publish(thread, &state, &move)
      me.at = threads[thread] == .linker ? .lookAtNote : .lookBelow
    case .lookBelow:
      let found = state.memory.load(Self.below, ordering, by: thread, &move)
      move.tell(found == 0 ? "finds no mark" : found == 1 ? "finds the mark" : "finds somebody else at the dropping")
      me.at = found == 0 ? .resolve : .count
    case .count:
      if !lacks(.dropperCount) { state.memory.modify(Self.below, ordering, by: thread) { $0 + 2 } }
      move.tell("is about to drop")
      me.at = .take
    case .take:
      state.memory.modify(Self.below, ordering, by: thread) { $0 & ~1 }
      move.tell("takes the mark away")
      me.at = .lookAtNote
    case .lookAtNote:
      let found = state.memory.load(Self.note, ordering, by: thread, &move)
      move.tell(found == 1 ? "has to look into the child" : "has nothing to look for in the child")
      me.at = found == 1 ? .drop : .uncount
    case .drop:
      guard !state.isLocked || lacks(.lock) else { return move.block() }
      drop(thread, &state, &move)
      me.at = .uncount
    case .uncount:
      if !lacks(.dropperCount), threads[thread] != .linker {
        state.memory.modify(Self.below, ordering, by: thread) { $0 - 2 }
      }
      move.tell("returns")
      me.at = .resolve
    default:
      let found = state.memory.load(Self.child, .sequentiallyConsistent, by: thread, &move)
      move.tell("resolves from the child")
      if found == 1, threads[thread] != .bystander { move.complain("finds the stand-in, though it has returned") }
      me.at = .done
    }
  }

  private func publish(_ thread: Int, _ state: inout State, _ move: inout Move) {
    switch threads[thread] {
    case .linker:
      state.memory.modify(Self.links, .acquiringAndReleasing, by: thread) { $0 + 1 }
      if !lacks(.fence), !lacks(.order) { state.memory.fence(by: thread) }
      move.tell("links the child")
    case .changer:
      state.memory.acquire(lock: Self.parentLock, by: thread)
      state.memory.store(Self.parent, 2, ordering, by: thread)
      state.memory.release(lock: Self.parentLock, by: thread)
      move.tell("replaces the origin")
    default:
      state.memory.acquire(lock: Self.parentLock, by: thread)
      state.memory.store(Self.parent, state.memory.newest(Self.parent), ordering, by: thread)
      state.memory.release(lock: Self.parentLock, by: thread)
      move.tell("publishes something else")
    }
  }

  private func drop(_ thread: Int, _ state: inout State, _ move: inout Move) {
    state.memory.acquire(lock: Self.childLock, by: thread)
    move.tell(state.hasStandIn ? "drops the stand-in" : "finds none in the child's registry")
    if state.hasStandIn {
      state.hasStandIn = false
      state.memory.store(Self.child, 0, ordering, by: thread)
      state.memory.store(Self.note, 0, ordering, by: thread)
    }
    state.memory.release(lock: Self.childLock, by: thread)
  }
}
