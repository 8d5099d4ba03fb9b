import Testing

@testable import ActorDIBench

@Suite("Terminals and pipes")
struct TerminalTests {
  static let wide = Terminal(width: 160, hasColours: true)

  @Test("A terminal has a width, and colours unless it or its user has none")
  func kinds() {
    func terminal(_ isTerminal: Bool, kind: String? = "xterm", isMonochrome: Bool = false, width: Int? = 120)
      -> Terminal
    {
      Terminal(isTerminal: isTerminal, kind: kind, isMonochrome: isMonochrome, width: width)
    }
    #expect(terminal(true) == Terminal(width: 120, hasColours: true))
    #expect(terminal(true, width: nil) == Terminal(width: 80, hasColours: true))
    #expect(terminal(true, isMonochrome: true) == Terminal(width: 120, hasColours: false))
    #expect(terminal(true, kind: "dumb") == .plain)
    #expect(terminal(false) == .plain)
  }

  @Test("A pipe gets no control sequences and no bars, in any format", arguments: Options.Format.allCases)
  func pipe(format: Options.Format) {
    for outcomes in [ReportTests.report.outcomes, nil] {
      var report = Report(
        environment: ReportTests.report.environment, commandLine: [], pace: .quick, results: ReportTests.report.results,
        obstacles: [:], outcomes: outcomes)
      report.breakoff = Breakoff(interruption: .interrupt, partial: nil, missing: ["churn"])
      let text = report.written(as: format)
      #expect(!text.contains("\u{1B}"))
      #expect(!text.contains("█"))
    }
  }

  @Test("A terminal gets bars, the longest for the fastest, and colours if it has any")
  func bars() throws {
    let report = Report(
      environment: ReportTests.report.environment, commandLine: [], pace: .quick, results: ReportTests.report.results,
      obstacles: [:], outcomes: nil)
    let text = report.written(as: .table, for: Terminal(width: 160, hasColours: false))
    #expect(!text.contains("\u{1B}"))
    func bar(_ contender: String) throws -> Int {
      try #require(text.split(separator: "\n").first { $0.contains("  \(contender)  ") }).count { $0 == "█" }
    }
    #expect(try bar(ContenderName.staticLet) == 30)
    #expect(try bar(ContenderName.container) == 27)
    #expect(try bar(ContenderName.mutex) == 6)
    let coloured = report.written(as: .table, for: Self.wide)
    #expect(coloured.contains("\u{1B}[36mcontainer\u{1B}[0m"))
    #expect(ReportTests.report.written(as: .table, for: Self.wide).contains("\u{1B}[32mmet\u{1B}[0m"))
  }

  @Test("A table is no wider than the terminal as long as columns can be spared", arguments: [60, 70, 80, 160])
  func widths(width: Int) throws {
    let scenario = try #require(Scenarios.named(WarmSingleton.name))
    let terminal = Terminal(width: width, hasColours: false)
    let text = ReportTests.report.grid(of: scenario, for: terminal, indent: 2).text(indent: "  ", for: terminal)
    for line in text.split(separator: "\n") { #expect(line.count <= width) }
    #expect(text.contains("÷ F"))
    #expect(text.contains("→ faster") == (width >= 70))
    #expect(text.contains("min – max") == (width >= 100))
  }

  @Test(
    arguments: [(1.0, "████"), (0.5, "██"), (0.53125, "██▏"), (0.001, "▏"), (0, ""), (2, "████"), (.nan, "")]
      as [(Double, String)])
  func bar(share: Double, expected: String) {
    #expect(Bars.bar(share, width: 4) == expected)
  }

  @Test("The line of progress says which scenario of how many, and for how long")
  func progress() {
    #expect(Progress.line("keyed: repeat 1 of 9", step: "3/14", seconds: 65) == "3/14  1:05  keyed: repeat 1 of 9")
    #expect(Progress.line("keyed", step: "", seconds: 0) == "0:00  keyed")
  }
}
