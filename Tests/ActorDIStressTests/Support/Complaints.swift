import ActorDI
import Testing

/// Notes that something is wrong, from any thread.
///
/// Threads of the operating system belong to no test, and a stress test that fails may fail a
/// thousand times: complaints are collected, and reported at the end by the test that runs. See
/// ``withWatchdog(_:seconds:sourceLocation:_:)``.
func complain(
  _ message: @autoclosure () -> String, sourceLocation: SourceLocation = #_sourceLocation
) {
  Complaints.shared.add(message(), sourceLocation)
}

/// Notes what is thrown, from any thread.
func expectNoError(sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void) {
  do { try body() } catch { complain("unexpected: \(error)", sourceLocation: sourceLocation) }
}

/// Notes what is thrown, in any task.
func expectNoError(sourceLocation: SourceLocation = #_sourceLocation, _ body: () async throws -> Void) async {
  do { try await body() } catch { complain("unexpected: \(error)", sourceLocation: sourceLocation) }
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

  /// Records the first few as issues of the current test, and forgets all.
  func report() {
    let state = state.withLock { state in
      defer { state = State() }
      return state
    }
    for complaint in state.first {
      Issue.record("\(complaint.message)", sourceLocation: complaint.location)
    }
    if state.count > state.first.count {
      Issue.record("and \(state.count - state.first.count) more complaints")
    }
  }
}
