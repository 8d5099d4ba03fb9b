import ActorDI

/// P25: overrides in one task, and in many at once, as in tests that run in parallel.
struct OverridesTogether: Scenario {
  static let name = "overrides"
  static let summary = "withOverrides and one resolve, in one task and in many"

  static let tasks = 16

  let lanes = Lanes.tasks([1, OverridesTogether.tasks])
  let expectedAnswer = 1

  func contenders() async throws -> [Contender] {
    let world = try await FormWorld()
    let form = Form.overrides
    return [
      Contender(
        name: ContenderName.container, role: .container, answer: { try await form.isRight(world) ? 1 : 0 },
        work: .tasks { count in try await form.run(world, count) })
    ]
  }
}
