/// Compares measurements with the bounds, and repeats the measurements of bounds that fell short.
struct Check {
  /// The maximum number of measurements of a bound.
  ///
  /// A shared machine occasionally disturbs a whole measurement, whereas a container that is too slow is too slow each time. A figure
  /// that misses its limit by more than such a disturbance is measured only once.
  static let measurements = 2

  let bounds: [Bound]
  let cores: Int

  /// All that must be measured.
  var subjects: [Bound.Subject] {
    bounds.filter { $0.minimumCores <= cores }.flatMap(\.subjects)
  }

  /// Judges the bounds by the results, repeating the measurements of points that fall short or that a busy machine obscures.
  ///
  /// - Parameters:
  ///   - results: The measurements. Repeated ones replace them.
  ///   - measure: Measures the given parts of scenarios.
  func outcomes(
    _ results: inout Results, obstacles: [String: String],
    measuringAgain measure: ([Part]) async throws -> [Series]
  ) async rethrows -> [Outcome] {
    var outcomes = bounds.map { $0.judge(results, cores: cores, obstacles: obstacles) }
    for attempt in 2...Self.measurements {
      let open = outcomes.flatMap { outcome in outcome.findings.filter(outcome.isOpen).flatMap(\.point.subjects) }
      if open.isEmpty { break }
      results.merge(try await measure(parts(with: open)))
      for index in outcomes.indices where outcomes[index].isOpen {
        let outcome = outcomes[index]
        outcomes[index].findings = outcome.findings.map { finding in
          outcome.isOpen(finding)
            ? outcome.bound.judge(finding.point, results, cores: cores, obstacles: obstacles) : finding
        }
        outcomes[index].measurements = attempt
      }
    }
    return outcomes
  }

  /// The lanes of the open subjects, with all subjects of the check in them. Figures of one lane thus stay comparable.
  private func parts(with open: [Bound.Subject]) -> [Part] {
    Scenarios.all.compactMap { scenario in
      let lanes = Set(open.filter { $0.scenario == scenario.name }.map(\.lane))
      let part = Part(
        scenario: scenario,
        subjects: subjects.filter { $0.scenario == scenario.name && lanes.contains($0.lane) })
      return part.isEmpty ? nil : part
    }
  }
}

extension [Outcome] {
  /// The identifiers of the rows that fell short, without duplicates, such as `P1, P4`.
  var rowsThatFellShort: [String] {
    var rows: [String] = []
    for outcome in self where outcome.verdict == .fellShort && !rows.contains(outcome.bound.row) {
      rows.append(outcome.bound.row)
    }
    return rows
  }

  /// The conclusion of the check, in one line.
  var conclusion: String {
    let met = count { $0.verdict == .met }
    let unmeasured = count { $0.verdict != .met && $0.verdict != .fellShort }
    return (rowsThatFellShort.isEmpty ? "" : "Fell short: \(rowsThatFellShort.joined(separator: ", ")). ")
      + "\(met) of \(Format.count(count, "row")) met"
      + (unmeasured == 0 ? "." : "; \(unmeasured) not measurable.")
  }
}
