/// Runs work in the tasks of one group, on the concurrency runtime's pool.
enum TaskTeam {
  /// Runs `body` once in each of the given number of tasks, and waits for all of them.
  ///
  /// The time includes the creation of the tasks, which is the same for every contender. Tasks cannot wait for each other at a barrier,
  /// because there may be fewer threads than tasks.
  ///
  /// - Returns: The nanoseconds from before the creation of the first task to the end of the last one.
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
