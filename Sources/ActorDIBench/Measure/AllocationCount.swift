import CAllocationCounter

/// Counts the heap allocations of operations after a warm-up.
enum AllocationCount {
  /// The number of operations before the count begins, which absorb one-time allocations.
  private static let warmUp = 64

  /// The reason why this process cannot count allocations; nil if it can. A counter that counted nothing would meet every bound of none.
  static let obstacle: String? = {
    guard allocation_counter_available() else {
      return "not measurable here: counting allocations requires Linux with glibc, without sanitizers"
    }
    let before = allocation_counter_gathered()
    allocation_counter_set_gathering(true)
    let one = ofThread(operations: 1) { count in repeating(count) { consume(Floors.leaf()) } }
    allocation_counter_set_gathering(false)
    return one.total == 1 && allocation_counter_gathered() > before
      ? nil : "not measurable here: the counter misses a known allocation"
  }()

  /// Counts the allocations of the calling thread.
  static func ofThread(operations: Int, _ body: (Int) throws -> Void) rethrows -> Sample {
    try body(warmUp)
    let before = allocation_counter_of_thread()
    try body(operations)
    let after = allocation_counter_of_thread()
    return Sample(total: Double(after - before), operations: operations)
  }

  /// Counts the allocations of all threads, for a task that may change threads.
  static func ofProcess(
    operations: Int, _ body: (Int) async throws -> Void
  ) async rethrows -> Sample {
    try await body(warmUp)
    let before = allocation_counter_gathered()
    allocation_counter_set_gathering(true)
    defer { allocation_counter_set_gathering(false) }
    try await body(operations)
    let after = allocation_counter_gathered()
    return Sample(total: Double(after - before), operations: operations)
  }
}
