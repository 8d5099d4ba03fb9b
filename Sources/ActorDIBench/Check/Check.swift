/// Holds the bounds against measurements, and measures again what fell short.
struct Check {
  /// A shared machine disturbs whole measurements now and then; a container that is too slow is too
  /// slow each time. What misses its limit by more than such a disturbance is measured once.
  static let measurements = 3

  let bounds: [Bound]
  let cores: Int

  /// The scenarios the bounds are measured by, in the order of measurement.
  var scenarios: [any Scenario] {
    let names = Set(bounds.flatMap(\.scenarios))
    return Scenarios.all.filter { names.contains($0.name) }
  }

  /// The lanes of a scenario that some bound looks at.
  func lanes(of scenario: any Scenario) -> [Int] {
    Self.lanes(of: scenario.name, for: measurable)
  }

  /// Judges the bounds by the results, measuring again those that fall short or that a busy machine hides.
  ///
  /// - Parameters:
  ///   - results: The measurements; what is measured again replaces them.
  ///   - measure: Measures these lanes of a scenario in so many times the usual repeats.
  func outcomes(
    _ results: inout Results, obstacles: [String: String],
    measuringAgain measure: (any Scenario, _ lanes: [Int], _ factor: Int) async throws -> [Series]
  ) async rethrows -> [Outcome] {
    var outcomes = bounds.map { $0.judge(results, cores: cores, obstacles: obstacles) }
    for attempt in 2...Self.measurements {
      let short = outcomes.filter(\.isOpen).map(\.bound)
      for scenario in scenarios {
        let lanes = Self.lanes(of: scenario.name, for: short)
        guard !lanes.isEmpty else { continue }
        results.merge(try await measure(scenario, lanes, attempt))
      }
      for index in outcomes.indices where outcomes[index].isOpen {
        outcomes[index] = outcomes[index].bound.judge(
          results, cores: cores, obstacles: obstacles)
        outcomes[index].measurements = attempt
      }
    }
    return outcomes
  }

  private var measurable: [Bound] {
    bounds.filter { $0.minimumCores <= cores }
  }

  private static func lanes(of scenario: String, for bounds: [Bound]) -> [Int] {
    bounds.reduce(into: Set<Int>()) { $0.formUnion($1.lanes(of: scenario)) }.sorted()
  }
}

extension [Outcome] {
  /// The rows that fell short, each once, as in `P1, P4`.
  var rowsThatFellShort: [String] {
    var rows: [String] = []
    for outcome in self where outcome.verdict == .fellShort && !rows.contains(outcome.bound.row) {
      rows.append(outcome.bound.row)
    }
    return rows
  }
}
