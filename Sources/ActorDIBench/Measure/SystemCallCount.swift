import CAllocationCounter

/// Counts the system calls of operations that have been warmed up, and how often their thread waits.
enum SystemCallCount {
  /// Operations before the count begins, for whatever happens once.
  private static let warmUp = 64

  static var obstacle: String? {
    system_call_counter_available()
      ? nil : "not measurable here: system calls are counted on Linux with glibc"
  }

  /// Makes a system call that does nothing, to try the counter by.
  static func makeOne() { system_call_counter_try() }

  /// The system calls of all threads, and the waits of the thread that the operations end on.
  ///
  /// The operations are to stay on one thread, as those of a task do that never suspends.
  static func ofProcess(operations: Int, _ body: (Int) async throws -> Void) async rethrows -> Sample {
    try await body(warmUp)
    let before = (calls: system_calls_made(), waits: thread_waits())
    try await body(operations)
    let after = (calls: system_calls_made(), waits: thread_waits())
    // Another thread, after a suspension, may have waited less so far: that there was one wait is certain.
    let waits = after.waits >= before.waits ? after.waits - before.waits : 1
    return Sample(
      total: Double(after.calls - before.calls), operations: operations,
      details: [.waits: Double(waits) / Double(operations)])
  }
}
