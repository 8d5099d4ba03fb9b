/// The report for spreadsheets and data frames: one table with a line for each figure (RFC 4180). The individual repeats are only in
/// the JSON report.
///
/// Numbers are not rounded and have a decimal point. A missing figure is empty.
struct CSVReport {
  let report: Report

  var text: String {
    if let comparison = report.comparison { return Self.table(comparison) }
    if let outcomes = report.outcomes { return Self.table(outcomes) }
    return figures
  }

  private var figures: String {
    var lines = [
      [
        "scenario", "contender", "role", "axis", "lane", "figure", "unit", "repeats", "median", "minimum",
        "lower_quartile",
        "upper_quartile", "maximum", "floor", "ratio_to_floor", "speed_up",
      ]
    ]
    for series in report.results.series {
      let place = [
        series.scenario, series.contender, series.role.rawValue, Scenarios.named(series.scenario)?.lanes.noun ?? "",
        String(series.lane),
      ]
      let floor = series.unit.isTime ? report.results.floor(of: series) : nil
      lines.append(
        place + ["own", series.unit.rawValue] + Self.summary(series.samples) + [
          floor?.contender ?? "", Self.number(floor.flatMap(series.ratio)),
          Self.number(report.results.speedUp(of: series)),
        ])
      for detail in Detail.allCases {
        guard let samples = series.details[detail] else { continue }
        lines.append(place + [detail.rawValue, detail.unit.rawValue] + Self.summary(samples) + ["", "", ""])
      }
    }
    return Self.text(lines)
  }

  private static func summary(_ samples: [Double]) -> [String] {
    [String(samples.count)] + [0.5, 0, 0.25, 0.75, 1].map { number(Statistics.quantile(samples, $0)) }
  }

  private static func table(_ outcomes: [Outcome]) -> String {
    text(
      [["row", "what", "bound", "measured", "met", "verdict", "measurements"]]
        + outcomes.map { outcome in
          [
            outcome.bound.row, outcome.bound.what, outcome.bound.limitText, number(outcome.measured),
            String(outcome.verdict == .met), outcome.verdict.text, String(outcome.measurements),
          ]
        })
  }

  private static func table(_ comparison: Comparison) -> String {
    text(
      [
        [
          "scenario", "contender", "role", "lane", "figure", "old", "old_lower", "old_upper", "new", "new_lower",
          "new_upper", "change", "beyond_noise",
        ]
      ]
        + comparison.sorted.map { row in
          [row.scenario, row.contender, row.role.rawValue, String(row.lane), row.measure]
            + [
              row.old.median, row.old.lower, row.old.upper, row.new.median, row.new.lower, row.new.upper, row.change,
            ].map(number) + [String(row.isBeyondNoise)]
        })
  }

  private static func number(_ number: Double?) -> String {
    number.map { $0.isFinite ? "\($0)" : "" } ?? ""
  }

  /// Joins the fields into lines, each ended by CRLF as RFC 4180 requires.
  static func text(_ lines: [[String]]) -> String {
    lines.map { $0.map(quoted).joined(separator: ",") + "\r\n" }.joined()
  }

  /// The field, quoted if it contains a separator, a quotation mark or a line break.
  private static func quoted(_ field: String) -> String {
    guard field.unicodeScalars.contains(where: { ",\"\r\n".unicodeScalars.contains($0) }) else { return field }
    return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
