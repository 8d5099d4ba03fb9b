/// An operational model of weak shared memory, as C++ and Swift define it.
///
/// # How it works
///
/// A location is a list of messages: the stored values, in modification order. A thread has a *view*: for each location, the
/// oldest message that the thread may still read.
///
/// - A load takes any message that is not older than the view, and advances the view to that message.
/// - A releasing store attaches the thread's view to its message. An acquiring load joins the message's view to the thread's.
/// - A read-modify-write reads the newest message, and passes on the view attached to it (release sequences).
/// - Sequentially consistent operations share one more view, the order S of C++20. A load does not read a message older than
///   that view. Each such operation enters its own message into it. A fence joins the thread's view and the shared view, in
///   both directions.
/// - A process-wide barrier is such a fence in all threads at once.
/// - A mutex passes a view from each holder to the next.
///
/// So the model includes the effects of store buffers, where a load misses a store that has already been made, and of loads
/// executed out of order.
///
/// # What it does not show
///
/// - A load that reads a value stored by a later step (load buffering, out-of-thin-air values). The protocols free memory or
///   wake a waiter only after their loads, by a read-modify-write or under a lock. A *use* is a mark that only a release passes
///   on (see `mark`). So a use that is delayed beyond the unpin shows as a missing order, not as a value.
/// - A store that is ordered before the newest message of its location. Each location has one writer, or its writers hold a lock or use
///   read-modify-writes. The exception is a flag that several threads set to the same value, where the order does not matter.
/// - The effects of fences on neighbouring relaxed accesses, except by the order S. So threads know less here than C++ guarantees.
/// - The compiler. Where the compiler may move an access, a switch of the model moves it.
///
/// # Representation
///
/// A view is one word. Each location has a field in it with the index of a message in unary, and each mark has one bit, so
/// joining views is a bitwise `or`. A message that no thread can read any more is dropped and the others move down. So states
/// that behave alike are equal.
struct WeakMemory: Hashable, Sendable {
  typealias View = UInt64

  enum Ordering: Sendable {
    case relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent

    var acquires: Bool { self != .relaxed && self != .releasing }
    var releases: Bool { self != .relaxed && self != .acquiring }
  }

  /// The assignment of a view's fields to locations. Immutable.
  final class Layout: Sendable {
    let threadCount: Int
    let lockCount: Int
    /// The maximum number of messages of each location.
    let capacities: [Int]
    let shifts: [UInt64]
    /// The index of each location's first word: its values, followed by the views of its messages.
    let starts: [Int]
    let wordCount: Int
    /// The lowest bit of each location's field.
    let lowBits: View
    let firstMark: UInt64

    init(threads: Int, locks: Int, capacities: [Int], marks: Int) {
      threadCount = threads
      lockCount = locks
      self.capacities = capacities
      var (shift, start, low) = (UInt64(0), threads + 1 + locks, View(0))
      var (shifts, starts): ([UInt64], [Int]) = ([], [])
      for capacity in capacities {
        precondition(capacity <= 12, "values take four bits each")
        shifts.append(shift)
        starts.append(start)
        low |= 1 << shift
        shift += UInt64(capacity - 1)
        start += 1 + capacity
      }
      precondition(shift + UInt64(marks) <= 64, "a view is one word")
      (self.shifts, self.starts, wordCount, lowBits, firstMark) = (shifts, starts, start, low, shift)
    }
  }

  private let layout: Layout
  /// The threads' views, the view of the order S, the locks' views, then the locations.
  private var words: [View]

  init(_ layout: Layout, initially values: [Int]) {
    self.layout = layout
    words = Array(repeating: 0, count: layout.wordCount)
    // Every thread has seen every mark at first, since there is no earlier one to miss.
    for thread in 0..<layout.threadCount { words[thread] = ~0 << layout.firstMark }
    for (location, value) in values.enumerated() {
      words[layout.starts[location]] = 1 << 56 | UInt64(value)
    }
  }

  static func == (left: Self, right: Self) -> Bool { left.words == right.words }

  func hash(into hasher: inout Hasher) {
    unsafe words.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
  }

  // MARK: Accesses

  mutating func load(
    _ location: Int, _ ordering: Ordering, by thread: Int, _ move: inout Move
  ) -> Int {
    let oldest = max(
      index(of: location, in: words[thread]),
      ordering == .sequentiallyConsistent ? index(of: location, in: words[layout.threadCount]) : 0)
    let index = oldest + move.choose(count(location) - oldest)
    see(location, index, ordering, by: thread)
    return value(location, index)
  }

  mutating func store(_ location: Int, _ value: Int, _ ordering: Ordering, by thread: Int) {
    append(location, value, ordering, by: thread, continuing: 0)
  }

  /// Replaces the newest value.
  ///
  /// - Returns: The previous value.
  @discardableResult
  mutating func modify(
    _ location: Int, _ ordering: Ordering, by thread: Int, _ change: (Int) -> Int
  ) -> Int {
    let newest = count(location) - 1
    let old = value(location, newest)
    see(location, newest, ordering, by: thread)
    append(location, change(old), ordering, by: thread, continuing: words[layout.starts[location] + 1 + newest])
    return old
  }

