import Foundation
import Synchronization
import Testing

@testable import ActorDIBench

@Suite("Measuring")
struct MeasureTests {
  struct Failure: Error {}

  /// A scenario with one given contender.
  struct Fake: Scenario {
    static let name = "fake"
    static let summary = "for tests"
    var expectedAnswer = 1
    var fixedIterations: Int?
    var lanes = Lanes.threads
    var mostRepeats = Int.max
    var each: Int?
    var others: [Contender] = []
    let contender: Contender
    func operationsPerIteration(lane: Int) -> Int { each ?? lanes.parallelism(lane) }
    func contenders() -> [Contender] { [contender] + others }
  }

  /// Measures a scenario in the given lanes, with short repeats.
  static func measure(_ scenario: Fake, lanes: Set<Int>, repeats: Int = 3) async throws -> [Series] {
    let pace = Pace(repeats: repeats, shortestRepeat: 1_000, targetRepeat: 1_200)
    return try await Runner(pace: pace, cores: 2, progress: Progress()).measure(Part(scenario: scenario, lanes: lanes))
  }

  @Test("Every thread does every round, and no round begins before the last has ended")
  func rounds() throws {
    let done = Mutex([Int](repeating: 0, count: 20))
    let time = try ThreadTeam.run(threads: 4, rounds: 20) { round in
      done.withLock { done in
        done[round] += 1
        if round > 0, done[round - 1] != 4 { Issue.record("round \(round) began early") }
      }
    }
    #expect(done.withLock { $0 } == [Int](repeating: 4, count: 20))
    #expect(time > 0)
  }

