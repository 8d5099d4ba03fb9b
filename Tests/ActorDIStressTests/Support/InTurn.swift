import ActorDI
import Testing

extension Trait where Self == InTurn {
  /// The suite's tests run one after the other, and after those of other suites with this trait:
  /// each has the machine, and the collisions that it is about, to itself.
  static var inTurn: Self { InTurn() }
}

struct InTurn: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  @concurrent
  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // Called for suites and for parameterised tests as a whole, too; only cases take a turn.
    guard testCase != nil else { return try await function() }
    await Self.turns.take()
    defer { Self.turns.pass() }
    try await function()
  }

  private static let turns = Turns()
}

/// One holder at a time, in order of arrival.
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
