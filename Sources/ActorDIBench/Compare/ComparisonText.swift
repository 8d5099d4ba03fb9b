extension Comparison {
  /// The rows, with those beyond noise first, in descending order of change.
  var sorted: [Row] {
    func size(_ row: Row) -> Double { abs(row.change ?? .infinity) }
    return beyondNoise.sorted { size($0) > size($1) } + rows.filter { !$0.isBeyondNoise }
  }

  func grid(of rows: [Row]) -> Grid {
    var grid = Grid([
      .init(title: "scenario", isNumber: false), .init(title: "lane"), .init(title: "contender", isNumber: false),
      .init(title: "figure", isNumber: false), .init(title: "old"), .init(title: "new"), .init(title: "change"),
      .init(title: "verdict", isNumber: false),
    ])
    for row in rows {
      grid.add([
        row.scenario, Format.grouped(String(row.lane)), row.contender, row.measure,
        Self.text(row.old), Self.text(row.new), row.change.map(Format.change) ?? "–", row.verdict.rawValue,
      ])
    }
    return grid
  }

  /// The caveats of the comparison, and the figures that only one of the runs has, one line each.
  private var notes: [String] {
    caveats.map { "warning: \($0)" } + onlyOld.map { "only in \(path): \($0)" }
      + onlyNew.map { "only in this run: \($0)" }
  }

  var rule: String {
    "Median (middle three quarters of the repeats). Beyond noise: these do not overlap, and the medians differ by "
      + "\(Format.short(Self.leastChange * 100)) % or more."
  }

  func text(for terminal: Terminal) -> String {
    var text = "Compared with \(path): \(occasion)\n\n"
    text += grid(of: sorted).text(indent: "  ", for: terminal)
    if !notes.isEmpty { text += "\n" + notes.map { "\($0)\n" }.joined() }
    return text + "\n\(conclusion)\n\(rule)\n"
  }

  var markdown: String {
    let all = grid(of: rows).markdown()
    let differing = beyondNoise.isEmpty ? "" : grid(of: Array(sorted.prefix(beyondNoise.count))).markdown() + "\n"
    let only = notes.isEmpty ? "" : notes.map { "- \($0)\n" }.joined() + "\n"
    return """
      ## What has changed

      Against `\(path)` (\(occasion)). \(rule)

      \(conclusion)

      \(differing)\(only)<details><summary>Every figure of both runs</summary>

      \(all)
      </details>

      """
  }

  var json: JSONValue {
    .members([
      "with": .string(path),
      "occasion": .string(occasion),
      "caveats": .strings(caveats),
      "rows": .array(
        sorted.map { row in
          .members([
            "scenario": .string(row.scenario), "contender": .string(row.contender), "role": .string(row.role.rawValue),
            "lane": .int(row.lane), "figure": .string(row.measure),
            "old": Self.json(row.old), "new": Self.json(row.new),
            "change": row.change.map(JSONValue.number) ?? .null,
            "beyondNoise": .bool(row.isBeyondNoise), "verdict": .string(row.verdict.rawValue),
          ])
        }),
      "onlyOld": .strings(onlyOld),
      "onlyNew": .strings(onlyNew),
    ])
  }

  private static func text(_ interval: Interval) -> String {
    let ends = "\(Format.measured(interval.lower)) – \(Format.measured(interval.upper))"
    return "\(Format.measured(interval.median)) (\(ends))"
  }

  private static func json(_ interval: Interval) -> JSONValue {
    .members([
      "median": .number(interval.median), "lower": .number(interval.lower), "upper": .number(interval.upper),
    ])
  }
}
