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
  /// What differs from an earlier run, if there was one to compare with.
  var comparison: Comparison?
  /// How far the run had come, if it was ended early.
  var breakoff: Breakoff?
  var repetition = Repetition()
  /// How a page names the folder with the plots, if some were drawn.
  var plotFolder: String?

  func written(as format: Options.Format, for terminal: Terminal = .plain) -> String {
    switch format {
    case .table: TableReport(report: self, terminal: terminal).text
    case .markdown: MarkdownReport(report: self).text
    case .json: JSONReport(report: self).text
    case .csv: CSVReport(report: self).text
    }
  }

  // MARK: - What several formats say

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

  /// One line for the end of a check.
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

  /// What a reference is called at the head of a column.
  static func abbreviated(_ name: String) -> String {
    if name.hasPrefix("static let") { return "F" }
    if name.hasPrefix("plain construction") { return "C" }
    if name == Churn.quiet { return "quiet" }
    return name
  }
}
