package import ActorDITesting

/// A manual clock that reports its reads.
package struct WatchedClock: Clock {
  package let base = ManualClock()
  /// Called before each read of the time, on the reading thread.
  package let onRead: @Sendable () -> Void

  package init(onRead: @escaping @Sendable () -> Void) { self.onRead = onRead }

  package var now: ManualClock.Instant {
    onRead()
    return base.now
  }

  package var minimumResolution: Duration { base.minimumResolution }

  package func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}
