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
    #expect(Summary([]) == nil)
    #expect(Statistics.ratios([], to: [1]).isEmpty)
  }

  @Test("A summary has the median and the spread")
  func summary() {
    let summary = Summary([7, 1, 4])
    #expect(summary?.median == 4)
    #expect(summary?.minimum == 1)
    #expect(summary?.maximum == 7)
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
    sample.add(Sample(total: 30, operations: 10, disturbance: 100))
    #expect(sample.disturbance == 100)
    sample.add(Sample(total: 10, operations: 10, disturbance: 300))
    #expect(sample.total == 40)
    #expect(sample.perOperation == 2)
    #expect(sample.disturbance == 150)
    #expect(Sample(total: 3, operations: 0).perOperation == 3)
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
    #expect(results.references(scenario: "a").map(\.name) == ["floor"])
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
