import Testing

@testable import ActorDIBench

@Suite("The command line")
struct OptionsTests {
  static let bound = Bound(
    row: "P1", what: "speed",
    figure: .value(.init(scenario: "warm-singleton", contender: "container")),
    limit: .atMost(1), yardstick: "× F")
  static let vocabulary = Options.Vocabulary(
    cores: 2, scenarios: ["warm-singleton", "keyed", "churn"], bounds: [bound])

  func parse(_ arguments: String...) throws(UsageError) -> Options {
    try Options.parse(arguments, vocabulary: Self.vocabulary)
  }

  @Test("Without arguments there are defaults")
  func defaults() throws {
    let options = try parse()
    #expect(options == Options(threads: [1, 2]))
    #expect(options.pace == .standard)
    #expect(options.isSummary && !options.isWhole)
  }

  @Test(
    "Default thread counts are powers of two up to the number of cores, and that number",
    arguments: [
      (0, [1]), (1, [1]), (2, [1, 2]), (3, [1, 2, 3]), (6, [1, 2, 4, 6]), (16, [1, 2, 4, 8, 16]),
    ])
  func defaultThreads(cores: Int, counts: [Int]) {
    #expect(Options.defaultThreads(cores: cores) == counts)
  }

  @Test("Every option is read")
  func everyOption() throws {
    let options = try parse(
      "--threads", "1,3,3", "--quick", "--filter", "KEY", "--filter", "churn", "--format", "json",
      "--output", "out.json", "--all", "--check", "--list", "--help")
    let expected = Options(
      threads: [1, 3], isQuick: true, filters: ["KEY", "churn"], format: .json, output: "out.json", isAll: true,
      isCheck: true, isList: true, isHelp: true)
    #expect(options == expected)
    #expect(options.pace == .quick)
    #expect(options.includes(scenario: "keyed") && options.includes(scenario: "churn"))
    #expect(!options.includes(scenario: "warm-singleton"))
  }

  @Test(
    "An invalid thread count is an error",
    arguments: ["0", "-1", "two", "1,,2", "1,", ",", "1,2x", "1.5", "1025", "9999999999999999999"])
  func badThreads(_ text: String) {
    let error = #expect(throws: UsageError.self) { try parse("--threads", text) }
    #expect(error?.message.hasSuffix("in '--threads \(text)' is no thread count") == true)
  }

  @Test(
    "A missing value is an error, at the end, before an option, and if it is empty",
    arguments: ["--threads", "--filter", "--format", "--output"])
  func missingValue(_ option: String) {
    for arguments in [[option], [option, "--quick"], [option, ""]] {
      let error = #expect(throws: UsageError.self) {
        try Options.parse(arguments, vocabulary: Self.vocabulary)
      }
      #expect(error?.message == "'\(option)' needs a value")
    }
  }

  @Test("An unknown argument or format is an error", arguments: ["--quik", "-x", "--", "keyed", "", "--quick=yes"])
  func unknown(_ argument: String) {
    #expect(throws: UsageError("unknown argument '\(argument)'", hint: "see --help")) { try parse(argument) }
    #expect(throws: UsageError("unknown format 'xml'", hint: "table or json")) { try parse("--format", "xml") }
  }

  @Test(
    "An option without effect is an error",
    arguments: [
      ["--check", "--threads", "1,2"], ["--list", "--threads", "1"], ["--list", "--format", "json"],
      ["--check", "--output", "out.json", "--list"], ["--quick", "--list"],
    ])
  func idle(_ arguments: [String]) throws {
    let error = #expect(throws: UsageError.self) { try Options.parse(arguments, vocabulary: Self.vocabulary) }
    #expect(error?.message.contains("has no effect on a") == true)
    #expect(try Options.parse(arguments + ["--help"], vocabulary: Self.vocabulary).isHelp)
  }

  @Test("Thread counts apply to the summary and to whole scenarios, also beside a check")
  func threadCounts() throws {
    #expect(try parse("--threads", "3").threads == [3])
    #expect(try parse("--threads", "3", "--filter", "keyed").threads == [3])
    #expect(try parse("--check", "--all", "--threads", "3").threads == [3])
  }

  @Test("Without an option only the summary is measured; a check measures what its rows need")
  func whole() throws {
    #expect(try parse("--quick", "--format", "json").isSummary)
    for arguments in [["--all"], ["--filter", "keyed"], ["--check", "--all"]] {
      let options = try Options.parse(arguments, vocabulary: Self.vocabulary)
      #expect(options.isWhole && !options.isSummary)
    }
    for arguments in [["--check"], ["--check", "--filter", "P1"], ["--check", "--format", "json"]] {
      let options = try Options.parse(arguments, vocabulary: Self.vocabulary)
      #expect(!options.isWhole && !options.isSummary)
    }
  }

  @Test("A filter that matches nothing is an error, even next to one that does")
  func filterMatchesNothing() {
    #expect(throws: UsageError("no scenario matches '--filter kyed'", hint: "see --list")) {
      try parse("--filter", "warm", "--filter", "kyed")
    }
    #expect(throws: UsageError.self) { try parse("--filter", "P1") }
  }

  @Test("With a check, filters choose bounds by row or by scenario")
  func filterBounds() throws {
    #expect(try parse("--check", "--filter", "p1").includes(bound: Self.bound))
    #expect(try parse("--check", "--filter", "warm").includes(bound: Self.bound))
    #expect(try !parse("--filter", "keyed").includes(bound: Self.bound))
    #expect(throws: UsageError("no row matches '--filter P'", hint: "see --check --list")) {
      try parse("--check", "--filter", "P")
    }
    #expect(throws: UsageError.self) { try parse("--check", "--filter", "keyed") }
    // The order of the options does not matter.
    #expect(try parse("--filter", "P1", "--check").isCheck)
    #expect(try parse("--check", "--all", "--filter", "P1", "--filter", "keyed").filters.count == 2)
  }

  @Test("An error is one line")
  func oneLine() {
    let error = #expect(throws: UsageError.self) { try parse("--a\nb\r\nc") }
    #expect(error?.description == "unknown argument '--a b c' (see --help)")
  }

  @Test("The help names every option and every exit status")
  func help() {
    for word in [
      "--all", "--threads", "--quick", "--filter", "--format", "--output", "--check", "--list", "--help", "64", "70",
      "74",
    ] {
      #expect(Options.help.contains(word))
    }
  }
}
