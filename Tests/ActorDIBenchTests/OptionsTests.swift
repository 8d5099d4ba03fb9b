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
    #expect(options.threads == [1, 2, 4, 8, 16])
    #expect(options.format == .table)
    #expect(options.output == nil)
    #expect(!options.isQuick && !options.isCheck && !options.isList && !options.isHelp)
    #expect(options.pace == .standard)
  }

  @Test(
    "Default thread counts are powers of two up to eight for each core",
    arguments: [
      (1, [1, 2, 4, 8]), (2, [1, 2, 4, 8, 16]), (3, [1, 2, 4, 8, 16]), (0, [1, 2, 4, 8]),
    ])
  func defaultThreads(cores: Int, counts: [Int]) {
    #expect(Options.defaultThreads(cores: cores) == counts)
  }

  @Test("Every option is read, with its value attached or behind it")
  func everyOption() throws {
    let options = try parse(
      "--threads", "1,3,3", "--quick", "--filter=KEY", "--filter", "churn", "--format=json",
      "--output", "out.json", "--compare=old.json", "--svg", "plots", "--list", "--help")
    #expect(options.threads == [1, 3])
    #expect(options.pace == .quick)
    #expect(options.filters == ["KEY", "churn"])
    #expect(options.format == .json)
    #expect(options.output == "out.json")
    #expect(options.compare == "old.json")
    #expect(options.svg == "plots")
    #expect(options.isList && options.isHelp)
    #expect(options.includes(scenario: "keyed"))
    #expect(options.includes(scenario: "churn"))
    #expect(!options.includes(scenario: "warm-singleton"))
  }

  @Test(
    "Bad thread counts are refused",
    arguments: ["0", "-1", "two", "1,,2", "1,", ",", "1,2x", "1.5", "1025", "9999999999999999999"])
  func badThreads(_ text: String) {
    let error = #expect(throws: UsageError.self) { try parse("--threads", text) }
    #expect(error?.message.contains(text) == true)
    #expect(error?.hint.isEmpty == false)
    #expect(throws: UsageError.self) { try parse("--threads=\(text)") }
  }

  @Test(
    "A missing value is refused, at the end, before an option, and when it is empty",
    arguments: ["--threads", "--filter", "--format", "--output", "--compare", "--svg"])
  func missingValue(_ option: String) {
    for arguments in [[option], [option, "--quick"], [option, ""], ["\(option)="]] {
      let error = #expect(throws: UsageError.self) {
        try Options.parse(arguments, vocabulary: Self.vocabulary)
      }
      #expect(error?.message == "'\(option)' needs a value")
      #expect(error?.hint.contains("as in \(option) ") == true)
    }
  }

  @Test("An unknown option is refused, with the nearest one as a hint")
  func unknownOption() {
    #expect(throws: UsageError("unknown option '--quik'", hint: "did you mean --quick?")) {
      try parse("--quik")
    }
    #expect(throws: UsageError("unknown option '--thread'", hint: "did you mean --threads?")) {
      try parse("--thread=4")
    }
    #expect(throws: UsageError("unknown option '--zzzzzzzzz'", hint: "see --help")) {
      try parse("--zzzzzzzzz")
    }
    #expect(throws: UsageError.self) { try parse("-x") }
    #expect(throws: UsageError.self) { try parse("--") }
  }

  @Test("An argument that is no option is refused")
  func unexpectedArgument() {
    let error = #expect(throws: UsageError.self) { try parse("keyed") }
    #expect(error?.hint == "scenarios are chosen with --filter keyed")
    #expect(throws: UsageError.self) { try parse("") }
  }

  @Test("An unknown format is refused, with the nearest one or all as a hint")
  func unknownFormat() {
    #expect(throws: UsageError("unknown format 'jsno'", hint: "did you mean json?")) {
      try parse("--format", "jsno")
    }
    #expect(throws: UsageError("unknown format 'xml'", hint: "one of table, markdown, json, csv")) {
      try parse("--format", "xml")
    }
    #expect(throws: UsageError("unknown format 'markdwn'", hint: "did you mean markdown?")) {
      try parse("--format", "markdwn")
    }
    #expect(throws: UsageError.self) { try parse("--format", "JSON") }
  }

  @Test("CSV holds one table")
  func oneTable() throws {
    let error = #expect(throws: UsageError.self) { try parse("--format", "csv", "--check", "--compare", "old.json") }
    #expect(error?.message == "CSV holds one table, of --check or of --compare")
    #expect(try parse("--format", "csv", "--compare", "old.json").format == .csv)
    #expect(try parse("--format", "csv", "--check").format == .csv)
  }

  @Test("A page and plots show everything, a check alone no more than it needs")
  func whole() throws {
    #expect(try parse().isWhole)
    #expect(try !parse("--check").isWhole)
    #expect(try parse("--check", "--format", "markdown").isWhole)
    #expect(try parse("--check", "--svg", "plots").isWhole)
  }

  @Test("A flag with a value is refused", arguments: ["--quick", "--check", "--list", "--help"])
  func flagWithValue(_ flag: String) {
    #expect(throws: UsageError("'\(flag)' takes no value", hint: "write just \(flag)")) {
      try parse("\(flag)=yes")
    }
  }

  @Test("A filter that matches nothing is refused, even beside one that does")
  func filterMatchesNothing() {
    let error = #expect(throws: UsageError.self) {
      try parse("--filter", "warm", "--filter", "kyed")
    }
    #expect(error?.message == "no scenario matches '--filter kyed'")
    #expect(error?.hint == "did you mean keyed?")
    #expect(throws: UsageError.self) { try parse("--filter", "P1") }
  }

  @Test("With a check, filters choose bounds by row or by scenario")
  func filterBounds() throws {
    #expect(try parse("--check", "--filter", "p1").includes(bound: Self.bound))
    #expect(try parse("--check", "--filter", "warm").includes(bound: Self.bound))
    #expect(try !parse("--filter", "keyed").includes(bound: Self.bound))
    #expect(throws: UsageError.self) { try parse("--check", "--filter", "P") }
    #expect(throws: UsageError.self) { try parse("--check", "--filter", "keyed") }
    // The order of the options does not matter.
    #expect(try parse("--filter", "P1", "--check").isCheck)
  }

  @Test("An error is one line, whatever it quotes")
  func oneLine() {
    let error = #expect(throws: UsageError.self) { try parse("--a\nb\r\nc") }
    #expect(error?.description == "unknown option '--a b c' (see --help)")
  }

  @Test("The help names every option and every exit status")
  func help() {
    for word in [
      "--threads", "--quick", "--filter", "--format", "--output", "--check", "--list", "--help",
      "--compare", "--svg", "csv", "64", "66", "70", "74", "130", "143",
    ] {
      #expect(Options.help.contains(word))
    }
  }
}

@Suite("Guessing what was meant")
struct NearestTests {
  @Test(arguments: [
    ("", "", 0), ("a", "", 1), ("", "abc", 3), ("kitten", "sitting", 3), ("same", "same", 0),
  ])
  func distance(one: String, other: String, expected: Int) {
    #expect(Nearest.distance(one, other) == expected)
    #expect(Nearest.distance(other, one) == expected)
  }

  @Test("The nearest wins; what is far from all is not guessed")
  func match() {
    #expect(Nearest.match("chian", among: ["graph", "chain", "churn"]) == "chain")
    #expect(Nearest.match("nothing like it", among: ["graph", "chain"]) == nil)
    #expect(Nearest.match("x", among: []) == nil)
  }
}
