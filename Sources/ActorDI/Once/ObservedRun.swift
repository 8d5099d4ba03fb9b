internal import Synchronization

/// A run of a factory whose beginning has been reported to observers, and which a later build continues.
///
/// If no build has continued it by the time that its last owner releases it, it is reported as failed. So no lock may be held then.
final class ObservedRun: Sendable {
  /// The number of the build.
  let id: UInt64
  /// The number of the build that requested this one; 0 for none.
  let parent: UInt64
  /// The duration so far.
  let duration: Duration
  private let isContinued = Atomic<Bool>(false)
  private let reportFailure: @Sendable () -> Void

  init(id: UInt64, parent: UInt64, duration: Duration, reportFailure: @escaping @Sendable () -> Void) {
    self.id = id
    self.parent = parent
    self.duration = duration
    self.reportFailure = reportFailure
  }

  func markContinued() { isContinued.store(true, ordering: .relaxed) }

  deinit { if !isContinued.load(ordering: .relaxed) { reportFailure() } }
}
