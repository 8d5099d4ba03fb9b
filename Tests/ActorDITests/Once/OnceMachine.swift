@testable import ActorDI

/// The events of a once machine, as a protocol, so that the rules can be checked on faulty machines.
protocol OnceMachine: Sendable {
  typealias Machine = OnceStateMachine
  typealias WaiterID = OnceStateMachine.WaiterID
  typealias AttemptID = OnceStateMachine.AttemptID

  var state: Machine.State { get }
  mutating func arrive(
    _ waiter: WaiterID, _ caller: Caller, mode: Machine.BuildMode, hasValue: Bool
  ) -> Machine.Arrival
  mutating func leave(_ waiter: WaiterID) -> Machine.Departure
  mutating func leaveWithInstance(_ waiter: WaiterID)
  mutating func finish(_ attempt: AttemptID, _ outcome: Machine.Outcome) -> Machine.Ending
  mutating func hold(_ attempt: AttemptID, isAsynchronous: Bool)
  mutating func recall(_ waiter: WaiterID) -> Bool
  mutating func recall() -> [WaiterID]
  mutating func reset()
  mutating func retire()
}

extension OnceStateMachine: OnceMachine {}

/// The real machine, with one altered answer.
struct Mutant: OnceMachine {
  var arrival: @Sendable (Machine.Arrival, Machine.State) -> Machine.Arrival = { answer, _ in answer
  }
  var departure: @Sendable (Machine.Departure, Machine.State) -> Machine.Departure = { answer, _ in
    answer
  }
  var ending: @Sendable (Machine.Ending, Machine.State) -> Machine.Ending = {
    answer, _ in answer
  }
  var ignoresReset = false
  var ignoresHold = false
  var ignoresTake = false
  var recallsJoinedOnly = false
  var real = OnceStateMachine()

  var state: Machine.State { real.state }

  mutating func arrive(
    _ waiter: WaiterID, _ caller: Caller, mode: Machine.BuildMode, hasValue: Bool
  ) -> Machine.Arrival {
    let before = real.state
    return arrival(real.arrive(waiter, caller, mode: mode, hasValue: hasValue), before)
  }

  mutating func leave(_ waiter: WaiterID) -> Machine.Departure {
    let before = real.state
    return departure(real.leave(waiter), before)
  }

  mutating func leaveWithInstance(_ waiter: WaiterID) {
    if ignoresTake { _ = real.leave(waiter) } else { real.leaveWithInstance(waiter) }
  }

  mutating func finish(_ attempt: AttemptID, _ outcome: Machine.Outcome) -> Machine.Ending {
    let before = real.state
    return ending(real.finish(attempt, outcome), before)
  }

  mutating func hold(_ attempt: AttemptID, isAsynchronous: Bool) {
    if !ignoresHold { real.hold(attempt, isAsynchronous: isAsynchronous) }
  }

  mutating func recall(_ waiter: WaiterID) -> Bool { real.recall(waiter) }

  mutating func recall() -> [WaiterID] {
    guard recallsJoinedOnly, case .building(let build) = real.state else { return real.recall() }
    _ = real.recall()
    return build.joined
  }

  mutating func reset() { if !ignoresReset { real.reset() } }
  mutating func retire() { real.retire() }
}
