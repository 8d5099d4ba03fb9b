/// The waiters for the end of a container: `Lifecycle.markEnded`, `endLatch` and `openEndLatches`.
///
/// The model checks that every waiter resumes, and not before the container is closed.
struct EndModel: ConcurrentModel {
  enum Weakening: String, CaseIterable, Sendable {
    /// `endLatch`: the latch is listed before the look at the end.
    case listingFirst
    /// `endLatch`: `isAwaited` is set before the look at the end.
    case saying
    /// `endLatch`: the look at the end after listing the latch.
    case lookAfterListing
    /// `markEnded`: the look at `isAwaited` after the end.
    case lookAfterTheEnd
    /// `endLatch`: the store of `isAwaited` is sequentially consistent.
    case sayingOrder
    /// `markEnded`: the store of the end is sequentially consistent.
    case endOrder
    /// `endLatch`: the look at the end acquires.
    case lookAcquires
  }

  /// The number of waiters; one more thread closes the container.
  let waiterCount: Int
  let weakening: Weakening?
  private let layout: WeakMemory.Layout

  init(waiters: Int, without weakening: Weakening? = nil) {
    waiterCount = waiters
    self.weakening = weakening
    layout = WeakMemory.Layout(threads: waiters + 1, locks: 1, capacities: [4, 4], marks: 1)
  }

  private static let hasEnded = 0
  private static let isAwaited = 1
  /// The mark of the closing.
  private static let closing = 0
  private var closer: Int { waiterCount }

  struct State: Hashable, Sendable {
    var memory: WeakMemory
    var at: [Point]
    /// Sets of latches, one bit for each waiter.
    var listed: UInt8 = 0
    var opened: UInt8 = 0
  }

  enum Point: Hashable, Sendable { case list, say, look, lookEarly, wait, open, end, lookForLatches, done }

  var initial: State {
    let first: Point = lacks(.listingFirst) ? .lookEarly : .list
    return State(
      memory: WeakMemory(layout, initially: [0, 0]), at: Array(repeating: first, count: waiterCount) + [.end])
  }

  var threadNames: [String] { (1...waiterCount).map { "waiter \($0)" } + ["closer"] }
  func isFinished(_ thread: Int, in state: State) -> Bool { state.at[thread] == .done }
  func complaint(atEnd state: State) -> String? { nil }

  func step(_ thread: Int, _ state: inout State, _ move: inout Move) {
    switch state.at[thread] {
    case .end:
      state.memory.mark(Self.closing, by: thread)
      state.memory.store(Self.hasEnded, 1, lacks(.endOrder) ? .releasing : .sequentiallyConsistent, by: thread)
      move.notify("says that the container is closed")
      state.at[thread] = .lookForLatches
    case .lookForLatches:
      let isAwaited = state.memory.load(Self.isAwaited, .sequentiallyConsistent, by: thread, &move) != 0
      move.notify(isAwaited ? "finds a waiter" : "finds no waiter")
      state.at[thread] = isAwaited && !lacks(.lookAfterTheEnd) ? .open : .done
    case .list:
      state.memory.acquire(by: thread)
      state.listed |= bit(thread)
      state.memory.release(by: thread)
      move.notify("lists its latch")
      state.at[thread] = lacks(.saying) ? .look : .say
    case .say:
      state.memory.store(Self.isAwaited, 1, lacks(.sayingOrder) ? .releasing : .sequentiallyConsistent, by: thread)
      move.notify("says that it waits")
      state.at[thread] = lacks(.lookAfterListing) || lacks(.listingFirst) ? .wait : .look
    case .look, .lookEarly:
      let ordering: WeakMemory.Ordering = lacks(.lookAcquires) ? .relaxed : .sequentiallyConsistent
      let hasEnded = state.memory.load(Self.hasEnded, ordering, by: thread, &move) != 0
      move.notify(hasEnded ? "finds the container closed" : "finds it not yet closed")
      if hasEnded, state.at[thread] == .lookEarly { state.listed |= bit(thread) }
      state.at[thread] = hasEnded ? .open : state.at[thread] == .lookEarly ? .list : .wait
    case .open:
      state.memory.acquire(by: thread)
      state.opened |= state.listed
      state.listed = 0
      state.memory.release(by: thread)
      move.notify("opens what is listed")
      state.at[thread] = thread == closer ? .done : .wait
    case .wait:
      guard state.opened & bit(thread) != 0 else { return move.block() }
      // A real latch has a lock of its own; the list's lock gives the same order.
      state.memory.acquire(by: thread)
      move.notify("continues")
      if !state.memory.hasSeen(Self.closing, by: thread) { move.complain("continues before the container is closed") }
      state.at[thread] = .done
    case .done: break
    }
    state.memory.tidy(readers: state.at.indices.filter { state.at[$0] != .done })
  }

  private func lacks(_ weakening: Weakening) -> Bool { self.weakening == weakening }
  private func bit(_ thread: Int) -> UInt8 { 1 << UInt8(thread) }
}
