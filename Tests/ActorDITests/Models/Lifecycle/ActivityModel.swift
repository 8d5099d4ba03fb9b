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
    /// `Lifecycle.takeAllIfIdle`: the look at the count, under the lock.
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
  func bit(_ thread: Int) -> UInt16 { 1 << UInt16(thread) }

  func instances(_ set: UInt16) -> String {
    threads.indices.filter { set & bit($0) != 0 }.map { "instance \($0 + 1)" }.joined(separator: ", ")
  }

  /// Runs disposers: once for each instance, and after it is complete.
  func dispose(_ set: UInt16, _ thread: Int, _ state: inout State, _ move: inout Move) {
    move.tell(set == 0 ? "has nothing to dispose of" : "disposes of \(instances(set))")
    if set & state.disposed != 0 { move.complain("\(instances(set & state.disposed)) is disposed of twice") }
    for instance in threads.indices where set & bit(instance) != 0 {
      if !state.memory.hasSeen(making(instance), by: thread) {
        move.complain("\(instances(bit(instance))) may not be complete for who disposes of it")
      }
    }
    state.disposed |= set
  }
}
