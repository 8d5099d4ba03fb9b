// Undoing the builds of a failed start.
extension BuildLog {
  /// Disposes of the instances built for a container, the last created first.
  ///
  /// - Parameters:
  ///   - error: The error that made the start fail.
  ///   - isOwn: Whether to undo the instances of a given container.
  func undo(after error: any Error, where isOwn: (any LifecycleOwner) -> Bool) async {
    // A cancelled build may still be running, and may yet produce an instance.
    var next = 0
    while let build = entries.withLock({ $0?.builds.dropFirst(next).first }) {
      if build.retained.keeper.map(isOwn) ?? false { await build.attempt.waitForTask() }
      next += 1
    }
    let entries = take()
    let kept = entries.builds.filter { $0.retained.keeper.map(isOwn) ?? false }
      .flatMap { $0.retained.cell.forget(builtBy: $0.attempt) }
    let all = entries.disposals.filter { isOwn($0.owner) }.map { DroppedReference.ended($0.disposal) }
    await (kept + all).dispose(after: .failed(error))
  }
}
