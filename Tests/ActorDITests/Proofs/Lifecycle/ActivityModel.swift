/// The end of a container: `Activity`, `Lifecycle` and `Closing`, against builds that end and registrations that are removed meanwhile.
///
/// The model checks that
///
/// - each instance is disposed of exactly once;
/// - no counted build is under way while a container disposes of its remaining instances (L2, A1);
/// - no thread that knows of the closing hands out an instance (L1);
/// - `shutdown` returns, and only after all listed instances have been disposed of.
struct ActivityModel: ConcurrentModel {
  enum Thread: Hashable, Sendable {
    /// Builds a kept, disposable instance.
    case builder
    /// Builds one, too, but meets another thread at the word, and so begins in a count of its own.
    case crowdedBuilder
    /// Builds a plain transient, which no shutdown waits for.
    case transient
    /// Unregisters the service that a builder has built.
    case claimer(of: Int)
    /// Shuts the container down.
    case closer
  }

  enum Weakening: String, CaseIterable, Sendable {
    /// `Activity.begin`: the exchange that counts also checks the closed bit.
    case beginningByExchange
    /// `Activity.beginInOwnCount`: the look at the word after the counts have been made.
    case lookAfterMaking
    /// `Activity.beginInOwnCount`: the exchange that counts also checks the count's closed bit.
    case beginningInCountByExchange
    /// `Activity.close`: sets the bit of each count.
    case closingCounts
    /// `Sharded`: the exchange that publishes the counts and the look at them are sequentially consistent.
    case makingOrder
    /// `Activity.end`: looks at all counts, not only at its own.
    case lookAtAllCounts
    /// `Activity.end`: the change of a count is sequentially consistent, and so is the look at the other ones.
    case endOrder
    /// `Lifecycle.idleLatch`: the latch is listed before the look at the count.
    case listingFirst
    /// `Lifecycle.idleLatch`: the look at the count after listing the latch.
    case lookAfterListing
    /// `Lifecycle.endActivity`: the end of the last build opens the latches.
    case opening
    /// L1. `OnceCell.finish`: the check of the closed bit.
    case lookAtTheEnd
    /// L2. `Lifecycle.add`: nothing is added once disposal has begun.
    case tooLate
    /// L3. `Lifecycle.take`: only an instance in the list is taken.
    case taking
    /// `Lifecycle.take`: a taken disposal is counted, under the lock.
    case countingClaims
    /// `Lifecycle.takeDisposals(.ifIdle)`: the check of the count, under the lock.
    case lookWhenTaking

    // Redundant as long as there is one count: the lifecycle's lock orders the same accesses.
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
    let isCrowded = threads.contains(.crowdedBuilder)
    layout = WeakMemory.Layout(
      threads: threads.count, locks: 1, capacities: isCrowded ? [9, 2, 8] : [10, 2, 2], marks: threads.count + 1)
  }

  /// The location of `Activity.word`, whose lowest bit is the closed bit.
  static let word = 0
  /// The location of the address of `Activity.counts`: 1 once they have been made.
  static let counts = 1
  /// The location of a count, which all crowded threads share. A number modulo 16, since a build that ends there may have begun in the word.
  static let count = 2
  /// The mark of the completion of a thread's instance.
  func making(_ thread: Int) -> Int { thread }
  var closing: Int { threads.count }

  struct State: Hashable, Sendable {
    var memory: WeakMemory
    var frames: [Frame]
    /// Whether the mark of closing is set.
    var isClosing = false
    /// Guarded by the lock, as in `Lifecycle`.
    var isDisposing = false
    /// Sets of instances, one bit each: listed for disposal, made, disposed of.
    var listed: UInt16 = 0
    var made: UInt16 = 0
    var disposed: UInt16 = 0
    var isLatchListed = false
    var isLatchOpen = false
    /// The instances that unregistering threads have taken out of the list.
    var claimed: UInt16 = 0
    /// The number of counted builds in progress, whatever the word says.
    var underWay = 0
  }

  struct Frame: Hashable, Sendable {
    var at: Point
    var taken: UInt16 = 0
    var isLast = false
    var isKept = false
    /// What has been found in the word, for a sum with the count.
    var found = 0
  }

  enum Point: Hashable, Sendable {
    case begin, count, build, add, finish, end, open
    case make, lookBeforeCounting, countInOwn, exchangeInOwn
    case endInWord, endInOwn, lookAtWord
    case claim, dispose
    case close, findCounts, closeCount, list, look, findCountsToLook, addCount, wait, take
    case done
  }

  var initial: State {
    State(
      memory: WeakMemory(layout, initially: [0, 0, 0]),
      frames: threads.map { thread in
        switch thread {
        case .builder: Frame(at: .begin)
        case .crowdedBuilder: Frame(at: .make)
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
      case .crowdedBuilder: "crowded build \(number + 1)"
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
    case .builder, .crowdedBuilder, .transient: build(&me, thread, &state, &move)
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

  /// Disposes of instances, and checks that each is complete and disposed of once.
  func dispose(_ set: UInt16, _ thread: Int, _ state: inout State, _ move: inout Move) {
    move.notify(set == 0 ? "has nothing to dispose of" : "disposes of \(instances(set))")
    if set & state.disposed != 0 { move.complain("\(instances(set & state.disposed)) is disposed of twice") }
    for instance in threads.indices where set & bit(instance) != 0 {
      if !state.memory.hasSeen(making(instance), by: thread) {
        move.complain("\(instances(bit(instance))) may not be complete for the thread that disposes of it")
      }
    }
    state.disposed |= set
  }
}