  @Test("An error on one thread is thrown, and the others are waited for")
  func threadError() {
    let done = Atomic<Int>(0)
    #expect(throws: Failure.self) {
      try ThreadTeam.run(threads: 3, rounds: 2) { round in
        if done.add(1, ordering: .relaxed).newValue == 2 { throw Failure() }
      }
    }
    #expect(done.load(ordering: .relaxed) == 6)
  }

  @Test("Every thread does its operations, in portions, and leaves the rest after the limit")
  func portions() throws {
    let done = Atomic<Int>(0)
    let all = try ThreadTeam.run(Load(iterations: 1_000, lane: 3, limit: .max / 4)) { count in
      done.add(count, ordering: .relaxed)
    }
    #expect(all.operations == 3_000)
    #expect(done.load(ordering: .relaxed) == 3_000)
    let cut = try ThreadTeam.run(Load(iterations: 6_400, lane: 2, limit: 0)) { _ in }
    #expect(cut.operations == 200)
  }

  @Test("A disturber that does nothing stops the run")
  func undisturbed() async {
    let contender = Contender(
      name: "c", role: .container, answer: { 1 },
      work: .own { load in
        Sample(total: Double(load.iterations), operations: load.iterations, details: [.disturbance: 0])
      })
    await #expect(throws: BenchmarkError.self) {
      try await Self.measure(Fake(contender: contender), lanes: [1])
    }
  }

  @Test("Every task is run, and an error of one is thrown")
  func tasks() async throws {
    let done = Atomic<Int>(0)
    _ = try await TaskTeam.run(tasks: 50) { done.add(1, ordering: .relaxed) }
    #expect(done.load(ordering: .relaxed) == 50)
    await #expect(throws: Failure.self) {
      _ = try await TaskTeam.run(tasks: 2) { throw Failure() }
    }
  }

  @Test("A series has a sample for each repeat, in batches that make it long enough")
  func repeats() async throws {
    let batches = Atomic<Int>(0)
    let contender = Contender(
      name: "c", role: .container, answer: { 1 },
      work: .own { load in
        batches.add(1, ordering: .relaxed)
        let operations = load.iterations * load.lane
        return Sample(total: Double(operations) * 2, operations: operations)
      })
    let series = try await Self.measure(
      Fake(contender: contender), lanes: [1, 2])
    #expect(series.map(\.lane) == [1, 2])
    #expect(series.map(\.samples) == [[2, 2, 2], [2, 2, 2]])
    #expect(batches.load(ordering: .relaxed) >= 6)
  }

  @Test("Only the contenders and lanes of the part are measured")
  func part() async throws {
    func contender(_ name: String) -> Contender {
      Contender(
        name: name, role: .container, answer: { name == "wrong" ? 2 : 1 },
        work: .own { load in Sample(total: Double(load.iterations) * 2, operations: load.iterations) })
    }
    let scenario = Fake(others: [contender("b"), contender("wrong")], contender: contender("a"))
    let part = Part(
      scenario: scenario,
      subjects: [
        .init(scenario: "fake", contender: "a"), .init(scenario: "fake", contender: "a", lane: 2),
        .init(scenario: "fake", contender: "b", lane: 2), .init(scenario: "fake", contender: "b", lane: 2),
      ])
    let pace = Pace(repeats: 2, shortestRepeat: 1_000, targetRepeat: 2_000)
    let series = try await Runner(pace: pace, cores: 2, progress: Progress()).measure(part)
    #expect(series.map { "\($0.contender)\($0.lane)" } == ["a1", "a2", "b2"])
    #expect(try await part.plannedSeconds(pace) == pace.seconds(cells: 3))
    #expect(Part(scenario: scenario).isEmpty && !part.isEmpty)
    var whole = part
    whole.lanes = [1]
    #expect(whole.includes("wrong", lane: 1) && !whole.includes("wrong", lane: 2))
    #expect(try await whole.plannedSeconds(pace) == pace.seconds(cells: 5))
  }

  @Test("A contender that speeds up a hundredfold still fills its repeats")
  func speedsUp() async throws {
    let calls = Atomic<Int>(0)
    let contender = Contender(
      name: "c", role: .container, answer: { 1 },
      work: .own { load in
        let isEarly = calls.add(1, ordering: .relaxed).newValue < 6
        let operations = load.iterations
        return Sample(total: Double(operations) * (isEarly ? 100 : 1), operations: operations)
      })
    let series = try await Self.measure(Fake(contender: contender), lanes: [1], repeats: 5)
    #expect(series.first?.samples.last == 1)
  }

  @Test("Lanes of registrations are no threads, and what takes long is not repeated as often")
  func registrations() async throws {
    let mostIterations = Atomic<Int>(0)
    let contender = Contender(
      name: "c", role: .container, answer: { 1 },
      work: .own { load in
        mostIterations.max(load.iterations, ordering: .relaxed)
        let operations = load.iterations * 100
        // Below the cost of a load if divided by a hundred threads, but not for one thread.
        return Sample(total: Double(operations) * 0.5, operations: operations)
      })
    let series = try await Self.measure(
      Fake(
        lanes: .registrations([100]), mostRepeats: 2, each: 100, contender: contender),
      lanes: [100], repeats: 5)
    #expect(series.map(\.samples) == [[0.5, 0.5]])
    // 1,200 ns are 24 iterations of 50 ns. If operations were taken for iterations, there would be 2,400.
    #expect(mostIterations.load(ordering: .relaxed) <= 48)
  }

  @Test("A wrong answer stops the run")
  func wrongAnswer() async {
    let contender = Contender(
      name: "c", role: .floor, answer: { 2 }, work: .threads { _ in })
    await #expect(throws: BenchmarkError.self) {
      try await Self.measure(Fake(contender: contender), lanes: [1], repeats: 1)
    }
  }

  @Test("An operation faster than a load stops the run")
  func tooFast() async {
    let contender = Contender(
      name: "c", role: .floor, answer: { 1 },
      work: .own { _ in Sample(total: 0.1 * 1_000, operations: 1_000) })
    await #expect(throws: BenchmarkError.self) {
      try await Self.measure(
        Fake(fixedIterations: 10, contender: contender), lanes: [1], repeats: 1)
    }
  }

  @Test(
    "Allocations are counted, of this thread and of all",
    .enabled(if: Allocations().obstacle == nil))
  func allocations() async {
    let one = AllocationCount.ofThread(operations: 100) { count in
      for _ in 0..<count { consume(Floors.leaf()) }
    }
    #expect(one.perOperation == 1)
    let graph = AllocationCount.ofThread(operations: 100) { count in
      for _ in 0..<count { consume(Floors.graph()) }
    }
    #expect(graph.perOperation == 10)
    let none = AllocationCount.ofThread(operations: 100) { _ in }
    #expect(none.total == 0)
    // Other tests allocate meanwhile, so this is only a lower bound.
    let process = await AllocationCount.ofProcess(operations: 100) { count in
      for _ in 0..<count { consume(Floors.leaf()) }
    }
    #expect(process.perOperation >= 1)
  }
}

