extension OnceModel {
  /// Takes one step of a resolve, from the look-up of the binding to an outcome.
  func call(_ thread: Int, _ state: inout State, _ move: inout Move) {
    var me = state.frames[thread]
    switch me.at {
    case .find:
      if let resetter = resetter(before: thread) {
        guard state.frames[resetter].at == .done else { return move.block() }
        state.memory.hand(from: resetter, to: thread)
        me.knowsReset = true
      }
      let found = state.memory.load(Self.snapshot, .sequentiallyConsistent, by: thread, &move)
      move.notify(found == 0 ? "does not find the binding" : "finds the binding")
      me.at = found == 0 ? .done : .hit
    case .hit:
      let ordering: WeakMemory.Ordering = lacks(.hitAcquire) ? .relaxed : .acquiring
      let found = living(state.memory.load(Self.holder, ordering, by: thread, &move), state)
      move.notify(found == 0 ? "finds no instance in it" : "finds instance \(found) in it")
      if found != 0 {
        take(found, &me, thread, &state, &move)
      } else if mayBuildUncontended(thread) {
        me.at = .beginUncontended
      } else {
        (me.at, me.then) = (.cell, .arrive)
      }
    case .cell:
      let ordering: WeakMemory.Ordering = lacks(.cellAcquire) ? .relaxed : .acquiring
      me.cell = state.memory.load(Self.lazyCell, ordering, by: thread, &move)
      move.notify(me.cell == 0 ? "finds no cell" : "finds the cell")
      me.at = me.cell == 0 ? .makeCell : me.then
    case .makeCell:
      me.cell = storeCell(thread, &state, &move)
      me.at = me.then
    case .arrive:
      useCell(me.cell, thread, state, &move)
      arrive(&me, thread, &state, &move)
    case .build:
      build(me.attempt, thread, &state, &move)
      me.outcome = fate(of: me.attempt, state, &move)
      me.at = .finish
      if me.isUncontended { endUncontended(&me, thread) }
    case .beginUncontended, .beginInsteadOfReleased, .makeAttempt, .finishUncontended, .abandonUncontended,
      .attemptInFlight:
      stepUncontended(&me, thread, &state, &move)
    case .finish:
      finish(&me, thread, &state, &move)
      me.at = .wake
    case .wake:
      wake(&me, thread, &state, &move)
      take(me.outcome, &me, thread, &state, &move)
    case .start:
      guard case .suspending(let worker) = threads[thread] else { preconditionFailure("blocks") }
      state.frames[worker] = Frame(at: .work, attempt: me.attempt)
      state.memory.hand(from: thread, to: worker)
      move.notify("starts a task that builds")
      me.at = .runTask
    case .runTask:
      run(me.attempt, thread, &state, &move)
      me.at = .enter
    case .enter:
      // `withTaskCancellationHandler` begins. If the task has been cancelled, it runs the handler at once.
      me.isInHandler = true
      me.at = .reserve
      if me.isCancelled {
        state.frames[thread] = me
        leave(thread, by: thread, &state, &move)
        me = state.frames[thread]
      } else {
        move.notify("is about to wait")
      }
    case .reserve:
      reserve(&me, thread, &state, &move)
    case .park:
      if me.outcome == nil {
        move.notify("sleeps")
        me.at = .asleep
      } else {
        me.at = .awake
      }
    case .asleep:
      guard me.outcome != nil else { return move.block() }
      move.notify("wakes")
      me.at = .awake
    case .awake:
      me.isInHandler = false
      take(me.outcome, &me, thread, &state, &move)
    default:
      preconditionFailure("no step of a caller")
    }
    state.frames[thread] = me
  }

  func id(of thread: Int, _ round: UInt64) -> UInt64 { UInt64(thread) + round * 8 }

  /// The reset after which the caller begins.
  private func resetter(before thread: Int) -> Int? {
    switch threads[thread] {
    case .blockingAfterReset(let resetter), .aloneAfterReset(let resetter): resetter
    default: nil
    }
  }

  private func mayBuildUncontended(_ thread: Int) -> Bool {
    switch threads[thread] {
    case .alone, .aloneAfterReset: true
    default: false
    }
  }

  func take(
    _ outcome: Outcome?, _ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move
  ) {
    me.outcome = nil
    switch outcome {
    case .value(let instance): take(instance, &me, thread, &state, &move)
    case .retry:
      me.at = .arrive
      move.notify("needs to try again")
    case .failure, .cancelled, nil:
      me.at = .done
      move.notify("has failed")
    }
  }

  /// Ends the resolve with an instance, and checks the instance.
  private func take(
    _ instance: Int, _ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move
  ) {
    move.notify("has instance \(instance)")
    if !state.memory.hasSeen(making(instance), by: thread) {
      move.complain("instance \(instance) may not be complete for its caller")
    }
    if me.knowsReset, state.old & 1 << UInt16(instance) != 0 {
      move.complain("instance \(instance) is from before the reset")
    }
    me = Frame(at: .done)
  }

  /// Models `LazyReference.storeIfNil`, for a cell that the caller has just made.
  func storeCell(_ thread: Int, _ state: inout State, _ move: inout Move) -> Int {
    let new = min(state.lastCell + 1, 2)
    state.memory.mark(makingCell(new), by: thread)
    let ordering: WeakMemory.Ordering = lacks(.cellRelease) ? .acquiring : .acquiringAndReleasing
    if lacks(.firstCell) { state.memory.store(Self.lazyCell, new, .releasing, by: thread) }
    let there =
      lacks(.firstCell)
      ? 0 : state.memory.compareExchange(Self.lazyCell, expected: 0, desired: new, ordering, by: thread)
    if there != 0 {
      move.notify("finds the cell of a faster thread")
      return there
    }
    state.lastCell = new
    move.notify("makes the cell")
    return new
  }

  func useCell(_ cell: Int, _ thread: Int, _ state: State, _ move: inout Move) {
    if !state.memory.hasSeen(makingCell(cell), by: thread) {
      move.complain("the cell may not be complete for the thread that uses it")
    }
  }

  // MARK: Building

  private func build(_ attempt: Int, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let instance = state.attempts[attempt].instance
    // The factory reads data that a reset replaces before it forgets the instance.
    state.memory.acquire(lock: Self.configurationLock, by: thread)
    if !state.isChanged { state.old |= 1 << UInt16(instance) }
    state.memory.mark(making(instance), by: thread)
    state.memory.release(lock: Self.configurationLock, by: thread)
    move.notify("builds instance \(instance)")
  }

  private func fate(of attempt: Int, _ state: State, _ move: inout Move) -> Outcome {
    if mayFail, move.choose(2) == 1 {
      move.notify("the factory throws")
      return .failure
    }
    return .value(state.attempts[attempt].instance)
  }

  /// Takes one step of a task that builds.
  func work(_ thread: Int, _ state: inout State, _ move: inout Move) {
    var me = state.frames[thread]
    switch me.at {
    case .work:
      if case .worker(endsByItself: false) = threads[thread] {
        guard state.attempts[me.attempt].isTaskCancelled else { return move.block() }
        move.notify("is cancelled")
        me.outcome = .failure
      } else {
        build(me.attempt, thread, &state, &move)
        me.outcome = fate(of: me.attempt, state, &move)
      }
      me.at = .finishWork
    case .finishWork:
      finish(&me, thread, &state, &move)
      me.at = .wakeFromWork
    case .wakeFromWork:
      wake(&me, thread, &state, &move)
      me = Frame(at: .idle)
    default:
      // The task has not been started yet.
      return move.block()
    }
    state.frames[thread] = me
  }
}
