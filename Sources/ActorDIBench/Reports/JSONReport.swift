/// The report for programs: every repeat of every contender.
struct JSONReport {
  let report: Report

  var text: String { value.text + "\n" }

  private var value: JSONValue {
    .members([
      "tool": .string("ActorDIBench"),
      "environment": environment,
      "commandLine": .strings(report.commandLine),
      "repeats": .int(report.pace.repeats),
      "shortestRepeatNanoseconds": .int(Int(report.pace.shortestRepeat)),
      "scenarios": .array(report.results.scenarios.compactMap(scenario)),
      "notMeasurable": .object(
        report.obstacles.sorted { $0.key < $1.key }.map {
          .init(name: $0.key, value: .string($0.value))
        }),
      "check": report.outcomes.map { .array($0.map(outcome)) } ?? .null,
      "fellShort": report.outcomes.map { .strings($0.rowsThatFellShort) } ?? .null,
      "interrupted": .bool(report.breakoff != nil),
      "partial": report.breakoff?.partial.map { .string($0.scenario) } ?? .null,
      "missing": .strings(report.breakoff?.missing ?? []),
      "comparison": report.comparison?.json ?? .null,
    ])
  }

  private var environment: JSONValue {
    let environment = report.environment
    return .members([
      "processor": .string(environment.processor),
      "cores": .int(environment.cores),
      "system": .string(environment.system),
      "compiler": .string(environment.compiler),
      "optimized": .bool(environment.isOptimized),
      "date": .string(environment.date),
      "commit": .string(environment.commit),
    ])
  }

  private func scenario(_ name: String) -> JSONValue? {
    guard let scenario = Scenarios.named(name) else { return nil }
    return .members([
      "name": .string(scenario.name),
      "summary": .string(scenario.summary),
      "unit": .string(scenario.unit.rawValue),
      "lanes": .string(scenario.lanes.noun),
      "series": .array(report.results.series.filter { $0.scenario == name }.map(series)),
    ])
  }

  private func series(_ series: Series) -> JSONValue {
    let references = report.results.references(scenario: series.scenario).map(\.name)
    let ratios = references.compactMap { name -> JSONValue.Member? in
      guard series.unit.isTime, let ratio = report.ratio(of: series, to: name) else { return nil }
      return .init(name: name, value: .number(ratio))
    }
    return .members([
      "contender": .string(series.contender),
      "role": .string(series.role.rawValue),
      "lane": .int(series.lane),
      "median": series.summary.map { .number($0.median) } ?? .null,
      "minimum": series.summary.map { .number($0.minimum) } ?? .null,
      "maximum": series.summary.map { .number($0.maximum) } ?? .null,
      "samples": .numbers(series.samples),
      "ratios": .object(ratios),
      "details": .object(
        Detail.allCases.compactMap { detail in
          series.details[detail].map { .init(name: detail.rawValue, value: .numbers($0)) }
        }),
    ])
  }

  private func outcome(_ outcome: Outcome) -> JSONValue {
    .members([
      "row": .string(outcome.bound.row),
      "what": .string(outcome.bound.what),
      "bound": .string(outcome.bound.limitText),
      "measured": outcome.measured.map(JSONValue.number) ?? .null,
      "verdict": .string(outcome.verdict.text),
      "met": .bool(outcome.verdict == .met),
      "measurements": .int(outcome.measurements),
    ])
  }
}
