import Testing

@testable import ActorDIBench

@Suite("Formats of a report")
struct FormatTests {
  /// Two contenders with one and two threads.
  static let report: Report = {
    var results = Results()
    results.merge([
      .time(WarmSingleton.name, ContenderName.staticLet, .floor, [10, 12, 10]),
      .time(WarmSingleton.name, ContenderName.container, .container, [11, 12, 11]),
      .time(WarmSingleton.name, ContenderName.staticLet, .floor, [20, 20, 20], lane: 2),
      .time(WarmSingleton.name, ContenderName.container, .container, [22, 22, 22], lane: 2),
    ])
    return Report(
      environment: ReportTests.report.environment,
      commandLine: ["/a/place/ActorDIBench", "--filter", "warm singleton's"],
      pace: .quick, results: results, obstacles: [:], outcomes: nil)
  }()

  @Test("CSV has a line for each figure, with all digits")
  func csv() {
    #expect(
      Self.report.written(as: .csv)
        == """
        scenario,contender,role,axis,lane,figure,unit,repeats,median,minimum,lower_quartile,upper_quartile,maximum,floor,ratio_to_floor,speed_up\r
        warm-singleton,static let (floor F),floor,threads,1,own,ns/op,3,10.0,10.0,10.0,11.0,12.0,,,\r
        warm-singleton,container,container,threads,1,own,ns/op,3,11.0,11.0,11.0,11.5,12.0,static let (floor F),1.1,\r
        warm-singleton,static let (floor F),floor,threads,2,own,ns/op,3,20.0,20.0,20.0,20.0,20.0,,,0.5\r
        warm-singleton,container,container,threads,2,own,ns/op,3,22.0,22.0,22.0,22.0,22.0,static let (floor F),1.1,0.5\r

        """)
  }

  @Test("What was counted beside a figure is in every format that has room for it")
  func details() throws {
    var series = Series.time(WarmSingleton.name, ContenderName.container, .container, [10, 10, 10])
    series.details = [.percentile99: [20, 30, 40]]
    var report = Self.report
    report.results.merge([series])
    #expect(
      report.written(as: .csv).contains(
        "\r\nwarm-singleton,container,container,threads,1,p99,ns,3,30.0,20.0,25.0,35.0,40.0,,,\r\n"))
    #expect(report.written(as: .table).contains("  p99, ns  "))
    #expect(report.written(as: .markdown).contains("| p99, ns |"))
    let past = try PastRun(path: "old.json", text: report.written(as: .json))
    #expect(
      past.results.series(scenario: WarmSingleton.name, contender: ContenderName.container, lane: 1)?.details
        == series.details)
    series.details = [.percentile99: [60, 70, 80]]
    report.results.merge([series])
    let comparison = Comparison(old: past, new: report.results, in: report.environment)
    #expect(comparison.beyondNoise.map(\.measure) == ["p99, ns"])
  }

  @Test("CSV of a check has a line for each bound")
  func csvCheck() {
    #expect(
      ReportTests.report.written(as: .csv)
        == "row,what,bound,measured,met,verdict,measurements\r\n"
        + "P1,\"warm singleton, sync, 1 thread\",≤ 1.15 × F,1.1,true,met,1\r\n")
  }

  @Test(
    "What would end a field is quoted",
    arguments: [
      ("plain text", "plain text"), ("a,b", "\"a,b\""), ("say \"x\"", "\"say \"\"x\"\"\""), ("a\nb", "\"a\nb\""),
      ("a\r\nb", "\"a\r\nb\""), ("", ""), ("\"", "\"\"\"\""),
    ])
  func quoting(field: String, expected: String) {
    #expect(CSVReport.text([[field, "x"]]) == "\(expected),x\r\n")
  }

  @Test("The page shows a line for each contender, and every figure folded away")
  func page() {
    var report = Self.report
    report.plotFolder = "plots"
    let page = report.written(as: .markdown)
    #expect(
      page.contains(
        """
        ## warm-singleton

        Warm singleton, sync, any Greeter. To repeat: `swift run -c release ActorDIBench --filter warm-singleton`

        ![Warm singleton, sync, any Greeter: millions of operations a second, all threads together: more is better, by threads](plots/warm-singleton.svg)

        | ns/op, by threads | 1 | 2 | widest spread | ÷ F | best speed-up |
        | --- | ---: | ---: | ---: | ---: | ---: |
        | static let (floor F) | 10.0 | 20.0 | ± 5 % |  | 0.50 × |
        | container | 11.0 | 22.0 | ± 2 % | 1.10 | 0.50 × |

        <details><summary>Every figure</summary>

        | threads | contender | ns/op | spread | min – max | M ops/s | ÷ F | speed-up |
        | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |
        | 1 | static let (floor F) | 10.0 | ± 5 % | 10.0 – 12.0 | 100 |  |  |
        """))
    #expect(page.contains("`swift run -c release ActorDIBench --filter 'warm singleton'\\''s'`"))
    #expect(!page.contains("/a/place"))
    #expect(page.split(separator: "<details>").count == page.split(separator: "</details>").count)
    #expect(!page.contains("\n\n\n"))
  }

  @Test("Commands repeat what changes figures, and nothing else")
  func commands() throws {
    let vocabulary = OptionsTests.vocabulary
    let options = try Options.parse(["--quick", "--threads", "1,3", "--output", "x"], vocabulary: vocabulary)
    #expect(
      Repetition(options, cores: 2).command(scenario: "keyed")
        == "swift run -c release ActorDIBench --quick --threads 1,3 --filter keyed")
    let plain = try Options.parse([], vocabulary: vocabulary)
    #expect(Repetition(plain, cores: 2).command(row: "P1") == "swift run -c release ActorDIBench --check --filter P1")
  }

  @Test("Bounds of a row with one limit are one line; what they have in common is said once")
  func boundLines() {
    #expect(MarkdownReport.title(of: ["a, b, 1 thread", "a, b, 2 threads"]) == "a, b, 1 thread / 2 threads")
    #expect(MarkdownReport.title(of: ["a"]) == "a")
    #expect(MarkdownReport.title(of: ["a", "b"]) == "a / b")
    let long = String(repeating: "x", count: 70)
    #expect(MarkdownReport.title(of: [long, "b", "c"]) == "\(long), and 2 more")
    func outcome(_ what: String, _ measured: Double?, _ verdict: Verdict) -> Outcome {
      Outcome(
        bound: Bound(row: "P1", what: what, figure: .value(CheckTests.box), limit: .atMost(1), yardstick: "× F"),
        measured: measured, verdict: verdict)
    }
    let grid = MarkdownReport.rows([
      outcome("w, 1 thread", 0.5, .met), outcome("w, 2 threads", 1.5, .fellShort), outcome("w, 4 threads", 0.75, .met),
    ])
    #expect(
      grid.rows == [["P1", "w, 1 thread / 2 threads / 4 threads", "≤ 1 × F", "0.50 – 1.50", "FELL SHORT (1 of 3)"]])
    #expect(
      MarkdownReport.rows([outcome("w", nil, .notMeasurable("no counter"))]).rows
        == [["P1", "w", "≤ 1 × F", "–", "no counter"]])
  }

  @Test("Of losses the worst of each pair is shown, with the number of places it stands for")
  func worst() {
    let losses = [(1, "box", 1.5), (2, "box", 2.5), (1, "other", 2.0)].map { lane, contender, factor in
      Loss(scenario: "s", lane: lane, contender: contender, reference: "floor", factor: factor)
    }
    #expect(Loss.worst(losses).map(\.loss) == [losses[1]])
    #expect(Loss.worst(losses).map(\.places) == [3])
    #expect(Loss.grid(Loss.worst(losses)).rows == [["s", "box", "2 threads", "floor", "2.50 ×", "3"]])
  }
}

