/// The repeats of one contender in one lane of a scenario.
struct Series: Equatable, Sendable {
  let scenario: String
  let contender: String
  let role: Contender.Role
  /// The number of threads, tasks or registrations.
  let lane: Int
  let unit: MeasuredUnit
  /// The figures per operation, one for each repeat, in order.
  var samples: [Double]
  /// The additional figures, one for each repeat.
  var details: [Detail: [Double]] = [:]

  mutating func add(_ sample: Sample) {
    samples.append(sample.perOperation)
    for (detail, figure) in sample.details { details[detail, default: []].append(figure) }
  }

  var median: Double? { Statistics.median(samples) }

  /// The median of the ratios of each repeat to the reference's sample in the same repeat.
  func ratio(to reference: Series) -> Double? {
    Statistics.median(Statistics.ratios(samples, to: reference.samples))
  }
}

/// All series measured so far, in the order of their first measurement.
struct Results: Sendable {
  private(set) var series: [Series] = []

  /// Adds series. A series that is measured again replaces the old one.
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

  /// The median of the speed-up over one thread or task.
  ///
  /// - Returns: `nil` for one thread or task, and if the scenario's lanes are not threads or tasks.
  func speedUp(of series: Series) -> Double? {
    guard series.unit == .operation, series.lane > 1,
      Scenarios.named(series.scenario)?.lanes.isParallel ?? true,
      let alone = self.series(scenario: series.scenario, contender: series.contender, lane: 1)
    else { return nil }
    return alone.ratio(to: series)
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

  /// The references for a scenario's ratios: its floors first, then its baselines.
  func references(scenario: String) -> [String] {
    var references: [String] = []
    for role in [Contender.Role.floor, .baseline] {
      for one in series where one.scenario == scenario && one.role == role && !references.contains(one.contender) {
        references.append(one.contender)
      }
    }
    return references
  }

  /// The median of the ratios of a series to another contender in the same lane; `nil` for that contender itself.
  func ratio(of series: Series, to reference: String) -> Double? {
    guard series.contender != reference,
      let other = self.series(scenario: series.scenario, contender: reference, lane: series.lane)
    else { return nil }
    return series.ratio(to: other)
  }
}
