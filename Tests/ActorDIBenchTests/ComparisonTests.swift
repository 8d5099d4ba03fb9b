import Testing

@testable import ActorDIBench

@Suite("Comparing with an earlier run")
struct ComparisonTests {
  static func report(_ series: [Series]) -> Report {
    var results = Results()
    results.merge(series)
    return Report(
      environment: ReportTests.report.environment, commandLine: ["ActorDIBench"], pace: .quick, results: results,
      obstacles: [:], outcomes: nil)
  }

  /// Compares two runs through their JSON, as a user does.
  static func compare(_ old: [Series], _ new: [Series]) throws -> Comparison {
    let past = try PastRun(path: "old.json", text: report(old).written(as: .json))
    #expect(past.results.series.map(\.samples) == old.map(\.samples))
    var results = Results()
    results.merge(new)
    return Comparison(old: past, new: results, in: ReportTests.report.environment)
  }

  static let keyed = Keyed.name
  static let steady: [Double] = [10, 10, 10, 10, 10, 10, 10]

  static func pair(floor: [Double], box: [Double]) -> [Series] {
    [.time(keyed, "floor", .floor, floor), .time(keyed, "box", .container, box)]
  }

  @Test("Times are compared as multiples of their floor, so that a slower machine is not a slower container")
  func machine() throws {
    let comparison = try Self.compare(
      Self.pair(floor: Self.steady, box: Self.steady.map { $0 * 1.5 }),
      Self.pair(floor: Self.steady.map { $0 * 2 }, box: Self.steady.map { $0 * 3 }))
    #expect(comparison.rows.map(\.measure) == ["ns/op", "÷ floor"])
    #expect(comparison.rows.map(\.verdict) == [.machine, .noise])
    #expect(comparison.rows.map(\.change) == [1, 0])
    #expect(comparison.rows.last?.old.median == 1.5)
    #expect(
      comparison.conclusion
        == "Beyond the noise of the two runs: 0 worse, 0 better, of 2 figures; in 1 the machine differs.")
  }

  @Test(
    "A difference counts when the middle of the repeats does not overlap, and when it is 5 % or more",
    arguments: [
      ([12, 12, 12, 12, 12, 12, 12, 12, 12], .worse), ([8, 8, 8, 8, 8, 8, 8, 8, 8], .better),
      // A clear difference, but a small one.
      ([10.4, 10.4, 10.4, 10.4, 10.4, 10.4, 10.4, 10.4, 10.4], .noise),
      // One disturbed repeat in nine does not hide a difference; two do.
      ([10, 12, 12, 12, 12, 12, 12, 12, 12], .worse), ([9, 10, 12, 12, 12, 12, 12, 12, 12], .noise),
    ] as [([Double], Comparison.Verdict)])
  func noise(box: [Double], expected: Comparison.Verdict) throws {
    let nine = [Double](repeating: 10, count: 9)
    let comparison = try Self.compare(Self.pair(floor: nine, box: nine), Self.pair(floor: nine, box: box))
    #expect(comparison.rows.map(\.verdict) == [.noise, expected])
  }

  @Test("What was nothing and is something has changed without end, and what is not timed has no floor")
  func fromNothing() throws {
    func count(_ samples: [Double]) -> [Series] {
      [
        Series(scenario: "allocations", contender: "a", role: .floor, lane: 1, unit: .allocations, samples: [1, 1, 1]),
        Series(
          scenario: "allocations", contender: "b", role: .container, lane: 1, unit: .allocations, samples: samples),
      ]
    }
    let comparison = try Self.compare(count([0, 0, 0]), count([1, 1, 1]))
    let row = try #require(comparison.rows.last)
    #expect(row.change == nil)
    #expect(row.verdict == .worse)
    #expect(row.measure == "allocations/op")
    #expect(comparison.sorted.first?.contender == "b")
    #expect(try Self.compare(count([0, 0, 0]), count([0, 0, 0])).beyondNoise.isEmpty)
    // Two repeats are not enough to estimate the noise.
    #expect(try Self.compare(count([0, 0]), count([1, 1])).beyondNoise.isEmpty)
  }

  @Test("Runs that are hard to compare are said to be")
  func caveats() throws {
    let text = Self.report([]).written(as: .json)
    let old = try PastRun(
      path: "old.json",
      text: text.split(separator: "\"CPU\"").joined(separator: "\"Other\"").split(separator: "\"optimized\": true")
        .joined(separator: "\"optimized\": false"))
    let comparison = Comparison(old: old, new: Results(), in: ReportTests.report.environment)
    #expect(comparison.caveats.count == 2)
    #expect(comparison.text(for: .plain).contains("warning: only one of the runs was built with optimisation"))
    let same = try PastRun(path: "old.json", text: text)
    #expect(Comparison(old: same, new: Results(), in: ReportTests.report.environment).caveats.isEmpty)
  }

  @Test("What only one run has is named, in as few words as it takes")
  func onlyOne() throws {
    let comparison = try Self.compare(
      [
        .time(Transient.name, "floor", .floor, [1]), .time(Self.keyed, "floor", .floor, [1]),
        .time(Self.keyed, "floor", .floor, [1], lane: 16), .time(Self.keyed, "dropped", .container, [1]),
      ],
      [.time(Self.keyed, "floor", .floor, [1]), .time(Self.keyed, "added", .container, [1])])
    #expect(comparison.onlyOld == ["transient", "keyed with 16 threads", "keyed, dropped"])
    #expect(comparison.onlyNew == ["keyed, added"])
    #expect(comparison.rows.count == 1)
  }

  @Test("Every format says what has changed")
  func formats() throws {
    let nine = [Double](repeating: 10, count: 9)
    var report = Self.report(Self.pair(floor: nine, box: nine.map { $0 * 1.2 }))
    let past = try PastRun(
      path: "old.json",
      text: Self.report(Self.pair(floor: nine, box: nine) + [.time(Transient.name, "x", .floor, [1])]).written(
        as: .json))
    report.comparison = Comparison(old: past, new: report.results, in: report.environment)
    #expect(
      report.written(as: .table).contains(
        """
        Compared with old.json: commit abc, 2026-01-01, CPU

          scenario  lane  contender  figure                  old                 new  change  verdict
          --------  ----  ---------  -------  ------------------  ------------------  ------  ------------
          keyed        1  box        ÷ floor  1.00 (1.00 – 1.00)  1.20 (1.20 – 1.20)   +20 %  WORSE
          keyed        1  floor      ns/op    10.0 (10.0 – 10.0)  10.0 (10.0 – 10.0)   0.0 %  within noise

        only in old.json: transient

        Beyond the noise of the two runs: 1 worse, 0 better, of 2 figures.
        """))
    let page = report.written(as: .markdown)
    #expect(page.contains("## What has changed"))
    #expect(page.contains("| keyed | 1 | box | ÷ floor | 1.00 (1.00 – 1.00) | 1.20 (1.20 – 1.20) | +20 % | WORSE |"))
    #expect(page.contains("- only in old.json: transient"))
    #expect(
      report.written(as: .csv)
        == "scenario,contender,role,lane,figure,old,old_lower,old_upper,new,new_lower,new_upper,change,beyond_noise\r\n"
        + "keyed,box,container,1,÷ floor,1.0,1.0,1.0,1.2,1.2,1.2,0.19999999999999996,true\r\n"
        + "keyed,floor,floor,1,ns/op,10.0,10.0,10.0,10.0,10.0,10.0,0.0,false\r\n")
    let json = try JSONParser.value(report.written(as: .json))
    #expect(json["comparison"]?["rows"]?.asArray?.first?["verdict"] == .string("WORSE"))
    #expect(json["comparison"]?["onlyOld"] == .array([.string("transient")]))
  }

  @Test(
    "What is no report is refused with the reason",
    arguments: [
      ("", "it is not JSON (line 1, column 1: ends where a value is expected)"),
      ("{\"tool\": ", "it is not JSON (line 1, column 10: ends where a value is expected)"),
      ("[]", "it is not a report that this program wrote with --format json"),
      ("{\"tool\": \"Other\", \"scenarios\": []}", "it is not a report that this program wrote with --format json"),
      ("{\"tool\": \"ActorDIBench\"}", "it is not a report that this program wrote with --format json"),
      (
        "{\"tool\": \"ActorDIBench\", \"scenarios\": [{}]}",
        "a scenario lacks its name, its unit or its series"
      ),
      (
        "{\"tool\": \"ActorDIBench\", \"scenarios\": [{\"name\": \"s\", \"unit\": \"furlongs\", \"series\": []}]}",
        "s is in 'furlongs', which this version does not know"
      ),
      (
        "{\"tool\": \"ActorDIBench\", \"scenarios\": [{\"name\": \"s\", \"unit\": \"ns/op\", \"series\": [{}]}]}",
        "a series of s lacks its contender, role, lane or samples"
      ),
    ])
  func unreadable(text: String, reason: String) {
    #expect(throws: PastRun.Unreadable(path: "old.json", reason: reason)) {
      try PastRun(path: "old.json", text: text)
    }
  }

  @Test("A file that is missing, or a folder, is refused with the system's reason")
  func missing() {
    let missing = #expect(throws: PastRun.Unreadable.self) { try PastRun(path: "/no/such/file.json") }
    #expect(missing?.description == "cannot compare with '/no/such/file.json': No such file or directory")
    #expect(throws: PastRun.Unreadable(path: "/", reason: "Is a directory")) { try PastRun(path: "/") }
  }
}
