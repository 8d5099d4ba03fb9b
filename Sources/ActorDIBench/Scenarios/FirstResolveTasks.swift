import ActorDI

/// P13: the first resolve of a singleton by many tasks at once.
///
/// Each round has its own registry, created before the clock starts. The build is short; see ``FirstResolveCrowd`` for a build that all
/// tasks must wait for.
struct FirstResolveTasks: Scenario {
  static let name = "first-resolve-tasks"
  static let summary = "first resolve of one singleton by all tasks of a group, per round"

  let unit = MeasuredUnit.round
  static let task = "Task.value"
  static let crowd = 10_000

  let lanes = Lanes.tasks([2, 64, FirstResolveTasks.crowd])

  /// Enough rounds for a median, and few enough that a round may take a millisecond, or ten with a crowd.
  func fixedIterations(lane: Int) -> Int? { min(256, max(2, 16_384 / lane)) }

  func contenders() -> [Contender] {
    [
      Self.contender(Self.task, .floor) { counter in
        let task = Task.detached { counter.build() }
        return { await task.value }
      },
      Self.contender(ContenderName.actor, .baseline) { counter in
        let registry = DictionaryActor()
        return { await registry.resolve((any Greeter).self, orBuild: { counter.build() }) }
      },
      Self.contender(ContenderName.container, .container) { counter in
        let container = Fixtures.coldContainer(counter)
        return { try await container.resolve((any Greeter).self) }
      },
    ]
  }

  private static func contender(
    _ name: String, _ role: Contender.Role,
    registry: @escaping @Sendable (BuildCounter) -> @Sendable () async throws -> any Greeter
  ) -> Contender {
    Contender(
      name: name, role: role,
      answer: { try await registry(BuildCounter())().answer(Answers.question) },
      work: .own { load in
        var total: UInt64 = 0
        for _ in 0..<load.iterations {
          let counter = BuildCounter()
          let resolve = registry(counter)
          total += try await TaskTeam.run(tasks: load.lane) { consume(try await resolve()) }
          guard counter.builds == 1 else {
            throw BenchmarkError.builds(
              scenario: Self.name, contender: name, builds: counter.builds)
          }
        }
        return Sample(total: Double(total), operations: load.iterations)
      })
  }
}
