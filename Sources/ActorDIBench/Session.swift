/// One run: what to measure, in what order, and what to make of it.
struct Session {
  let options: Options
  let cores: Int
  let bounds: [Bound]

  /// Measures, checks if asked to, and gathers the report.
  func run() async throws -> Report {
    let progress = Progress()
    defer { progress.clear() }
    let environment = Environment.current()
    if let warning = environment.warning { Output.error.write("\(warning)\n") }

    let runner = Runner(pace: options.pace, cores: cores, progress: progress)
    let check = options.isCheck ? check : nil
    var results = Results()
    var obstacles: [String: String] = [:]
    for scenario in scenarios(of: check) {
      if let obstacle = scenario.obstacle {
        obstacles[scenario.name] = obstacle
        continue
      }
      let lanes = lanes(of: scenario, check: check)
      guard !lanes.isEmpty else { continue }
      results.merge(
        try await runner.measure(scenario, lanes: lanes, repeats: options.pace.repeats))
    }
    let outcomes = try await check?.outcomes(&results, obstacles: obstacles) {
      scenario, lanes, factor in
      try await runner.measure(
        scenario, lanes: lanes, repeats: options.pace.repeats * factor)
    }
    return Report(
      environment: environment, commandLine: CommandLine.arguments, pace: options.pace,
      results: results, obstacles: obstacles, outcomes: outcomes)
  }

  /// A page shows everything; a check alone measures no more than it needs.
  private var isWhole: Bool { !options.isCheck || options.format == .markdown }

  private var check: Check {
    Check(bounds: bounds.filter(options.includes(bound:)), cores: cores)
  }

  private func scenarios(of check: Check?) -> [any Scenario] {
    let checked = Set(check?.scenarios.map(\.name) ?? [])
    return Scenarios.all.filter {
      checked.contains($0.name) || (isWhole && options.includes(scenario: $0.name))
    }
  }

  private func lanes(of scenario: any Scenario, check: Check?) -> [Int] {
    let wanted = isWhole ? scenario.lanes.counts(threads: options.threads) : []
    return Set(wanted + (check?.lanes(of: scenario) ?? [])).sorted()
  }
}
