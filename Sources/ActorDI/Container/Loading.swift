/// The task that runs the modules of a container's initial registrations.
final class Loading: Sendable {
  private let task: Task<Void, any Error>
  init(_ task: Task<Void, any Error>) { self.task = task }

  /// Cancels the modules that have not run yet. Runs user-defined cancellation handlers.
  func cancel() { task.cancel() }

  /// Waits until the modules have run, or the calling task is cancelled.
  ///
  /// - Throws: The first error that a module threw; `CancellationError` if the calling task was cancelled before.
  func wait() async throws {
    let latch = Latch()
    // A task waits for another one even if it is cancelled, so the caller waits for the latch.
    _ = Task<Void, Never>.begin(seesCaller: false) { [task] in
      _ = await task.result
      latch.open()
    }
    let haveRun = await withTaskCancellationHandler {
      await latch.wait()
    } onCancel: {
      latch.open(with: false)
    }
    guard haveRun else { throw CancellationError() }
    try await task.value
  }
}
