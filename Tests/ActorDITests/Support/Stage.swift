import Dispatch

/// Runs tasks one at a time, in order, each as far as it goes before it suspends. So a test can
/// know that they wait.
///
/// That a resolve stays on its caller's executor is what makes this work. The executor is a queue,
/// since an actor's own would let a caller in before jobs that came first.
actor Stage {
  private nonisolated let executor = Executor()

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Starts a task on this actor, behind those that were started before.
  func start<Value: Sendable>(
    _ body: @escaping @Sendable (isolated Stage) async throws -> Value
  ) -> Task<Value, any Error> {
    Task { try await body(self) }
  }

  /// Returns when all tasks started before have run until they suspended.
  func settle() {}

  private final class Executor: SerialExecutor {
    private let queue = DispatchQueue(label: "stage")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }
}
