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
  var isAll = false
  var isCheck = false
  var isList = false
  var isHelp = false

  /// Whether scenarios are measured with all contenders and lanes.
  var isWhole: Bool { isAll || !isCheck && !filters.isEmpty }

  /// Whether only the summary is measured.
  var isSummary: Bool { !isWhole && !isCheck }

  var pace: Pace { isQuick ? .quick : .standard }

  /// The powers of two up to the number of cores, and that number.
  static func defaultThreads(cores: Int) -> [Int] {
    var counts: [Int] = []
    var count = 1
    while count < cores {
      counts.append(count)
      count *= 2
    }
    return counts + [max(1, cores)]
  }

  static let help = """
    usage: swift run -c release ActorDIBench [options]

    Measures how long a container takes to resolve services, next to floors that no container can
    beat. Without options it prints a summary, in less than a minute.

      --all            measure every scenario, also next to code that a user would write instead, and
                       print a table for each
      --filter TEXT    only scenarios whose names contain TEXT; with --check also rows, such as P1;
                       can be repeated
      --check          compare the figures with the bounds, in at most three minutes; exit with 1 and
                       name the rows that fell short; with --all measure every scenario, too, and
                       list all points of each row
      --quick          \(Pace.quick.text) instead of \(Pace.standard.text);
                       a check takes at most a minute
      --threads LIST   thread counts, such as 1,2,4; by default powers of two up to the number of
                       cores, and that number
      --format FORMAT  table or json; JSON contains every repeat of all that was measured
      --output FILE    write the report to FILE instead of standard output
      --list           list the scenarios, or with --check the rows
      --help           print this text

    Tools/benchmarks turns JSON reports into Benchmarks.md with plots, and into a
    comparison of two runs.

    exit status: 0; 1 if a bound was not met; 64 if the command line is wrong; 70 if the figures
    cannot be trusted; 74 if the report cannot be written

    """
}
