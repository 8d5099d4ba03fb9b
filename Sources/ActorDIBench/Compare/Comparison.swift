/// The differences between two runs.
///
/// A time is compared as a multiple of the floor measured in the same repeat, because machines differ and drift. A floor is compared
/// directly: if it differs, the machine does.
struct Comparison: Equatable, Sendable {
  /// The smallest change that counts. Two builds of the same code differ by less, depending on where their loops are placed.
  static let leastChange = 0.05
  /// The smallest number of repeats that indicates the noise. A run that was ended early may have fewer.
  static let leastRepeats = 3

  /// One contender in one lane of a scenario, in both runs.
  struct Row: Equatable, Sendable {
    let scenario: String
    let contender: String
    let role: Contender.Role
    let lane: Int
    /// The unit of the figures, or a multiple of a floor.
    let measure: String
    let old: Interval
    let new: Interval

    /// The change from the old figure to the new one, as a share of the old one; `nil` if the old one is 0.
    var change: Double? {
      old.median == 0 ? (new.median == 0 ? 0 : nil) : new.median / old.median - 1
    }

    /// Whether the runs differ by more than the noise of each run.
    var isBeyondNoise: Bool {
      min(old.repeats, new.repeats) >= Comparison.leastRepeats && !old.overlaps(new)
        && abs(change ?? .infinity) >= Comparison.leastChange
    }

    var verdict: Verdict {
      guard isBeyondNoise else { return .noise }
      if role == .floor || role == .probe { return .machine }
      return new.median > old.median ? .worse : .better
    }
  }

  /// The meaning of a difference. For all figures, less is better.
  enum Verdict: String, Sendable {
    case noise = "within noise"
    case better
    case worse = "WORSE"
    case machine = "the machine differs"
  }

  /// The median of the repeats, and their middle three quarters.
  ///
  /// Of nine repeats, the interval omits the lowest and the highest, which a shared machine may have disturbed.
  struct Interval: Equatable, Sendable {
    let repeats: Int
    let median: Double
    let lower: Double
    let upper: Double

    /// Creates the interval of the samples; `nil` if there are none.
    init?(_ samples: [Double]) {
      guard let median = Statistics.median(samples), let lower = Statistics.quantile(samples, 1 / 8),
        let upper = Statistics.quantile(samples, 7 / 8)
      else { return nil }
      repeats = samples.count
      (self.median, self.lower, self.upper) = (median, lower, upper)
    }

    func overlaps(_ other: Interval) -> Bool { lower <= other.upper && other.lower <= upper }
  }

  let path: String
  let occasion: String
  /// The reasons why the two runs are hard to compare.
  let caveats: [String]
  let rows: [Row]
  /// The figures without a counterpart in the new run, and those without one in the old run.
  let onlyOld: [String]
  let onlyNew: [String]

  /// Compares two runs.
  ///
  /// - Parameters:
  ///   - environment: The environment of the new run.
  init(old: PastRun, new: Results, in environment: Environment) {
    path = old.path
    occasion = old.occasion
    caveats =
      (old.isOptimized == environment.isOptimized
        ? [] : ["only one of the runs was built with optimisation: the figures mean nothing beside each other"])
      + (old.processor == environment.processor
        ? [] : ["the processors differ: even multiples of a floor differ from one kind to another"])
    rows = new.series.flatMap { Self.rows($0, new, old.results) }
    onlyOld = Self.missing(from: new, in: old.results)
    onlyNew = Self.missing(from: old.results, in: new)
  }

  var beyondNoise: [Row] { rows.filter(\.isBeyondNoise) }

  /// The conclusion, in one line.
  var conclusion: String {
    let worse = rows.count { $0.verdict == .worse }
    let better = rows.count { $0.verdict == .better }
    let machine = rows.count { $0.verdict == .machine }
    return
      "Beyond the noise of the two runs: \(worse) worse, \(better) better, of \(Format.count(rows.count, "figure"))"
      + (machine == 0 ? "." : "; in \(machine) the machine differs.")
  }

  /// The rows of a series and of its details.
  private static func rows(_ series: Series, _ new: Results, _ old: Results) -> [Row] {
    guard let own = row(series, new, old) else { return [] }
    let past = old.series(scenario: series.scenario, contender: series.contender, lane: series.lane)
    return [own]
      + Detail.allCases.compactMap { detail in
        // The rate of the disturber is neither good nor bad.
        guard detail != .disturbance, let before = past?.details[detail].flatMap(Interval.init),
          let after = series.details[detail].flatMap(Interval.init)
        else { return nil }
        return Row(
          scenario: series.scenario, contender: series.contender, role: series.role, lane: series.lane,
          measure: "\(detail.rawValue), \(detail.unit.rawValue)", old: before, new: after)
      }
  }

  private static func row(_ series: Series, _ new: Results, _ old: Results) -> Row? {
    guard let past = old.series(scenario: series.scenario, contender: series.contender, lane: series.lane),
      past.unit == series.unit
    else { return nil }
    var measure = series.unit.rawValue
    var samples = (old: past.samples, new: series.samples)
    if series.unit.isTime, series.role != .floor,
      let floor = new.floor(of: series), let pastFloor = old.floor(of: past), floor.contender == pastFloor.contender
    {
      measure = "÷ floor"
      samples = (
        Statistics.ratios(past.samples, to: pastFloor.samples), Statistics.ratios(series.samples, to: floor.samples)
      )
    }
    guard let before = Interval(samples.old), let after = Interval(samples.new) else { return nil }
    return Row(
      scenario: series.scenario, contender: series.contender, role: series.role, lane: series.lane,
      measure: measure, old: before, new: after)
  }

  /// The figures that one run has and the other lacks, as a short list.
  private static func missing(from other: Results, in results: Results) -> [String] {
    results.scenarios.flatMap { scenario -> [String] in
      guard other.scenarios.contains(scenario) else { return [scenario] }
      let noun = Scenarios.named(scenario)?.lanes.noun ?? "threads"
      let lanes = results.lanes(scenario: scenario)
      let missingLanes = lanes.filter { !other.lanes(scenario: scenario).contains($0) }
      var missing: [String] = []
      if !missingLanes.isEmpty {
        missing.append(
          "\(scenario) with \(missingLanes.map { Format.grouped(String($0)) }.joined(separator: ", ")) \(noun)")
      }
      let series = results.series.filter { $0.scenario == scenario }
      let others = other.series.filter { $0.scenario == scenario }
      for contender in Set(series.map(\.contender)).sorted() {
        let theirs = others.filter { $0.contender == contender }
        if theirs.isEmpty {
          missing.append("\(scenario), \(contender)")
          continue
        }
        for one in series where one.contender == contender && !missingLanes.contains(one.lane) {
          if theirs.first(where: { $0.lane == one.lane })?.unit != one.unit {
            missing.append("\(scenario), \(contender), \(one.lane) \(noun), in \(one.unit.rawValue)")
          }
        }
      }
      return missing
    }
  }
}

extension Results {
  /// The first floor of the series' scenario, in the same lane; `nil` for that floor itself.
  func floor(of series: Series) -> Series? {
    let floor = self.series(scenario: series.scenario, lane: series.lane).first { $0.role == .floor }
    return floor?.contender == series.contender ? nil : floor
  }
}
