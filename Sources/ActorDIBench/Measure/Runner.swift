/// Measures the samples of a scenario.
///
/// Each repeat covers all lanes, and in each lane all contenders in turn: A B C, then A B C again. A drifting machine thus affects all
/// of them alike.
struct Runner {
  /// The nanoseconds per operation below which a loop cannot even have loaded the value it claims to fetch.
  static let shortestLoad = 0.3

  let pace: Pace
  let cores: Int
  let progress: Progress

  /// Measures a part of a scenario.
  ///
  /// - Throws: ``BenchmarkError`` if the figures would be meaningless, and the errors of the contenders.
  func measure(_ part: Part) async throws -> [Series] {
    let scenario = part.scenario
    let contenders = try await scenario.contenders().filter { part.includes($0.name) }
    for contender in contenders {
      try await verify(contender, of: scenario)
    }
    var cells: [Cell] = []
    for lane in part.allLanes {
      for contender in contenders where part.includes(contender.name, lane: lane) {
        progress.show("\(scenario.name): calibrating, \(lane) \(scenario.lanes.noun)")
        let iterations = try await calibrated(contender, lane: lane, of: scenario)
        cells.append(Cell(contender: contender, lane: lane, iterations: iterations))
      }
    }
    var series = cells.map { cell in
      Series(
        scenario: scenario.name, contender: cell.contender.name, role: cell.contender.role,
        lane: cell.lane, unit: scenario.unit, samples: [])
    }
    let repeats = min(pace.repeats, scenario.mostRepeats)
    for turn in 0..<repeats {
      progress.show("\(scenario.name): repeat \(turn + 1) of \(repeats)")
      for index in cells.indices {
        let sample = try await sample(&cells[index], of: scenario)
        series[index].add(sample)
      }
      progress.advance(by: pace.seconds(cells: cells.count) / Double(repeats))
    }
    for contender in contenders {
      try await verify(contender, of: scenario)
    }
    for one in series {
      try checkSpeed(of: one, parallelism: scenario.lanes.parallelism(one.lane))
      // A short repeat may fall between two steps of the disturber, but not every second one.
      if let steps = one.details[.disturbance], Statistics.median(steps) == 0 {
        throw BenchmarkError.undisturbed(scenario: scenario.name)
      }
    }
    return series
  }

  // MARK: - One sample

  private struct Cell {
    let contender: Contender
    let lane: Int
    var iterations: Int
  }

  /// Measures one sample. Usually this is one batch of operations; more batches follow until the sample is long enough.
  private func sample(_ cell: inout Cell, of scenario: any Scenario) async throws -> Sample {
    let target = Double(pace.targetRepeat)
    let shortest = Double(pace.shortestRepeat)
    var sample = Sample(total: 0, operations: 0)
    var iterations = cell.iterations
    repeat {
      let batch = try await run(cell.contender, iterations: iterations, lane: cell.lane)
      sample.add(batch)
      guard scenario.unit.isTime, scenario.fixedIterations(lane: cell.lane) == nil else {
        return sample
      }
      let fitting = fittingIterations(batch, lane: cell.lane, of: scenario)
      // At most doubled at a time, so that a single odd batch is not decisive.
      if fitting > 2 * cell.iterations { cell.iterations *= 2 }
      // A tenth more than is missing, and enough operations that the cost of starting them does not dominate.
      let missing = Int(Double(fitting) * (shortest - sample.total) / target * 1.1)
      iterations = max(1, cell.iterations / 10, min(missing, cell.iterations))
    } while sample.total < shortest
    return sample
  }

  private func run(
    _ contender: Contender, iterations: Int, lane: Int
  ) async throws -> Sample {
    let load = Load(iterations: iterations, lane: lane, limit: 3 * pace.targetRepeat)
    switch contender.work {
    case .threads(let body):
      return try ThreadTeam.run(load, body)
    case .tasks(let body):
      let time = try await TaskTeam.run(tasks: lane) { try await body(iterations) }
      return Sample(total: Double(time), operations: iterations * lane)
    case .own(let body):
      return try await body(load)
    }
  }

  /// The number of operations per thread or task for a repeat of the target duration. Finding it warms up the contender.
  private func calibrated(
    _ contender: Contender, lane: Int, of scenario: any Scenario
  ) async throws -> Int {
    if let fixed = scenario.fixedIterations(lane: lane) {
      _ = try await run(contender, iterations: min(fixed, 16), lane: lane)
      return fixed
    }
    let each = scenario.operationsPerIteration(lane: lane) / scenario.lanes.parallelism(lane)
    var iterations = max(1, 16 / max(1, each))
    while true {
      let sample = try await run(contender, iterations: iterations, lane: lane)
      let fitting = fittingIterations(sample, lane: lane, of: scenario)
      if sample.total >= Double(pace.targetRepeat) / 4 { return fitting }
      iterations = max(iterations * 3 / 2 + 1, min(fitting / 3, iterations * 100))
    }
  }

  /// The iterations per thread or task that take the target duration at the speed of the sample.
  private func fittingIterations(_ sample: Sample, lane: Int, of scenario: any Scenario) -> Int {
    let done = Double(sample.operations) / Double(scenario.operationsPerIteration(lane: lane))
    return max(1, Int(done * Double(pace.targetRepeat) / max(sample.total, 1)))
  }

  // MARK: - Trust

  private func verify(_ contender: Contender, of scenario: any Scenario) async throws {
    let answer = try await contender.answer()
    guard answer == scenario.expectedAnswer else {
      throw BenchmarkError.wrongAnswer(
        scenario: scenario.name, contender: contender.name, answer: answer,
        expected: scenario.expectedAnswer)
    }
  }

  /// Throws if an operation was faster than a load, on each of the cores at once.
  private func checkSpeed(of series: Series, parallelism: Int) throws {
    guard series.unit == .operation, let fastest = series.samples.min() else { return }
    let perCore = fastest * Double(min(parallelism, cores))
    guard perCore >= Self.shortestLoad else {
      throw BenchmarkError.tooFast(
        scenario: series.scenario, contender: series.contender, nanoseconds: perCore)
    }
  }
}

/// The number and the duration of repeats.
struct Pace: Equatable, Sendable {
  let repeats: Int
  /// The minimum duration of a repeat, in nanoseconds.
  let shortestRepeat: UInt64
  /// The target duration of a repeat, in nanoseconds. It exceeds the minimum, so that few repeats need a second batch.
  let targetRepeat: UInt64

  static let standard = Pace(
    repeats: 7, shortestRepeat: 50_000_000, targetRepeat: 55_000_000)
  static let quick = Pace(
    repeats: 5, shortestRepeat: 20_000_000, targetRepeat: 22_000_000)

  /// The repeats in words.
  var text: String {
    "\(repeats) repeats of at least \(shortestRepeat / 1_000_000) ms"
  }

  /// The planned seconds for contenders in lanes, where calibrating takes half of a repeat.
  func seconds(cells: Int) -> Double {
    Double(cells) * (Double(repeats) + 0.5) * Double(targetRepeat) / 1e9
  }
}
