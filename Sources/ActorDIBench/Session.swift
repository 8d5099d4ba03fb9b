/// One run: its scenarios, their order, and the evaluation of the results.
struct Session {
  let options: Options
  let cores: Int
  let bounds: [Bound]
  let environment: Environment
  let progress: Progress

  /// Measures, checks the bounds if requested, and creates the report.
  ///
  /// - Parameters:
  ///   - onScenario: Receives each scenario after its measurement, and all results so far.
  func run(_ onScenario: (any Scenario, Results) throws -> Void) async throws -> Report {
    var results = Results()
    var obstacles: [String: String] = [:]
    for scenario in parts.map(\.scenario) {
      if let obstacle = scenario.obstacle { obstacles[scenario.name] = obstacle }
    }
    try await measure(parts.filter { $0.scenario.obstacle == nil }) { part, series in
      results.merge(series)
      try onScenario(part.scenario, results)
    }
    let outcomes = try await check?.outcomes(&results, obstacles: obstacles) { parts in
      var again: [Series] = []
      try await measure(parts) { _, series in again += series }
      return again
    }
    return Report(
      environment: environment, commandLine: CommandLine.arguments, pace: options.pace, results: results,
      obstacles: obstacles, summary: summary?.lines(of: results), outcomes: outcomes)
  }

  /// Measures parts of scenarios in turn.
  private func measure(_ parts: [Part], _ onPart: (Part, [Series]) throws -> Void) async throws {
    let runner = Runner(pace: options.pace, cores: cores, progress: progress)
    for part in parts {
      progress.expect(try await part.plannedSeconds(options.pace))
    }
    for (index, part) in parts.enumerated() {
      progress.begin(index + 1, of: parts.count)
      try onPart(part, try await runner.measure(part))
    }
  }

  private var check: Check? {
    options.isCheck ? Check(bounds: bounds.filter(options.includes(bound:)), cores: cores) : nil
  }

  private var summary: Summary? {
    options.isSummary ? Summary(threads: options.threads) : nil
  }

  /// The parts of scenarios that the options ask for, in the order of measurement.
  var parts: [Part] {
    let subjects = (check?.subjects ?? []) + (summary?.subjects ?? [])
    return Scenarios.all.compactMap { scenario in
      var part = Part(scenario: scenario, subjects: subjects.filter { $0.scenario == scenario.name })
      if options.isWhole, options.includes(scenario: scenario.name) {
        part.lanes = Set(scenario.lanes.counts(threads: options.threads))
      }
      return part.isEmpty ? nil : part
    }
  }
}
