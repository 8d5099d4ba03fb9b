/// Compares measurements with the bounds, and repeats the measurements of bounds that fell short.
struct Check {
  /// The maximum number of measurements of a bound.
  ///
  /// A shared machine occasionally disturbs a whole measurement, whereas a container that is too slow is too slow each time. A figure
  /// that misses its limit by more than such a disturbance is measured only once.
  static let measurements = 3

  let bounds: [Bound]
  let cores: Int

  /// The scenarios of the bounds, in the order of measurement.
  var scenarios: [any Scenario] {
    let names = Set(bounds.flatMap(\.scenarios))
    return Scenarios.all.filter { names.contains($0.name) }
  }

  /// The lanes of a scenario that at least one bound uses.
  func lanes(of scenario: any Scenario) -> [Int] {
    Self.lanes(of: scenario.name, for: measurable)
  }

  /// Judges the bounds by the results, repeating the measurements of those that fall short or that a busy machine obscures.
  ///
  /// - Parameters:
  ///   - results: The measurements. Repeated ones replace them.
  ///   - measure: Measures the given lanes of a scenario, with the given multiple of the usual repeats.
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
  /// The rows that fell short, without duplicates, such as `P1, P4`.
  var rowsThatFellShort: [String] {
    var rows: [String] = []
    for outcome in self where outcome.verdict == .fellShort && !rows.contains(outcome.bound.row) {
      rows.append(outcome.bound.row)
    }
    return rows
  }

  /// The conclusion of the check, in one line.
  var conclusion: String {
    let limited = filter { $0.verdict != .listed }
    let met = limited.count { $0.verdict == .met }
    let unmeasured = limited.count { $0.verdict != .met && $0.verdict != .fellShort }
    return (rowsThatFellShort.isEmpty ? "" : "Fell short: \(rowsThatFellShort.joined(separator: ", ")). ")
      + "\(met) of \(Format.count(limited.count, "bound")) met"
      + (unmeasured == 0 ? "." : "; \(unmeasured) not measurable.")
  }
}
