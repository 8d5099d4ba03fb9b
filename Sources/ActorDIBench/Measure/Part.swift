/// The part of a scenario to measure.
struct Part: Sendable {
  let scenario: any Scenario
  /// The lanes in which all contenders are measured.
  var lanes: Set<Int> = []
  /// Single contenders, each in one lane.
  var subjects: [Bound.Subject] = []

  var isEmpty: Bool { lanes.isEmpty && subjects.isEmpty }

  /// All lanes in which something is measured, in ascending order.
  var allLanes: [Int] { lanes.union(subjects.map(\.lane)).sorted() }

  /// Whether a contender is measured in at least one lane.
  func includes(_ contender: String) -> Bool {
    !lanes.isEmpty || subjects.contains { $0.contender == contender }
  }

  func includes(_ contender: String, lane: Int) -> Bool {
    lanes.contains(lane) || subjects.contains { $0.contender == contender && $0.lane == lane }
  }

  /// The seconds that measuring takes at a pace, if repeats have their target duration.
  func plannedSeconds(_ pace: Pace) async throws -> Double {
    let names = try await scenario.contenders().map(\.name)
    let cells = allLanes.map { lane in names.count { includes($0, lane: lane) } }.reduce(0, +)
    return pace.seconds(cells: cells)
  }
}