  /// Replaces the newest value if it is the expected one. On failure, this is a load of the newest value.
  ///
  /// - Returns: The previous value.
  mutating func compareExchange(
    _ location: Int, expected: Int, desired: Int, _ ordering: Ordering, by thread: Int
  ) -> Int {
    let newest = count(location) - 1
    guard value(location, newest) != expected else {
      return modify(location, ordering, by: thread) { _ in desired }
    }
    see(location, newest, ordering, by: thread)
    return value(location, newest)
  }

  /// The newest value, for a thread that knows of the last store because it holds a lock.
  func newest(_ location: Int) -> Int { value(location, count(location) - 1) }

  // MARK: Fences and locks

  /// Executes a sequentially consistent fence in one thread.
  mutating func fence(by thread: Int) {
    let all = words[thread] | words[layout.threadCount]
    words[thread] = all
    words[layout.threadCount] = all
  }

  /// Executes a sequentially consistent fence in all threads at once.
  mutating func processBarrier() {
    var all = words[layout.threadCount]
    for thread in 0..<layout.threadCount { all |= words[thread] }
    for thread in 0...layout.threadCount { words[thread] = all }
  }

  mutating func acquire(lock: Int = 0, by thread: Int) { words[thread] |= words[layout.threadCount + 1 + lock] }
  mutating func release(lock: Int = 0, by thread: Int) { words[layout.threadCount + 1 + lock] |= words[thread] }

  /// Passes a thread's view to a thread that it starts or wakes.
  mutating func hand(from thread: Int, to other: Int) { words[other] |= words[thread] }

  // MARK: Marks

  /// Records an event other than an access to shared memory, such as a use of an object, to check its order against later events.
  mutating func mark(_ mark: Int, by thread: Int) {
    let bit = View(1) << (layout.firstMark + UInt64(mark))
    for word in 0..<(layout.threadCount + 1 + layout.lockCount) { words[word] &= ~bit }
    for location in layout.capacities.indices {
      let start = layout.starts[location] + 1
      for message in 0..<count(location) { words[start + message] &= ~bit }
    }
    words[thread] |= bit
  }

  /// Whether the last event of this mark happened before the thread's next step.
  func hasSeen(_ mark: Int, by thread: Int) -> Bool {
    words[thread] & 1 << (layout.firstMark + UInt64(mark)) != 0
  }

  // MARK: Canonical form

  /// Drops the messages that no thread can read any more.
  ///
  /// - Parameter threads: The threads that have not finished.
  mutating func tidy(readers threads: [Int]) {
    if threads.isEmpty { return }
    var common = layout.lowBits
    for thread in threads { common &= words[thread] }
    while common != 0 {
      for location in layout.capacities.indices where common & 1 << layout.shifts[location] != 0 { dropFirst(location) }
      common = layout.lowBits
      for thread in threads { common &= words[thread] }
    }
  }

  private mutating func dropFirst(_ location: Int) {
    let (start, count) = (layout.starts[location], count(location))
    guard count > 1 else { return }
    let values = words[start] & (1 << 56 - 1)
    words[start] = UInt64(count - 1) << 56 | values >> 4
    for message in 1..<count { words[start + message] = words[start + message + 1] }
    words[start + count] = 0
    let field = ((View(1) << UInt64(layout.capacities[location] - 1)) - 1) << layout.shifts[location]
    for word in 0..<(layout.threadCount + 1 + layout.lockCount) { shift(field, word) }
    for other in layout.capacities.indices {
      let start = layout.starts[other] + 1
      for message in 0..<self.count(other) { shift(field, start + message) }
    }
  }

  private mutating func shift(_ field: View, _ word: Int) {
    words[word] = words[word] & ~field | (words[word] & field) >> 1 & field
  }

  // MARK: Messages

  private func count(_ location: Int) -> Int { Int(words[layout.starts[location]] >> 56) }

  private func value(_ location: Int, _ index: Int) -> Int {
    Int(words[layout.starts[location]] >> UInt64(4 * index) & 15)
  }

  private func index(of location: Int, in view: View) -> Int {
    let field = (View(1) << UInt64(layout.capacities[location] - 1)) - 1
    return (view >> layout.shifts[location] & field).nonzeroBitCount
  }

  private func view(of location: Int, _ index: Int) -> View {
    ((View(1) << UInt64(index)) - 1) << layout.shifts[location]
  }

  private mutating func see(_ location: Int, _ index: Int, _ ordering: Ordering, by thread: Int) {
    words[thread] |= view(of: location, index)
    if ordering.acquires { words[thread] |= words[layout.starts[location] + 1 + index] }
    if ordering == .sequentiallyConsistent { words[layout.threadCount] |= view(of: location, index) }
  }

  private mutating func append(
    _ location: Int, _ value: Int, _ ordering: Ordering, by thread: Int, continuing sequence: View
  ) {
    let (start, index) = (layout.starts[location], count(location))
    precondition(index < layout.capacities[location], "too many messages that a thread can still read")
    precondition((0..<16).contains(value))
    let own = view(of: location, index)
    words[thread] |= own
    words[start] = UInt64(index + 1) << 56 | words[start] & (1 << 56 - 1) | UInt64(value) << UInt64(4 * index)
    words[start + 1 + index] = sequence | own | (ordering.releases ? words[thread] : 0)
    if ordering == .sequentiallyConsistent { words[layout.threadCount] |= own }
  }
}
