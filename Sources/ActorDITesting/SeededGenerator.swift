import Synchronization

/// A random number generator that yields the same numbers in each run.
///
/// ```swift
/// var random = SeededGenerator(seed: 7)
/// let die = Int.random(in: 1...6, using: &random)
/// ```
///
/// It is the generator SplitMix64. Unlike the standard library's generator, it is a class: all copies continue one sequence, so code under
/// test that takes a copy to draw from it does not get the same numbers again. It is not suited for secrets.
///
/// - Concurrency: Usable from any task and thread. Which of several tasks gets which number depends on their timing.
public final class SeededGenerator: RandomNumberGenerator, Sendable {
  // The state of SplitMix64 is a counter, so one atomic addition makes a step.
  private let state: Atomic<UInt64>

  /// Creates a generator.
  ///
  /// - Parameter seed: Determines the numbers, on every platform.
  public init(seed: UInt64) { state = Atomic(seed) }

  /// Returns the next number.
  public func next() -> UInt64 {
    var mixed = state.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
