extension Options {
  /// The names that a command line may use.
  struct Vocabulary: Sendable {
    let cores: Int
    let scenarios: [String]
    let bounds: [Bound]
  }

  /// The maximum number of threads; a larger number is taken for a typing error.
  static let mostThreads = 1_024

  /// Parses the arguments, without the program's name.
  ///
  /// - Throws: ``UsageError`` for the first invalid argument, with a hint.
  static func parse(
    _ arguments: [String], vocabulary: Vocabulary
  ) throws(UsageError) -> Options {
    var options = Options(threads: defaultThreads(cores: vocabulary.cores))
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let (name, attached) = split(argument)
      switch name {
      case "--quick": options.isQuick = true
      case "--check": options.isCheck = true
      case "--list": options.isList = true
      case "--help", "-h": options.isHelp = true
      case "--threads":
        options.threads = try threads(value(of: name, attached, &rest, example: "1,2,4"))
      case "--filter":
        options.filters.append(try value(of: name, attached, &rest, example: "warm"))
      case "--format":
        options.format = try format(value(of: name, attached, &rest, example: "markdown"))
      case "--output":
        options.output = try value(of: name, attached, &rest, example: "Benchmarks.md")
      case "--compare":
        options.compare = try value(of: name, attached, &rest, example: "old.json")
      case "--svg":
        options.svg = try value(of: name, attached, &rest, example: "Benchmarks")
      default: throw unknown(name)
      }
      if attached != nil, flags.contains(name) {
        throw UsageError("'\(name)' takes no value", hint: "write just \(name)")
      }
    }
    for filter in options.filters {
      try options.checkMatches(filter, vocabulary)
    }
    if options.format == .csv, options.isCheck, options.compare != nil {
      throw UsageError(
        "CSV holds one table, of --check or of --compare", hint: "leave one out, or use --format json")
    }
    return options
  }

  /// Whether a scenario passes the filters.
  func includes(scenario: String) -> Bool {
    filters.isEmpty || filters.contains { Self.matches($0, scenario) }
  }

  /// Whether a bound passes the filters, by its row or by its scenario.
  func includes(bound: Bound) -> Bool {
    filters.isEmpty
      || filters.contains { filter in
        filter.lowercased() == bound.row.lowercased()
          || bound.scenarios.contains { Self.matches(filter, $0) }
      }
  }

  // MARK: - Parts of an argument

  private static let flags = ["--quick", "--check", "--list", "--help", "-h"]
  private static let all = flags + ["--threads", "--filter", "--format", "--output", "--compare", "--svg"]

  /// Splits `--name=value` into its two parts.
  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("--"), let sign = argument.firstIndex(of: "=") else {
      return (argument, nil)
    }
    return (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
  }

  private static func value(
    of option: String, _ attached: String?, _ rest: inout ArraySlice<String>, example: String
  ) throws(UsageError) -> String {
    let missing = UsageError("'\(option)' needs a value", hint: "as in \(option) \(example)")
    if let attached {
      guard !attached.isEmpty else { throw missing }
      return attached
    }
    guard let next = rest.first, !next.isEmpty, !next.hasPrefix("--") else { throw missing }
    rest.removeFirst()
    return next
  }

  private static func threads(_ text: String) throws(UsageError) -> [Int] {
    var counts: [Int] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let count = Int(part) else {
        throw UsageError("'\(part)' in '--threads \(text)' is not a number", hint: "as in 1,2,4")
      }
      guard count >= 1 else {
        throw UsageError("'--threads \(text)' asks for \(count) threads", hint: "at least 1")
      }
      guard count <= mostThreads else {
        throw UsageError(
          "'--threads \(text)' asks for \(count) threads", hint: "at most \(mostThreads)")
      }
      if !counts.contains(count) { counts.append(count) }
    }
    return counts
  }

  private static func format(_ text: String) throws(UsageError) -> Format {
    guard let format = Format(rawValue: text) else {
      let known = Format.allCases.map(\.rawValue)
      throw UsageError(
        "unknown format '\(text)'", hint: Nearest.hint(text, among: known, all: known))
    }
    return format
  }

  private static func unknown(_ argument: String) -> UsageError {
    argument.hasPrefix("-")
      ? UsageError(
        "unknown option '\(argument)'",
        hint: Nearest.hint(argument, among: all, otherwise: "see --help"))
      : UsageError(
        "unexpected argument '\(argument)'", hint: "scenarios are chosen with --filter \(argument)")
  }

  // MARK: - Filters

  private static func matches(_ filter: String, _ name: String) -> Bool {
    name.lowercased().contains(filter.lowercased())
  }

  private func checkMatches(_ filter: String, _ vocabulary: Vocabulary) throws(UsageError) {
    let alone = Options(threads: threads, filters: [filter])
    let isKnown =
      !isWhole
      ? vocabulary.bounds.contains(where: alone.includes(bound:))
      : vocabulary.scenarios.contains(where: alone.includes(scenario:))
    guard !isKnown else { return }
    if !isWhole {
      let names = Set(vocabulary.bounds.flatMap { [$0.row] + $0.scenarios })
      throw UsageError(
        "no bound matches '--filter \(filter)'",
        hint: Nearest.hint(filter, among: names.sorted(), otherwise: "see --check --list"))
    }
    throw UsageError(
      "no scenario matches '--filter \(filter)'",
      hint: Nearest.hint(filter, among: vocabulary.scenarios, otherwise: "see --list"))
  }
}
