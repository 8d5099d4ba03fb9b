extension Options {
  /// The names that a command line may use.
  struct Vocabulary: Sendable {
    let cores: Int
    let scenarios: [String]
    let bounds: [Bound]
  }

  /// The maximum number of threads; a larger number is probably a typing error.
  static let mostThreads = 1_024

  /// Parses the arguments, without the program's name.
  ///
  /// - Throws: ``UsageError`` for the first invalid argument, with a hint.
  static func parse(_ arguments: [String], vocabulary: Vocabulary) throws(UsageError) -> Options {
    var options = Options(threads: defaultThreads(cores: vocabulary.cores))
    var rest = arguments[...]
    var given: Set<String> = []
    func value(of option: String, example: String) throws(UsageError) -> String {
      guard let next = rest.popFirst(), !next.isEmpty, !next.hasPrefix("--") else {
        throw UsageError("'\(option)' needs a value", hint: "for example \(option) \(example)")
      }
      return next
    }
    while let argument = rest.popFirst() {
      given.insert(argument)
      switch argument {
      case "--all": options.isAll = true
      case "--quick": options.isQuick = true
      case "--check": options.isCheck = true
      case "--list": options.isList = true
      case "--help", "-h": options.isHelp = true
      case "--threads": options.threads = try threads(value(of: argument, example: "1,2,4"))
      case "--filter": options.filters.append(try value(of: argument, example: "warm"))
      case "--output": options.output = try value(of: argument, example: "run.json")
      case "--format":
        let text = try value(of: argument, example: "json")
        guard let format = Format(rawValue: text) else {
          throw UsageError("unknown format '\(text)'", hint: "table or json")
        }
        options.format = format
      default:
        throw UsageError("unknown argument '\(argument)'", hint: "see --help")
      }
    }
    try options.refuseIdle(given)
    for filter in options.filters where !options.isUseful(filter, vocabulary) {
      let (noun, list) = options.isCheck ? ("row", "--check --list") : ("scenario", "--list")
      throw UsageError("no \(noun) matches '--filter \(filter)'", hint: "see \(list)")
    }
    return options
  }

  /// Refuses options that would be ignored.
  private func refuseIdle(_ given: Set<String>) throws(UsageError) {
    if isHelp { return }
    if isList, let idle = ["--quick", "--threads", "--format", "--output"].first(where: given.contains) {
      throw UsageError("'\(idle)' has no effect on a list", hint: "a list is a table on standard output")
    }
    if isCheck && !isAll && given.contains("--threads") {
      throw UsageError("'--threads' has no effect on a check", hint: "the rows have their own; see --all")
    }
  }

  private static func threads(_ text: String) throws(UsageError) -> [Int] {
    var counts: [Int] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let count = Int(part), (1...mostThreads).contains(count) else {
        throw UsageError(
          "'\(part)' in '--threads \(text)' is no thread count",
          hint: "numbers from 1 to \(mostThreads), for example 1,2,4")
      }
      if !counts.contains(count) { counts.append(count) }
    }
    return counts
  }

  // MARK: - Filters

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

  private static func matches(_ filter: String, _ name: String) -> Bool {
    name.lowercased().contains(filter.lowercased())
  }

  /// Whether a filter chooses anything by itself.
  private func isUseful(_ filter: String, _ vocabulary: Vocabulary) -> Bool {
    let alone = Options(threads: threads, filters: [filter])
    return (isAll || !isCheck) && vocabulary.scenarios.contains(where: alone.includes(scenario:))
      || isCheck && vocabulary.bounds.contains(where: alone.includes(bound:))
  }
}