@Suite("Reports")
struct ReportTests {
  static let report: Report = {
    var series = Series.time(WarmSingleton.name, ContenderName.container, .container, [11, 11])
    series.details = [.percentile99: [20, 30]]
    var results = Results()
    results.merge([
      .time(WarmSingleton.name, ContenderName.staticLet, .floor, [10, 10]),
      .time(WarmSingleton.name, ContenderName.mutex, .baseline, [50, 50]),
      series,
    ])
    return Report(
      environment: Environment(
        processor: "CPU", cores: 2, system: "OS", compiler: "Swift", isOptimized: true,
        date: "2026-01-01", commit: "abc"),
      commandLine: ["ActorDIBench", "--check"], pace: .quick, results: results,
      obstacles: ["allocations": "no counter"], summary: nil,
      outcomes: [
        Bounds.ofFloor(
          "P1", "existing singleton", 1.15,
          Bounds.onFloor(WarmSingleton.name, ContenderName.container, [1], "thread")
        ).judge(results, cores: 2)
      ])
  }()

  @Test("A scenario has a table with a line for each contender, and ratios to its floor")
  func scenario() {
    #expect(
      TableReport.text(of: WarmSingleton(), Self.report.results) == """

        warm-singleton: existing singleton of the asked container or of another one, sync, any Greeter

          threads  contender             ns/op    ±   ÷ F  p99, ns
          -------  --------------------  -----  ---  ----  -------
                1  static let (floor F)   10.0  0 %
                1  Mutex + dictionary     50.0  0 %  5.00
                1  container              11.0  0 %  1.10     25.0

        """)
  }

  @Test("A report ends with the bounds if they were checked, or else with an explanation")
  func end() {
    let end = TableReport.end(of: Self.report)
    #expect(end.hasPrefix("\nallocations: no counter\n"))
    #expect(end.contains("P1   existing singleton  ≤ 1.15 × F      1.10  1 thread  met\n"))
    #expect(end.hasSuffix("\n1 of 1 row met.\n"))
    let report = Report(
      environment: Self.report.environment, commandLine: [], pace: .quick, results: Self.report.results,
      obstacles: [:], summary: nil, outcomes: nil)
    #expect(TableReport.end(of: report).hasPrefix("\nns/op: "))
  }

  @Test("A row that fell short lists its points; the others only if all are wanted")
  func points() {
    func grid(_ figures: [Double], everyPoint: Bool = false) -> String {
      var results = Results()
      results.merge(zip([1, 2, 4], figures).map { .time("s", "box", .container, [$1], lane: $0) })
      return TableReport.grid(of: [CheckTests.ofThree.judge(results, cores: 2)], everyPoint: everyPoint).text()
    }
    #expect(
      grid([1, 2.5, 3]) == """
        row  what  bound   measured  worst at  verdict
        ---  ----  ------  --------  --------  ----------
        P1   w     ≤ 2 ns      3.00  4         FELL SHORT
               1               1.00            met
               2               2.50            FELL SHORT
               4               3.00            FELL SHORT

        """)
    #expect(
      grid([1, 1.5, 1]) == """
        row  what  bound   measured  worst at  verdict
        ---  ----  ------  --------  --------  -------
        P1   w     ≤ 2 ns      1.50  2         met

        """)
    #expect(grid([1, 1.5, 1], everyPoint: true).contains("       4               1.00            met\n"))
  }

  @Test("The JSON has the environment, and every sample and verdict with its unit")
  func json() throws {
    let data = Data(JSONReport(report: Self.report).text.utf8)
    let json = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(json["version"] as? Int == JSONReport.version)
    #expect((json["environment"] as? [String: Any])?["commit"] as? String == "abc")
    #expect(json["notMeasurable"] as? [String: String] == ["allocations": "no counter"])
    let check = try #require(json["check"] as? [String: Any])
    #expect(check["conclusion"] as? String == "1 of 1 row met.")
    let bound = try #require((check["bounds"] as? [[String: Any]])?.first)
    #expect(bound["bound"] as? String == "≤ 1.15 × F" && bound["met"] as? Bool == true)
    #expect(bound["worstAt"] as? String == "1 thread")
    let point = try #require((bound["points"] as? [[String: Any]])?.first)
    #expect(point["name"] as? String == "1 thread" && point["met"] as? Bool == true)
    #expect(json["summary"] is NSNull)
    let scenario = try #require((json["scenarios"] as? [[String: Any]])?.first)
    #expect(scenario["unit"] as? String == "ns/op" && scenario["lanes"] as? String == "threads")
    let series = try #require((scenario["series"] as? [[String: Any]])?.last)
    #expect(series["samples"] as? [Double] == [11, 11] && series["role"] as? String == "container")
    let detail = try #require((series["details"] as? [String: [String: Any]])?["p99"])
    #expect(detail["unit"] as? String == "ns" && detail["samples"] as? [Double] == [20, 30])
  }
}

