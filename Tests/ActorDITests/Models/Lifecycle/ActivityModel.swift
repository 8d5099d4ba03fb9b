/// The end of a container: `Activity`, `Lifecycle` and `Closing`, against builds that end and registrations that go meanwhile.
///
/// Each instance that was made is disposed of once; while a container disposes of what is left (L2), no counted build is under way (A1); who
/// knows that it is closed hands nothing out (L1); `shutdown` returns, and not before all that was listed has been disposed of.
struct ActivityModel: ConcurrentModel {
  enum Thread: Hashable, Sendable {
    /// Builds a kept instance that has to be disposed of.
    case builder
    /// Builds a plain transient, which nobody waits for.
    case transient
    /// Unregisters what a builder has made, once it is there.
    case claimer(of: Int)
    /// `shutdown`.
    case closer
  }

  enum Weakening: String, CaseIterable, Sendable {
    /// `Activity.begin`: the closed bit is looked at in the same exchange that counts.
    case beginningByExchange
    /// `Lifecycle.idleLatch`: the latch is listed before the look.
    case listingFirst
    /// `Lifecycle.idleLatch`: the look after listing.
    case lookAfterListing
    /// `Lifecycle.endActivity`: who ends the last build opens the latches.
    case opening
    /// L1. `OnceCell.finish`: the look at the closed bit.
    case lookAtTheEnd
    /// L2. `Lifecycle.add`: none is added any more.
    case tooLate
    /// L3. `Lifecycle.claim`: what is not in the list is somebody else's.
    case taking
    /// `Lifecycle.claim`: who takes something out is counted, under the lock.
    case countingClaims
    /// `Lifecycle.takeAll`: the look at the count, under the lock.
    case lookWhenTaking

    // Nothing is found without these: the lock of the lifecycle orders the same.
    /// `Activity.end` releases.
    case endRelease
    /// `Activity.isIdle` acquires.
    case idleAcquire
    /// `Activity.close` releases, and `isClosed` acquires.
    case closeOrder
  }

  let threads: [Thread]
  let weakening: Weakening?
  private let layout: WeakMemory.Layout

  init(_ threads: [Thread], without weakening: Weakening? = nil) {
    self.threads = threads
    self.weakening = weakening
    layout = WeakMemory.Layout(threads: threads.count, locks: 1, capacities: [10], marks: threads.count + 1)
  }

  /// `Activity.word`: its lowest bit says that the container is closed.
  static let word = 0
  /// That the instance of a thread is complete.
  func making(_ thread: Int) -> Int { thread }
  var closing: Int { threads.count }

  struct State: Hashable, Sendable {
    var memory: WeakMemory
    var frames: [Frame]
    var phase = Phase.open
    /// Sets of instances, one bit for each: listed to be disposed of, made, disposed of.
    var listed: UInt16 = 0
    var made: UInt16 = 0
    var disposed: UInt16 = 0
    var isLatchListed = false
    var isLatchOpen = false
    /// What was taken out of the list by others than who closes.
    var claimed: UInt16 = 0
    /// Counted builds that have begun and not ended, whatever the word says.
    var underWay = 0
  }

  enum Phase: Hashable, Sendable { case open, closing, disposing, closed }

  struct Frame: Hashable, Sendable {
    var at: Point
    var taken: UInt16 = 0
    var isLast = false
    var isKept = false
  }

  enum Point: Hashable, Sendable {
    case begin, count, build, add, finish, end, open
    case claim, dispose, endClaim
    case close, phase, list, look, wait, take
    case done
  }

  var initial: State {
    State(
      memory: WeakMemory(layout, initially: [0]),
      frames: threads.map { thread in
        switch thread {
        case .builder: Frame(at: .begin)
        case .transient: Frame(at: .build)
        case .claimer: Frame(at: .claim)
        case .closer: Frame(at: .close)
        }
      })
  }

  var threadNames: [String] {
    threads.enumerated().map { number, thread in
      switch thread {
      case .builder: "build \(number + 1)"
      case .transient: "plain transient \(number + 1)"
      case .claimer(let builder): "unregister of build \(builder + 1)"
      case .closer: "shutdown"
      }
    }
  }

  func isFinished(_ thread: Int, in state: State) -> Bool { state.frames[thread].at == .done }

