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
    #expect(Bound.Limit.atMost(1_000_000).text == "≤ 1,000,000")
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
  }

  @Test("Scaling compares the best repeats, for each thread")
  func scaling() {
    var together = Self.box
    together.lane = 4
    let bound = Self.bound(.scaling(together, over: Self.box), .atLeast(0.7), minimumCores: 2)
    var results = Self.results(box: [12, 20], floor: [1])
    results.merge([.time("s", "box", .container, [4, 9], lane: 4)])
    let outcome = bound.judge(results, cores: 4)
    #expect(outcome.measured == 0.75)
    #expect(outcome.verdict == .met)
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
    func scaling(_ contender: String) -> Bound.Figure {
      .scaling(.init(scenario: "s", contender: contender, lane: 2), over: .init(scenario: "s", contender: contender))
    }
    let bound = Bound(
      row: "P6", what: "w", points: [.init("2 at once", scaling("box"), freeCores: scaling("probe"))],
      limit: .atLeast(0.85), yardstick: "× n × one")
    func outcome(box: Double, probe: Double) -> Outcome {
      var results = Results()
      results.merge([
        .time("s", "box", .container, [10]), .time("s", "box", .container, [box], lane: 2),
        .time("s", "probe", .probe, [2]), .time("s", "probe", .probe, [probe], lane: 2),
      ])
      return bound.judge(results, cores: 2)
    }
    #expect(outcome(box: 10, probe: 2).verdict == .tooBusy(0.5))
    #expect(outcome(box: 10, probe: 1).verdict == .fellShort)
    #expect(outcome(box: 5, probe: 2).verdict == .met)
    #expect(outcome(box: 10, probe: 2).isOpen && outcome(box: 10, probe: 1).isOpen)
    #expect(!outcome(box: 5, probe: 1).isOpen)
    #expect(bound.judge(Results(), cores: 2, obstacles: ["s": ""]).isOpen == false)
  }

  /// A bound with a point for each of three lanes.
  static let ofThree = Bound(
    row: "P1", what: "w",
    points: [1, 2, 4].map { lane in
      .init("\(lane)", .value(.init(scenario: "s", contender: "box", lane: lane)))
    }, limit: .atMost(2), yardstick: "ns")

  @Test("A bound with several points is as good as the worst of them")
  func points() {
    func outcome(_ figures: [Int: Double]) -> Outcome {
      var results = Results()
      results.merge(figures.map { .time("s", "box", .container, [$1], lane: $0) })
      return Self.ofThree.judge(results, cores: 2)
    }
    let met = outcome([1: 1, 2: 1.9, 4: 1.5])
    #expect(met.verdict == .met && met.worst?.point.name == "2" && met.measured == 1.9)
    #expect(met.findings.map(\.measured) == [1, 1.9, 1.5])
    let short = outcome([1: 1, 2: 1.9, 4: 2.1])
    #expect(short.verdict == .fellShort && short.worst?.point.name == "4")
    #expect(short.findings.filter(short.isOpen).map(\.point.name) == ["4"])
    let missing = outcome([1: 1, 4: 9])
    #expect(missing.verdict == .fellShort && missing.worst?.point.name == "2" && missing.measured == nil)
  }

  @Test("A point that cannot be measured hides those that are met, but none that falls short")
  func precedence() {
    func verdict(_ verdicts: Verdict...) -> Verdict {
      Outcome(
        bound: Self.ofThree,
        findings: zip(Self.ofThree.points, verdicts).map { Finding(point: $0, measured: 1, verdict: $1) }
      ).verdict
    }
    #expect(verdict(.met, .notMeasurable("r"), .met) == .notMeasurable("r"))
    #expect(verdict(.notMeasurable("r"), .tooBusy(0.5), .met) == .tooBusy(0.5))
    #expect(verdict(.notMeasurable("r"), .fellShort, .tooBusy(0.5)) == .fellShort)
  }

  @Test("Rows that fell short are named once each, in order")
  func rows() {
    let outcomes = [
      ("P1", Verdict.fellShort), ("P2", .met), ("P1", .fellShort), ("P3", .fellShort), ("P4", .tooBusy(0.5)),
    ]
    .map { row, verdict in
      let bound = Self.bound(.value(Self.box), .atMost(0), row: row)
      return Outcome(bound: bound, findings: [Finding(point: bound.points[0], measured: 1, verdict: verdict)])
    }
    #expect(outcomes.rowsThatFellShort == ["P1", "P3"])
    #expect(outcomes.conclusion == "Fell short: P1, P3. 1 of 5 rows met; 1 not measurable.")
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

  @Test("Only what fell short is measured again")
  func onlyWhatFellShort() async {
    let check = Check(bounds: [Self.keyed, Self.churn], cores: 2)
    var results = Self.results(keyed: 0.5, churn: 3)
    var asked: [String] = []
    let outcomes = await check.outcomes(&results, obstacles: [:]) { parts in
      asked += parts.map(\.scenario.name)
      #expect(parts.allSatisfy { $0.allLanes == [1] && $0.includes("box", lane: 1) && !$0.includes("floor") })
      return [.time(Churn.name, "box", .container, [1])]
    }
    #expect(asked == [Churn.name])
    #expect(outcomes.map(\.verdict) == [.met, .met])
    #expect(outcomes.map(\.measurements) == [1, 2])
  }

  @Test("A point that fell short is measured again with all that the check needs of its lane")
  func wholeLanes() async {
    func point(_ contender: String, _ lane: Int) -> Bound.Point {
      .init("\(lane)", .value(.init(scenario: Keyed.name, contender: contender, lane: lane)))
    }
    func bound(_ contender: String, _ lanes: [Int]) -> Bound {
      Bound(row: "P3", what: "w", points: lanes.map { point(contender, $0) }, limit: .atMost(1), yardstick: "ns")
    }
    let check = Check(bounds: [bound("box", [1, 2]), bound("other", [2])], cores: 2)
    var results = Results()
    results.merge([
      .time(Keyed.name, "box", .container, [1]), .time(Keyed.name, "box", .container, [2], lane: 2),
      .time(Keyed.name, "other", .container, [1], lane: 2),
    ])
    let outcomes = await check.outcomes(&results, obstacles: [:]) { parts in
      #expect(parts.map(\.allLanes) == [[2]])
      #expect(parts.allSatisfy { $0.includes("other", lane: 2) })
      // A figure that was met stays so.
      return [
        .time(Keyed.name, "box", .container, [1], lane: 2), .time(Keyed.name, "other", .container, [9], lane: 2),
      ]
    }
    #expect(outcomes.map(\.verdict) == [.met, .met])
    #expect(outcomes.map(\.measurements) == [2, 1])
  }

  @Test("What is far beyond its limit is not measured again; what has no length, or no figure, is")
  func farBeyond() async {
    let far = Check(bounds: [Self.keyed, Self.churn], cores: 2)
    var results = Self.results(keyed: 3.1, churn: 3)
    var asked: Set<String> = []
    let outcomes = await far.outcomes(&results, obstacles: [:]) { parts in
      asked.formUnion(parts.map(\.scenario.name))
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
    #expect(Self.keyed.judge(Results(), cores: 2).isOpen)
  }

  @Test("What falls short each time falls short in the end, and the limit stays")
  func shortInTheEnd() async {
    let check = Check(bounds: [Self.keyed, Self.churn], cores: 2)
    var results = Self.results(keyed: 2, churn: 1)
    var times = 0
    let outcomes = await check.outcomes(&results, obstacles: [:]) { parts in
      times += 1
      return parts.map { .time($0.scenario.name, "box", .container, [1.01]) }
    }
    #expect(times == 1)
    #expect(outcomes.map(\.verdict) == [.fellShort, .met])
    #expect(outcomes.first?.measured == 1.01)
    #expect(outcomes.first?.bound == Self.keyed)
    #expect(outcomes.rowsThatFellShort == ["P3"])
  }
}

@Suite("The bounds")
struct BoundsTests {
  @Test("The rows are in order, and there are some sixty")
  func rows() {
    let bounds = Bounds.all(cores: 2)
    let rows = bounds.map { Int($0.row.dropFirst()) ?? 0 }
    #expect(rows == rows.sorted())
    #expect(Set(rows).isSuperset(of: Set(1...17).union([19, 20, 21, 22, 24, 25])))
    #expect(bounds.count < 70)
  }

  @Test("Every bound and the summary name contenders that there are, in lanes that they can run in")
  func subjects() async throws {
    var contenders: [String: Set<String>] = [:]
    for scenario in Scenarios.all {
      let names = try await scenario.contenders().map(\.name)
      #expect(Set(names).count == names.count, "\(scenario.name) uses a name twice")
      contenders[scenario.name] = Set(names)
    }
    for subject in Bounds.all(cores: 8).flatMap(\.subjects) + Summary(threads: [1, 8]).subjects {
      #expect(contenders[subject.scenario]?.contains(subject.contender) == true, "\(subject)")
      switch Scenarios.named(subject.scenario)?.lanes {
      case .registrations(let lanes), .parameters(let lanes): #expect(lanes.contains(subject.lane), "\(subject)")
      case .single: #expect(subject.lane == 1, "\(subject)")
      case .threads, .tasks, nil: break
      }
    }
  }

  @Test("What is bounded on several threads is so for all of them")
  func threads() throws {
    func lanes(_ row: String, cores: Int) throws -> [Int] {
      try #require(Bounds.all(cores: cores).first { $0.row == row }).points.compactMap {
        $0.figure.subjects.first?.lane
      }
    }
    #expect(try lanes("P1", cores: 2) == [1, 2, 4, 8])
    #expect(try lanes("P1", cores: 16) == [1, 2, 4, 8, 16])
    #expect(try lanes("P2", cores: 2) == [1, 2, 4, 64])
  }

  @Test("What needs free cores is measured with two threads and with as many as there are cores")
  func scaling() {
    for (cores, lanes) in [(1, [2]), (2, [2]), (6, [2, 6])] {
      let bound = Bounds.scaling("P6", "w", 0.85, cores: cores, of: ["a": ("s", "box")])
      #expect(bound.points.map { $0.figure.subjects.map(\.lane) } == lanes.map { [$0, 1] })
      #expect(bound.points.allSatisfy { $0.freeCores?.subjects.map(\.contender).contains("box") == false })
    }
  }

  @Test("No two bounds of a row, and no two points of a bound, say the same")
  func distinct() {
    let bounds = Bounds.all(cores: 8)
    let names = bounds.map { "\($0.row), \($0.what)" }
    #expect(Set(names).count == names.count)
    for bound in bounds { #expect(Set(bound.points.map(\.name)).count == bound.points.count, "\(bound.what)") }
  }

  @Test(
    "The readers beside changes leave a core to the task that changes", arguments: [(1, [1]), (2, [1]), (8, [1, 7])])
  func readers(cores: Int, readers: [Int]) throws {
    let bound = try #require(Bounds.all(cores: cores).first { $0.row == "P7" })
    #expect(bound.points.compactMap { $0.figure.subjects.first?.lane } == readers)
  }
}