@Suite("The summary")
struct SummaryTests {
  /// Results in which a contender takes 1.5 times as long as its floor, on any number of threads, and both scale by 2.
  static func results(most: Int) -> Results {
    var results = Results()
    for subject in Summary(threads: [1, most]).subjects {
      let isFloor = [ContenderName.staticLet, ContenderName.plain].contains(subject.contender)
      let nanoseconds = (isFloor ? 20.0 : 30.0) / (subject.lane > 1 ? 2 : 1)
      results.merge([
        .time(
          subject.scenario, subject.contender, isFloor ? .floor : .container, [nanoseconds, nanoseconds],
          lane: subject.lane)
      ])
    }
    return results
  }

  static func line(_ operation: String, most: Int = 2, nanoseconds: Double, speedUp: Double) -> Summary.Line {
    Summary.Line(
      operation: operation, nanoseconds: nanoseconds, multiple: 1.5, floor: "C", most: most, alone: 1e9 / nanoseconds,
      together: 1e9 / nanoseconds * speedUp, speedUp: speedUp, floorSpeedUp: 2)
  }

  @Test("There is a line for each operation, with its multiple of the floor and both speed-ups")
  func lines() {
    let lines = Summary(threads: [1, 2, 4]).lines(of: Self.results(most: 4))
    #expect(lines.count == 6)
    #expect(lines.map(\.floor) == ["F", "F", "F", "C", "C", "C"])
    for line in lines {
      #expect(line.nanoseconds == 30 && line.multiple == 1.5 && line.most == 4)
      #expect(line.speedUp == 2 && line.floorSpeedUp == 2)
      #expect(line.alone == 1e9 / 30 && line.together == 1e9 / 15)
    }
    #expect(Summary(threads: [1]).lines(of: Self.results(most: 1)).map(\.speedUp) == [1, 1, 1, 1, 1, 1])
    #expect(Summary(threads: [1, 2]).lines(of: Results()).isEmpty)
  }

  @Test("Only the operations and their floors are measured, on one thread and on the largest number of threads")
  func subjects() {
    #expect(Summary(threads: [1, 2, 8]).subjects.count == 6 * 2 * 2)
    #expect(Set(Summary(threads: [2, 8]).subjects.map(\.lane)) == [1, 8])
    #expect(Set(Summary(threads: [1]).subjects.map(\.lane)) == [1])
  }

  @Test("The summary is a table with a bar for the speed-up")
  func text() {
    let lines = [
      Self.line("new object", nanoseconds: 25, speedUp: 2), Self.line("request", nanoseconds: 2_000, speedUp: 0.75),
    ]
    #expect(
      Summary.text(of: lines).hasPrefix(
        """

        operation      ns   ÷ floor  1 thread, M/s  2 threads, M/s  speed-up  floor's  of 2
        ----------  -----  --------  -------------  --------------  --------  -------  ----------------
        new object   25.0  1.50 × C           40.0            80.0      2.00     2.00  ████████████████
        request     2,000  1.50 × C           0.50            0.38      0.75     2.00  ██████··········

        F: a static let of the same type.
        """))
    let alone = Summary.text(of: [Self.line("new object", most: 1, nanoseconds: 25, speedUp: 1)])
    #expect(alone.contains("new object  25.0  1.50 × C           40.0\n") && !alone.contains("peed-up"))
  }

  @Test(
    "A bar is as full as the share of the threads that is used",
    arguments: [(-1, 0), (0, 0), (0.5, 8), (0.97, 16), (1, 16), (3, 16)] as [(Double, Int)])
  func bar(share: Double, filled: Int) {
    #expect(Summary.bar(share) == String(repeating: "█", count: filled) + String(repeating: "·", count: 16 - filled))
  }

  @Test("The report is the summary, and says where to go on; JSON has its figures")
  func report() throws {
    let summary = [Self.line("new object", nanoseconds: 25, speedUp: 2)]
    let report = Report(
      environment: ReportTests.report.environment, commandLine: [], pace: .standard, results: Results(),
      obstacles: [:], summary: summary, outcomes: nil)
    let end = TableReport.end(of: report)
    #expect(end.hasPrefix("\noperation"))
    for option in ["--all", "--check", "--filter", "--help"] { #expect(end.contains(option)) }
    let data = Data(JSONReport(report: report).text.utf8)
    let json = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    let line = try #require((json["summary"] as? [[String: Any]])?.first)
    #expect(line["operation"] as? String == "new object" && line["floor"] as? String == "C")
    #expect(line["nanoseconds"] as? Double == 25 && line["speedUp"] as? Double == 2)
  }
}

