import Testing

@testable import ActorDIBench

@Suite("Verdicts")
struct CheckTests {
  static let box = Bound.Subject(scenario: "s", contender: "box")
  static let floor = Bound.Subject(scenario: "s", contender: "floor")

  static func bound(
    _ figure: Bound.Figure, _ limit: Bound.Limit, row: String = "P1", minimumCores: Int = 1
  ) -> Bound {
    Bound(
      row: row, what: "w", figure: figure, limit: limit, yardstick: "× F",
      minimumCores: minimumCores)
  }

  static func results(box: [Double], floor: [Double]) -> Results {
    var results = Results()
    results.merge([.time("s", "floor", .floor, floor), .time("s", "box", .container, box)])
    return results
  }

  @Test("A limit admits what is equal to it and nothing beyond")
  func limits() {
    #expect(Bound.Limit.atMost(1.15).admits(1.15))
    #expect(!Bound.Limit.atMost(1.15).admits(1.1501))
    #expect(Bound.Limit.atLeast(0.9).admits(0.9))
    #expect(!Bound.Limit.atLeast(0.9).admits(0.8999))
    #expect(!Bound.Limit.atMost(1).admits(.nan))
    #expect(!Bound.Limit.atLeast(1).admits(.nan))
    #expect(!Bound.Limit.below(0.5).admits(0.5))
    #expect(Bound.Limit.below(0.5).admits(0.4999))
    #expect(Bound.Limit.within(0.95...1.05).admits(0.95))
    #expect(!Bound.Limit.within(0.95...1.05).admits(1.0501))
    #expect(!Bound.Limit.within(0.95...1.05).admits(.nan))
    #expect(Bound.Limit.none.admits(1e9))
    #expect(Bound.Limit.atMost(1_000_000).text == "≤ 1,000,000")
    #expect(Bound.Limit.within(0.95...1.05).text == "0.95 – 1.05")
    #expect(Bound.Limit.within(6...6).text == "6")
    #expect(Bound.Limit.atMost(0).text == "0")
    #expect(Bound.Limit.atMost(1.15).text == "≤ 1.15")
  }

  @Test("A ratio is the median of the ratios of each repeat, not the ratio of the medians")
  func ratio() {
    let bound = Self.bound(.ratio(Self.box, to: Self.floor), .atMost(2))
    let outcome = bound.judge(Self.results(box: [2, 30, 4], floor: [1, 10, 4]), cores: 1)
    #expect(outcome.measured == 2)
    #expect(outcome.verdict == .met)
    let slower = bound.judge(Self.results(box: [3, 30, 12], floor: [1, 10, 4]), cores: 1)
    #expect(slower.verdict == .fellShort)
  }

  @Test("Throughput is the other's time over the subject's")
  func throughput() {
    let bound = Self.bound(.throughput(Self.box, of: Self.floor), .atLeast(0.9))
    let slow = bound.judge(Self.results(box: [20, 20, 9], floor: [10, 10, 90]), cores: 2)
    #expect(slow.measured == 0.5)
    #expect(slow.verdict == .fellShort)
    let best = Self.bound(.bestThroughput(Self.box, of: Self.floor), .atLeast(1.8))
    #expect(best.judge(Self.results(box: [5, 9], floor: [10, 20]), cores: 2).measured == 2)
  }

  @Test("Throughput beyond a floor compares what is added to the best repeats of the floors")
  func throughputBeyond() {
    let (boxOfTwo, floorOfTwo) = (
      Bound.Subject(scenario: "s", contender: "box of two"), Bound.Subject(scenario: "s", contender: "floor of two")
    )
    let bound = Self.bound(
      .bestThroughputBeyondFloors(
        .init(subject: boxOfTwo, floor: floorOfTwo), of: .init(subject: Self.box, floor: Self.floor)), .atLeast(1.7))
    var results = Self.results(box: [50, 90], floor: [12, 10])
    results.merge([.time("s", "box of two", .container, [40, 45]), .time("s", "floor of two", .floor, [20, 30])])
    let outcome = bound.judge(results, cores: 2)
    #expect(outcome.measured == 2)
    #expect(outcome.verdict == .met)
    // Disturbed measurements may leave nothing.
    results.merge([.time("s", "floor of two", .floor, [40])])
    #expect(bound.judge(results, cores: 2).measured == nil)
  }

