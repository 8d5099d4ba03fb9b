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
}
