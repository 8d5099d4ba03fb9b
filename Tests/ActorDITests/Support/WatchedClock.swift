import ActorDITesting

/// A manual clock that reports its reads.
struct WatchedClock: Clock {
  let base = ManualClock()
  /// Called before each read of the time, on the reading thread.
  let onRead: @Sendable () -> Void

  var now: ManualClock.Instant {
    onRead()
    return base.now
  }

  var minimumResolution: Duration { base.minimumResolution }

  func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
    try await base.sleep(until: deadline, tolerance: tolerance)
  }
}
