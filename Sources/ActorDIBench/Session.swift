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
    let runner = Runner(pace: options.pace, cores: cores, progress: progress)
    let check = options.isCheck ? Check(bounds: bounds.filter(options.includes(bound:)), cores: cores) : nil
    let scenarios = scenarios(of: check)
    var results = Results()
    var obstacles: [String: String] = [:]
    for (index, scenario) in scenarios.enumerated() {
      if let obstacle = scenario.obstacle {
        obstacles[scenario.name] = obstacle
        continue
      }
      let lanes = lanes(of: scenario, check: check)
      guard !lanes.isEmpty else { continue }
      progress.begin(index + 1, of: scenarios.count)
      results.merge(try await runner.measure(scenario, lanes: lanes, repeats: options.pace.repeats))
      try onScenario(scenario, results)
    }
    let outcomes = try await check?.outcomes(&results, obstacles: obstacles) { scenario, lanes, factor in
      progress.begin(factor, of: Check.measurements)
      return try await runner.measure(scenario, lanes: lanes, repeats: options.pace.repeats * factor)
    }
    return Report(
      environment: environment, commandLine: CommandLine.arguments, pace: options.pace, results: results,
      obstacles: obstacles, outcomes: outcomes)
  }

  private func scenarios(of check: Check?) -> [any Scenario] {
    let checked = Set(check?.scenarios.map(\.name) ?? [])
    return Scenarios.all.filter {
      checked.contains($0.name) || (options.isWhole && options.includes(scenario: $0.name))
    }
  }

  private func lanes(of scenario: any Scenario, check: Check?) -> [Int] {
    let wanted = options.isWhole ? scenario.lanes.counts(threads: options.threads) : []
    return Set(wanted + (check?.lanes(of: scenario) ?? [])).sorted()
  }
}
