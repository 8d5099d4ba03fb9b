@testable import ActorDI

// The critical sections of `OnceCell`, one step each.
extension OnceModel {
  func arrive(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let cell = me.cell
    enter(cell, thread, &state, &move)
    let existing = shown(thread, &state)
    me.round += 1
    let id = id(of: thread, me.round)
    let isTask = if case .suspending = threads[thread] { true } else { false }
    let step = state.cells[cell - 1].machine.arrive(
      id, isTask ? .asynchronous : .synchronous, mode: isTask ? .task : .inline,
      hasValue: existing != 0 && !lacks(.lookUnderLock))
    switch step {
    case .value:
      move.notify("arrives: there is instance \(existing)")
      me.outcome = .value(existing)
      // The caller has an outcome, as after a wake-up.
      me.at = .awake
    case .build(let number), .start(let number):
      begin(existing, &me, &state, &move)
      (state.attempts[me.attempt].cell, state.attempts[me.attempt].number) = (cell, number)
      state.cells[cell - 1].attempt = me.attempt
      if isTask { state.cells[cell - 1].waiters[id] = .reserved }
      me.at = isTask ? .start : .build
    case .wait:
      state.cells[cell - 1].waiters[id] = .reserved
      me.at = .enter
      move.notify("arrives: it waits")
    case .asyncRequired, .retired:
      move.notify("arrives: \(step)")
      me = Frame(at: .done)
    }
    state.memory.release(lock: cell, by: thread)
  }

  /// Begins a build, and checks that it is the only one.
  func begin(_ existing: Int, _ me: inout Frame, _ state: inout State, _ move: inout Move) {
    if existing != 0 { move.complain("a build begins though there is instance \(existing)") }
    if state.underWay > 0 { move.complain("a build begins beside another one") }
    state.underWay += 1
    state.lastInstance += 1
    me.attempt = state.attempts.count
    state.attempts.append(Attempt(instance: state.lastInstance))
    move.notify("needs to build")
  }

  // MARK: The holder

  /// Models `OnceCell.withClaimedState`: takes the cell's lock, and claims the holder (Q1).
  func enter(_ cell: Int, _ thread: Int, _ state: inout State, _ move: inout Move) {
    state.memory.acquire(lock: cell, by: thread)
    if state.cells[cell - 1].isInCharge { return }
    state.cells[cell - 1].isInCharge = true
    let claimed = claim(thread, &state, &move)
    if lacks(.takingOver) { return }
    state.cells[cell - 1].machine.adopt(claimed)
    guard claimed == .build, let number = state.cells[cell - 1].machine.attempt else { return }
    (state.attempts[state.alone].cell, state.attempts[state.alone].number) = (cell, number)
    state.cells[cell - 1].attempt = state.alone
  }

  /// Models `InstanceHolder.claim`. Its load and its exchange are one step, since the real loop retries if another thread comes
  /// between them.
  private func claim(_ thread: Int, _ state: inout State, _ move: inout Move) -> OnceStateMachine.Claimed {
    let found: Int
    if lacks(.claimByExchange) {
      found = state.memory.load(Self.holder, .acquiring, by: thread, &move)
      if found <= Word.building { state.memory.store(Self.holder, Word.inCell, .releasing, by: thread) }
    } else {
      found = readNewest(Self.holder, lacks(.lookAcquire) ? .relaxed : .acquiring, thread, &state)
      if found == Word.free || (found == Word.building && !lacks(.takingTheMark)) {
        let ordering: WeakMemory.Ordering = lacks(.claimOrder) ? .relaxed : .acquiringAndReleasing
        state.memory.modify(Self.holder, ordering, by: thread) { _ in Word.inCell }
      }
    }
    // The exchange of a weak reference for the same one with the flag. Nothing but the flag changes.
    if Word.instance(found) == 0 || !lacks(.claimingWeak) { state.isOfCell = true }
    let claimed: OnceStateMachine.Claimed =
      Word.instance(found) != 0 ? .instance : found == Word.building ? .build : .nothing
    move.notify("claims the holder: \(claimed)")
    return claimed
  }