  @Test("A slowdown is one only when at least three repeats of four show it")
  func slowdown() {
    let bound = Self.bound(.slowdown(Self.box, to: Self.floor), .atMost(1))
    let equals = Self.results(
      box: [10.1, 9.9, 10.2, 9.8, 10.1], floor: [10, 10, 10, 10, 10])
    #expect(bound.judge(equals, cores: 1).verdict == .met)
    let slower = Self.results(
      box: [10.1, 9.9, 10.2, 10.3, 10.1], floor: [10, 10, 10, 10, 10])
    #expect(bound.judge(slower, cores: 1).verdict == .fellShort)
  }

  @Test("What has no limit is listed: it is neither met nor short")
  func listed() {
    let bound = Self.bound(.value(Self.box), .none)
    let outcome = bound.judge(Self.results(box: [1e9, 1e9, 1e9], floor: [1]), cores: 1)
    #expect(outcome.verdict == .listed && !outcome.verdict.isOpen)
    #expect(outcome.measured == 1e9)
    #expect([outcome].rowsThatFellShort.isEmpty)
  }

  @Test("Allocations are counted, and compared with the factory's own")
  func allocations() {
    let none = Self.bound(.value(Self.box), .atMost(0))
    #expect(none.judge(Self.results(box: [0, 0, 0], floor: [1]), cores: 1).verdict == .met)
    #expect(
      none.judge(Self.results(box: [0.0001, 0, 0.0001], floor: [1]), cores: 1).verdict
        == .fellShort)
    let excess = Self.bound(.excess(Self.box, over: Self.floor), .atMost(0))
    #expect(excess.judge(Self.results(box: [10, 10], floor: [10, 10]), cores: 1).measured == 0)
    #expect(
      excess.judge(Self.results(box: [11, 11], floor: [10, 10]), cores: 1).verdict == .fellShort)
  }

  @Test("Sizes are compared by their spread and by their growth")
  func sizes() {
    var results = Results()
    results.merge([
      .time("s", "box", .container, [10, 10, 10], lane: 100),
      .time("s", "box", .container, [20, 40, 10], lane: 10_000),
    ])
    let subjects = [100, 10_000].map { Bound.Subject(scenario: "s", contender: "box", lane: $0) }
    let flat = Self.bound(.spread(subjects), .atMost(3)).judge(results, cores: 1)
    #expect(flat.measured == 2)
    let growth = Self.bound(.growth(subjects), .below(0.1)).judge(results, cores: 1)
    #expect(growth.verdict == .fellShort)
    let missing = Self.bound(.spread(subjects + [Self.box]), .atMost(3))
    #expect(missing.judge(results, cores: 1).verdict == .fellShort)
  }

  @Test("A bound on a detail reads it, and not the figure that it stands beside")
  func details() {
    var series = Series.time("s", "box", .container, [1, 1])
    series.details = [.peak: [5, 7], .percentile99: [3]]
    var results = Results()
    results.merge([series])
    func measured(_ detail: Detail) -> Outcome {
      let subject = Bound.Subject(scenario: "s", contender: "box", detail: detail)
      return Self.bound(.value(subject), .atMost(6)).judge(results, cores: 1)
    }
    #expect(measured(.peak).measured == 6)
    #expect(measured(.percentile99).measured == 3)
    #expect(measured(.disturbance).verdict == .fellShort)
    switch (measured(.retained).verdict, Detail.retained.obstacle) {
    case (.fellShort, nil), (.notMeasurable, .some): break
    case (let verdict, _): Issue.record("\(verdict)")
    }
  }

  @Test("What cannot be measured is neither met nor short; what is missing falls short")
  func notMeasured() {
    let bound = Self.bound(.value(Self.box), .atMost(0))
    let outcome = bound.judge(Results(), cores: 1, obstacles: ["s": "no counter"])
    #expect(outcome.verdict == .notMeasurable("no counter"))
    #expect(outcome.measured == nil)
    #expect(bound.judge(Results(), cores: 1).verdict == .fellShort)
    #expect(bound.judge(Self.results(box: [], floor: [1]), cores: 1).verdict == .fellShort)
    let parallel = Self.bound(.value(Self.box), .atMost(0), minimumCores: 2)
    guard case .notMeasurable = parallel.judge(Results(), cores: 1).verdict else {
      Issue.record("one core is not enough")
      return
    }
  }

  @Test("What a busy machine hides is neither met nor short; what is met all the same is met")
  func busy() {
    var bound = Self.bound(.bestThroughput(Self.box, of: Self.floor), .atLeast(1.8))
    bound.freeCores = .init(
      figure: .bestThroughput(
        .init(scenario: "s", contender: "probe", lane: 2),
        of: .init(scenario: "s", contender: "probe")), atLeast: 1.9)
    func verdict(box: Double, probe: Double) -> Verdict {
      var results = Self.results(box: [box], floor: [10])
      results.merge([
        .time("s", "probe", .probe, [2]), .time("s", "probe", .probe, [probe], lane: 2),
      ])
      return bound.judge(results, cores: 2).verdict
    }
    #expect(verdict(box: 10, probe: 2) == .tooBusy(1))
    #expect(verdict(box: 10, probe: 1) == .fellShort)
    #expect(verdict(box: 5, probe: 2) == .met)
    #expect(Verdict.tooBusy(1).isOpen && Verdict.fellShort.isOpen)
    #expect(!Verdict.met.isOpen && !Verdict.notMeasurable("").isOpen)
  }

  @Test("Rows that fell short are named once each, in order")
  func rows() {
    let outcomes = [
      ("P1", Verdict.fellShort), ("P2", .met), ("P1", .fellShort), ("P3", .fellShort),
    ]
    .map { row, verdict in
      Outcome(
        bound: Self.bound(.value(Self.box), .atMost(0), row: row), measured: 1, verdict: verdict)
    }
    #expect(outcomes.rowsThatFellShort == ["P1", "P3"])
    #expect([Outcome]().rowsThatFellShort.isEmpty)
  }
}

