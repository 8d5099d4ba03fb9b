/// One way to get at a service, measured beside others that do the same.
struct Contender: Sendable {
  /// What a contender is in the comparison.
  enum Role: String, Sendable {
    /// What no container can beat. The first floor of a scenario is the one ratios are taken to.
    case floor
    /// What a user would write instead of taking a container.
    case baseline
    /// The container.
    case container
    /// No way to get at a service, but something that tells what the machine gave meanwhile.
    case probe
  }

  /// The measured work and who drives it.
  enum Work: Sendable {
    /// So many operations, on each thread of a team.
    case threads(@Sendable (_ iterations: Int) throws -> Void)
    /// So many operations, in each task of a group.
    case tasks(@Sendable (_ iterations: Int) async throws -> Void)
    /// Work that brings its own threads or tasks and measures itself.
    case own(@Sendable (Load) async throws -> Sample)
  }

  let name: String
  let role: Role
  /// Runs the operation once and asks the service that comes of it ``Greeter/answer(_:)`` or the
  /// like; what it says must be the scenario's ``Scenario/expectedAnswer``.
  let answer: @Sendable () async throws -> Int
  let work: Work
}

extension Contender.Work {
  /// Operations on one thread, whatever the lane, which says what the operation is.
  static func onOneThread(
    _ body: @escaping @Sendable (_ lane: Int) throws -> @Sendable (_ iterations: Int) throws -> Void
  ) -> Self {
    .own { load in
      let body = try body(load.lane)
      return try ThreadTeam.run(Load(iterations: load.iterations, lane: 1, limit: load.limit), body)
    }
  }
}

/// How much a contender has to do.
struct Load: Equatable, Sendable {
  /// Operations on each thread, or in each task.
  let iterations: Int
  /// The number of threads, tasks or registrations.
  let lane: Int
  /// Nanoseconds after which threads may leave the rest undone.
  let limit: UInt64
}

/// One repeat of one contender.
struct Sample: Equatable, Sendable {
  /// What was counted, in the scenario's unit, over all operations.
  private(set) var total: Double
  /// The operations of all threads or tasks together.
  private(set) var operations: Int
  /// What was counted beside it.
  private(set) var details: [Detail: Double]

  init(total: Double, operations: Int, details: [Detail: Double] = [:]) {
    self.total = total
    self.operations = operations
    self.details = details
  }

  var perOperation: Double { total / Double(max(operations, 1)) }

  /// Makes another batch of operations part of the sample.
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

/// The names under which bounds and reports find the contenders that several scenarios share.
enum ContenderName {
  static let staticLet = "static let (floor F)"
  static let plain = "plain construction (floor C)"
  static let mutex = "Mutex + dictionary"
  static let unlocked = "dictionary, no lock"
  static let actor = "actor + dictionary"
  static let container = "container"
  static let child = "container, child"
  static let grandchild = "container, grandchild"
  static let requestScope = "container, request scope"
  static let link = "container, link"
  static let linkParent = "container, parent of a link"
  /// What the names of a child's and a scope's contender end with, where there are two kinds of registrations.
  static let byAutowiring = ", autowired"
  static let byFactory = ", factory closure"
  static let autowired = "container, autowired"
  static let factory = "container, factory closure"
  static let token = "container, token"
  static let stringKey = "container, string key"
  static let enumKey = "container, enum key"
  static let provider = "container, provider"
  static let shared = "container, shared"
  static let scoped = "container, scoped"
  static let borrowed = "container, withResolved"
  static let arithmetic = "arithmetic alone (free cores)"
}
