/// The repeats of one contender in one lane of a scenario.
struct Series: Equatable, Sendable {
  let scenario: String
  let contender: String
  let role: Contender.Role
  /// The number of threads or tasks.
  let lane: Int
  let unit: MeasuredUnit
  /// Per operation, one for each repeat, in order.
  var samples: [Double]
  /// Steps per second of what disturbed the scenario meanwhile, if anything did.
  var disturbances: [Double] = []

  var summary: Summary? { Summary(samples) }

  /// Millions of operations a second over all threads, at the median.
  var throughput: Double? {
    guard unit == .operation, let median = summary?.median, median > 0 else { return nil }
    return 1_000 / median
  }

  /// The median of the ratios of each repeat to the reference's sample in the same repeat.
  func ratio(to reference: Series) -> Double? {
    Statistics.median(Statistics.ratios(samples, to: reference.samples))
  }
}

/// All series measured so far, in the order in which they were first measured.
struct Results: Sendable {
  private(set) var series: [Series] = []

  /// Adds series, each in the place of the one it repeats, if there is one.
  mutating func merge(_ newer: [Series]) {
    for one in newer {
      let old = series.firstIndex {
        $0.scenario == one.scenario && $0.contender == one.contender && $0.lane == one.lane
      }
      if let old { series[old] = one } else { series.append(one) }
    }
  }

  /// The scenarios with series, in order.
  var scenarios: [String] {
    var names: [String] = []
    for one in series where !names.contains(one.scenario) { names.append(one.scenario) }
    return names
  }

  func series(scenario: String, contender: String, lane: Int) -> Series? {
    series.first { $0.scenario == scenario && $0.contender == contender && $0.lane == lane }
  }

  func series(scenario: String, lane: Int) -> [Series] {
    series.filter { $0.scenario == scenario && $0.lane == lane }
  }

  func lanes(scenario: String) -> [Int] {
    var lanes: [Int] = []
    for one in series where one.scenario == scenario && !lanes.contains(one.lane) {
      lanes.append(one.lane)
    }
    return lanes
  }

  /// What ratios of a scenario are taken to: its floor first, then its baselines.
  func references(scenario: String) -> [(name: String, role: Contender.Role)] {
    var references: [(name: String, role: Contender.Role)] = []
    for role in [Contender.Role.floor, .baseline] {
      for one in series where one.scenario == scenario && one.role == role {
        if !references.contains(where: { $0.name == one.contender }) {
          references.append((one.contender, role))
        }
      }
    }
    return references
  }
}
