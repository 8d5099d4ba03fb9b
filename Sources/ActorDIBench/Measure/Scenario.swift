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
  /// The same, where it depends on the lane.
  func fixedIterations(lane: Int) -> Int?
  /// How many operations an iteration makes, over all threads or tasks.
  func operationsPerIteration(lane: Int) -> Int
  /// The most repeats that are taken, of what takes long and is steady.
  var mostRepeats: Int { get }
  /// What each contender's service has to say when it is asked.
  var expectedAnswer: Int { get }

  /// Why it cannot be measured in this build, if it cannot.
  var obstacle: String? { get }

  /// What has to be said beside its figures, of this run.
  var notes: [String] { get }

  /// Makes the contenders, the floor first, everything warm that the scenario wants warm.
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

/// Across what a scenario is spread.
enum Lanes: Sendable {
  /// The thread counts of the command line.
  case threads
  /// These numbers of tasks.
  case tasks([Int])
  /// One thread, always.
  case single
  /// These numbers of registrations, from one thread or task.
  case registrations([Int])
  /// Initialisers with these numbers of parameters, from one thread or task.
  case parameters([Int])

  var noun: String {
    switch self {
    case .threads, .single: "threads"
    case .tasks: "tasks"
    case .registrations: "registrations"
    case .parameters: "parameters"
    }
  }

  /// Whether the lanes differ in how many threads or tasks do the same at once.
  var isParallel: Bool {
    switch self {
    case .threads, .tasks, .single: true
    case .registrations, .parameters: false
    }
  }

  /// How many threads or tasks do the same at once in a lane.
  func parallelism(_ lane: Int) -> Int { isParallel ? lane : 1 }

  func counts(threads: [Int]) -> [Int] {
    switch self {
    case .threads: threads
    case .tasks(let counts), .registrations(let counts), .parameters(let counts): counts
    case .single: [1]
    }
  }
}
