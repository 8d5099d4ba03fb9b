/// The findings of a run, independent of the output format.
struct Report: Sendable {
  let environment: Environment
  /// The arguments of the process, beginning with its name.
  let commandLine: [String]
  let pace: Pace
  var results: Results
  /// The reasons why scenarios could not be measured, by their names.
  let obstacles: [String: String]
  /// The outcomes of the bounds, if they were checked.
  let outcomes: [Outcome]?
  /// The differences from an earlier run, if there was one to compare with.
  var comparison: Comparison?
  /// The state of the run at its end, if it was ended early.
  var breakoff: Breakoff?
  var repetition = Repetition()
  /// The link from the page to the folder with the plots, if any were drawn.
  var plotFolder: String?

  func written(as format: Options.Format, for terminal: Terminal = .plain) -> String {
    switch format {
    case .table: TableReport(report: self, terminal: terminal).text
    case .markdown: MarkdownReport(report: self).text
    case .json: JSONReport(report: self).text
    case .csv: CSVReport(report: self).text
    }
  }

  // MARK: - Content of several formats

  /// The bounds with their figures and verdicts.
  func grid(of outcomes: [Outcome]) -> Grid {
    var grid = Grid([
      .init(title: "row", isNumber: false),
      .init(title: "what", isNumber: false),
      .init(title: "bound", isNumber: false),
      .init(title: "measured"),
      .init(title: "verdict", isNumber: false) { cell, _ in
        cell.hasPrefix(Verdict.met.text) ? .good : cell.hasPrefix(Verdict.fellShort.text) ? .bad : .faint
      },
    ])
    for outcome in outcomes {
      let again =
        outcome.measurements > 1 ? " (measured \(outcome.measurements) times)" : ""
      grid.add([
        outcome.bound.row, outcome.bound.what, outcome.bound.limitText,
        outcome.measured.map(Format.figure) ?? "–",
        outcome.verdict.text + again,
      ])
    }
    return grid
  }

  /// The conclusion of a check, in one line.
  func conclusion(of outcomes: [Outcome]) -> String {
    let outcomes = outcomes.filter { $0.verdict != .listed }
    let met = outcomes.count { $0.verdict == .met }
    let unmeasured = outcomes.count { $0.verdict != .met && $0.verdict != .fellShort }
    let rest =
      unmeasured == 0 ? "" : breakoff == nil ? "; \(unmeasured) not measurable" : "; \(unmeasured) not measured"
    let short = outcomes.rowsThatFellShort
    let interrupted = breakoff == nil ? "" : "Interrupted. "
    return interrupted
      + (short.isEmpty
        ? "\(met) of \(outcomes.count) bounds met\(rest)."
        : "Fell short: \(short.joined(separator: ", ")). "
          + "\(met) of \(outcomes.count) bounds met\(rest).")
  }

  func ratio(of series: Series, to reference: String) -> Double? {
    guard series.contender != reference,
      let other = results.series(
        scenario: series.scenario, contender: reference, lane: series.lane)
    else { return nil }
    return series.ratio(to: other)
  }

  /// The abbreviation of a reference for a column heading.
  static func abbreviated(_ name: String) -> String {
    if name.hasPrefix("static let") { return "F" }
    if name.hasPrefix("plain construction") { return "C" }
    if name == Churn.quiet { return "quiet" }
    return name
  }
}
