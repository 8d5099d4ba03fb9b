/// What is reported of the repeats of one measurement.
///
/// The median stands for the measurement because a shared machine disturbs single repeats upwards,
/// sometimes by a factor; the minimum and the maximum show by how much it did.
struct Summary: Equatable, Sendable {
  let median: Double
  let minimum: Double
  let maximum: Double

  /// - Returns: `nil` when there is nothing to summarise.
  init?(_ samples: [Double]) {
    guard let minimum = samples.min(), let maximum = samples.max() else { return nil }
    self.median = Statistics.quantile(samples, 0.5) ?? minimum
    self.minimum = minimum
    self.maximum = maximum
  }
}

/// The few order statistics the benchmark needs.
enum Statistics {
  /// The value below which the given share of the samples lies, interpolated between neighbours.
  ///
  /// - Returns: `nil` when there are no samples.
  /// - Complexity: O(*n* log *n*).
  static func quantile(_ samples: [Double], _ share: Double) -> Double? {
    guard !samples.isEmpty else { return nil }
    let sorted = samples.sorted()
    let position = min(max(share, 0), 1) * Double(sorted.count - 1)
    let lower = Int(position)
    let upper = min(lower + 1, sorted.count - 1)
    let weight = position - Double(lower)
    return sorted[lower] * (1 - weight) + sorted[upper] * weight
  }

  /// - Returns: `nil` when there are no samples.
  static func median(_ samples: [Double]) -> Double? {
    quantile(samples, 0.5)
  }

  /// Each sample over the reference's sample of the same repeat.
  ///
  /// Samples of one repeat are taken within a fraction of a second of each other, so that a machine
  /// that slows down for a while slows both, and the ratio stays.
  static func ratios(_ samples: [Double], to reference: [Double]) -> [Double] {
    zip(samples, reference).compactMap { sample, reference in
      reference > 0 ? sample / reference : nil
    }
  }
}
