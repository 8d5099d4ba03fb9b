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
    let contender: Contender
    func operationsPerIteration(lane: Int) -> Int { each ?? lanes.parallelism(lane) }
    func contenders() -> [Contender] { [contender] }
  }

  static var runner: Runner {
    Runner(pace: Pace(repeats: 3, shortestRepeat: 1_000, targetRepeat: 1_200), cores: 2, progress: Progress())
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
      try await Self.runner.measure(Fake(contender: contender), lanes: [1], repeats: 3)
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
    let series = try await Self.runner.measure(
      Fake(contender: contender), lanes: [1, 2], repeats: 3)
    #expect(series.map(\.lane) == [1, 2])
    #expect(series.map(\.samples) == [[2, 2, 2], [2, 2, 2]])
    #expect(batches.load(ordering: .relaxed) >= 6)
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
    let series = try await Self.runner.measure(Fake(contender: contender), lanes: [1], repeats: 5)
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
    let series = try await Self.runner.measure(
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
      try await Self.runner.measure(Fake(contender: contender), lanes: [1], repeats: 1)
    }
  }

  @Test("An operation faster than a load stops the run")
  func tooFast() async {
    let contender = Contender(
      name: "c", role: .floor, answer: { 1 },
      work: .own { _ in Sample(total: 0.1 * 1_000, operations: 1_000) })
    await #expect(throws: BenchmarkError.self) {
      try await Self.runner.measure(
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
      obstacles: ["allocations": "no counter"],
      outcomes: [Bounds.warmSingleton[0].judge(results, cores: 2)])
  }()

  @Test("A scenario has a table with a line for each contender, and ratios to its floor")
  func scenario() {
    #expect(
      TableReport.text(of: WarmSingleton(), Self.report.results) == """

        warm-singleton: warm singleton, sync, any Greeter

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
    #expect(end.contains("P1   warm singleton, sync, 1 thread  ≤ 1.15 × F      1.10  met\n"))
    #expect(end.hasSuffix("\n1 of 1 bound met.\n"))
    let report = Report(
      environment: Self.report.environment, commandLine: [], pace: .quick, results: Self.report.results,
      obstacles: [:], outcomes: nil)
    #expect(TableReport.end(of: report).hasPrefix("\nns/op: "))
  }

  @Test("The JSON has the environment, and every sample and verdict with its unit")
  func json() throws {
    let data = Data(JSONReport(report: Self.report).text.utf8)
    let json = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(json["version"] as? Int == JSONReport.version)
    #expect((json["environment"] as? [String: Any])?["commit"] as? String == "abc")
    #expect(json["notMeasurable"] as? [String: String] == ["allocations": "no counter"])
    let check = try #require(json["check"] as? [String: Any])
    #expect(check["conclusion"] as? String == "1 of 1 bound met.")
    let bound = try #require((check["bounds"] as? [[String: Any]])?.first)
    #expect(bound["bound"] as? String == "≤ 1.15 × F" && bound["met"] as? Bool == true)
    let scenario = try #require((json["scenarios"] as? [[String: Any]])?.first)
    #expect(scenario["unit"] as? String == "ns/op" && scenario["lanes"] as? String == "threads")
    let series = try #require((scenario["series"] as? [[String: Any]])?.last)
    #expect(series["samples"] as? [Double] == [11, 11] && series["role"] as? String == "container")
    let detail = try #require((series["details"] as? [String: [String: Any]])?["p99"])
    #expect(detail["unit"] as? String == "ns" && detail["samples"] as? [Double] == [20, 30])
  }
}
