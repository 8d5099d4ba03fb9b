// The steps of each kind of thread.
extension ActivityModel {
  // MARK: Building

  func build(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let isCounted = threads[thread] == .builder
    switch me.at {
    case .begin:
      // The real code's relaxed load before the exchange only avoids an exchange that would fail, so it is left out.
      if lacks(.beginningByExchange) {
        let found = state.memory.load(Self.word, .relaxed, by: thread, &move)
        move.notify(found & 1 == 0 ? "finds the container open" : "finds it closed")
        me.at = found & 1 == 0 ? .count : .done
      } else {
        var isClosed = false
        state.memory.modify(Self.word, .acquiringAndReleasing, by: thread) {
          isClosed = $0 & 1 != 0
          return isClosed ? $0 : $0 + 2
        }
        if !isClosed { state.underWay += 1 }
        move.notify(isClosed ? "finds the container closed" : "begins")
        me.at = isClosed ? .done : .build
      }
    case .count:
      state.memory.modify(Self.word, .acquiringAndReleasing, by: thread) { $0 + 2 }
      state.underWay += 1
      move.notify("begins")
      me.at = .build
    case .build:
      state.memory.mark(making(thread), by: thread)
      state.made |= bit(thread)
      move.notify("makes an instance")
      me.at = .add
    case .add:
      add(&me, thread, &state, &move)
    case .finish:
      let ordering: WeakMemory.Ordering = lacks(.closeOrder) ? .relaxed : .acquiring
      let isClosed = state.memory.load(Self.word, ordering, by: thread, &move) & 1 != 0
      let isHandedOut = !isClosed || lacks(.lookAtTheEnd)
      move.notify(isHandedOut ? "hands the instance out" : "finds the container closed, and hands nothing out")
      if isHandedOut, state.isClosing, state.memory.hasSeen(closing, by: thread) {
        move.complain("a thread that knows that the container is closed hands out an instance")
      }
      me.isKept = isHandedOut
      me.at = isCounted ? .end : .done
    case .end:
      let ordering: WeakMemory.Ordering = lacks(.endRelease) ? .acquiring : .acquiringAndReleasing
      let old = state.memory.modify(Self.word, ordering, by: thread) { $0 - 2 }
      state.underWay -= 1
      move.notify(old == 3 ? "ends, as the last one" : "ends")
      me.at = old == 3 && !lacks(.opening) ? .open : .done
    default:
      open(thread, &state, &move)
      me.at = .done
    }
  }

  private func add(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    state.memory.acquire(by: thread)
    let isTooLate = state.isDisposing && !lacks(.tooLate)
    if isTooLate {
      move.notify("comes too late for the list")
      dispose(bit(thread), thread, &state, &move)
      me.at = threads[thread] == .builder ? .end : .done
    } else {
      state.listed |= bit(thread)
      move.notify("lists it to be disposed of")
      me.at = .finish
    }
    state.memory.release(by: thread)
  }

  private func open(_ thread: Int, _ state: inout State, _ move: inout Move) {
    state.memory.acquire(by: thread)
    if state.isLatchListed { state.isLatchOpen = true }
    state.memory.release(by: thread)
    move.notify(state.isLatchListed ? "opens the latch" : "finds no latch to open")
  }

  // MARK: Unregistering

  func claim(
    _ builder: Int, _ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move
  ) {
    switch me.at {
    case .dispose:
      dispose(me.taken, thread, &state, &move)
      me.at = me.taken == 0 || lacks(.countingClaims) ? .done : .endClaim
      me.taken = 0
      return
    case .endClaim:
      let old = state.memory.modify(Self.word, .acquiringAndReleasing, by: thread) { $0 - 2 }
      move.notify(old == 3 ? "ends, as the last one" : "ends")
      me.at = old == 3 ? .open : .done
      return
    case .open:
      open(thread, &state, &move)
      me.at = .done
      return
    default: break
    }
    // Unregistering claims an instance that the cell keeps, which is one that was handed out.
    guard state.frames[builder].isKept || state.frames[builder].at == .done else { return move.block() }
    state.memory.hand(from: builder, to: thread)
    state.memory.acquire(by: thread)
    me.taken = bit(builder) & (lacks(.taking) ? state.made : state.listed)
    state.listed &= ~me.taken
    state.claimed |= me.taken
    if me.taken != 0, !lacks(.countingClaims) {
      state.memory.modify(Self.word, .acquiringAndReleasing, by: thread) { $0 + 2 }
    }
    state.memory.release(by: thread)
    move.notify(me.taken == 0 ? "finds that another thread has taken it" : "takes it out of the list")
    me.at = .dispose
  }

  // MARK: Closing

  func close(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    switch me.at {
    case .close:
      state.memory.mark(closing, by: thread)
      state.isClosing = true
      let ordering: WeakMemory.Ordering = lacks(.closeOrder) ? .relaxed : .acquiringAndReleasing
      state.memory.modify(Self.word, ordering, by: thread) { $0 | 1 }
      move.notify("begins to close")
      me.at = lacks(.listingFirst) ? .look : .list
    case .list:
      state.memory.acquire(by: thread)
      state.isLatchListed = true
      state.memory.release(by: thread)
      move.notify("lists its latch")
      me.at = lacks(.listingFirst) ? (me.isLast ? .open : .wait) : lacks(.lookAfterListing) ? .wait : .look
    case .look:
      let ordering: WeakMemory.Ordering = lacks(.idleAcquire) ? .relaxed : .acquiring
      me.isLast = state.memory.load(Self.word, ordering, by: thread, &move) < 2
      move.notify(me.isLast ? "finds nothing under way" : "finds something under way")
      me.at = lacks(.listingFirst) ? .list : me.isLast ? .open : .wait
    case .open:
      open(thread, &state, &move)
      me.at = .wait
    case .wait:
      guard state.isLatchOpen else { return move.block() }
      move.notify("continues")
      me.at = .take
    case .take:
      state.memory.acquire(by: thread)
      let isIdle = state.memory.load(Self.word, .acquiring, by: thread, &move) < 2
      if !isIdle, !lacks(.lookWhenTaking) {
        state.memory.release(by: thread)
        (state.isLatchListed, state.isLatchOpen) = (false, false)
        move.notify("finds that something has begun meanwhile")
        me.at = lacks(.listingFirst) ? .look : .list
        return
      }
      state.isDisposing = true
      (me.taken, state.listed) = (state.listed, 0)
      state.memory.release(by: thread)
      move.notify("takes what is listed")
      if state.underWay > 0 { move.complain("a build is in flight while the shutdown disposes of instances") }
      me.at = .dispose
    default:
      dispose(me.taken, thread, &state, &move)
      let late = state.claimed & ~state.disposed
      if late != 0 { move.complain("shutdown returns before \(instances(late)) has been disposed of") }
      me = Frame(at: .done)
    }
  }
}
