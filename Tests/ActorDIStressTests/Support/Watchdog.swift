import ActorDI
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Fails the test, with a message, when `body` takes longer than any machine could need; what hangs
/// is left behind.
///
/// Reports what was complained of meanwhile. The timer is a thread of its own, so that it works
/// when all threads of the task pool are blocked.
func withWatchdog(
  _ what: String, seconds: Int = 300, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable () async throws -> Void
) async throws {
  let watch = Watch()
  Threads.start(stackSize: 256 << 10) {
    if watch.ended(within: seconds) { return }
    watch.end(with: .failure(Hang(what: what, seconds: seconds)))
    // The failure has to be reported by a task. If no task can run any more, the message is all
    // there is left to give.
    if watch.acknowledged(within: 30) { return }
    print("error: \(what) hangs, with all threads of the task pool")
    abort()
  }
  Task {
    do {
      try await body()
      watch.end(with: .success(()))
    } catch {
      watch.end(with: .failure(error))
    }
  }
  defer { Complaints.shared.report() }
  do {
    try await watch.result().get()
  } catch let hang as Hang {
    Issue.record(
      "\(hang.what) has not ended after \(hang.seconds) s", sourceLocation: sourceLocation)
  }
}

private struct Hang: Error {
  let what: String
  let seconds: Int
}

/// The end of a test's body, or of its time, whichever is first.
private final class Watch: Sendable {
  private struct State: Sendable {
    var result: Result<Void, any Error>?
    var waiting: CheckedContinuation<Void, Never>?
    var isAcknowledged = false
  }

  private let state = Lock(State())

  func end(with result: Result<Void, any Error>) {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard state.result == nil else { return nil }
      state.result = result
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  func result() async -> Result<Void, any Error> {
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        if state.result == nil { state.waiting = continuation }
        return state.result != nil
      }
      if hasEnded { continuation.resume() }
    }
    return state.withLock { state in
      state.isAcknowledged = true
      return state.result ?? .success(())
    }
  }

  func ended(within seconds: Int) -> Bool {
    poll(seconds) { state.withLock { $0.result != nil } }
  }

  func acknowledged(within seconds: Int) -> Bool {
    poll(seconds) { state.withLock { $0.isAcknowledged } }
  }

  /// Looks twenty times a second: a timer has nothing to await.
  private func poll(_ seconds: Int, _ condition: () -> Bool) -> Bool {
    for _ in 0..<seconds * 20 {
      if condition() { return true }
      usleep(50_000)
    }
    return condition()
  }
}
