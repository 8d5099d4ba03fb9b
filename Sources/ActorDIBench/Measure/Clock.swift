#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The monotonic clock that every time in the benchmark is taken from.
///
/// It reads `CLOCK_MONOTONIC`, which Linux answers without a system call; `ContinuousClock` reads
/// the boot time clock, whose cost differs from kernel to kernel.
enum Clock {
  /// Nanoseconds since a fixed point in the past.
  static func now() -> UInt64 {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// The nanoseconds from one reading to the next with nothing in between: the median of many.
  static let overhead: Double = Statistics.median(differences.map { Double($0) }) ?? 0

  /// What all differences between two readings are a multiple of, in nanoseconds.
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
