/// Suspends until something is the case that nothing tells of, such as that a call has got as far as to wait.
///
/// - Throws: `CancellationError`, as when a time limit is reached; ``NeverCame`` when it takes longer than any machine could need.
func until(_ condition: () -> Bool) async throws {
  let start = ContinuousClock.now
  while !condition() {
    try Task.checkCancellation()
    guard start.duration(to: .now) < .seconds(60) else { throw NeverCame() }
    await Task.yield()
  }
}

struct NeverCame: Error {}
