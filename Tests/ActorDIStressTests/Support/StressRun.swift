#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The size and the random numbers of one stress test.
///
/// - `ACTORDI_STRESS` multiplies the size. Unless it is set, a run is short, so that the whole suite takes little time. The steps of
///   `.ci/run` for release builds and sanitizers set it.
/// - `ACTORDI_SEED` repeats the random decisions of an earlier run. It cannot repeat its timing.
struct StressRun {
  /// The number of repetitions.
  let size: Int
  let seed: UInt64

  /// Prints the test's name, size and seed, so that a failed run can be repeated.
  init(_ name: String, size: Int) {
    self.size = max(1, Int(Double(size) * Self.factor))
    seed = Self.seed
    print("stress: \(name), size \(self.size), ACTORDI_SEED=\(seed)")
  }

  /// Returns random numbers that depend only on the seed and on `stream`. Each task or thread has its own stream.
  func random(_ stream: Int) -> SeededRandom {
    SeededRandom(seed: seed &+ UInt64(bitPattern: Int64(stream)) &* 0x9E37_79B9_7F4A_7C15)
  }

  private static let factor = value(of: "ACTORDI_STRESS").flatMap { Double($0) } ?? 0.1
  private static let seed =
    value(of: "ACTORDI_SEED").flatMap { UInt64($0) } ?? .random(in: 1...999_999)

  private static func value(of variable: String) -> String? {
    guard let value = unsafe getenv(variable) else { return nil }
    return unsafe String(cString: value)
  }
}

/// SplitMix64. The same seed gives the same numbers on every platform.
struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
