@testable import ActorDI

/// Tries every event in every reachable state of a once machine, for a given number of waiters.
///
/// Attempt numbers increase without bound, but do not affect the machine's behaviour, so states that differ only in them count
/// as one. So the states are finitely many, and event sequences of any length are covered.
struct OnceExploration {
  private(set) var stateCount = 0
  private(set) var stepCount = 0
  /// The largest number of events needed to reach a state.
  private(set) var depth = 0
  private(set) var violation: OnceAudit.Violation?
  /// The events that led to the violation.
  private(set) var trace: [OnceAudit.Event] = []

  init<Machine: OnceMachine>(of machine: Machine, waiters: Int) {
    var seen: Set<OnceAudit> = [OnceAudit()]
    var frontier: [(machine: Machine, audit: OnceAudit, trace: [OnceAudit.Event])] = [
      (machine, OnceAudit(), [])
    ]
    while !frontier.isEmpty {
      var next: [(machine: Machine, audit: OnceAudit, trace: [OnceAudit.Event])] = []
      for (machine, audit, trace) in frontier {
        for event in Self.events(in: audit, waiters: waiters) {
          var (machine, audit) = (machine, audit)
          stepCount += 1
          do throws(OnceAudit.Violation) {
            try audit.step(event, &machine)
          } catch {
            violation = error
            self.trace = trace + [event]
            return
          }
          if seen.insert(audit.digest).inserted { next.append((machine, audit, trace + [event])) }
        }
      }
      frontier = next
      if !next.isEmpty { depth += 1 }
    }
    stateCount = seen.count
  }

  /// All events that can happen. Waiters are interchangeable, so the next one to arrive is the first that is absent.
  private static func events(in audit: OnceAudit, waiters: Int) -> [OnceAudit.Event] {
    var events: [OnceAudit.Event] = [.reset, .retire, .recall]
    let all = (1...UInt64(waiters))
    if let waiter = all.first(where: { !audit.waiting.contains($0) }) {
      for caller in [Caller.synchronous, .asynchronous] {
        for mode in [OnceStateMachine.BuildMode.inline, .task, .unavailable] {
          // An asynchronous caller can build in either mode.
          if caller == .asynchronous && mode == .unavailable { continue }
          if caller == .synchronous && mode == .task { continue }
          events.append(.arrive(waiter, caller, mode, hasValue: false))
          if audit.isPublished { events.append(.arrive(waiter, caller, mode, hasValue: true)) }
        }
      }
    }
    events += all.flatMap { [.leave($0), .take($0), .recallOne($0)] }
    // The attempt in progress, the previous one, and one that does not exist.
    for attempt in [audit.lastAttempt, audit.lastAttempt &- 1, audit.lastAttempt + 1] {
      events += [false, true].map { .hold(attempt, isAsynchronous: $0) }
      for outcome in [OnceStateMachine.Outcome.failure, .value, .unkeptValue, .abandoned] {
        events.append(.finish(attempt, outcome))
      }
    }
    return events
  }
}
