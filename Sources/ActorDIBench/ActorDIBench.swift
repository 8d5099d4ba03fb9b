#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Measures how long a container takes to resolve services, next to floors and baselines.
@main
struct ActorDIBench {
  /// The exit codes of `sysexits.h`, except the first.
  private enum Exit {
    static let fellShort: Int32 = 1
    static let usage: Int32 = 64
    static let software: Int32 = 70
    static let output: Int32 = 74
  }

  // On the main actor, so that waiting for threads does not block the threads that tasks need.
  @MainActor
  static func main() async {
    let cores = Environment.availableCores
    let bounds = Bounds.all(cores: cores)
    do {
      let options = try Options.parse(
        Array(CommandLine.arguments.dropFirst()),
        vocabulary: .init(cores: cores, scenarios: Scenarios.all.map(\.name), bounds: bounds))
      if options.isHelp {
        try Output.standard.write(Options.help)
      } else if options.isList {
        try Output.standard.write(list(options, bounds))
      } else {
        try await measure(options, cores: cores, bounds: bounds)
      }
    } catch let error as UsageError {
      fail("\(error)", code: Exit.usage)
    } catch let error as Output.Failure {
      fail("cannot write the report: \(error)", code: Exit.output)
    } catch {
      fail("\(error)", code: Exit.software)
    }
  }

  @MainActor
  private static func measure(_ options: Options, cores: Int, bounds: [Bound]) async throws {
    // Opened before the measurements, because they take minutes.
    let output = try options.output.map(Output.init(file:)) ?? .standard
    let progress = Progress()
    let session = Session(
      options: options, cores: cores, bounds: bounds, environment: .current(), progress: progress)
    if let warning = session.environment.warning { complain(warning) }
    if options.format == .table { try output.write(TableReport.head(session.environment, options.pace)) }
    let report = try await session.run { scenario, results in
      guard options.format == .table, options.isWhole else { return }
      progress.clear()
      try output.write(TableReport.text(of: scenario, results))
    }
    progress.clear()
    try output.write(
      options.format == .json
        ? JSONReport(report: report).text : TableReport.end(of: report, everyPoint: options.isAll))
    if let outcomes = report.outcomes, !outcomes.rowsThatFellShort.isEmpty {
      fail(outcomes.conclusion, code: Exit.fellShort)
    }
  }

  private static func list(_ options: Options, _ bounds: [Bound]) -> String {
    var grid: Grid
    if options.isCheck {
      grid = Grid(["row", "what", "bound"].map { .init(title: $0, isNumber: false) })
      for bound in bounds where options.includes(bound: bound) {
        grid.add([bound.row, bound.what, bound.limitText])
      }
    } else {
      grid = Grid(["scenario", "what"].map { .init(title: $0, isNumber: false) })
      for scenario in Scenarios.all where options.includes(scenario: scenario.name) {
        grid.add([scenario.name, scenario.summary])
      }
    }
    return grid.text()
  }

  private static func complain(_ message: String) {
    try? Output.error.write("ActorDIBench: \(message)\n")
  }

  private static func fail(_ message: String, code: Int32) -> Never {
    complain(message)
    exit(code)
  }
}
