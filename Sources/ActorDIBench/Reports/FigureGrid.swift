extension Report {
  /// The figures of a scenario, with a row for each contender in each lane.
  ///
  /// - Parameters:
  ///   - terminal: If it has a width, bars fill the space that the figures leave.
  ///   - indent: The part of the width that is already used.
  func grid(of scenario: any Scenario, for terminal: Terminal = .plain, indent: Int = 0) -> Grid {
    let columns = columns(of: scenario)
    let shown = series(of: scenario)
    var grid = Grid(columns.map(\.column))
    for one in shown { grid.add(columns.map { $0.cell(one) }) }
    guard let width = terminal.width, let most = shown.compactMap({ Self.length(of: $0) }).max(), most > 0 else {
      return grid
    }
    let title = scenario.unit.isTime ? "→ faster" : "→ more"
    let room = width - indent - Grid.gap.count
    grid = grid.narrowed(to: room - title.count)
    let longest = min(30, room - grid.width)
    guard longest >= title.count else { return grid }
    grid.add(
      .init(title: title, isNumber: false, paint: Self.paint),
      cells: shown.map { Self.length(of: $0).map { Bars.bar($0 / most, width: longest) } ?? "" })
    return grid
  }

  private struct FigureColumn {
    let column: Grid.Column
    let cell: (Series) -> String
  }

  private func columns(of scenario: any Scenario) -> [FigureColumn] {
    func column(
      _ title: String, isNumber: Bool = true, dispensability: Int = 0,
      paint: (@Sendable (String, [String]) -> Paint?)? = nil, _ cell: @escaping (Series) -> String
    ) -> FigureColumn {
      let column = Grid.Column(title: title, isNumber: isNumber, dispensability: dispensability, paint: paint)
      return FigureColumn(column: column, cell: cell)
    }
    let unit = scenario.unit.rawValue
    var columns = [
      column(scenario.lanes.noun) { Format.grouped(String($0.lane)) },
      column("contender", isNumber: false, paint: Self.paint) { $0.contender },
      column(unit) { $0.summary.map { Format.measured($0.median) } ?? "" },
      column("spread") { Statistics.spread($0.samples).map(Format.spread) ?? "" },
      column("min – max", dispensability: 3) { one in
        one.summary.map { "\(Format.measured($0.minimum)) – \(Format.measured($0.maximum))" } ?? ""
      },
    ]
    if scenario.unit == .operation {
      columns.append(column("M ops/s", dispensability: 2) { $0.throughput.map(Format.measured) ?? "" })
    }
    if scenario.unit.isTime {
      for (index, reference) in results.references(scenario: scenario.name).enumerated() {
        columns.append(
          column("÷ \(Self.abbreviated(reference.name))", dispensability: index == 0 ? 0 : 3 + index) { one in
            ratio(of: one, to: reference.name).map { Format.fixed($0, digits: 2) } ?? ""
          })
      }
    }
    for detail in Detail.allCases where series(of: scenario).contains(where: { $0.details[detail] != nil }) {
      columns.append(
        column("\(detail.rawValue), \(detail.unit.rawValue)", dispensability: 2) { one in
          one.median(of: detail).map(Format.measured) ?? ""
        })
    }
    if series(of: scenario).contains(where: { results.speedUp(of: $0) != nil }) {
      columns.append(
        column("speed-up", dispensability: 1) { results.speedUp(of: $0).map { Format.fixed($0, digits: 2) } ?? "" })
    }
    return columns
  }

  /// The series in the order of the lanes.
  private func series(of scenario: any Scenario) -> [Series] {
    results.lanes(scenario: scenario.name).flatMap { results.series(scenario: scenario.name, lane: $0) }
      .filter { $0.summary != nil }
  }

  /// The length of the series' bar: its speed for a time, otherwise its count.
  private static func length(of series: Series) -> Double? {
    guard let median = series.summary?.median else { return nil }
    guard series.unit.isTime else { return median }
    return median > 0 ? 1 / median : nil
  }

  /// Highlights the container.
  private static let paint: @Sendable (String, [String]) -> Paint? = { _, line in
    line.dropFirst().first?.hasPrefix(ContenderName.container) == true ? .container : nil
  }
}

extension Statistics {
  /// Half of the interquartile range, as a share of the median.
  static func spread(_ samples: [Double]) -> Double? {
    guard let lower = quantile(samples, 0.25), let upper = quantile(samples, 0.75), let median = median(samples),
      median > 0
    else { return nil }
    return (upper - lower) / 2 / median
  }
}

extension Format {
  /// A spread, such as `± 4 %`.
  static func spread(_ share: Double) -> String { "± \(fixed(share * 100, digits: 0)) %" }
}
