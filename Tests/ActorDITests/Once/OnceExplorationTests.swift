import ActorDITestSupport
import Testing

@testable import ActorDI

@Suite("Once machine: all sequences of events")
struct OnceExplorationTests {
  @Test("Every reachable state satisfies N1 to N5", arguments: [1, 2, 3, 4])
  func rules(waiters: Int) {
    let exploration = OnceExploration(of: OnceStateMachine(), waiters: waiters)
    #expect(exploration.violation == nil, "after \(exploration.trace)")
    #expect(exploration.stateCount >= [1: 15, 2: 30, 3: 90, 4: 300][waiters] ?? 0)
    #expect(exploration.depth >= waiters + 2)
  }

  /// A machine that breaks a rule.
  struct Fault: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The rule that the machine breaks; nil if any rule may reject it.
    let rule: String?
    let waiters: Int
    let mutant: Mutant

    init(_ description: String, breaks rule: String?, waiters: Int, _ mutant: Mutant) {
      (testDescription, self.rule, self.waiters, self.mutant) = (description, rule, waiters, mutant)
    }
  }

  static let faults = [
    Fault(
      "a second attempt", breaks: "N1", waiters: 2,
      Mutant(arrival: { answer, state in
        guard answer == .wait, case .building(let build) = state else { return answer }
        return .start(build.attempt + 1)
      })),
    Fault(
      "a reused attempt number", breaks: "N1", waiters: 2,
      Mutant(arrival: { answer, _ in if case .start = answer { .start(1) } else { answer } })),
    Fault(
      "forgotten latecomers", breaks: "N2", waiters: 2,
      Mutant(ending: { answer, _ in .init(publishes: answer.publishes, deliver: answer.deliver) })),
    Fault(
      "waiters notified twice", breaks: "N2", waiters: 1,
      Mutant(ending: { answer, _ in
        .init(publishes: answer.publishes, deliver: answer.deliver, retry: answer.retry + answer.deliver)
      })),
    Fault(
      "a waiter that leaves twice", breaks: "N2", waiters: 1,
      Mutant(departure: { answer, _ in answer == .tooLate ? .left : answer })),
    Fault(
      "an attempt that the last waiter does not cancel", breaks: "N2", waiters: 1,
      Mutant(departure: { answer, _ in if answer == .leftLast { .left } else { answer } })),
    Fault(
      "an error for callers after the cancellation", breaks: "N3", waiters: 2,
      Mutant(ending: { answer, state in
        guard case .building(let build) = state, build.isCancelled, !answer.publishes else { return answer }
        return .init(deliver: answer.deliver + answer.retry)
      })),
    Fault(
      "a published value of a detached attempt", breaks: "N4", waiters: 2,
      Mutant(ending: { answer, state in
        guard case .building(let build) = state, build.isDetached else { return answer }
        var answer = answer
        answer.publishes = true
        return answer
      })),
    Fault("an ignored hold", breaks: "N5", waiters: 1, Mutant(ignoresHold: true)),
    Fault("a taker that cancels the attempt", breaks: nil, waiters: 1, Mutant(ignoresTake: true)),
    Fault(
      "a cancelled held attempt", breaks: "N5", waiters: 1,
      Mutant(departure: { answer, state in
        guard answer == .left, case .building(let build) = state, build.isExemptFromCancellation,
          build.mode == .task
        else { return answer }
        return .leftLast
      })),
    Fault("a recall without latecomers", breaks: "N2", waiters: 2, Mutant(recallsJoinedOnly: true)),
    Fault("an ignored reset", breaks: nil, waiters: 1, Mutant(ignoresReset: true)),
  ]

  @Test("The exploration rejects a machine that breaks a rule", arguments: faults)
  func mutants(fault: Fault) throws {
    let violation = try #require(OnceExploration(of: fault.mutant, waiters: fault.waiters).violation)
    #expect(fault.rule == nil || violation.rule == fault.rule)
  }
}
