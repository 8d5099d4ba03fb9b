@testable import ActorDI

// Cancellation, shutdown, reset and unregistering.
extension OnceModel {
  // MARK: Cancelling

  /// Takes one step of a thread that cancels a caller's task.
  func cancel(_ caller: Int, _ thread: Int, _ state: inout State, _ move: inout Move) {
    switch state.frames[thread].at {
    case .cancel:
      if state.frames[caller].at == .done {
        state.frames[thread] = Frame(at: .done)
        return move.notify("comes too late")
      }
      state.frames[caller].isCancelled = true
      if state.frames[caller].isInHandler {
        state.frames[thread].at = .leave
      } else {
        state.frames[thread] = Frame(at: .done)
      }
      move.notify("cancels")
    case .leave:
      leave(caller, by: thread, &state, &move)
      state.frames[thread].at = .wakeCancelled
    default:
      var me = state.frames[thread]
      wake(&me, thread, &state, &move)
      state.frames[thread] = Frame(at: .done)
    }
  }

  /// Models `OnceCell.leave`, and `Attempt.cancel` after it.
  func leave(_ caller: Int, by thread: Int, _ state: inout State, _ move: inout Move) {
    var me = state.frames[thread]
    let waiter = state.frames[caller]
    guard waiter.cell != 0, waiter.round != 0 else { return move.notify("has nothing to leave") }
    let id = id(of: caller, waiter.round)
    state.memory.acquire(lock: waiter.cell, by: thread)
    let departure = state.cells[waiter.cell - 1].machine.leave(id)
    if departure != .tooLate, !lacks(.wakingTheCancelled) {
      answer(id, .cancelled, &me, &state.cells[waiter.cell - 1])
    }
    let attempt = state.cells[waiter.cell - 1].attempt
    state.memory.release(lock: waiter.cell, by: thread)
    move.notify("gives up for \(threadNames[caller]): \(departure)")
    state.frames[thread] = me
    if case .leftLast = departure, let attempt { cancel(attempt: attempt, &state, &move) }
  }

  /// Takes one step of the shutdown.
  func close(_ thread: Int, _ state: inout State, _ move: inout Move) {
    if state.frames[thread].at == .close {
      // No later attempt can begin; see `ActivityModel`.
      guard let attempt = state.cells[0].attempt else { return move.block() }
      state.frames[thread] = Frame(at: .cancelAttempt, attempt: attempt)
      move.notify("finds an attempt in flight")
    } else {
      cancel(attempt: state.frames[thread].attempt, &state, &move)
      state.frames[thread] = Frame(at: .done)
    }
  }

  /// Models `Attempt.cancel`.
  private func cancel(attempt: Int, _ state: inout State, _ move: inout Move) {
    if state.attempts[attempt].hasTask {
      state.attempts[attempt].isTaskCancelled = true
    } else if !lacks(.rememberedCancellation) {
      state.attempts[attempt].isCancelled = true
    }
    move.notify("cancels the attempt")
  }

  /// Models `Attempt.run`.
  func run(_ attempt: Int, _ thread: Int, _ state: inout State, _ move: inout Move) {
    state.attempts[attempt].hasTask = true
    if state.attempts[attempt].isCancelled, !lacks(.lookBeforeRunning) {
      state.attempts[attempt].isTaskCancelled = true
    }
    move.notify("tells the attempt of its task")
  }

  // MARK: Weakly kept instances

  /// Releases the instance that is shown, if there is one.
  func drop(_ thread: Int, _ state: inout State, _ move: inout Move) {
    let instance = living(state.memory.newest(Self.holder), state)
    state.dead |= instance == 0 ? 0 : 1 << UInt16(instance)
    move.notify(instance == 0 ? "has no instance" : "releases instance \(instance)")
    state.frames[thread] = Frame(at: .done)
  }

  // MARK: Resetting and retiring

  func end(_ thread: Int, _ state: inout State, _ move: inout Move) {
    var me = state.frames[thread]
    switch me.at {
    case .change:
      state.memory.acquire(lock: Self.configurationLock, by: thread)
      state.isChanged = true
      state.memory.release(lock: Self.configurationLock, by: thread)
      move.notify("changes what factories read")
      me.at = .reset
    case .reset:
      me.cell = state.memory.load(Self.lazyCell, .acquiring, by: thread, &move)
      move.notify(me.cell == 0 ? "finds no cell" : "finds the cell")
      me.at = me.cell == 0 ? .look : .forget
    case .look:
      let found = state.memory.load(Self.holder, .acquiring, by: thread, &move)
      move.notify(found == Word.free ? "finds nothing to forget" : "finds something to forget")
      me.at = found == Word.free || lacks(.forgetLooks) ? .done : .makeCell
      if me.at != .done, lacks(.forgetByCell) {
        state.memory.modify(Self.holder, .acquiringAndReleasing, by: thread) { _ in Word.free }
        state.isOfCell = false
        me.at = .done
      }
    case .unlink:
      state.memory.store(Self.snapshot, 0, .sequentiallyConsistent, by: thread)
      move.notify("unlinks the binding")
      me.at = .retireCell
    case .retireCell:
      me.cell = state.memory.load(Self.lazyCell, .acquiring, by: thread, &move)
      move.notify(me.cell == 0 ? "finds no cell" : "finds the cell")
      if me.cell != 0 {
        me.at = .forget
      } else {
        me.at = lacks(.retiringCell) ? .done : .makeCell
      }
    case .makeCell:
      me.cell = storeCell(thread, &state, &move)
      me.at = .forget
    default:
      forget(&me, thread, &state, &move)
      me.at = .done
    }
    state.frames[thread] = me
  }

  /// Models `OnceCell.forget`, or `OnceCell.retire` for the thread that unregisters.
  private func forget(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    enter(me.cell, thread, &state, &move)
    if threads[thread] == .retirer, !lacks(.retiring) {
      state.cells[me.cell - 1].machine.retire()
    } else if !lacks(.detaching) || state.cells[me.cell - 1].machine.attempt == nil {
      state.cells[me.cell - 1].machine.reset()
    }
    let old = show(nil, thread, &state)
    state.memory.release(lock: me.cell, by: thread)
    move.notify(old == 0 ? "finds no instance to forget" : "forgets instance \(old)")
  }
}