  /// Models `InstanceHolder.shown`, under the cell's lock. It reads the newest value, since only holders of the lock replace it.
  func shown(_ thread: Int, _ state: inout State) -> Int {
    living(readNewest(Self.holder, lacks(.lookAcquire) ? .relaxed : .acquiring, thread, &state), state)
  }

  func readNewest(
    _ location: Int, _ ordering: WeakMemory.Ordering, _ thread: Int, _ state: inout State
  ) -> Int {
    // Reads as a failing exchange does.
    state.memory.compareExchange(location, expected: -1, desired: 0, ordering, by: thread)
  }

  /// Models `InstanceHolder.show`.
  ///
  /// - Returns: The instance shown before, if it is alive.
  func show(_ instance: Int?, _ thread: Int, _ state: inout State) -> Int {
    let ordering: WeakMemory.Ordering = lacks(.publicationRelease) ? .acquiring : .acquiringAndReleasing
    let nothing = lacks(.keepingCharge) ? Word.free : Word.inCell
    state.isOfCell = instance != nil || !lacks(.keepingCharge)
    let old = state.memory.modify(Self.holder, ordering, by: thread) { _ in instance.map(Word.showing) ?? nothing }
    return living(old, state)
  }

  // MARK: Ends

  func finish(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let attempt = state.attempts[me.attempt]
    let cell = attempt.cell
    enter(cell, thread, &state, &move)
    let outcome = me.outcome ?? .failure
    let completion = state.cells[cell - 1].machine.finish(attempt.number, outcome == .failure ? .failure : .value)
    if completion.publishes, case .value(let instance) = outcome {
      let old = show(instance, thread, &state)
      if old != 0 { move.complain("instance \(instance) takes the place of instance \(old)") }
      move.notify("publishes instance \(instance)")
    } else {
      move.notify("finishes, and publishes nothing")
    }
    state.cells[cell - 1].attempt = nil
    state.underWay -= 1
    for id in completion.deliver { answer(id, outcome, &me, &state.cells[cell - 1]) }
    for id in completion.retry where !lacks(.retrying) { answer(id, .retry, &me, &state.cells[cell - 1]) }
    state.memory.release(lock: cell, by: thread)
  }

  func answer(_ id: UInt64, _ outcome: Outcome, _ me: inout Frame, _ cell: inout Cell) {
    switch cell.waiters[id] {
    case .reserved:
      cell.waiters[id] = lacks(.leavingOutcome) ? .reserved : .answered(outcome)
    case .waiting:
      cell.waiters[id] = nil
      me.wakeups.append(Wakeup(thread: Int(id % 8), outcome: outcome))
    case .answered, nil: break
    }
  }

  /// Wakes the waiters, after the lock has been released.
  func wake(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    for wakeup in me.wakeups {
      move.notify("wakes \(threadNames[wakeup.thread])")
      if state.frames[wakeup.thread].outcome != nil { move.complain("a waiter is woken twice") }
      if lacks(.rememberedSignal), state.frames[wakeup.thread].at != .asleep { continue }
      state.frames[wakeup.thread].outcome = wakeup.outcome
      state.memory.hand(from: thread, to: wakeup.thread)
    }
    if me.wakeups.isEmpty { move.notify("has no waiter to wake") }
    me.wakeups = []
  }

  /// Models `outcome(for:elseWakingBy:)`: turns a reserved waiter into a waiting one, unless its outcome is there.
  func reserve(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let id = id(of: thread, me.round)
    state.memory.acquire(lock: me.cell, by: thread)
    if case .answered(let outcome) = state.cells[me.cell - 1].waiters[id], !lacks(.lookBeforeWaiting) {
      state.cells[me.cell - 1].waiters[id] = nil
      me.outcome = outcome
      me.at = .awake
      move.notify("finds that the outcome is there")
    } else {
      state.cells[me.cell - 1].waiters[id] = .waiting
      me.at = .park
      move.notify("waits")
    }
    state.memory.release(lock: me.cell, by: thread)
  }
}
