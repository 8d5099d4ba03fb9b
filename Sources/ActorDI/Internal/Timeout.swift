/// How long to wait for something at most.
struct Timeout: Sendable {
  /// Nil: forever.
  private let duration: Duration?
  private let clock: any Clock<Duration>

  init(_ duration: Duration?, _ clock: any Clock<Duration>) {
    self.duration = duration
    self.clock = clock
  }

  /// - Returns: false when the time was up first.
  @discardableResult
  func wait(for latch: Latch<Bool>) async -> Bool { await wait(for: [latch]) }

  /// - Returns: false when the time was up before the last of them.
  func wait(for latches: [Latch<Bool>]) async -> Bool {
    let timer = duration.map { duration in
      Task.detached {
        // Cancelled when it is not needed any more. A clock that fails has nothing else to say than that it cannot wait.
        try? await clock.sleep(for: duration)
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
