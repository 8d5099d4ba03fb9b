/// One way to obtain a service, measured next to others with the same result.
struct Contender: Sendable {
  /// The role of a contender in the comparison.
  enum Role: String, Sendable {
    /// A lower bound that no container can beat. Ratios refer to the first floor of a scenario.
    case floor
    /// Code that a user would write instead of using a container.
    case baseline
    /// The container.
    case container
    /// Not a way to obtain a service, but a measure of what the machine could do at the time.
    case probe
  }

  /// The measured work, and how to run it.
  enum Work: Sendable {
    /// The given number of operations, on each thread of a team.
    case threads(@Sendable (_ iterations: Int) throws -> Void)
    /// The given number of operations, in each task of a group.
    case tasks(@Sendable (_ iterations: Int) async throws -> Void)
    /// Work that has its own threads or tasks, and measures itself.
    case own(@Sendable (Load) async throws -> Sample)
  }

  let name: String
  let role: Role
  /// Runs the operation once and asks the resulting service, for example with ``Greeter/answer(_:)``. The answer must be the scenario's
  /// ``Scenario/expectedAnswer``.
  let answer: @Sendable () async throws -> Int
  let work: Work
}

extension Contender.Work {
  /// Runs operations on one thread. The lane determines the operation, not the number of threads.
  static func onOneThread(
    _ body: @escaping @Sendable (_ lane: Int) throws -> @Sendable (_ iterations: Int) throws -> Void
  ) -> Self {
    .own { load in
      let body = try body(load.lane)
      return try ThreadTeam.run(Load(iterations: load.iterations, lane: 1, limit: load.limit), body)
    }
  }
}

/// The amount of work for a contender.
struct Load: Equatable, Sendable {
  /// The number of operations on each thread, or in each task.
  let iterations: Int
  /// The number of threads, tasks or registrations.
  let lane: Int
  /// The nanoseconds after which threads may skip the remaining operations.
  let limit: UInt64
}

/// One repeat of one contender.
struct Sample: Equatable, Sendable {
  /// The count over all operations, in the scenario's unit.
  private(set) var total: Double
  /// The number of operations of all threads or tasks together.
  private(set) var operations: Int
  /// The additional figures of the repeat.
  private(set) var details: [Detail: Double]

  init(total: Double, operations: Int, details: [Detail: Double] = [:]) {
    self.total = total
    self.operations = operations
    self.details = details
  }

  var perOperation: Double { total / Double(max(operations, 1)) }

  /// Adds another batch of operations to the sample.
  mutating func add(_ batch: Sample) {
    details.merge(
      batch.details.map { detail, figure in
        let merged = details[detail].map {
          detail.merged($0, weight: total, with: figure, weight: batch.total)
        }
        return (detail, merged ?? figure)
      }, uniquingKeysWith: { _, new in new })
    total += batch.total
    operations += batch.operations
  }
}

/// The names by which bounds and reports find the contenders shared by several scenarios.
enum ContenderName {
  static let staticLet = "static let (floor F)"
  static let plain = "plain construction (floor C)"
  static let mutex = "Mutex + dictionary"
  static let unlocked = "dictionary, no lock"
  static let actor = "actor + dictionary"
  static let container = "container"
  /// The suffixes where there are two kinds of registrations.
  static let byAutowiring = ", autowired"
  static let byFactory = ", factory closure"
  static let arithmetic = "arithmetic alone (free cores)"
}
