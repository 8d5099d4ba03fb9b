/// Shared memory as C++ and Swift define it, by what each thread has seen.
///
/// # How it works
///
/// A location has the messages that were stored in it, in modification order. A thread has a *view*: for each location, the oldest
/// message that it may still read. A load takes any message that is not older; what it took, it cannot go behind any more. A store that
/// releases sends the thread's view along; a load that acquires it joins that view to its own. A read-modify-write reads the newest
/// message, and sends on the view that came with it (release sequences). Sequentially consistent operations share one more view: a load
/// does not go behind what it says of the location, and each of them enters there what it has read or stored; a fence joins it as a whole
/// and is joined to it. That is what C++20 says of the total order S, told as a machine. A process-wide barrier is such a fence in all
/// threads at once. A mutex hands a view from each holder to the next.
///
/// What a processor's store buffer does is among the behaviours (a load may read what is older than a store that has been made), and so is
/// what an out-of-order one does with loads.
///
/// # What it does not show
///
/// - A load that reads what only a later step stores (load buffering, values out of thin air). The protocols free memory or wake
///   somebody by a read-modify-write or under a lock after what they have read, and what a thread *uses* is told to others by a mark of its
///   own (see `mark`), which only a release hands on. So "the use was delayed beyond the unpin" is seen as a missing order, not as a value.
/// - A store that takes its place before the newest message of its location. Each location has one writer, or its writers hold a lock or
///   use read-modify-writes; the one exception, a flag that several threads set to the same value, has no old value to win.
/// - What fences do for relaxed accesses beside them, apart from the order S. This leaves threads knowing less than C++ promises.
/// - The compiler. Where it would be free to move something, the model moves it: that is one of its switches.
///
/// # Representation
///
/// A view is one word. A location has a field in it that holds the index of a message in unary, a mark has one bit; so to join views is to
/// `or` them. A message that no thread can read any more is dropped and the others move down, which makes states that behave alike equal.
struct WeakMemory: Hashable, Sendable {
  typealias View = UInt64

  enum Ordering: Sendable {
    case relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent

    var acquires: Bool { self != .relaxed && self != .releasing }
    var releases: Bool { self != .relaxed && self != .acquiring }
  }

  /// Which field of a view belongs to which location. Never changed.
  final class Layout: Sendable {
    let threadCount: Int
    let lockCount: Int
    /// How many messages each location can have.
    let capacities: [Int]
    let shifts: [UInt64]
    /// Where the words of a location begin: its values, then the views of its messages.
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
  /// The views of the threads, that of the order S, those of the locks; then the locations.
  private var words: [View]

  init(_ layout: Layout, initially values: [Int]) {
    self.layout = layout
    words = Array(repeating: 0, count: layout.wordCount)
    // Nothing has been marked that anybody could have missed.
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

  /// - Returns: what stood there before.
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

  /// - Returns: what stood there before.
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

  /// What a thread reads that knows of the last store, by a lock.
  func newest(_ location: Int) -> Int { value(location, count(location) - 1) }

  // MARK: Fences and locks

  /// A sequentially consistent fence.
  mutating func fence(by thread: Int) {
    let all = words[thread] | words[layout.threadCount]
    words[thread] = all
    words[layout.threadCount] = all
  }

  /// The same in all threads at once.
  mutating func processBarrier() {
    var all = words[layout.threadCount]
    for thread in 0..<layout.threadCount { all |= words[thread] }
    for thread in 0...layout.threadCount { words[thread] = all }
  }

  mutating func acquire(lock: Int = 0, by thread: Int) { words[thread] |= words[layout.threadCount + 1 + lock] }
  mutating func release(lock: Int = 0, by thread: Int) { words[layout.threadCount + 1 + lock] |= words[thread] }

  /// What a thread knows, another one knows that is started or woken by it.
  mutating func hand(from thread: Int, to other: Int) { words[other] |= words[thread] }

  // MARK: Marks

  /// Something that is no access to shared memory, such as a use of an object, and whose order against others is to be known.
  mutating func mark(_ mark: Int, by thread: Int) {
    let bit = View(1) << (layout.firstMark + UInt64(mark))
    for word in 0..<(layout.threadCount + 1 + layout.lockCount) { words[word] &= ~bit }
    for location in layout.capacities.indices {
      let start = layout.starts[location] + 1
      for message in 0..<count(location) { words[start + message] &= ~bit }
    }
    words[thread] |= bit
  }

  /// Whether the last one of its kind happened before what the thread does now.
  func hasSeen(_ mark: Int, by thread: Int) -> Bool {
    words[thread] & 1 << (layout.firstMark + UInt64(mark)) != 0
  }

  // MARK: Canonical form

  /// Drops what nobody can read any more.
  ///
  /// - Parameter threads: those that are not finished.
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
    precondition(index < layout.capacities[location], "too many messages that somebody can still read")
    precondition((0..<16).contains(value))
    let own = view(of: location, index)
    words[thread] |= own
    words[start] = UInt64(index + 1) << 56 | words[start] & (1 << 56 - 1) | UInt64(value) << UInt64(4 * index)
    words[start + 1 + index] = sequence | own | (ordering.releases ? words[thread] : 0)
    if ordering == .sequentiallyConsistent { words[layout.threadCount] |= own }
  }
}
