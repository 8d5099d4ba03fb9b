/// The report for programs: every repeat of every contender. `Tools/benchmarks` reads it.
struct JSONReport {
  /// The version of the format. A change that a reader must know increases it.
  static let version = 1

  let report: Report

  var text: String { value.text + "\n" }

  private var value: JSONValue {
    .members([
      "tool": .string("ActorDIBench"),
      "version": .int(Self.version),
      "environment": environment,
      "commandLine": .strings(report.commandLine),
      "repeats": .int(report.pace.repeats),
      "shortestRepeatNanoseconds": .int(Int(report.pace.shortestRepeat)),
      "shortestLoadNanoseconds": .number(Runner.shortestLoad),
      "scenarios": .array(report.results.scenarios.compactMap(scenario)),
      "notMeasurable": .object(
        report.obstacles.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: .string($0.value)) }),
      "summary": report.summary.map { .array($0.map(line)) } ?? .null,
      "check": report.outcomes.map(check) ?? .null,
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
      "load": environment.load.map(JSONValue.number) ?? .null,
    ])
  }

  private func scenario(_ name: String) -> JSONValue? {
    guard let scenario = Scenarios.named(name) else { return nil }
    return .members([
      "name": .string(scenario.name),
      "summary": .string(scenario.summary),
      "unit": .string(scenario.unit.rawValue),
      "isTime": .bool(scenario.unit.isTime),
      "lanes": .string(scenario.lanes.noun),
      "isParallel": .bool(scenario.lanes.isParallel),
      "notes": .strings(scenario.notes),
      "series": .array(report.results.series.filter { $0.scenario == name }.map(series)),
    ])
  }

  private func series(_ series: Series) -> JSONValue {
    .members([
      "contender": .string(series.contender),
      "role": .string(series.role.rawValue),
      "lane": .int(series.lane),
      "median": series.median.map(JSONValue.number) ?? .null,
      "samples": .numbers(series.samples),
      "details": .object(
        Detail.allCases.compactMap { detail in
          series.details[detail].map { samples in
            let value = JSONValue.members(["unit": .string(detail.unit.rawValue), "samples": .numbers(samples)])
            return .init(name: detail.rawValue, value: value)
          }
        }),
    ])
  }

  private func check(_ outcomes: [Outcome]) -> JSONValue {
    .members([
      "conclusion": .string(outcomes.conclusion),
      "fellShort": .strings(outcomes.rowsThatFellShort),
      "bounds": .array(outcomes.map(outcome)),
    ])
  }

  private func outcome(_ outcome: Outcome) -> JSONValue {
    .members([
      "row": .string(outcome.bound.row),
      "what": .string(outcome.bound.what),
      "bound": .string(outcome.bound.limitText),
      "measured": outcome.measured.map(JSONValue.number) ?? .null,
      "worstAt": .string(outcome.worst?.point.name ?? ""),
      "verdict": .string(outcome.verdict.text),
      "met": .bool(outcome.verdict == .met),
      "measurements": .int(outcome.measurements),
      "points": .array(outcome.findings.map(finding)),
    ])
  }

  private func finding(_ finding: Finding) -> JSONValue {
    .members([
      "name": .string(finding.point.name),
      "measured": finding.measured.map(JSONValue.number) ?? .null,
      "verdict": .string(finding.verdict.text),
      "met": .bool(finding.verdict == .met),
    ])
  }

  private func line(_ line: Summary.Line) -> JSONValue {
    .members([
      "operation": .string(line.operation),
      "nanoseconds": .number(line.nanoseconds),
      "multiple": .number(line.multiple),
      "floor": .string(line.floor),
      "threads": .int(line.most),
      "perSecondAlone": .number(line.alone),
      "perSecondTogether": .number(line.together),
      "speedUp": .number(line.speedUp),
      "floorSpeedUp": .number(line.floorSpeedUp),
    ])
  }
}
