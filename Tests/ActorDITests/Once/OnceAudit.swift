@testable import ActorDI

/// Records the events and answers of a once machine, and names the rule that an answer breaks.
///
/// The audit derives its expectations from the events alone, not from the machine.
struct OnceAudit: Hashable, Sendable {
  typealias Machine = OnceStateMachine

  enum Event: Sendable {
    case arrive(UInt64, Caller, Machine.BuildMode, hasValue: Bool)
    case leave(UInt64)
    case take(UInt64)
    case finish(UInt64, Machine.Outcome)
    case hold(UInt64, isAsynchronous: Bool)
    case recallOne(UInt64)
    case recall
    case reset
    case retire
  }

  struct Violation: Error, CustomStringConvertible {
    let rule: String
    let description: String
  }

  private(set) var active: UInt64?
  private(set) var lastAttempt: UInt64 = 0
  private var isTask = false
  private var isCancelled = false
  private var isDetached = false
  private var isExemptFromCancellation = false
  private var isRetired = false
  private(set) var isPublished = false
  /// The waiters that joined the attempt in time, and those that came too late, in order.
  private var joined: [UInt64] = []
  private var latecomers: [UInt64] = []

  /// The audit with canonical attempt numbers, which is equal for audits whose machines behave the same.
  var digest: OnceAudit {
    var copy = self
    copy.active = active.map { _ in 1 }
    copy.lastAttempt = min(lastAttempt, 2)
    return copy
  }

  var waiting: [UInt64] { joined + latecomers }

  /// Passes an event to the machine, and checks its answer and its new state.
  mutating func step(_ event: Event, _ machine: inout some OnceMachine) throws(Violation) {
    switch event {
    case .arrive(let waiter, let caller, let mode, let hasValue):
      let answer = machine.arrive(waiter, caller, mode: mode, hasValue: hasValue)
      try arrived(waiter, caller, mode, hasValue: hasValue, answer)
    case .leave(let waiter): try left(waiter, machine.leave(waiter))
    case .take(let waiter):
      machine.leaveWithInstance(waiter)
      if joined == [waiter] { isExemptFromCancellation = true }
      (joined, latecomers) = (joined.filter { $0 != waiter }, latecomers.filter { $0 != waiter })
    case .finish(let attempt, let outcome):
      try finished(attempt, outcome, machine.finish(attempt, outcome))
    case .hold(let attempt, let isAsynchronous):
      machine.hold(attempt, isAsynchronous: isAsynchronous)
      if attempt == active { (isExemptFromCancellation, isTask) = (true, isTask || isAsynchronous) }
    case .recallOne(let waiter):
      let isRecalled = machine.recall(waiter)
      try demand(isRecalled == waiting.contains(waiter), "N2", "recalled: \(isRecalled)")
      (joined, latecomers) = (joined.filter { $0 != waiter }, latecomers.filter { $0 != waiter })
    case .recall:
      let recalled = machine.recall()
      try demand(recalled == waiting, "N2", "recalled \(recalled)")
      (joined, latecomers) = ([], [])
    case .reset:
      machine.reset()
      dropped()
    case .retire:
      isRetired = true
      machine.retire()
      dropped()
    }
    try compare(machine.state)
  }

  private func demand(_ condition: Bool, _ rule: String, _ text: String) throws(Violation) {
    if !condition { throw Violation(rule: rule, description: "\(rule): \(text), \(self)") }
  }

  // MARK: Events

  private mutating func arrived(
    _ waiter: UInt64, _ caller: Caller, _ mode: Machine.BuildMode, hasValue: Bool,
    _ answer: Machine.Arrival
  ) throws(Violation) {
    try demand(isRetired == (answer == .retired), "retired", "answer \(answer)")
    if isRetired { return }
    if isPublished, hasValue, active == nil {
      try demand(answer == .value, "value", "\(answer) although there is a value")
      return
    }
    guard let active else {
      switch answer {
      case .build(let attempt):
        try demand(mode == .inline, "mode", "an inline build that was not offered")
        try began(attempt)
      case .start(let attempt):
        try demand(mode == .task, "mode", "a task that was not offered")
        try began(attempt)
        isTask = true
        joined = [waiter]
      case .asyncRequired: try demand(mode == .unavailable, "mode", "asyncRequired although a build is possible")
      default: try demand(false, "value", "\(answer) without a value")
      }
      return
    }
    if isTask, caller == .synchronous {
      try demand(answer == .asyncRequired, "mode", "\(answer): a thread waits for a task")
      return
    }
    try demand(answer == .wait, "N1", "\(answer) during attempt \(active)")
    if isCancelled || isDetached { latecomers.append(waiter) } else { joined.append(waiter) }
  }

