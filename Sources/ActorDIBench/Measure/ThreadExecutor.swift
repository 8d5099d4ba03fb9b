import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs the jobs of tasks on one thread of its own, so that what a thread counts is all that a task does.
final class ThreadExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let isEnding = Atomic<Bool>(false)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
  }

  /// Runs a body while the given number of executors are at work, each on its own thread.
  ///
  /// - Throws: ``BenchmarkError/threads(_:)``, or the body's error.
  static func withExecutors<Result>(
    _ count: Int, _ body: ([ThreadExecutor]) async throws -> Result
  ) async throws -> Result {
    let executors = (0..<count).map { _ in ThreadExecutor() }
    let threads = executors.compactMap { executor in SystemThread { executor.work() } }
    defer {
      for executor in executors { executor.isEnding.store(true, ordering: .releasing) }
      for thread in threads { thread.join() }
    }
    guard threads.count == count else { throw BenchmarkError.threads(count) }
    return try await body(executors)
  }

  private func work() {
    while !isEnding.load(ordering: .acquiring) {
      if let job = next() {
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      } else {
        sched_yield()
      }
    }
  }

  private func next() -> UnownedJob? {
    jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
  }
}