  func complaint(atEnd state: State) -> String? {
    let left = state.made & ~state.disposed
    return threads.contains(.closer) && left != 0 ? "\(instances(left)) is never disposed of" : nil
  }

  func step(_ thread: Int, _ state: inout State, _ move: inout Move) {
    var me = state.frames[thread]
    switch threads[thread] {
    case .builder, .transient: build(&me, thread, &state, &move)
    case .claimer(let builder): claim(builder, &me, thread, &state, &move)
    case .closer: close(&me, thread, &state, &move)
    }
    if move.isBlocked { return }
    state.frames[thread] = me
    state.memory.tidy(readers: threads.indices.filter { state.frames[$0].at != .done })
  }

  func lacks(_ weakening: Weakening) -> Bool { self.weakening == weakening }
  private func bit(_ thread: Int) -> UInt16 { 1 << UInt16(thread) }

  private func instances(_ set: UInt16) -> String {
    threads.indices.filter { set & bit($0) != 0 }.map { "instance \($0 + 1)" }.joined(separator: ", ")
  }

  /// Runs disposers: once for each instance, and after it is complete.
  private func dispose(_ set: UInt16, _ thread: Int, _ state: inout State, _ move: inout Move) {
    move.tell(set == 0 ? "has nothing to dispose of" : "disposes of \(instances(set))")
    if set & state.disposed != 0 { move.complain("\(instances(set & state.disposed)) is disposed of twice") }
    for instance in threads.indices where set & bit(instance) != 0 {
      if !state.memory.hasSeen(making(instance), by: thread) {
        move.complain("\(instances(bit(instance))) may not be complete for who disposes of it")
      }
    }
    state.disposed |= set
  }

  // MARK: Building

  private func build(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let isCounted = threads[thread] == .builder
    switch me.at {
    case .begin:
      // The relaxed load only saves an exchange that would fail.
      if lacks(.beginningByExchange) {
        let found = state.memory.load(Self.word, .relaxed, by: thread, &move)
        move.tell(found & 1 == 0 ? "finds the container open" : "finds it closed")
        me.at = found & 1 == 0 ? .count : .done
      } else {
        var isClosed = false
        state.memory.modify(Self.word, .acquiringAndReleasing, by: thread) {
          isClosed = $0 & 1 != 0
          return isClosed ? $0 : $0 + 2
        }
        if !isClosed { state.underWay += 1 }
        move.tell(isClosed ? "finds the container closed" : "begins")
        me.at = isClosed ? .done : .build
      }
    case .count:
      state.memory.modify(Self.word, .acquiringAndReleasing, by: thread) { $0 + 2 }
      state.underWay += 1
      move.tell("begins")
      me.at = .build
    case .build:
      state.memory.mark(making(thread), by: thread)
      state.made |= bit(thread)
      move.tell("makes an instance")
      me.at = .add
    case .add:
      add(&me, thread, &state, &move)
    case .finish:
      let ordering: WeakMemory.Ordering = lacks(.closeOrder) ? .relaxed : .acquiring
      let isClosed = state.memory.load(Self.word, ordering, by: thread, &move) & 1 != 0
      let isHandedOut = !isClosed || lacks(.lookAtTheEnd)
      move.tell(isHandedOut ? "hands the instance out" : "finds the container closed, and hands nothing out")
      if isHandedOut, state.phase != .open, state.memory.hasSeen(closing, by: thread) {
        move.complain("an instance is handed out by who knows that the container is closed")
      }
      me.isKept = isHandedOut
      me.at = isCounted ? .end : .done
    case .end:
      let ordering: WeakMemory.Ordering = lacks(.endRelease) ? .acquiring : .acquiringAndReleasing
      let old = state.memory.modify(Self.word, ordering, by: thread) { $0 - 2 }
      state.underWay -= 1
      move.tell(old == 3 ? "ends, as the last one" : "ends")
      me.at = old == 3 && !lacks(.opening) ? .open : .done
    default:
      open(thread, &state, &move)
      me.at = .done
    }
  }

  private func add(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    state.memory.acquire(by: thread)
    let isTooLate = (state.phase == .disposing || state.phase == .closed) && !lacks(.tooLate)
    if isTooLate {
      move.tell("comes too late for the list")
      dispose(bit(thread), thread, &state, &move)
      me.at = threads[thread] == .builder ? .end : .done
    } else {
      state.listed |= bit(thread)
      move.tell("lists it to be disposed of")
      me.at = .finish
    }
    state.memory.release(by: thread)
  }

