#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The mapping of values to positions on an axis, and the round values to label.
struct Scale: Equatable, Sendable {
  let isLogarithmic: Bool
  let lowest: Double
  let highest: Double
  let ticks: [Double]

  /// The position of a value: 0 at the lowest, 1 at the highest.
  func share(of value: Double) -> Double {
    guard highest > lowest else { return 0.5 }
    guard isLogarithmic else { return (value - lowest) / (highest - lowest) }
    return log10(max(value, lowest) / lowest) / log10(highest / lowest)
  }

  // MARK: - Heights

  /// The ratio of the largest to the smallest value above which a linear scale would make the small values indistinguishable.
  private static let mostLinear = 20.0

  /// A vertical scale with few round ticks: linear from 0 if the values are of similar size, otherwise logarithmic.
  static func heights(_ values: [Double]) -> Scale {
    let highest = values.max() ?? 0
    let lowest = values.filter { $0 > 0 }.min() ?? highest
    guard highest > 0, highest.isFinite else {
      return Scale(isLogarithmic: false, lowest: 0, highest: 1, ticks: [0, 1])
    }
    return highest / lowest > mostLinear ? logarithmic(lowest, highest) : linear(highest)
  }

  private static func linear(_ highest: Double) -> Scale {
    let step = rounded(highest / 5, up: true)
    let count = Int((highest / step).rounded(.up))
    let ticks = (0...count).map { Double($0) * step }
    return Scale(isLogarithmic: false, lowest: 0, highest: ticks[count], ticks: ticks)
  }

  private static func logarithmic(_ lowest: Double, _ highest: Double) -> Scale {
    let bottom = rounded(lowest, up: false)
    let top = rounded(highest, up: true)
    let isWide = highest / lowest > 300
    var ticks: [Double] = []
    for power in Int(log10(bottom).rounded(.down))...Int(log10(top).rounded(.up)) {
      for factor in isWide ? [1.0] : [1, 2, 5] {
        let tick = factor * pow(10, Double(power))
        // Tolerates rounding errors.
        if tick >= bottom * 0.999, tick <= top * 1.001 { ticks.append(tick) }
      }
    }
    // Limits the number of ticks to seven.
    let stride = (ticks.count + 6) / 7
    return Scale(
      isLogarithmic: true, lowest: bottom, highest: top,
      ticks: ticks.enumerated().filter { $0.offset % stride == 0 }.map(\.element))
  }

  /// The next number up or down that is 1, 2 or 5 times a power of ten.
  static func rounded(_ number: Double, up: Bool) -> Double {
    let power = pow(10, log10(number).rounded(.down))
    let factors = up ? [1.0, 2, 5, 10] : [5, 2, 1.0]
    let factor = factors.first { up ? $0 * power >= number * 0.999_999 : $0 * power <= number * 1.000_001 }
    return (factor ?? 1) * power
  }

  // MARK: - Counts

  /// A horizontal scale for counts, with a tick at each value: logarithmic if the largest is at least four times the smallest.
  static func counts(_ values: [Double]) -> Scale {
    let ticks = Set(values).sorted()
    let lowest = ticks.first ?? 0
    let highest = ticks.last ?? 1
    return Scale(isLogarithmic: lowest > 0 && highest / lowest >= 4, lowest: lowest, highest: highest, ticks: ticks)
  }
}