@Suite("Ending early")
struct BreakoffTests {
  @Test("The ledger tells what is through, what is under way and what is missing")
  func ledger() {
    let ledger = Ledger()
    ledger.plan(["a", "b", "c", "d"])
    ledger.note("no counter", of: "a")
    ledger.keep(turns: [.time("b", "x", .floor, [1])])
    ledger.finish("b", [.time("b", "x", .floor, [1, 2])])
    ledger.keep(turns: [.time("c", "x", .floor, [3])])
    #expect(ledger.page.left == ["c", "d"])
    #expect(ledger.page.results.scenarios == ["b"])
    #expect(ledger.page.turns.map(\.samples) == [[3]])
    #expect(ledger.page.obstacles == ["a": "no counter"])
    // A scenario that is measured again has its results already.
    ledger.keep(turns: [.time("b", "x", .floor, [9])])
    #expect(ledger.page.turns.isEmpty)
  }

  @Test("A report of an interrupted check says so, and counts nothing unmeasured as met")
  func interruptedCheck() throws {
    var options = Options(threads: [1])
    options.isCheck = true
    let bounds = [Bounds.warmSingleton[0], Bounds.handles[0]]
    let session = Session(
      options: options, cores: 2, bounds: bounds, environment: ReportTests.report.environment, past: nil,
      progress: Progress())
    session.ledger.plan([WarmSingleton.name, Handles.name])
    session.ledger.finish(
      WarmSingleton.name,
      [
        .time(WarmSingleton.name, ContenderName.staticLet, .floor, [10]),
        .time(WarmSingleton.name, ContenderName.container, .container, [10]),
      ])
    session.ledger.keep(turns: [
      .time(Handles.name, ContenderName.staticLet, .floor, [10]),
      .time(Handles.name, ContenderName.provider, .container, [1]),
    ])
    let report = session.report(endedBy: .interrupt)
    #expect(report.outcomes?.map(\.verdict) == [.met, .notMeasurable(Session.interrupted)])
    #expect(report.breakoff?.text == "INTERRUPTED; of handles there is only 1 repeat.")
    #expect(report.outcomes.map(report.conclusion) == "Interrupted. 1 of 2 bounds met; 1 not measured.")
    #expect(report.written(as: .table).hasSuffix("INTERRUPTED; of handles there is only 1 repeat.\n"))
    #expect(report.results.series.count == 4)
  }

  @Test("Exit statuses are those of a shell, and only one has the last word")
  func ending() {
    #expect(Interruption.interrupt.exitCode == 130)
    #expect(Interruption.termination.exitCode == 143)
    let ending = Ending()
    #expect(ending.claim())
    #expect(!ending.claim())
  }
}
