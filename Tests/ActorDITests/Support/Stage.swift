import Dispatch

/// Runs tasks one at a time, each until it suspends. So a test can know that they wait.
///
/// This works because a resolve stays on its caller's executor. The executor is a dispatch queue: with an actor's default
/// executor, a job could run before others that came earlier.
package actor Stage {
  private nonisolated let executor = Executor()

  package init() {}

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  /// Starts a task on this actor, and returns when it has run until it suspended or ended.
  package func start<Value: Sendable>(
    _ body: @escaping @Sendable (isolated Stage) async throws -> Value
  ) async -> Task<Value, any Error> {
    var task: Task<Value, any Error>!
    // A new task may come to the actor late. It resumes this call on the actor, so the call continues when the task has left the actor.
    await withCheckedContinuation { hasBegun in
      task = Task {
        hasBegun.resume()
        return try await body(self)
      }
    }
    return task
  }

  private final class Executor: SerialExecutor {
    private let queue = DispatchQueue(label: "stage")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }
}
