/// One run: its scenarios, their order, and the evaluation of the results.
struct Session: Sendable {
  let options: Options
  let cores: Int
  let bounds: [Bound]
  let environment: Environment
  /// The earlier run to compare with, if any.
  let past: PastRun?
  let progress: Progress
  let ledger = Ledger()

  /// Measures, checks the bounds if requested, and creates the report.
  func run() async throws -> Report {
    let ledger = ledger
    let runner = Runner(
      pace: options.pace, cores: cores, progress: progress, onTurn: { ledger.keep(turns: $0) })
    let check = options.isCheck ? check : nil
    let scenarios = scenarios(of: check)
    ledger.plan(scenarios.map(\.name))
    for (index, scenario) in scenarios.enumerated() {
      if let obstacle = scenario.obstacle {
        ledger.note(obstacle, of: scenario.name)
        continue
      }
      let lanes = lanes(of: scenario, check: check)
      progress.begin(index + 1, of: scenarios.count)
      ledger.finish(
        scenario.name,
        lanes.isEmpty ? [] : try await runner.measure(scenario, lanes: lanes, repeats: options.pace.repeats))
    }
    let page = ledger.page
    var results = page.results
    let outcomes = try await check?.outcomes(&results, obstacles: page.obstacles) {
      scenario, lanes, factor in
      progress.begin(factor, of: Check.measurements)
      let series = try await runner.measure(scenario, lanes: lanes, repeats: options.pace.repeats * factor)
      ledger.finish(scenario.name, series)
      return series
    }
    return report(results, obstacles: page.obstacles, outcomes: outcomes)
  }

  /// Creates the report of a run that is ended early, with the measurements so far. Callable from any thread.
  func report(endedBy interruption: Interruption) -> Report {
    let page = ledger.page
    let partial = page.turns.first.map { Breakoff.Partial(scenario: $0.scenario, repeats: $0.samples.count) }
    var results = page.results
    results.merge(page.turns)
    // The report shows the few repeats, but the bounds ignore them.
    var obstacles = page.obstacles
    for scenario in page.left { obstacles[scenario] = Self.interrupted }
    let outcomes =
      options.isCheck
      ? check.bounds.map { $0.judge(page.results, cores: cores, obstacles: obstacles) } : nil
    return report(
      results, obstacles: page.obstacles, outcomes: outcomes,
      breakoff: Breakoff(
        interruption: interruption, partial: partial, missing: page.left.filter { $0 != partial?.scenario }))
  }

  static let interrupted = "not measured: interrupted"

  private func report(
    _ results: Results, obstacles: [String: String], outcomes: [Outcome]?, breakoff: Breakoff? = nil
  ) -> Report {
    Report(
      environment: environment, commandLine: CommandLine.arguments, pace: options.pace, results: results,
      obstacles: obstacles, outcomes: outcomes,
      comparison: past.map { Comparison(old: $0, new: results, in: environment) },
      breakoff: breakoff, repetition: Repetition(options, cores: cores),
      plotFolder: options.svg.map { FileSystem.link(to: $0, from: options.output) })
  }

  private var check: Check {
    Check(bounds: bounds.filter(options.includes(bound:)), cores: cores)
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
