/// A small concurrent program whose every behaviour can be tried: a few threads, each of which takes one step at a time.
///
/// A step is what nobody can see half done: one access to shared memory with the thread's own work around it, or one critical section. All
/// that a step depends on stands in the state.
protocol ConcurrentModel: Sendable {
  associatedtype State: Hashable

  var initial: State { get }

  /// What each thread is called in a story.
  var threadNames: [String] { get }

  /// Whether a thread has nothing left to do.
  func isFinished(_ thread: Int, in state: State) -> Bool

  /// Takes a thread's next step. It tells the move of what it does, asks it where more than one thing can happen, and reports to it
  /// what is wrong.
  func step(_ thread: Int, _ state: inout State, _ move: inout Move)

  /// What is wrong with a state in which all threads have finished; nil when nothing is.
  func complaint(atEnd state: State) -> String?
}

/// One step of one thread, with one outcome of each choice that it meets.
struct Move: Sendable {
  /// What was chosen, in order; beyond its end the first possibility is taken, and noted.
  private(set) var choices: [UInt8]
  private var possibilities: [UInt8] = []
  private var next = 0

  /// Whether the thread cannot take its step now: it waits for a lock or for somebody to wake it.
  private(set) var isBlocked = false
  private(set) var complaint: String?

  /// What was told, if it is wanted.
  private(set) var story: [String]?

  init(choices: [UInt8] = [], telling: Bool = false) {
    self.choices = choices
    story = telling ? [] : nil
  }

  /// One of several possibilities, all of which are tried.
  mutating func choose(_ count: Int) -> Int {
    if count == 1 { return 0 }
    if next == choices.count { choices.append(0) }
    possibilities.append(UInt8(count))
    next += 1
    return Int(choices[next - 1])
  }

  mutating func block() { isBlocked = true }

  mutating func complain(_ complaint: String) {
    if self.complaint == nil { self.complaint = complaint }
  }

  mutating func tell(_ text: @autoclosure () -> String) {
    if story != nil { story?.append(text()) }
  }

  /// The choices of the next move of the same thread in the same state; nil when all have been tried.
  var successor: [UInt8]? {
    var choices = choices
    while let last = choices.last {
      if last + 1 < possibilities[choices.count - 1] {
        choices[choices.count - 1] = last + 1
        return choices
      }
      choices.removeLast()
    }
    return nil
  }
}
