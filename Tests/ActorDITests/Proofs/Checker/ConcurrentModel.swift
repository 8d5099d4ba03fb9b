/// A small concurrent program of a few threads, each of which takes one step at a time, so that every behaviour can be explored.
///
/// A step is atomic for the other threads. It is one access to shared memory with the thread's local work around it, or one
/// critical section. A step depends on the state alone.
protocol ConcurrentModel: Sendable {
  associatedtype State: Hashable

  var initial: State { get }

  /// The threads' names in a story.
  var threadNames: [String] { get }

  /// Whether a thread has no step left to take.
  func isFinished(_ thread: Int, in state: State) -> Bool

  /// Takes a thread's next step.
  ///
  /// The step describes itself to the move, asks the move to choose where several outcomes are possible, and reports errors to it.
  func step(_ thread: Int, _ state: inout State, _ move: inout Move)

  /// Describes the error in a state in which all threads have finished; nil if there is none.
  func complaint(atEnd state: State) -> String?
}

/// One step of one thread, with one outcome of each choice.
struct Move: Sendable {
  /// The chosen outcomes, in order. Choices beyond the last one take the first possibility, which is recorded here.
  private(set) var choices: [UInt8]
  private var possibilities: [UInt8] = []
  private var next = 0

  /// Whether the thread cannot take its step now, because it waits for a lock or for a wake-up.
  private(set) var isBlocked = false
  private(set) var complaint: String?

  /// The step's description of itself; nil unless it was asked for.
  private(set) var story: [String]?

  init(choices: [UInt8] = [], telling: Bool = false) {
    self.choices = choices
    story = telling ? [] : nil
  }

  /// Chooses one of several possibilities. The exploration tries all of them.
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

  mutating func notify(_ text: @autoclosure () -> String) {
    if story != nil { story?.append(text()) }
  }

  /// The choices of the same thread's next move from the same state; nil once all have been tried.
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
