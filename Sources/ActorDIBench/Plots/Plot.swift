/// The content of a scenario's plot: a line for each contender over the number of threads, tasks or registrations.
struct Plot: Equatable, Sendable {
  struct Point: Equatable, Sendable {
    let x: Double
    let y: Double
    /// The bounds of the middle half of the repeats.
    let lower: Double
    let upper: Double
  }

  struct Line: Equatable, Sendable {
    let name: String
    let role: Contender.Role
    let points: [Point]
  }

  let scenario: String
  let title: String
  /// The meaning of the vertical axis, and whether high values are good.
  let measure: String
  /// The unit of the horizontal axis.
  let axis: String
  let lines: [Line]

  var fileName: String { "\(scenario).svg" }

  /// The description for readers who cannot see the plot.
  var description: String {
    let ends = lines.compactMap { line in
      line.points.last.map { "\(line.name) \(Format.measured($0.y))" }
    }
    let last = lines.flatMap(\.points).map(\.x).max() ?? 0
    return "\(measure), by \(axis). At \(Format.tick(last)) \(axis): \(ends.joined(separator: "; "))."
  }

  /// A plot for each scenario that was measured in several lanes.
  static func all(in results: Results) -> [Plot] {
    results.scenarios.compactMap { Plot(scenario: $0, results) }
  }

  /// Creates the plot of a scenario; `nil` if it has no two points to connect.
  init?(scenario name: String, _ results: Results) {
    guard let scenario = Scenarios.named(name), results.lanes(scenario: name).count > 1 else { return nil }
    // For parallel lanes, throughput shows the scaling better than the time per operation does.
    let isThroughput = scenario.unit == .operation && scenario.lanes.isParallel
    var contenders: [String] = []
    let series = results.series.filter { $0.scenario == name && $0.role != .probe }
    for one in series where !contenders.contains(one.contender) { contenders.append(one.contender) }
    let lines = contenders.compactMap { contender -> Line? in
      let own = series.filter { $0.contender == contender }.sorted { $0.lane < $1.lane }
      let points = own.compactMap { Self.point($0, isThroughput: isThroughput) }
      guard points.count > 1, let role = own.first?.role else { return nil }
      return Line(name: contender, role: role, points: points)
    }
    guard !lines.isEmpty else { return nil }
    self.init(
      scenario: name, title: scenario.summary.prefix(1).uppercased() + scenario.summary.dropFirst(),
      measure: isThroughput
        ? "millions of operations a second, all \(scenario.lanes.noun) together: more is better"
        : "\(scenario.unit.words): less is better",
      axis: scenario.lanes.noun, lines: lines)
  }

  init(scenario: String, title: String, measure: String, axis: String, lines: [Line]) {
    self.scenario = scenario
    self.title = title
    self.measure = measure
    self.axis = axis
    self.lines = lines
  }

  private static func point(_ series: Series, isThroughput: Bool) -> Point? {
    guard let median = series.summary?.median, let lower = Statistics.quantile(series.samples, 0.25),
      let upper = Statistics.quantile(series.samples, 0.75)
    else { return nil }
    let x = Double(series.lane)
    guard isThroughput else { return Point(x: x, y: median, lower: lower, upper: upper) }
    guard lower > 0 else { return nil }
    return Point(x: x, y: 1_000 / median, lower: 1_000 / upper, upper: 1_000 / lower)
  }
}

extension MeasuredUnit {
  /// The unit in words.
  fileprivate var words: String {
    switch self {
    case .operation: "nanoseconds per operation"
    case .round: "nanoseconds per round"
    case .single: "nanoseconds"
    default: rawValue
    }
  }
}
