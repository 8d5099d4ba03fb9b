@testable import ActorDI

// `Binding.buildUncontended`, and the end of an uncontended build.
extension OnceModel {
  /// Takes one step of an uncontended build, other than its factory.
  func stepUncontended(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    switch me.at {
    case .beginUncontended: beginUncontended(&me, thread, &state, &move)
    case .beginInsteadOfReleased: beginInsteadOfReleased(&me, thread, &state, &move)
    case .finishUncontended: finishUncontended(&me, thread, &state, &move)
    case .abandonUncontended: abandonUncontended(&me, thread, &state, &move)
    default:
      // `makeAttempts`, and the beginning of `OnceCell.endUncontended`.
      useCell(me.cell, thread, state, &move)
      enter(me.cell, thread, &state, &move)
      let found = state.cells[me.cell - 1].attempt
      state.memory.release(lock: me.cell, by: thread)
      move.notify(found == nil ? "finds no attempt" : "has the attempt of its build")
      if me.at == .makeAttempt {
        me.at = .build
      } else if found != nil {
        me.at = .finish
      } else {
        state.underWay -= 1
        take(me.outcome, &me, thread, &state, &move)
      }
    }
  }

  /// Models `InstanceHolder.beginUncontended`.
  private func beginUncontended(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let ordering: WeakMemory.Ordering = lacks(.beginOrder) ? .relaxed : .acquiringAndReleasing
    let found: Int
    if lacks(.beginByExchange) {
      found = state.memory.load(Self.holder, .acquiring, by: thread, &move)
      if found == Word.free { state.memory.store(Self.holder, Word.building, .releasing, by: thread) }
    } else {
      found = state.memory.compareExchange(
        Self.holder, expected: Word.free, desired: Word.building, ordering, by: thread)
    }
    if isWeak, Word.instance(found) != 0, living(found, state) == 0, !state.isOfCell {
      move.notify("finds that instance \(Word.instance(found)) is gone")
      (me.at, me.released) = (.beginInsteadOfReleased, found)
    } else if found == Word.free {
      isUncontended(&me, thread, &state, &move)
    } else {
      isContended(&me, &move)
    }
  }

  /// Models the exchange of `InstanceHolder.beginInsteadOfReleased`, which compares the flag of the cell, too.
  private func beginInsteadOfReleased(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let isAsExpected =
      readNewest(Self.holder, .acquiring, thread, &state) == me.released && (!state.isOfCell || lacks(.claimingWeak))
    guard isAsExpected || lacks(.releasedByExchange) else { return isContended(&me, &move) }
    state.memory.modify(Self.holder, .acquiringAndReleasing, by: thread) { _ in Word.building }
    isUncontended(&me, thread, &state, &move)
  }

  private func isContended(_ me: inout Frame, _ move: inout Move) {
    move.notify("finds that it is contended")
    (me.at, me.then) = (.cell, .arrive)
  }

  private func isUncontended(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    begin(0, &me, &state, &move)
    state.alone = me.attempt
    me.isUncontended = true
    (me.at, me.then) = threads[thread] == .alone(.attempt) ? (.cell, .makeAttempt) : (.build, .done)
  }

  /// Chooses the step after the factory.
  func endUncontended(_ me: inout Frame, _ thread: Int) {
    if me.outcome == .failure {
      me.at = .abandonUncontended
    } else {
      me.at = .finishUncontended
    }
  }

  /// Models `InstanceHolder.finishUncontended`. If it fails, `OnceCell.endUncontended` follows (Q2).
  private func finishUncontended(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let instance = state.attempts[me.attempt].instance
    let new = Word.showing(instance)
    let ordering: WeakMemory.Ordering = lacks(.aloneRelease) ? .acquiring : .acquiringAndReleasing
    let isShown: Bool
    if lacks(.endByExchange) {
      state.memory.modify(Self.holder, ordering, by: thread) { _ in new }
      isShown = true
    } else {
      isShown =
        state.memory.compareExchange(Self.holder, expected: Word.building, desired: new, ordering, by: thread)
        == Word.building
    }
    move.notify(isShown ? "shows instance \(instance)" : "finds that it is no longer uncontended")
    if isShown || lacks(.endByCell) {
      state.underWay -= 1
      take(me.outcome, &me, thread, &state, &move)
    } else {
      (me.at, me.then) = (.cell, .attemptInFlight)
    }
  }

  /// Models `InstanceHolder.abandonUncontended`. If it fails, `OnceCell.endUncontended` follows (Q2).
  private func abandonUncontended(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let isUncontended: Bool
    if lacks(.abandonByExchange) {
      state.memory.modify(Self.holder, .acquiringAndReleasing, by: thread) { _ in Word.free }
      isUncontended = true
    } else {
      let ordering: WeakMemory.Ordering = lacks(.abandonOrder) ? .relaxed : .acquiringAndReleasing
      isUncontended =
        state.memory.compareExchange(
          Self.holder, expected: Word.building, desired: Word.free, ordering, by: thread) == Word.building
    }
    move.notify(isUncontended ? "takes its mark away" : "finds that it is no longer uncontended")
    if isUncontended || lacks(.abandonByCell) {
      state.underWay -= 1
      take(me.outcome, &me, thread, &state, &move)
    } else {
      (me.at, me.then) = (.cell, .attemptInFlight)
    }
  }
}
