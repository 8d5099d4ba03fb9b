/// Suspends until a condition holds that no event reports, for example until a call has begun to wait.
///
/// - Throws: `CancellationError` if the task is cancelled, for example by a time limit.
package func until(_ condition: () -> Bool) async throws {
  while !condition() {
    try Task.checkCancellation()
    await Task.yield()
  }
}
