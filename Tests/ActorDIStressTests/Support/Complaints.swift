import ActorDI
import Testing

/// Records a failure, from any thread.
///
/// Threads of the operating system belong to no test, and a stress test can fail a thousand times. So the test that runs reports
/// the collected failures at its end. See ``withWatchdog(_:seconds:sourceLocation:_:)``.
func complain(
  _ message: @autoclosure () -> String, sourceLocation: SourceLocation = #_sourceLocation
) {
  Complaints.shared.add(message(), sourceLocation)
}

/// Records an error that a call throws, from any thread.
func expectNoError(sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void) {
  do { try body() } catch { complain("unexpected error: \(error)", sourceLocation: sourceLocation) }
}

/// Records an error that a call throws, in any task.
func expectNoError(sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void) async {
  do { try await body() } catch { complain("unexpected error: \(error)", sourceLocation: sourceLocation) }
}

final class Complaints: Sendable {
  static let shared = Complaints()

  private struct Complaint: Sendable {
    let message: String
    let location: SourceLocation
  }

  private struct State: Sendable {
    var first: [Complaint] = []
    var count = 0
  }

  private let state = Lock(State())

  func add(_ message: String, _ location: SourceLocation) {
    state.withLock { state in
      state.count += 1
      guard state.first.count < 5 else { return }
      state.first.append(Complaint(message: message, location: location))
    }
  }

  /// Records the first few as issues of the current test, and removes all.
  func report() {
    let state = state.withLock { state in
      defer { state = State() }
      return state
    }
    for complaint in state.first {
      Issue.record("\(complaint.message)", sourceLocation: complaint.location)
    }
    if state.count > state.first.count {
      Issue.record("and \(state.count - state.first.count) more failures")
    }
  }
}
