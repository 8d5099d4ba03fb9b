internal import Synchronization

// The beginning and the end of a layer.
extension OverrideLayer {
  /// Puts the layer in force. Must be called before any task runs under it.
  func begin() {
    Self.count.add(1, ordering: .acquiringAndReleasing)
    Reclaimer.shared.forceSlowPath(true)
  }

  /// Ends the layer: tasks that still refer to it find the real container again.
  func stop() {
    saveForSuccession()
    ended.store(true, ordering: .releasing)
    Reclaimer.shared.forceSlowPath(false)
    Self.count.subtract(1, ordering: .acquiringAndReleasing)
  }

  /// Ends the layer and disposes of the instances that it keeps.
  ///
  /// - Returns: The failures of the disposals.
  nonisolated(nonsending) func end(after outcome: ScopeOutcome) async -> [ShutdownError.Failure] {
    stop()
    defer { letGo() }
    return await overlay.close(after: outcome)
  }

  /// Ends the layer for a synchronous caller.
  ///
  /// The overlay and its related containers close at once if no disposal suspends; otherwise, they close in the background.
  ///
  /// - Returns: The failures of the disposals that have run.
  func end(after outcome: ScopeOutcome) -> [ShutdownError.Failure] {
    stop()
    defer { letGo() }
    let all = substitutes.withLock { Array($0.values) } + [overlay]
    guard all.allSatisfy(\.lifecycle.canCloseAtOnce) else {
      Task.detached { [overlay] in
        _ = await overlay.close(after: outcome)
        // The overlay does not keep these containers alive.
        withExtendedLifetime(all) {}
      }
      return []
    }
    return all.flatMap { container -> [ShutdownError.Failure] in
      switch container.closeAtOnce(after: outcome) {
      case nil, .notBegun: return []
      case .report(let failures): return failures
      case .disposals:
        Task.detached { await container.closeSlowly(after: outcome) }
        return []
      }
    }
  }

  /// Releases everything that the layer has held, outside of the locks. All disposals are complete or have begun.
  private func letGo() {
    _ = substitutes.withLock { exchange(&$0, with: [:]) }
    _ = decisions.withLock { exchange(&$0, with: [:]) }
    _ = shadows.withLock { exchange(&$0, with: [:]) }
  }
}
