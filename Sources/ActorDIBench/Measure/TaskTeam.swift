/// Runs work in tasks of one group, on the pool of the concurrency runtime.
enum TaskTeam {
  /// Runs `body` once in each of so many tasks and waits for all of them.
  ///
  /// The time includes the making of the tasks, the same for every contender: tasks cannot wait for
  /// each other at a barrier, because there may be fewer threads than tasks.
  ///
  /// - Returns: The nanoseconds from before the first task is made until the last has ended.
  /// - Throws: The first error thrown by `body`.
  static func run(
    tasks: Int, _ body: @escaping @Sendable () async throws -> Void
  ) async throws -> UInt64 {
    let beginning = Clock.now()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask { try await body() }
      }
      try await group.waitForAll()
    }
    return Clock.now() &- beginning
  }
}
