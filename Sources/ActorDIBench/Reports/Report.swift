/// All that a run has found out, before it is written in one format or another.
struct Report: Sendable {
  let environment: Environment
  /// The arguments of the process, the first being its name.
  let commandLine: [String]
  let pace: Pace
  var results: Results
  /// Why scenarios could not be measured, by their names.
  let obstacles: [String: String]
  /// What came of the bounds, if they were checked.
  let outcomes: [Outcome]?

  func written(as format: Options.Format) -> String {
    switch format {
    case .table: TableReport(report: self).text
    case .markdown: MarkdownReport(report: self).text
    case .json: JSONReport(report: self).text
    }
  }

  // MARK: - Grids that the table and the Markdown share

  /// The figures of a scenario, a row for each contender in each lane.
  func grid(of scenario: any Scenario) -> Grid {
    let references = results.references(scenario: scenario.name)
    let hasRatios = scenario.unit.isTime
    var columns: [Grid.Column] = [
      .init(title: scenario.lanes.noun),
      .init(title: "contender", isNumber: false),
      .init(title: scenario.unit.rawValue),
      .init(title: "min – max"),
    ]
    if scenario.unit == .operation { columns.append(.init(title: "M ops/s")) }
    if hasRatios { columns += references.map { .init(title: "÷ \(Self.abbreviated($0.name))") } }
    var grid = Grid(columns)
    for lane in results.lanes(scenario: scenario.name) {
      for one in results.series(scenario: scenario.name, lane: lane) {
        guard let summary = one.summary else { continue }
        var cells = [
          String(lane), one.contender, Format.measured(summary.median),
          "\(Format.measured(summary.minimum)) – \(Format.measured(summary.maximum))",
        ]
        if scenario.unit == .operation {
          cells.append(one.throughput.map(Format.measured) ?? "")
        }
        if hasRatios {
          cells += references.map { reference in
            ratio(of: one, to: reference.name).map { Format.fixed($0, digits: 2) } ?? ""
          }
        }
        grid.add(cells)
      }
    }
    return grid
  }

  /// The bounds with their figures and verdicts.
  func grid(of outcomes: [Outcome]) -> Grid {
    var grid = Grid([
      .init(title: "row", isNumber: false),
      .init(title: "what", isNumber: false),
      .init(title: "bound", isNumber: false),
      .init(title: "measured"),
      .init(title: "verdict", isNumber: false),
    ])
    for outcome in outcomes {
      let again =
        outcome.measurements > 1 ? " (measured \(outcome.measurements) times)" : ""
      grid.add([
        outcome.bound.row, outcome.bound.what, outcome.bound.limitText,
        outcome.measured.map { Format.fixed($0, digits: 2) } ?? "–",
        outcome.verdict.text + again,
      ])
    }
    return grid
  }

  /// What else went on in a scenario, as in `under churn: 1,200 steps/s`.
  func disturbances(of scenario: any Scenario) -> [String] {
    results.series.compactMap { one in
      guard one.scenario == scenario.name,
        let median = Statistics.median(one.disturbances)
      else { return nil }
      let lane = Format.count(one.lane, String(scenario.lanes.noun.dropLast()))
      return "beside '\(one.contender)', \(lane): \(Format.measured(median)) steps/s"
    }
  }

  /// One line for the end of a check.
  func conclusion(of outcomes: [Outcome]) -> String {
    let met = outcomes.count { $0.verdict == .met }
    let unmeasured = outcomes.count { $0.verdict != .met && $0.verdict != .fellShort }
    let rest = unmeasured == 0 ? "" : "; \(unmeasured) not measurable"
    let short = outcomes.rowsThatFellShort
    return short.isEmpty
      ? "\(met) of \(outcomes.count) bounds met\(rest)."
      : "Fell short: \(short.joined(separator: ", ")). "
        + "\(met) of \(outcomes.count) bounds met\(rest)."
  }

  func ratio(of series: Series, to reference: String) -> Double? {
    guard series.contender != reference,
      let other = results.series(
        scenario: series.scenario, contender: reference, lane: series.lane)
    else { return nil }
    return series.ratio(to: other)
  }

  /// What a reference is called at the head of a column.
  private static func abbreviated(_ name: String) -> String {
    if name.hasPrefix("static let") { return "F" }
    if name.hasPrefix("plain construction") { return "C" }
    if name == Churn.quiet { return "quiet" }
    return name
  }
}