  private mutating func began(_ attempt: UInt64) throws(Violation) {
    try demand(attempt > lastAttempt, "N1", "attempt \(attempt) is not new")
    (active, lastAttempt) = (attempt, attempt)
    isPublished = false
  }

  private mutating func left(_ waiter: UInt64, _ answer: Machine.Departure) throws(Violation) {
    let hadJoined = joined.contains(waiter)
    joined.removeAll { $0 == waiter }
    let wasLate = latecomers.contains(waiter)
    latecomers.removeAll { $0 == waiter }
    let isLast = hadJoined && joined.isEmpty && isTask && !isExemptFromCancellation && !isCancelled
    let expected: Machine.Departure
    if isLast, active != nil {
      isCancelled = true
      expected = .leftLast
    } else {
      expected = hadJoined || wasLate ? .left : .tooLate
    }
    try demand(answer == expected, isExemptFromCancellation ? "N5" : "N2", "\(answer) for \(waiter), not \(expected)")
  }

  private mutating func finished(
    _ attempt: UInt64, _ outcome: Machine.Outcome, _ answer: Machine.Ending
  ) throws(Violation) {
    guard attempt == active else {
      try demand(answer == .init(), "N1", "a stale report changes the machine: \(answer)")
      return
    }
    active = nil
    let notified = answer.deliver + answer.retry
    try demand(Set(notified).count == notified.count, "N2", "a waiter is notified twice: \(answer)")
    try demand(Set(notified) == Set(waiting), "N2", "not all waiters are notified: \(answer)")
    if isDetached { try demand(!answer.publishes, "N4", "published: \(answer)") }
    switch outcome {
    case .value where !isDetached:
      try demand(answer.publishes, "value", "not published")
      try demand(answer.retry.isEmpty, "value", "a waiter retries although there is a value")
    case .value: try demand(answer.deliver == joined, "N4", "the value went to \(answer.deliver)")
    case .failure:
      try demand(answer.deliver == joined, "N3", "the error went to \(answer.deliver)")
    case .abandoned: try demand(answer.deliver.isEmpty, "N2", "an outcome for \(answer.deliver)")
    case .unkeptValue:
      let owner = isTask ? Array(joined.prefix(1)) : []
      try demand(answer.deliver == owner, "N2", "the one value went to \(answer.deliver)")
    }
    if outcome != .value { try demand(!answer.publishes, "value", "published without a value") }
    isPublished = answer.publishes
    (joined, latecomers) = ([], [])
    (isTask, isCancelled, isDetached, isExemptFromCancellation) = (false, false, false, false)
  }

  private mutating func dropped() {
    isPublished = false
    if active != nil { isDetached = true }
  }

  // MARK: The state after an event

  private func compare(_ state: Machine.State) throws(Violation) {
    switch state {
    case .idle: try demand(active == nil && !isPublished, "N1", "idle")
    case .ready: try demand(active == nil && isPublished, "value", "ready")
    case .building(let build):
      try demand(build.attempt == active, "N1", "builds \(build.attempt)")
      try demand(build.isCancelled == isCancelled, "N3", "cancelled: \(build.isCancelled)")
      try demand(build.isDetached == isDetached, "N4", "detached: \(build.isDetached)")
      try demand(
        build.isExemptFromCancellation == isExemptFromCancellation && (build.mode == .task) == isTask, "N5",
        "exempt from cancellation: \(build.isExemptFromCancellation), by \(build.mode)")
      try demand(build.joined == joined, isCancelled ? "N3" : "N2", "joined \(build.joined)")
      try demand(build.latecomers == latecomers, "N2", "latecomers \(build.latecomers)")
    }
  }
}
