#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Measures resolve throughput across thread counts, beside floors and baselines.
@main
struct ActorDIBench {
  /// Exit codes of `sysexits.h`.
  private enum Exit {
    static let fellShort: Int32 = 1
    static let usage: Int32 = 64
    static let software: Int32 = 70
    static let output: Int32 = 74
  }

  // On the main actor, so that waiting for threads blocks none that tasks need.
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
        try write(Options.help, to: .standard)
      } else if options.isList {
        try write(list(options, bounds), to: .standard)
      } else {
        let output = try output(of: options)
        let report = try await Session(options: options, cores: cores, bounds: bounds).run()
        try write(report.written(as: options.format), to: output)
        if report.outcomes?.rowsThatFellShort.isEmpty == false {
          fail(report.outcomes.map(report.conclusion) ?? "", code: Exit.fellShort)
        }
      }
    } catch let error as UsageError {
      fail("\(error)", code: Exit.usage)
    } catch let error as Output.Failure {
      fail("cannot write the report: \(error)", code: Exit.output)
    } catch {
      fail("\(error)", code: Exit.software)
    }
  }

  /// Opens the file before anything is measured, so that nobody waits minutes for the bad news.
  private static func output(of options: Options) throws(UsageError) -> Output {
    guard let path = options.output else { return .standard }
    do {
      return try Output(path: path)
    } catch {
      throw UsageError("cannot write '\(path)': \(error)", hint: "name a file in a folder you own")
    }
  }

  private static func write(_ text: String, to output: Output) throws(Output.Failure) {
    try output.replace(with: text)
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

  private static func fail(_ message: String, code: Int32) -> Never {
    Output.error.write("ActorDIBench: \(message)\n")
    exit(code)
  }
}
