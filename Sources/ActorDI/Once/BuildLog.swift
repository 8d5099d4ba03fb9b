internal import Synchronization

/// What was built in the course of one ``Container/start()``, so that it can be undone.
///
/// It is handed on to the tasks that build; what begins elsewhere is not in it, though the start may have waited for it.
final class BuildLog: Sendable {
  private struct Entry: Sendable {
    let cell: OnceCell
    let attempt: Attempt
  }

  /// Nil when it has ended: a task that lives on may still have it.
  private let entries = Lock<[Entry]?>([])

  @TaskLocal static var current: BuildLog?

  /// Whether there is any in the process: to look for the task's own costs more than much of what it would note.
  static var isAnyKept: Bool { count.load(ordering: .acquiring) > 0 }
  private static let count = Atomic<Int>(0)

  init() { Self.count.add(1, ordering: .acquiringAndReleasing) }
  deinit { Self.count.subtract(1, ordering: .acquiringAndReleasing) }

  func note(_ cell: OnceCell, _ attempt: Attempt) {
    entries.withLock { $0?.append(Entry(cell: cell, attempt: attempt)) }
  }

  func end() { _ = take() }

  /// Disposes of what was built for a container, the last created first.
  ///
  /// - Parameter error: what has failed.
  func undo(in lifecycle: Lifecycle, after error: any Error) async {
    let own = take().filter { $0.cell.isKept(by: lifecycle) }
    // What was cancelled may still be on its way out, and may yield something all the same.
    for entry in own { await entry.attempt.waitForTask() }
    await own.flatMap { $0.cell.forget(builtBy: $0.attempt) }.dispose(after: .failed(error))
  }

  private func take() -> [Entry] {
    entries.withLock { entries in
      let all = entries ?? []
      entries = nil
      return all
    }
  }
}
