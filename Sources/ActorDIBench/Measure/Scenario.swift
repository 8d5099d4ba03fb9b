/// A question put to the container, its floors and its baselines alike.
///
/// A scenario is one file: it names its contenders, and the runner does the rest.
protocol Scenario: Sendable {
  /// What filters, bounds and reports know it by.
  static var name: String { get }
  /// One line for people.
  static var summary: String { get }

  var unit: MeasuredUnit { get }
  var lanes: Lanes { get }
  /// A number of operations per repeat that is not to be calibrated.
  var fixedIterations: Int? { get }
  /// What each contender's service has to say when it is asked.
  var expectedAnswer: Int { get }

  /// Why it cannot be measured in this build, if it cannot.
  var obstacle: String? { get }

  /// Makes the contenders, the floor first, everything warm that the scenario wants warm.
  func contenders() async throws -> [Contender]
}

extension Scenario {
  var name: String { Self.name }
  var summary: String { Self.summary }
  var unit: MeasuredUnit { .operation }
  var lanes: Lanes { .threads }
  var fixedIterations: Int? { nil }
  var expectedAnswer: Int { Answers.greeter }
  var obstacle: String? { nil }
}

/// What a figure counts.
enum MeasuredUnit: String, Sendable {
  /// Nanoseconds per operation: wall time over the operations of all threads.
  case operation = "ns/op"
  /// Nanoseconds per round, in which every thread or task does one operation.
  case round = "ns/round"
  /// Heap allocations per operation.
  case allocations = "allocations/op"

  var isTime: Bool { self != .allocations }
}

/// Across what a scenario is spread.
enum Lanes: Sendable {
  /// The thread counts of the command line.
  case threads
  /// These numbers of tasks.
  case tasks([Int])
  /// One thread, always.
  case single

  var noun: String {
    switch self {
    case .threads, .single: "threads"
    case .tasks: "tasks"
    }
  }

  func counts(threads: [Int]) -> [Int] {
    switch self {
    case .threads: threads
    case .tasks(let counts): counts
    case .single: [1]
    }
  }
}
