internal import Synchronization

// A server opens a scope for each request, and each has the same use for what was made for the one before: the cells of scoped
// services, and this object itself. The containers themselves are not used again: somebody may still have one.
extension Lifecycle {
  /// How many are kept.
  private static let limit = 16

  /// What a scope that has ended leaves to the next one.
  func takeSpare() -> Lifecycle? {
    guard let spare = state.withLock({ $0.spares.popLast() }) else { return nil }
    spare.reopen()
    return spare
  }

  /// Takes over what a scope leaves whose container is gone: so nobody uses it any more.
  func takeBack(_ spare: Lifecycle) {
    guard spare.isReusable else { return }
    spare.cells.prune()
    // One too many goes after the lock.
    _ = state.withLock { state -> Lifecycle? in
      guard case .open = state.phase, state.spares.count < Self.limit else { return spare }
      state.spares.append(spare)
      return nil
    }
  }

  /// Whether it was a scope's, which has been closed.
  private var isReusable: Bool {
    isScope && hasEnded.load(ordering: .acquiring) && activity.isIdle
  }

  private func reopen() {
    state.withLock { $0.phase = .open }
    hasEnded.store(false, ordering: .releasing)
    activity.reopen()
  }
}
