/// The report as text: the summary, a table for each scenario, or one for all bounds.
enum TableReport {
  static func head(_ environment: Environment, _ pace: Pace) -> String {
    """
    ActorDIBench: \(environment.processor), \(Format.count(environment.cores, "core")), \
    \(environment.system), \(environment.compiler), \(environment.buildText)
    Medians of \(pace.text).

    """
  }

  /// The figures of a scenario.
  static func text(of scenario: any Scenario, _ results: Results) -> String {
    "\n\(scenario.name): \(scenario.summary)\n\n" + grid(of: scenario, results).text(indent: "  ")
      + scenario.notes.map { "  \($0)\n" }.joined()
  }

  /// The summary, or the bounds if they were checked, or else an explanation of the scenarios' tables.
  ///
  /// - Parameter everyPoint: Whether to list the points of all bounds, and not only of those that fell short.
  static func end(of report: Report, everyPoint: Bool = false) -> String {
    let missing = report.obstacles.sorted { $0.key < $1.key }.map { "\n\($0.key): \($0.value)\n" }.joined()
    if let summary = report.summary {
      return Summary.text(of: summary) + """

        More: --all measures every scenario, --check compares the figures with their bounds, --filter TEXT chooses
        scenarios; see --help.

        """
    }
    if let outcomes = report.outcomes {
      return missing + "\n\(grid(of: outcomes, everyPoint: everyPoint).text())\n\(outcomes.conclusion)\n"
    }
    return missing + """

      ns/op: wall time divided by the operations of all threads, so perfect scaling from one thread to
      two halves it. ±: half of the interquartile range. ÷: the median of the ratios of each repeat.
      F: a non-inlined function that returns a static let. C: construction of the same objects without
      a container.

      """
  }

  // MARK: - Scenarios

  /// The figures of a scenario, with a row for each contender in each lane.
  static func grid(of scenario: any Scenario, _ results: Results) -> Grid {
    let all = results.lanes(scenario: scenario.name).flatMap { results.series(scenario: scenario.name, lane: $0) }
    let reference = scenario.unit.isTime ? results.references(scenario: scenario.name).first : nil
    let details = Detail.allCases.filter { detail in all.contains { $0.details[detail] != nil } }
    let hasSpeedUp = all.contains { results.speedUp(of: $0) != nil }
    var columns: [Grid.Column] = [
      .init(title: scenario.lanes.noun), .init(title: "contender", isNumber: false),
      .init(title: scenario.unit.rawValue), .init(title: "±"),
    ]
    if let reference { columns.append(.init(title: "÷ \(abbreviated(reference))")) }
    columns += details.map { .init(title: "\($0.rawValue), \($0.unit.rawValue)") }
    if hasSpeedUp { columns.append(.init(title: "speed-up")) }
    var grid = Grid(columns)
    for one in all {
      var cells = [
        Format.grouped(String(one.lane)), one.contender, one.median.map(Format.measured) ?? "",
        Statistics.spread(one.samples).map { "\(Format.fixed($0 * 100, digits: 0)) %" } ?? "",
      ]
      if let reference {
        let ratio = results.ratio(of: one, to: reference)
        cells.append(ratio.map { Format.fixed($0, digits: 2) } ?? "")
      }
      cells += details.map { one.median(of: $0).map(Format.measured) ?? "" }
      if hasSpeedUp { cells.append(results.speedUp(of: one).map { Format.fixed($0, digits: 2) } ?? "") }
      grid.add(cells)
    }
    return grid
  }

  /// The abbreviation of a reference for a table.
  static func abbreviated(_ name: String) -> String {
    switch name {
    case ContenderName.staticLet: "F"
    case ContenderName.plain: "C"
    case Churn.quiet: "quiet"
    default: name
    }
  }

  // MARK: - Bounds

  /// The bounds with the figures and verdicts of their worst points.
  ///
  /// - Parameter everyPoint: Whether to list the points of all bounds, and not only of those that fell short.
  static func grid(of outcomes: [Outcome], everyPoint: Bool = false) -> Grid {
    var grid = Grid([
      .init(title: "row", isNumber: false), .init(title: "what", isNumber: false),
      .init(title: "bound", isNumber: false), .init(title: "measured"), .init(title: "worst at", isNumber: false),
      .init(title: "verdict", isNumber: false),
    ])
    func text(_ measured: Double?) -> String { measured.map(Format.figure) ?? "–" }
    for outcome in outcomes {
      let again = outcome.measurements > 1 ? " (measured \(outcome.measurements) times)" : ""
      grid.add([
        outcome.bound.row, outcome.bound.what, outcome.bound.limitText, text(outcome.measured),
        outcome.worst?.point.name ?? "", outcome.verdict.text + again,
      ])
      guard outcome.findings.count > 1, everyPoint || outcome.verdict == .fellShort else { continue }
      for finding in outcome.findings {
        grid.add(["", "  \(finding.point.name)", "", text(finding.measured), "", finding.verdict.text])
      }
    }
    return grid
  }
}
