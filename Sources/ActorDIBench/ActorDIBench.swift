#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Measures resolve throughput across thread counts, next to floors and baselines.
@main
struct ActorDIBench {
  /// The exit codes of `sysexits.h`, except the first.
  private enum Exit {
    static let fellShort: Int32 = 1
    static let usage: Int32 = 64
    static let input: Int32 = 66
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
        vocabulary: .init(
          cores: cores, scenarios: Scenarios.all.map(\.name), bounds: bounds))
      if options.isHelp {
        try Output.standard.writeAll(Options.help)
      } else if options.isList {
        try Output.standard.writeAll(list(options, bounds))
      } else {
        await measure(options, cores: cores, bounds: bounds, into: try Destination(options), try options.pastRun())
      }
    } catch {
      fail(error)
    }
  }

  @MainActor
  private static func measure(
    _ options: Options, cores: Int, bounds: [Bound], into destination: Destination, _ past: PastRun?
  ) async {
    let ending = Ending()
    let progress = Progress()
    let environment = Environment.current()
    let session = Session(
      options: options, cores: cores, bounds: bounds, environment: environment, past: past, progress: progress)
    Interruption.handle { interruption in
      guard ending.claim() else { return }
      progress.end()
      do {
        let report = session.report(endedBy: interruption)
        try destination.write(report)
        fail(report.breakoff?.text ?? "", code: interruption.exitCode)
      } catch {
        fail(error)
      }
    }
    if let warning = environment.warning { Output.error.write("\(warning)\n") }
    let outcome: Result<Report, any Error>
    do { outcome = .success(try await session.run()) } catch { outcome = .failure(error) }
    guard ending.claim() else { Ending.leaveToOther() }
    progress.end()
    do {
      let report = try outcome.get()
      try destination.write(report)
      if let outcomes = report.outcomes, !outcomes.rowsThatFellShort.isEmpty {
        fail(report.conclusion(of: outcomes), code: Exit.fellShort)
      }
    } catch {
      fail(error)
    }
  }

  private static func list(_ options: Options, _ bounds: [Bound]) -> String {
    var grid: Grid
    if options.isCheck {
      grid = Grid([
        .init(title: "row", isNumber: false), .init(title: "what", isNumber: false),
        .init(title: "bound", isNumber: false),
      ])
      for bound in bounds where options.includes(bound: bound) {
        grid.add([bound.row, bound.what, bound.limitText])
      }
    } else {
      grid = Grid([
        .init(title: "scenario", isNumber: false), .init(title: "what", isNumber: false),
      ])
      for scenario in Scenarios.all where options.includes(scenario: scenario.name) {
        grid.add([scenario.name, scenario.summary])
      }
    }
    return grid.text()
  }

  // MARK: - Ends

  private static func fail(_ error: any Error) -> Never {
    switch error {
    case let error as UsageError: fail("\(error)", code: Exit.usage)
    case let error as PastRun.Unreadable: fail("\(error)", code: Exit.input)
    case let error as Output.Failure: fail("cannot write the report: \(error)", code: Exit.output)
    default: fail("\(error)", code: Exit.software)
    }
  }

  /// Ends the process without the exit handlers of `exit`, because measuring threads may still be running.
  private static func fail(_ message: String, code: Int32) -> Never {
    Output.error.write("ActorDIBench: \(message)\n")
    _exit(code)
  }
}
