internal import Synchronization

/// What was built in the course of one ``Container/start()``, so that it can be undone.
///
/// It is handed on to the tasks that build; what begins elsewhere is not in it, though the start may have waited for it.
final class BuildLog: Sendable {
  private struct Entries: Sendable {
    var builds: [(cell: OnceCell, attempt: Attempt)] = []
    /// The ends of what was made, be it kept or not.
    var disposals: [Disposal] = []
  }

  /// Nil when it has ended: a task that lives on may still have it.
  private let entries = Lock<Entries?>(Entries())

  @TaskLocal static var current: BuildLog?

  /// Whether there is any in the process: to look for the task's own costs more than much of what it would note.
  static var isAnyKept: Bool { count.load(ordering: .acquiring) > 0 }
  private static let count = Atomic<Int>(0)

  init() { Self.count.add(1, ordering: .acquiringAndReleasing) }
  deinit { Self.count.subtract(1, ordering: .acquiringAndReleasing) }

  func note(_ cell: OnceCell, _ attempt: Attempt) {
    entries.withLock { $0?.builds.append((cell, attempt)) }
  }

  func note(_ disposal: Disposal) {
    entries.withLock { $0?.disposals.append(disposal) }
  }

  func end() { _ = take() }

  /// Disposes of what was built for a container, the last created first.
  ///
  /// - Parameters:
  ///   - error: what has failed.
  ///   - isOwn: whether what a container has is to be undone.
  func undo(after error: any Error, where isOwn: (any LifecycleOwner) -> Bool) async {
    // What was cancelled may still be on its way out, and may yield something all the same.
    var next = 0
    while let (cell, attempt) = entries.withLock({ $0?.builds.dropFirst(next).first }) {
      if cell.homeOwner.map(isOwn) ?? false { await attempt.waitForTask() }
      next += 1
    }
    let all = take()
    let kept = all.builds.filter { $0.cell.homeOwner.map(isOwn) ?? false }
      .flatMap { $0.cell.forget(builtBy: $0.attempt) }
    let rest = all.disposals.filter { $0.lifecycle.owner.map(isOwn) ?? false }.map(DroppedInstance.ended)
    await (kept + rest).dispose(after: .failed(error))
  }

  private func take() -> Entries {
    entries.withLock { entries in
      let all = entries ?? Entries()
      entries = nil
      return all
    }
  }
}
