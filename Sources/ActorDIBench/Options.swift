/// The options of the command line.
struct Options: Equatable, Sendable {
  enum Format: String, CaseIterable, Sendable {
    case table
    case json
  }

  var threads: [Int]
  var isQuick = false
  var filters: [String] = []
  var format = Format.table
  /// The path of the report; `nil` for standard output.
  var output: String?
  var isCheck = false
  var isList = false
  var isHelp = false

  /// Whether to measure all scenarios. The table of a check measures only what the bounds need.
  var isWhole: Bool { !isCheck || format == .json }

  var pace: Pace { isQuick ? .quick : .standard }

  /// The powers of two, up to eight threads per core.
  static func defaultThreads(cores: Int) -> [Int] {
    var counts: [Int] = []
    var count = 1
    while count <= 8 * max(1, cores) {
      counts.append(count)
      count *= 2
    }
    return counts
  }

  static let help = """
    usage: swift run -c release ActorDIBench [options]

    Measures how long a container takes to resolve services, next to floors that no container can
    beat and to code that a user would write instead. Prints a table for each scenario.

      --threads LIST   thread counts, such as 1,2,4; by default powers of two up to 8 × the cores
      --quick          fewer and shorter repeats
      --filter TEXT    only scenarios whose names contain TEXT; with --check also rows, such as P1;
                       can be repeated
      --check          compare the figures with the bounds; exit with 1 and name the rows that fell
                       short
      --format FORMAT  table or json; JSON contains every repeat, and with --check also the scenarios
                       that no bound needs
      --output FILE    write the report to FILE instead of standard output
      --list           list the scenarios, or with --check the bounds
      --help           print this text

    Tools/benchmarks turns JSON reports into Benchmarks.md with plots, into CSV, and into a
    comparison of two runs.

    exit status: 0; 1 if a bound was not met; 64 if the command line is wrong; 70 if the figures
    cannot be trusted; 74 if the report cannot be written

    """
}
