/// One measurement of the container, its floors and its baselines.
///
/// A scenario is one file: it defines its contenders, and the runner does the rest.
protocol Scenario: Sendable {
  /// The name for filters, bounds and reports.
  static var name: String { get }
  /// A one-line description.
  static var summary: String { get }

  var unit: MeasuredUnit { get }
  var lanes: Lanes { get }
  /// The number of operations per repeat, if it is not to be calibrated.
  var fixedIterations: Int? { get }
  /// The number of operations per repeat in a lane, if it is not to be calibrated.
  func fixedIterations(lane: Int) -> Int?
  /// The number of operations in an iteration, over all threads or tasks.
  func operationsPerIteration(lane: Int) -> Int
  /// The maximum number of repeats, for a scenario that is slow and steady.
  var mostRepeats: Int { get }
  /// The expected answer of each contender's service.
  var expectedAnswer: Int { get }

  /// The reason why this build cannot measure the scenario, if it cannot.
  var obstacle: String? { get }

  /// Remarks on the figures of this run.
  var notes: [String] { get }

  /// Creates the contenders, the floor first, warmed up as the scenario requires.
  func contenders() async throws -> [Contender]
}

extension Scenario {
  var name: String { Self.name }
  var summary: String { Self.summary }
  var unit: MeasuredUnit { .operation }
  var lanes: Lanes { .threads }
  var fixedIterations: Int? { nil }
  func fixedIterations(lane: Int) -> Int? { fixedIterations }
  func operationsPerIteration(lane: Int) -> Int { lanes.parallelism(lane) }
  var mostRepeats: Int { .max }
  var expectedAnswer: Int { Answers.greeter }
  var obstacle: String? { nil }
  var notes: [String] { [] }
}

/// The dimension that a scenario varies.
enum Lanes: Sendable {
  /// The thread counts of the command line.
  case threads
  /// The thread counts of the command line as numbers of tasks, and the given numbers.
  case tasks([Int])
  /// Always one thread.
  case single
  /// The given numbers of registrations, with one thread or task.
  case registrations([Int])
  /// Initialisers with the given numbers of parameters, with one thread or task.
  case parameters([Int])

  var noun: String {
    switch self {
    case .threads, .single: "threads"
    case .tasks: "tasks"
    case .registrations: "registrations"
    case .parameters: "parameters"
    }
  }

  /// Whether the lanes differ in the number of concurrent threads or tasks.
  var isParallel: Bool {
    switch self {
    case .threads, .tasks, .single: true
    case .registrations, .parameters: false
    }
  }

  /// The number of concurrent threads or tasks in a lane.
  func parallelism(_ lane: Int) -> Int { isParallel ? lane : 1 }

  func counts(threads: [Int]) -> [Int] {
    switch self {
    case .threads: threads
    case .tasks(let counts): Set(threads + counts).sorted()
    case .registrations(let counts), .parameters(let counts): counts
    case .single: [1]
    }
  }
}
