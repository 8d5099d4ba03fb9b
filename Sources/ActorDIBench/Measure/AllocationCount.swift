import CAllocationCounter

/// Counts the heap allocations of operations that have been warmed up.
enum AllocationCount {
  /// Operations before the count begins, for whatever happens once.
  private static let warmUp = 64

  /// The allocations of the calling thread.
  static func ofThread(operations: Int, _ body: (Int) throws -> Void) rethrows -> Sample {
    try body(warmUp)
    let before = allocation_counter_of_thread()
    try body(operations)
    let after = allocation_counter_of_thread()
    return Sample(total: Double(after - before), operations: operations)
  }

  /// The allocations of all threads, for a task that may go from one to another.
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