@Suite("The duration of runs")
struct DurationTests {
  /// The seconds of repeats that the options ask for on a machine with two cores.
  static func seconds(_ change: (inout Options) -> Void) async throws -> Double {
    var options = Options(threads: [1, 2])
    change(&options)
    let session = Session(
      options: options, cores: 2, bounds: Bounds.all(cores: 2), environment: ReportTests.report.environment,
      progress: Progress())
    var seconds = 0.0
    for part in session.parts { seconds += try await part.plannedSeconds(options.pace) }
    return seconds
  }

  @Test("The summary takes less than a minute, a check at most three, and a quick one at most one")
  func durations() async throws {
    let summary = try await Self.seconds { _ in }
    let check = try await Self.seconds { $0.isCheck = true }
    let quickCheck = try await Self.seconds {
      $0.isCheck = true
      $0.isQuick = true
    }
    let all = try await Self.seconds { $0.isAll = true }
    // A third of the time is left for what is prepared, is measured again, or takes longer than a repeat.
    #expect(summary < 30 && check < 115 && quickCheck < 40)
    #expect(all > check)
  }

  @Test("A filter chooses scenarios, or rows of a check")
  func filters() {
    func names(_ change: (inout Options) -> Void) -> [String] {
      var options = Options(threads: [1, 2])
      change(&options)
      let session = Session(
        options: options, cores: 2, bounds: Bounds.all(cores: 2), environment: ReportTests.report.environment,
        progress: Progress())
      return session.parts.map(\.scenario.name)
    }
    #expect(names { $0.filters = ["warm"] } == [WarmSingleton.name, WarmSingletonAwait.name])
    let p3: (inout Options) -> Void = { ($0.isCheck, $0.filters) = (true, ["P3"]) }
    #expect(names(p3) == [Keyed.name])
    #expect(names { $0.isAll = true } == Scenarios.all.map(\.name))
  }
}

@Suite("The remaining time")
struct EstimateTests {
  @Test("Before anything is done, the plan counts")
  func beginning() {
    #expect(Estimate(planned: 60, done: 0).rest(after: 0) == 60)
  }

  @Test("A run that takes as long as planned ends as planned; a slower one takes longer in proportion")
  func adapts() {
    #expect(Estimate(planned: 60, done: 20).rest(after: 20) == 40)
    let slow = Estimate(planned: 60, done: 20).rest(after: 40)
    // Twice as slow, except for the five seconds that count as planned.
    #expect(slow == 40 * 45 / 25)
    #expect(Estimate(planned: 600, done: 300).rest(after: 600) > 1.9 * 300)
  }

  @Test("Nothing is left after the plan, and more work makes it longer")
  func end() {
    var estimate = Estimate(planned: 10, done: 10)
    #expect(estimate.rest(after: 30) == 0)
    estimate.done = 12
    #expect(estimate.rest(after: 30) == 0)
    estimate.planned += 12
    #expect(estimate.rest(after: 12) == 10)
  }

  @Test(arguments: [(0, "0:00"), (0.4, "0:00"), (59.6, "1:00"), (65, "1:05"), (600, "10:00")] as [(Double, String)])
  func duration(seconds: Double, text: String) {
    #expect(Format.duration(seconds) == text)
  }
}
