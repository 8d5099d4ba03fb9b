import ActorDI
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Fails the test if `body` takes longer than any machine needs, and abandons `body`.
///
/// Reports the failures that ``complain(_:sourceLocation:)`` has collected. The timer has its own thread, so that it works when
/// all threads of the task pool are blocked.
func withWatchdog(
  _ name: String, seconds: Int = 300, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: @escaping @Sendable () async throws -> Void
) async throws {
  let watch = Watch()
  Threads.start(stackSize: 256 << 10) {
    if watch.ended(within: seconds) { return }
    watch.end(with: .failure(Hang(name: name, seconds: seconds)))
    // A task must report the failure. If no task can run, the process prints a message and aborts.
    if watch.acknowledged(within: 30) { return }
    print("error: \(name) hangs and blocks all threads of the task pool")
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
      "\(hang.name) has not ended after \(hang.seconds) s", sourceLocation: sourceLocation)
  }
}

private struct Hang: Error {
  let name: String
  let seconds: Int
}

/// The result of a test's body, or of its timeout, whichever comes first.
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

  /// Checks a condition twenty times a second. The timer has no event to await.
  private func poll(_ seconds: Int, _ condition: () -> Bool) -> Bool {
    for _ in 0..<seconds * 20 {
      if condition() { return true }
      usleep(50_000)
    }
    return condition()
  }
}
