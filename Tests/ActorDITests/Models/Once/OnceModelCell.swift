@testable import ActorDI

// The critical sections of `OnceCell`, each of them one step.
extension OnceModel {
  func arrive(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let cell = me.cell
    state.memory.acquire(lock: cell, by: thread)
    let existing = state.memory.newest(Self.instance)
    me.round += 1
    let id = id(of: thread, me.round)
    let wasBuilding = isBuilding(state)
    let isTask = if case .suspending = threads[thread] { true } else { false }
    let step = state.cells[cell - 1].machine.arrive(
      id, isTask ? .asynchronous : .synchronous, mode: isTask ? .task : .inline,
      hasValue: existing != 0 && !lacks(.lookUnderLock))
    switch step {
    case .value:
      move.tell("arrives: there is instance \(existing)")
      me.outcome = .value(existing)
      // As after a wake-up: it has an outcome.
      me.at = .awake
    case .build(let number), .start(let number):
      begin(number, cell, existing, wasBuilding: wasBuilding, &me, &state, &move)
      state.cells[cell - 1].attempt = me.attempt
      if isTask { state.cells[cell - 1].waiters[id] = .reserved }
      me.at = isTask ? .start : .build
    case .wait:
      makeAttempt(cell, &state)
      state.cells[cell - 1].waiters[id] = .reserved
      me.at = .enter
      move.tell("arrives: it has to wait")
    case .asyncRequired, .retired:
      move.tell("arrives: \(step)")
      me = Frame(at: .done)
    }
    state.memory.release(lock: cell, by: thread)
  }

  func isBuilding(_ state: State) -> Bool {
    state.cells.contains { if case .building = $0.machine.state { true } else { false } }
  }

  private func begin(
    _ number: UInt64, _ cell: Int, _ existing: Int, wasBuilding: Bool, _ me: inout Frame, _ state: inout State,
    _ move: inout Move
  ) {
    if existing != 0 { move.complain("a build begins though there is instance \(existing)") }
    if wasBuilding { move.complain("a build begins beside another one") }
    state.lastInstance += 1
    me.attempt = state.attempts.count
    state.attempts.append(Attempt(cell: cell, number: number, instance: state.lastInstance))
    move.tell("arrives: it has to build")
  }

  // MARK: Quiet builds

  /// `OnceCell.arriveQuietly`.
  func arriveQuietly(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let cell = me.cell
    state.memory.acquire(lock: cell, by: thread)
    defer { state.memory.release(lock: cell, by: thread) }
    let existing = state.memory.newest(Self.instance)
    let machine = state.cells[cell - 1].machine
    guard machine.isAnsweredAtOnce(hasValue: existing != 0, canBuild: true), !machine.isRetired else {
      move.tell("arrives: there is more to it")
      me.at = .arrive
      return
    }
    if existing != 0 {
      move.tell("arrives: there is instance \(existing)")
      me.outcome = .value(existing)
      me.at = .awake
      return
    }
    let wasBuilding = isBuilding(state)
    let arrival = state.cells[cell - 1].machine.arrive(0, .asynchronous, mode: .inline, hasValue: false)
    guard case .build(let number) = arrival else { return move.complain("a quiet build does not begin: \(arrival)") }
    begin(number, cell, existing, wasBuilding: wasBuilding, &me, &state, &move)
    state.cells[cell - 1].quiet = me.attempt
    me.isQuiet = true
    me.at = .build
  }

  /// Q1. The attempt of a quiet build is made by the first who needs it.
  private func makeAttempt(_ cell: Int, _ state: inout State) {
    guard let quiet = state.cells[cell - 1].quiet else { return }
    (state.cells[cell - 1].attempt, state.cells[cell - 1].quiet) = (quiet, nil)
  }

  /// `OnceCell.finishQuietly`; where it says no, `finishAloud` follows.
  func finishQuietly(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let attempt = state.attempts[me.attempt]
    let cell = attempt.cell
    state.memory.acquire(lock: cell, by: thread)
    defer { state.memory.release(lock: cell, by: thread) }
    let isQuiet: Bool
    if lacks(.quietEnd) {
      isQuiet = state.cells[cell - 1].machine.finish(attempt.number, .value).publishes
    } else {
      isQuiet =
        state.cells[cell - 1].attempt == nil && state.cells[cell - 1].machine.isUnattended(attempt.number)
      if isQuiet { state.cells[cell - 1].machine.finishUnattended(attempt.number) }
    }
    guard isQuiet else {
      move.tell("is not alone any more")
      me.at = .finish
      return
    }
    state.memory.modify(Self.instance, .acquiringAndReleasing, by: thread) { _ in attempt.instance }
    state.cells[cell - 1].quiet = nil
    move.tell("publishes instance \(attempt.instance), quietly")
    me.at = .awake
  }

  // MARK: Ends

  func finish(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let attempt = state.attempts[me.attempt]
    let cell = attempt.cell
    state.memory.acquire(lock: cell, by: thread)
    let outcome = me.outcome ?? .failure
    let completion = state.cells[cell - 1].machine.finish(attempt.number, outcome == .failure ? .failure : .value)
    if completion.publishes, case .value(let instance) = outcome {
      let ordering: WeakMemory.Ordering = lacks(.publicationRelease) ? .acquiring : .acquiringAndReleasing
      let old = state.memory.modify(Self.instance, ordering, by: thread) { _ in instance }
      if old != 0 { move.complain("instance \(instance) takes the place of instance \(old)") }
      move.tell("publishes instance \(instance)")
    } else {
      move.tell("finishes, and publishes nothing")
    }
    (state.cells[cell - 1].attempt, state.cells[cell - 1].quiet) = (nil, nil)
    for id in completion.deliver { settle(id, outcome, &me, &state.cells[cell - 1]) }
    for id in completion.retry where !lacks(.retrying) { settle(id, .retry, &me, &state.cells[cell - 1]) }
    state.memory.release(lock: cell, by: thread)
  }

  func settle(_ id: UInt64, _ outcome: Outcome, _ me: inout Frame, _ cell: inout Cell) {
    switch cell.waiters[id] {
    case .reserved:
      cell.waiters[id] = lacks(.leavingOutcome) ? .reserved : .settled(outcome)
    case .waiting:
      cell.waiters[id] = nil
      me.wakeups.append(Wakeup(thread: Int(id % 8), outcome: outcome))
    case .settled, nil: break
    }
  }

  /// After the lock.
  func wake(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    for wakeup in me.wakeups {
      move.tell("wakes \(threadNames[wakeup.thread])")
      if state.frames[wakeup.thread].outcome != nil { move.complain("who waits is woken twice") }
      if lacks(.rememberedSignal), state.frames[wakeup.thread].at != .asleep { continue }
      state.frames[wakeup.thread].outcome = wakeup.outcome
      state.memory.hand(from: thread, to: wakeup.thread)
    }
    if me.wakeups.isEmpty { move.tell("has nobody to wake") }
    me.wakeups = []
  }

  /// `suspend` and `block`: from being expected to waiting.
  func reserve(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let id = id(of: thread, me.round)
    state.memory.acquire(lock: me.cell, by: thread)
    if case .settled(let outcome) = state.cells[me.cell - 1].waiters[id], !lacks(.lookBeforeWaiting) {
      state.cells[me.cell - 1].waiters[id] = nil
      me.outcome = outcome
      me.at = .awake
      move.tell("finds that the outcome is there")
    } else {
      state.cells[me.cell - 1].waiters[id] = .waiting
      me.at = .park
      move.tell("waits")
    }
    state.memory.release(lock: me.cell, by: thread)
  }
}
