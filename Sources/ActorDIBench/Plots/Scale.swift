#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a value stands along an axis, and the round values that are written beside it.
struct Scale: Equatable, Sendable {
  let isLogarithmic: Bool
  let lowest: Double
  let highest: Double
  let ticks: [Double]

  /// Where a value stands: 0 at the lowest, 1 at the highest.
  func share(of value: Double) -> Double {
    guard highest > lowest else { return 0.5 }
    guard isLogarithmic else { return (value - lowest) / (highest - lowest) }
    return log10(max(value, lowest) / lowest) / log10(highest / lowest)
  }

  // MARK: - Heights

  /// From this factor between the largest and the smallest value on, equal steps would press the small ones to the ground.
  private static let mostLinear = 20.0

  /// A scale for heights, with few round ticks: from nothing on if the values are alike, and logarithmic if they are not.
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
        // With room for the last bit.
        if tick >= bottom * 0.999, tick <= top * 1.001 { ticks.append(tick) }
      }
    }
    // No more than a reader takes in.
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

  /// A scale for numbers of threads and the like, each its own tick: a doubling is as wide as the next if they go far.
  static func counts(_ values: [Double]) -> Scale {
    let ticks = Set(values).sorted()
    let lowest = ticks.first ?? 0
    let highest = ticks.last ?? 1
    return Scale(isLogarithmic: lowest > 0 && highest / lowest >= 4, lowest: lowest, highest: highest, ticks: ticks)
  }
}
