/// The maximum duration of a wait.
struct Timeout: Sendable {
  /// The duration; nil waits without limit.
  let duration: Duration?
  let clock: any Clock<Duration>

  /// What is left of the timeout after some time.
  func less(_ elapsed: Duration) -> Timeout { Timeout(duration: duration.map { $0 - elapsed }, clock: clock) }

  /// Waits until all latches have opened or the time is up.
  ///
  /// - Returns: False if the time was up before the last latch opened.
  func wait(for latches: [Latch]) async -> Bool {
    let timer = duration.map { duration in
      Task.detached {
        // The task is cancelled once the latches are open. Any error means that the clock cannot wait, so it counts as the
        // timeout.
        try? await clock.sleep(for: duration.clamped)
        guard !Task.isCancelled else { return }
        for latch in latches { latch.open(with: false) }
      }
    }
    defer { timer?.cancel() }
    var isInTime = true
    for latch in latches where await !latch.wait() { isInTime = false }
    return isInTime
  }
}
