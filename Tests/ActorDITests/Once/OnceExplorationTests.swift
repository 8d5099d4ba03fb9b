import Testing

@testable import ActorDI

@Suite("Once machine, all sequences of events")
struct OnceExplorationTests {
  @Test("keeps N1 to N5 in every reachable state", arguments: [1, 2, 3, 4])
  func rules(waiters: Int) {
    let exploration = OnceExploration(of: OnceStateMachine(), waiters: waiters)
    #expect(exploration.violation == nil, "after \(exploration.trace)")
    #expect(exploration.stateCount >= [1: 15, 2: 30, 3: 90, 4: 300][waiters] ?? 0)
    #expect(exploration.depth >= waiters + 2)
  }

  // Each rule must reject a machine that breaks it.

  @Test func aSecondAttemptBreaksO1() {
    let mutant = Mutant(arrival: { answer, _ in
      if case .wait(let attempt) = answer { .start(attempt + 1) } else { answer }
    })
    #expect(OnceExploration(of: mutant, waiters: 2).violation?.rule == "N1")
  }

  @Test func aReusedAttemptNumberBreaksO1() {
    let mutant = Mutant(arrival: { answer, _ in
      if case .start = answer { .start(1) } else { answer }
    })
    #expect(OnceExploration(of: mutant, waiters: 2).violation?.rule == "N1")
  }

  @Test func forgottenSuccessorsBreakO2() {
    let mutant = Mutant(completion: { answer, _ in
      .init(publishes: answer.publishes, deliver: answer.deliver)
    })
    #expect(OnceExploration(of: mutant, waiters: 2).violation?.rule == "N2")
  }

  @Test func tellingTwiceBreaksO2() {
    let mutant = Mutant(completion: { answer, _ in
      .init(
        publishes: answer.publishes, deliver: answer.deliver, retry: answer.retry + answer.deliver)
    })
    #expect(OnceExploration(of: mutant, waiters: 1).violation?.rule == "N2")
  }

  @Test func leavingTwiceBreaksO2() {
    let mutant = Mutant(departure: { answer, _ in answer == .tooLate ? .left : answer })
    #expect(OnceExploration(of: mutant, waiters: 1).violation?.rule == "N2")
  }

  @Test func notCancellingForTheLastBreaksO2() {
    let mutant = Mutant(departure: { answer, _ in
      if case .leftLast = answer { .left } else { answer }
    })
    #expect(OnceExploration(of: mutant, waiters: 1).violation?.rule == "N2")
  }

  @Test func anErrorForThoseWhoCameAfterTheCancellationBreaksO3() {
    let mutant = Mutant(completion: { answer, state in
      guard case .building(let build) = state, build.isCancelled, !answer.publishes else {
        return answer
      }
      return .init(deliver: answer.deliver + answer.retry)
    })
    #expect(OnceExploration(of: mutant, waiters: 2).violation?.rule == "N3")
  }

  @Test func publishingADetachedValueBreaksO4() {
    let mutant = Mutant(completion: { answer, state in
      guard case .building(let build) = state, build.isDetached else { return answer }
      var answer = answer
      answer.publishes = true
      return answer
    })
    #expect(OnceExploration(of: mutant, waiters: 2).violation?.rule == "N4")
  }

  @Test func notHoldingBreaksO5() {
    #expect(OnceExploration(of: Mutant(ignoresHold: true), waiters: 1).violation?.rule == "N5")
  }

  @Test func cancellingWhatIsHeldBreaksO5() {
    let mutant = Mutant(departure: { answer, state in
      guard answer == .left, case .building(let build) = state, build.isHeld, build.mode == .task else { return answer }
      return .leftLast(build.attempt)
    })
    #expect(OnceExploration(of: mutant, waiters: 1).violation?.rule == "N5")
  }

  @Test func forgettingWhoCameLateInARecallBreaksO2() {
    #expect(OnceExploration(of: Mutant(recallsMembersOnly: true), waiters: 2).violation?.rule == "N2")
  }

  @Test func ignoringAResetIsSeen() {
    let mutant = Mutant(ignoresReset: true)
    #expect(OnceExploration(of: mutant, waiters: 1).violation != nil)
  }
}
