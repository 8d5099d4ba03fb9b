internal import Synchronization

/// A log of the builds that one ``Container/start()`` begins, so that a failed start can undo them.
///
/// The tasks of these builds inherit the log. It does not contain builds that other callers began, even if the start waits for them.
final class BuildLog: Sendable {
  struct Entries: Sendable {
    var builds: [Build] = []
    /// The disposals of all instances made, kept or not.
    var disposals: [OwnedDisposal] = []
  }

  /// A build that the start has begun.
  struct Build: Sendable {
    let retained: RetainedCell
    let attempt: Attempt
  }

  /// A disposal, and the owner of its lifecycle, which may have ended meanwhile.
  struct OwnedDisposal: Sendable {
    let disposal: Disposal
    let owner: any LifecycleOwner
  }

  /// Nil once the log has ended: a task that outlives the start may still refer to the log.
  let entries = Lock<Entries?>(Entries())

  @TaskLocal static var current: BuildLog?

  /// Whether the process has any log. Checked first, because reading the task-local value costs more.
  static var isAnyKept: Bool { count.load(ordering: .acquiring) > 0 }
  private static let count = Atomic<Int>(0)

  init() { Self.count.add(1, ordering: .acquiringAndReleasing) }
  deinit { Self.count.subtract(1, ordering: .acquiringAndReleasing) }

  func note(_ cell: OnceCell, _ attempt: Attempt) {
    let build = Build(retained: RetainedCell(cell), attempt: attempt)
    entries.withLock { $0?.builds.append(build) }
  }

  func note(_ disposal: Disposal) {
    guard let owner = disposal.lifecycle.owner else { return }
    entries.withLock { $0?.disposals.append(OwnedDisposal(disposal: disposal, owner: owner)) }
  }

  /// Ends the log of a successful start.
  func end() { _ = take() }

  /// Ends the log, and returns its entries.
  func take() -> Entries { entries.withLock { exchange(&$0, with: nil) } ?? Entries() }
}