  private func open(_ thread: Int, _ state: inout State, _ move: inout Move) {
    state.memory.acquire(by: thread)
    if state.isLatchListed { state.isLatchOpen = true }
    state.memory.release(by: thread)
    move.tell(state.isLatchListed ? "opens the latch" : "finds no latch to open")
  }

  // MARK: Unregistering

  private func claim(
    _ builder: Int, _ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move
  ) {
    switch me.at {
    case .dispose:
      dispose(me.taken, thread, &state, &move)
      me.at = me.taken == 0 || lacks(.countingClaims) ? .done : .endClaim
      me.taken = 0
      return
    case .endClaim:
      let old = state.memory.modify(Self.word, .acquiringAndReleasing, by: thread) { $0 - 2 }
      move.tell(old == 3 ? "ends, as the last one" : "ends")
      me.at = old == 3 ? .open : .done
      return
    case .open:
      open(thread, &state, &move)
      me.at = .done
      return
    default: break
    }
    // The cell tells of an instance that it keeps: one that was handed out.
    guard state.frames[builder].isKept || state.frames[builder].at == .done else { return move.block() }
    state.memory.hand(from: builder, to: thread)
    state.memory.acquire(by: thread)
    me.taken = bit(builder) & (lacks(.taking) ? state.made : state.listed)
    state.listed &= ~me.taken
    state.claimed |= me.taken
    if me.taken != 0, !lacks(.countingClaims) {
      state.memory.modify(Self.word, .acquiringAndReleasing, by: thread) { $0 + 2 }
    }
    state.memory.release(by: thread)
    move.tell(me.taken == 0 ? "finds that somebody else has taken it" : "takes it out of the list")
    me.at = .dispose
  }

  // MARK: Closing

  private func close(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    switch me.at {
    case .close:
      state.memory.mark(closing, by: thread)
      let ordering: WeakMemory.Ordering = lacks(.closeOrder) ? .relaxed : .acquiringAndReleasing
      state.memory.modify(Self.word, ordering, by: thread) { $0 | 1 }
      move.tell("begins to close")
      me.at = .phase
    case .phase:
      state.memory.acquire(by: thread)
      state.phase = .closing
      state.memory.release(by: thread)
      move.tell("says so under the lock")
      me.at = lacks(.listingFirst) ? .look : .list
    case .list:
      state.memory.acquire(by: thread)
      state.isLatchListed = true
      state.memory.release(by: thread)
      move.tell("lists its latch")
      me.at = lacks(.listingFirst) ? (me.isLast ? .open : .wait) : lacks(.lookAfterListing) ? .wait : .look
    case .look:
      let ordering: WeakMemory.Ordering = lacks(.idleAcquire) ? .relaxed : .acquiring
      me.isLast = state.memory.load(Self.word, ordering, by: thread, &move) < 2
      move.tell(me.isLast ? "finds nothing under way" : "finds something under way")
      me.at = lacks(.listingFirst) ? .list : me.isLast ? .open : .wait
    case .open:
      open(thread, &state, &move)
      me.at = .wait
    case .wait:
      guard state.isLatchOpen else { return move.block() }
      move.tell("goes on")
      me.at = .take
    case .take:
      state.memory.acquire(by: thread)
      let isIdle = state.memory.load(Self.word, .acquiring, by: thread, &move) < 2
      if !isIdle, !lacks(.lookWhenTaking) {
        state.memory.release(by: thread)
        (state.isLatchListed, state.isLatchOpen) = (false, false)
        move.tell("finds that something has begun meanwhile")
        me.at = lacks(.listingFirst) ? .look : .list
        return
      }
      state.phase = .disposing
      (me.taken, state.listed) = (state.listed, 0)
      state.memory.release(by: thread)
      move.tell("takes what is listed")
      if state.underWay > 0 { move.complain("a build is under way while all is being disposed of") }
      me.at = .dispose
    default:
      dispose(me.taken, thread, &state, &move)
      state.phase = .closed
      let late = state.claimed & ~state.disposed
      if late != 0 { move.complain("shutdown returns before \(instances(late)) has been disposed of") }
      me = Frame(at: .done)
    }
  }
}
