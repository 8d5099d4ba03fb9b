import ActorDI
import Testing

extension Trait where Self == InTurn {
  /// Runs the suite's tests one at a time, also with respect to other suites with this trait. So each test has the machine to
  /// itself.
  static var inTurn: Self { InTurn() }
}

struct InTurn: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  @concurrent
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // Swift Testing also calls this for suites and for whole parameterised tests. Only cases take a turn.
    guard testCase != nil else { return try await function() }
    await Self.turns.take()
    defer { Self.turns.pass() }
    try await function()
  }

  private static let turns = Turns()
}

/// A fair lock for tasks.
private final class Turns: Sendable {
  private struct State: Sendable {
    var isTaken = false
    var queue: [Gate] = []
  }

  private let state = Lock(State())

  func take() async {
    let gate = Gate()
    let isMine = state.withLock { state in
      if state.isTaken { state.queue.append(gate) }
      defer { state.isTaken = true }
      return !state.isTaken
    }
    if !isMine { await gate.wait() }
  }

  func pass() {
    let next: Gate? = state.withLock { state in
      if state.queue.isEmpty {
        state.isTaken = false
        return nil
      }
      return state.queue.removeFirst()
    }
    next?.open()
  }
}
