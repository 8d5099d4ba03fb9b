import Testing

@testable import ActorDIBench

@Suite("Statistics")
struct StatisticsTests {
  @Test(
    "The median is the middle, or the mean of the two in the middle",
    arguments: [([3], 3), ([1, 9], 5), ([5, 1, 3], 3), ([4, 1, 3, 2], 2.5), ([2, 2, 100], 2)]
      as [([Double], Double)])
  func median(samples: [Double], expected: Double) {
    #expect(Statistics.median(samples) == expected)
  }

  @Test("Quantiles are interpolated, and shares beyond the ends are the ends")
  func quantiles() {
    let samples: [Double] = [4, 1, 3, 2, 5]
    #expect(Statistics.quantile(samples, 0) == 1)
    #expect(Statistics.quantile(samples, 0.25) == 2)
    #expect(Statistics.quantile(samples, 0.125) == 1.5)
    #expect(Statistics.quantile(samples, 1) == 5)
    #expect(Statistics.quantile(samples, -1) == 1)
    #expect(Statistics.quantile(samples, 7) == 5)
  }

  @Test("Of nothing there is nothing")
  func nothing() {
    #expect(Statistics.median([]) == nil)
    #expect(Statistics.spread([]) == nil)
    #expect(Statistics.ratios([], to: [1]).isEmpty)
  }

  @Test("A spread is half of the interquartile range, as a share of the median")
  func spread() {
    #expect(Statistics.spread([8, 10, 12]) == 0.1)
    #expect(Statistics.spread([0, 0]) == nil)
  }

  @Test("Ratios are taken repeat by repeat, so a slow moment for both does not show")
  func ratios() {
    #expect(Statistics.ratios([2, 20, 2], to: [1, 10, 1]) == [2, 2, 2])
    #expect(Statistics.ratios([2, 2], to: [0, 1]) == [2])
    #expect(Statistics.ratios([1, 2, 3], to: [1]) == [1])
  }

  @Test("Batches of a sample add up")
  func batches() {
    var sample = Sample(total: 0, operations: 0)
    sample.add(Sample(total: 30, operations: 10, details: [.disturbance: 100, .peak: 7]))
    #expect(sample.details == [.disturbance: 100, .peak: 7])
    sample.add(Sample(total: 10, operations: 10, details: [.disturbance: 300, .peak: 5]))
    #expect(sample.total == 40)
    #expect(sample.perOperation == 2)
    // Details are averaged by weight, except peaks, of which the highest counts.
    #expect(sample.details == [.disturbance: 150, .peak: 7])
    #expect(Sample(total: 3, operations: 0).perOperation == 3)
  }

  @Test("A spread is the largest over the smallest of each repeat")
  func spreads() {
    #expect(Statistics.spreads([[1, 10], [2, 5], [4, 20]]) == [4, 4])
    #expect(Statistics.spreads([[1, 10], [2]]) == [2])
    #expect(Statistics.spreads([[0], [1]]).isEmpty)
    #expect(Statistics.spreads([]).isEmpty)
  }

  @Test("The exponent of a growth is that of its steepest part")
  func growth() throws {
    func exponent(_ costs: [Double]) -> Double? {
      Statistics.steepestExponent(zip([100, 400, 1_600], costs).map { (size: $0, cost: $1) })
    }
    #expect(exponent([7, 7, 7]) == 0)
    #expect(exponent([7, 14, 28]) == 0.5)
    // If the cost is constant at first and then proportional, the steeper part counts, not the mean.
    #expect(exponent([7, 7, 28]) == 1)
    #expect(try #require(exponent([28, 14, 7])) == -0.5)
    #expect(exponent([7]) == nil)
    #expect(exponent([7, 0, 7]) == nil)
    #expect(exponent([7, .nan, 7]) == nil)
  }

  @Test("Speed-up is over one thread, repeat by repeat, and only where lanes are threads or tasks")
  func speedUp() throws {
    var results = Results()
    results.merge([
      .time("a", "box", .container, [10, 30]), .time("a", "box", .container, [5, 10], lane: 2),
      .time("a", "alone", .container, [5], lane: 2),
      .time(Registering.name, "box", .container, [10]),
      .time(Registering.name, "box", .container, [5], lane: 100),
    ])
    func speedUp(_ scenario: String, _ contender: String, _ lane: Int) throws -> Double? {
      results.speedUp(
        of: try #require(results.series(scenario: scenario, contender: contender, lane: lane)))
    }
    #expect(try speedUp("a", "box", 2) == 2.5)
    #expect(try speedUp("a", "box", 1) == nil)
    #expect(try speedUp("a", "alone", 2) == nil)
    #expect(try speedUp(Registering.name, "box", 100) == nil)
  }

  @Test("Results replace what they repeat and keep its place")
  func results() {
    var results = Results()
    results.merge([
      .time("a", "floor", .floor, [1]), .time("a", "box", .container, [2]),
      .time("b", "box", .container, [3], lane: 4),
    ])
    results.merge([.time("a", "floor", .floor, [9])])
    #expect(results.series.count == 3)
    #expect(results.series.first?.samples == [9])
    #expect(results.scenarios == ["a", "b"])
    #expect(results.lanes(scenario: "b") == [4])
    #expect(results.references(scenario: "a") == ["floor"])
    #expect(results.series(scenario: "b", contender: "box", lane: 1) == nil)
  }
}

extension Series {
  /// A series of times, for tests.
  static func time(
    _ scenario: String, _ contender: String, _ role: Contender.Role, _ samples: [Double],
    lane: Int = 1, unit: MeasuredUnit = .operation
  ) -> Series {
    Series(
      scenario: scenario, contender: contender, role: role, lane: lane, unit: unit,
      samples: samples)
  }
}