@Suite("Measuring again")
struct MeasuringAgainTests {
  static let keyed = Bound(
    row: "P3", what: "w",
    figure: .value(.init(scenario: Keyed.name, contender: "box")), limit: .atMost(1),
    yardstick: "ns")
  static let churn = Bound(
    row: "P7", what: "w",
    figure: .value(.init(scenario: Churn.name, contender: "box")), limit: .atMost(1),
    yardstick: "ns")

  static func results(keyed: Double, churn: Double) -> Results {
    var results = Results()
    results.merge([
      .time(Keyed.name, "box", .container, [keyed]), .time(Churn.name, "box", .container, [churn]),
    ])
    return results
  }

  @Test("Only what fell short is measured again, with more repeats each time, until it is met")
  func untilMet() async {
    let check = Check(bounds: [Self.keyed, Self.churn], cores: 2)
    var results = Self.results(keyed: 0.5, churn: 3)
    var asked: [(String, [Int], Int)] = []
    let outcomes = await check.outcomes(&results, obstacles: [:]) { scenario, lanes, factor in
      asked.append((scenario.name, lanes, factor))
      return [.time(scenario.name, "box", .container, [factor == 3 ? 1 : 2])]
    }
    #expect(asked.map(\.0) == [Churn.name, Churn.name])
    #expect(asked.map(\.1) == [[1], [1]])
    #expect(asked.map(\.2) == [2, 3])
    #expect(outcomes.map(\.verdict) == [.met, .met])
    #expect(outcomes.map(\.measurements) == [1, 3])
  }

  @Test("What is far beyond its limit is not measured again; what has no length, or no figure, is")
  func farBeyond() async {
    let far = Check(bounds: [Self.keyed, Self.churn], cores: 2)
    var results = Self.results(keyed: 3.1, churn: 3)
    var asked: Set<String> = []
    let outcomes = await far.outcomes(&results, obstacles: [:]) { scenario, _, _ in
      asked.insert(scenario.name)
      return []
    }
    #expect(asked == [Churn.name])
    #expect(outcomes.map(\.verdict) == [.fellShort, .fellShort])
    #expect(outcomes.map(\.measurements) == [1, Check.measurements])
    #expect(Bound.Limit.atLeast(0.9).isFar(from: 0.29))
    #expect(!Bound.Limit.atLeast(0.9).isFar(from: 0.31))
    #expect(Bound.Limit.below(0.5).isFar(from: 1.6))
    // One allocation in ten thousand operations may come from another thread.
    #expect(!Bound.Limit.atMost(0).isFar(from: 1))
    #expect(!Bound.Limit.within(6...6).isFar(from: 100))
    let missing = Outcome(bound: Self.keyed, measured: nil, verdict: .fellShort)
    #expect(missing.isOpen)
  }

