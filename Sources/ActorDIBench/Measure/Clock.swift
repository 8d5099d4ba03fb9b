#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The monotonic clock for all times of the benchmark.
///
/// It reads `CLOCK_MONOTONIC`, which Linux answers without a system call. `ContinuousClock` reads the boot-time clock, whose cost
/// differs between kernels.
enum Clock {
  /// Nanoseconds since a fixed point in the past.
  static func now() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// The median difference between two consecutive readings, in nanoseconds.
  static let overhead: Double = Statistics.median(differences.map { Double($0) }) ?? 0

  /// The greatest common divisor of all differences between two readings, in nanoseconds.
  static let step: UInt64 = differences.reduce(0, greatestCommonDivisor)

  private static let differences: [UInt64] = (0..<100_000).map { _ in
    let before = now()
    return now() &- before
  }

  private static func greatestCommonDivisor(_ one: UInt64, _ other: UInt64) -> UInt64 {
    var (larger, smaller) = (one, other)
    while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
    return larger
  }
}
