/// What the command line asks for.
struct Options: Equatable, Sendable {
  enum Format: String, CaseIterable, Sendable {
    case table
    case markdown
    case json
  }

  var threads: [Int]
  var isQuick = false
  var filters: [String] = []
  var format = Format.table
  /// A path; standard output when there is none.
  var output: String?
  var isCheck = false
  var isList = false
  var isHelp = false

  var pace: Pace { isQuick ? .quick : .standard }

  /// Powers of two up to four threads for each core.
  static func defaultThreads(cores: Int) -> [Int] {
    var counts: [Int] = []
    var count = 1
    while count <= 4 * max(1, cores) {
      counts.append(count)
      count *= 2
    }
    return counts
  }

  static let help = """
    usage: ActorDIBench [options]

    Measures how fast a container resolves, beside what no container can beat and what a user would
    write instead, and prints a table.

      --threads LIST     thread counts, as in 1,2,4 (default: powers of two up to 4 × the cores)
      --quick            fewer and shorter repeats
      --filter TEXT      only scenarios whose name contains TEXT; with --check also rows, as in P1;
                         may be given more than once
      --format FORMAT    table, markdown or json (default: table)
      --output FILE      write the report to FILE instead of standard output
      --check            hold the figures against the bounds; exit 1 and name the rows that fall
                         short. With --format markdown all scenarios are measured and reported too,
                         otherwise only what the bounds need
      --list             list the scenarios (with --check: the bounds) and exit
      --help             print this and exit

    exit status: 0; 1 when a bound is not kept; 64 when the command line is wrong; 70 when the
    figures cannot be trusted; 74 when the report cannot be written

    """
}