  @Test("What falls short each time falls short in the end, and the limit stays")
  func shortInTheEnd() async {
    let check = Check(bounds: [Self.keyed, Self.churn], cores: 2)
    var results = Self.results(keyed: 2, churn: 1)
    var times = 0
    let outcomes = await check.outcomes(&results, obstacles: [:]) { scenario, _, _ in
      times += 1
      return [.time(scenario.name, "box", .container, [1.01])]
    }
    #expect(times == 2)
    #expect(outcomes.map(\.verdict) == [.fellShort, .met])
    #expect(outcomes.first?.measured == 1.01)
    #expect(outcomes.first?.bound == Self.keyed)
    #expect(outcomes.rowsThatFellShort == ["P3"])
  }
}

@Suite("The bounds")
struct BoundsTests {
  @Test("Every row that is measured has bounds")
  func rows() {
    let rows = Set(Bounds.all(cores: 2).map(\.row))
    #expect(rows == Set((1...23).map { "P\($0)" }))
  }

  @Test("Every bound names contenders that there are, in lanes that they can run in")
  func subjects() async throws {
    var contenders: [String: Set<String>] = [:]
    for scenario in Scenarios.all {
      let names = try await scenario.contenders().map(\.name)
      #expect(Set(names).count == names.count, "\(scenario.name) uses a name twice")
      contenders[scenario.name] = Set(names)
    }
    for bound in Bounds.all(cores: 8) {
      let probes = bound.freeCores?.figure.subjects ?? []
      for subject in bound.figure.subjects + probes {
        #expect(contenders[subject.scenario]?.contains(subject.contender) == true)
        switch Scenarios.named(subject.scenario)?.lanes {
        case .tasks(let lanes), .registrations(let lanes), .parameters(let lanes):
          #expect(lanes.contains(subject.lane))
        case .threads, .single, nil: break
        }
      }
    }
  }

  @Test("What is bounded for each number of threads, tasks or parameters is so for all of them")
  func everyNumber() {
    func lanes(_ row: String, _ scenario: String, _ contender: String) -> Set<Int> {
      let bounds = Bounds.all(cores: 2).filter { $0.row == row }
      return Set(
        bounds.flatMap(\.figure.subjects).filter { $0.scenario == scenario && $0.contender == contender }.map(\.lane))
    }
    for contender in [
      ContenderName.child, ContenderName.grandchild, ContenderName.requestScope, ContenderName.link,
      ContenderName.linkParent,
    ] {
      #expect(lanes("P17", InheritedSingleton.name, contender) == [1, 2, 4, 8])
      #expect(lanes("P17", InheritedSingletonAwait.name, contender) == [1, 2, 4, 64])
    }
    #expect(lanes("P19", Parameters.name, ContenderName.autowired) == Set(1...12))
    #expect(lanes("P20", ScopedParameters.name, ContenderName.autowired) == [0, 1, 3])
    #expect(lanes("P22", RelativesAmong.name, RelativesAmong.child) == [10, 10_000])
  }

  @Test("No two bounds of a row say the same")
  func distinct() {
    let names = Bounds.all(cores: 8).map { "\($0.row), \($0.what)" }
    #expect(Set(names).count == names.count)
  }

  @Test("The readers under churn leave a core to the task beside them")
  func churnReaders() {
    #expect(Bounds.inheritedChurn(cores: 8).map(\.figure.subjects[0].lane) == [1, 7])
    #expect(Bounds.churn(cores: 1).map(\.figure.subjects[0].lane) == [1])
    #expect(Bounds.churn(cores: 2).map(\.figure.subjects[0].lane) == [1])
    #expect(Bounds.churn(cores: 8).map(\.figure.subjects[0].lane) == [1, 7])
  }
}
