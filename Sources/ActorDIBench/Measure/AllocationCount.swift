import CAllocationCounter

/// Counts the heap allocations of operations after a warm-up.
enum AllocationCount {
  /// The number of operations before the count begins, which absorb one-time allocations.
  private static let warmUp = 64

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
