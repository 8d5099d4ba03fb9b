/// A scenario on the page: its plot, a summary table, and the remaining figures in a collapsed section.
struct MarkdownScenario {
  let report: Report
  let scenario: any Scenario

  var text: String {
    var parts = [
      "## \(scenario.name)",
      "\(Self.sentence(scenario.summary)). To repeat: `\(report.repetition.command(scenario: scenario.name))`",
    ]
    if let folder = report.plotFolder, let plot = Plot(scenario: scenario.name, report.results) {
      parts.append("![\(plot.title): \(plot.measure), by \(plot.axis)](\(Self.address("\(folder)/\(plot.fileName)")))")
    }
    let details = scenario.notes.map { "- \($0)\n" }.joined()
    let all = report.grid(of: scenario)
    // With a single lane, the complete table has only one line for each contender.
    if report.results.lanes(scenario: scenario.name).count == 1 {
      parts.append(all.markdown() + (details.isEmpty ? "" : "\n\(details)"))
      return parts.joined(separator: "\n\n")
    }
    parts.append(
      """
      \(glance.markdown())
      <details><summary>Every figure</summary>

      \(all.markdown())
      \(details)</details>

      """)
    return parts.joined(separator: "\n\n")
  }

  /// The summary table: a line for each contender, with a column for each lane's median.
  private var glance: Grid {
    let lanes = report.results.lanes(scenario: scenario.name)
    var contenders: [String] = []
    for one in report.results.series where one.scenario == scenario.name && !contenders.contains(one.contender) {
      contenders.append(one.contender)
    }
    let floor = report.results.references(scenario: scenario.name).first { $0.role == .floor }?.name
    let hasRatios = scenario.unit.isTime && floor != nil
    var rows: [(name: String, all: [Series])] = []
    for contender in contenders {
      rows.append(
        (
          contender,
          lanes.compactMap { report.results.series(scenario: scenario.name, contender: contender, lane: $0) }
        ))
    }
    let hasSpeedUp = rows.contains { $0.all.contains { report.results.speedUp(of: $0) != nil } }
    var columns: [Grid.Column] = [.init(title: "\(scenario.unit.rawValue), by \(scenario.lanes.noun)", isNumber: false)]
    columns += lanes.map { .init(title: Format.grouped(String($0))) }
    columns.append(.init(title: "widest spread"))
    if hasRatios, let floor { columns.append(.init(title: "÷ \(Report.abbreviated(floor))")) }
    if hasSpeedUp { columns.append(.init(title: "best speed-up")) }
    var grid = Grid(columns)
    for row in rows {
      var cells = [row.name]
      cells += lanes.map { lane in
        row.all.first { $0.lane == lane }?.summary.map { Format.measured($0.median) } ?? ""
      }
      cells.append(row.all.compactMap { Statistics.spread($0.samples) }.max().map(Format.spread) ?? "")
      if hasRatios, let floor { cells.append(Self.range(row.all.compactMap { report.ratio(of: $0, to: floor) })) }
      if hasSpeedUp {
        cells.append(row.all.compactMap(report.results.speedUp).max().map { "\(Format.fixed($0, digits: 2)) ×" } ?? "")
      }
      grid.add(cells)
    }
    return grid
  }

  private static func range(_ figures: [Double]) -> String {
    guard let least = figures.min(), let most = figures.max() else { return "" }
    let ends = [least, most].map { Format.fixed($0, digits: $0 < 10 ? 2 : 0) }
    return ends[0] == ends[1] ? ends[0] : "\(ends[0]) – \(ends[1])"
  }

  private static func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }

  /// The path, percent-encoded for a link.
  static func address(_ path: String) -> String {
    path.utf8.map { byte in
      let isPlain = byte > 0x20 && byte < 0x7F && !"<>()[]\"%?#\\".utf8.contains(byte)
      guard !isPlain else { return String(Unicode.Scalar(byte)) }
      return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}
