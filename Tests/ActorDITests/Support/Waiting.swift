/// Suspends until something is the case that nothing tells of, such as that a call has got as far as to wait.
///
/// - Throws: `CancellationError`, as when a time limit is reached.
func until(_ condition: () -> Bool) async throws {
  while !condition() {
    try Task.checkCancellation()
    await Task.yield()
  }
}
