import CAllocationCounter

/// Counts the system calls and the waits of operations after a warm-up.
enum SystemCallCount {
  /// The number of operations before the count begins, which absorb one-time system calls.
  private static let warmUp = 64

  static var obstacle: String? {
    system_call_counter_available()
      ? nil : "not measurable here: counting system calls requires Linux with glibc"
  }

  /// Makes a system call without effect, to test the counter.
  static func makeOne() { system_call_counter_try() }

  /// Counts the system calls of all threads, and the waits of the thread on which the operations end.
  ///
  /// The operations should stay on one thread, as in a task that never suspends.
  static func ofProcess(operations: Int, _ body: (Int) async throws -> Void) async rethrows -> Sample {
    try await body(warmUp)
    let before = (calls: system_calls_made(), waits: thread_waits())
    try await body(operations)
    let after = (calls: system_calls_made(), waits: thread_waits())
    // After a suspension the task may be on another thread with a lower count. In that case there was at least one wait.
    let waits = after.waits >= before.waits ? after.waits - before.waits : 1
    return Sample(
      total: Double(after.calls - before.calls), operations: operations,
      details: [.waits: Double(waits) / Double(operations)])
  }
}
