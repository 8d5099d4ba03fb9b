extension Bound.Figure {
  /// Derives the figure from the results.
  ///
  /// - Returns: The figure; `nil` if a subject was not measured.
  func read(_ results: Results) -> Double? {
    let samples = subjects.map { $0.samples(in: results) }
    guard samples.allSatisfy({ !$0.isEmpty }), let mine = samples.first, let others = samples.last
    else { return nil }
    switch self {
    case .ratio:
      return Statistics.median(Statistics.ratios(mine, to: others))
    case .throughput:
      return quotient(Statistics.median(others), Statistics.median(mine))
    case .scaling(let subject, over: _):
      return quotient(others.min(), mine.min()).map { $0 / Double(subject.lane) }
    case .value:
      return Statistics.median(mine)
    case .excess:
      return Statistics.median(zip(mine, others).map { $0 - $1 })
    case .multipleBeyond:
      let excesses = zip(mine, samples[1]).map { $0 - $1 }
      return Statistics.median(Statistics.ratios(excesses, to: others))
    case .spread:
      return Statistics.median(Statistics.spreads(samples))
    case .growth(let subjects):
      return Statistics.steepestExponent(
        zip(subjects, samples).map { (size: Double($0.lane), cost: Statistics.median($1) ?? .nan) })
    }
  }

  private func quotient(_ dividend: Double?, _ divisor: Double?) -> Double? {
    guard let dividend, let divisor else { return nil }
    return dividend / divisor
  }
}

extension Bound.Subject {
  /// The samples, one for each repeat; empty if the subject was not measured.
  func samples(in results: Results) -> [Double] {
    guard let series = results.series(scenario: scenario, contender: contender, lane: lane) else { return [] }
    guard let detail else { return series.samples }
    return series.details[detail] ?? []
  }
}
