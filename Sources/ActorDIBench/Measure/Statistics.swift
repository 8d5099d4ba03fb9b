#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The order statistics that the benchmark needs.
enum Statistics {
  /// The value below which the given share of the samples lies, interpolated between neighbours.
  ///
  /// The median represents a measurement, because a shared machine slows single repeats down, sometimes by a multiple.
  ///
  /// - Returns: The quantile; `nil` if there are no samples.
  /// - Complexity: O(*n* log *n*).
  static func quantile(_ samples: [Double], _ share: Double) -> Double? {
    quantile(sorted: samples.sorted(), share)
  }

  /// The quantile of sorted samples, interpolated between neighbours.
  static func quantile(sorted: [Double], _ share: Double) -> Double? {
    guard !sorted.isEmpty else { return nil }
    let position = min(max(share, 0), 1) * Double(sorted.count - 1)
    let lower = Int(position)
    let upper = min(lower + 1, sorted.count - 1)
    let weight = position - Double(lower)
    return sorted[lower] * (1 - weight) + sorted[upper] * weight
  }

  /// The median; `nil` if there are no samples.
  static func median(_ samples: [Double]) -> Double? {
    quantile(samples, 0.5)
  }

  /// Half of the interquartile range, as a share of the median.
  static func spread(_ samples: [Double]) -> Double? {
    guard let lower = quantile(samples, 0.25), let upper = quantile(samples, 0.75), let median = median(samples),
      median > 0
    else { return nil }
    return (upper - lower) / 2 / median
  }

  /// Each sample over the reference's sample of the same repeat.
  ///
  /// The samples of one repeat are measured within a fraction of a second. A machine that slows down for a while thus slows both, and
  /// the ratio stays the same.
  static func ratios(_ samples: [Double], to reference: [Double]) -> [Double] {
    zip(samples, reference).compactMap { sample, reference in
      reference > 0 ? sample / reference : nil
    }
  }

  /// The largest sample of each repeat over the smallest.
  static func spreads(_ series: [[Double]]) -> [Double] {
    let repeats = series.map(\.count).min() ?? 0
    return (0..<repeats).compactMap { turn in
      let turns = series.map { $0[turn] }
      guard let smallest = turns.min(), let largest = turns.max(), smallest > 0 else { return nil }
      return largest / smallest
    }
  }

  /// The exponent *e* of a cost that grows as size^*e*, between the two neighbours where it is largest.
  ///
  /// - Returns: The exponent; `nil` for fewer than two points, or if a cost is not positive.
  static func steepestExponent(_ points: [(size: Double, cost: Double)]) -> Double? {
    guard points.allSatisfy({ $0.size > 0 && $0.cost > 0 }) else { return nil }
    return zip(points, points.dropFirst()).map { smaller, larger in
      log2(larger.cost / smaller.cost) / log2(larger.size / smaller.size)
    }.max()
  }
}
