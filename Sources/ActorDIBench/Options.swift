/// The options of the command line.
struct Options: Equatable, Sendable {
  enum Format: String, CaseIterable, Sendable {
    case table
    case markdown
    case json
    case csv
  }

  var threads: [Int]
  var isQuick = false
  var filters: [String] = []
  var format = Format.table
  /// The path of the report; `nil` for standard output.
  var output: String?
  /// The path of an earlier run's report.
  var compare: String?
  /// The folder for plots.
  var svg: String?
  var isCheck = false
  var isList = false
  var isHelp = false

  /// Whether to measure all scenarios, as a page and plots require. A mere check measures only what the bounds need.
  var isWhole: Bool { !isCheck || format == .markdown || svg != nil }

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
    usage: ActorDIBench [options]

    Measures how fast a container resolves, beside what no container can beat and what a user would
    write instead, and prints a table.

      --threads LIST     thread counts, as in 1,2,4 (default: powers of two up to 8 × the cores)
      --quick            fewer and shorter repeats
      --filter TEXT      only scenarios whose name contains TEXT; with --check also rows, as in P1;
                         may be given more than once
      --format FORMAT    table, markdown, json or csv (default: table). JSON holds every repeat; CSV
                         has a line for each figure; with --check or --compare a line for each bound
                         or difference
      --output FILE      write the report to FILE instead of standard output
      --svg DIR          draw plots into DIR, an SVG for each scenario with several thread, task or
                         registration counts; --format markdown shows them
      --check            hold the figures against the bounds; exit 1 and name the rows that fall
                         short. With --format markdown or --svg all scenarios are measured and
                         reported too, otherwise only what the bounds need
      --compare OLD      show what differs from OLD, a report in JSON, beyond the noise of the two
                         runs: the middle three quarters of the repeats do not overlap, and the
                         medians differ by 5 % or more. Times are compared as multiples of their
                         floor, because machines drift
      --list             list the scenarios (with --check: the bounds) and exit
      --help             print this and exit

    A terminal gets bars, colours (unless NO_COLOR is set) and the progress of the run; a pipe or a
    file gets plain text.

    ^C or SIGTERM ends a run early, with a report of what was measured so far; a second one at once.

    exit status: 0; 1 when a bound is not kept; 64 when the command line is wrong; 66 when OLD cannot
    be read or is no report; 70 when the figures cannot be trusted; 74 when the report cannot be
    written; 130 after ^C, 143 after SIGTERM

    """
}
