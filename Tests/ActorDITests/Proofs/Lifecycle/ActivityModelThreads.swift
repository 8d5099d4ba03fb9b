// The steps of each kind of thread.
extension ActivityModel {
  // MARK: Building

  func build(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let isCounted = threads[thread] != .transient
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
    case .make, .lookBeforeCounting, .countInOwn, .exchangeInOwn:
      beginInOwnCount(&me, thread, &state, &move)
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
    default:
      end(&me, thread, &state, &move)
    }
  }

  /// The steps of `Activity.beginInOwnCount`.
  private func beginInOwnCount(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    switch me.at {
    case .make:
      let ordering: WeakMemory.Ordering = lacks(.makingOrder) ? .acquiringAndReleasing : .sequentiallyConsistent
      let old = state.memory.compareExchange(Self.counts, expected: 0, desired: 1, ordering, by: thread)
      move.notify(old == 0 ? "makes the counts" : "finds the counts")
      me.at = lacks(.lookAfterMaking) ? .countInOwn : .lookBeforeCounting
    case .lookBeforeCounting:
      let isClosed = state.memory.load(Self.word, .sequentiallyConsistent, by: thread, &move) & 1 != 0
      move.notify(isClosed ? "finds the container closed" : "finds the container open")
      me.at = isClosed ? .done : .countInOwn
    case .countInOwn:
      if lacks(.beginningInCountByExchange) {
        let isClosed = state.memory.load(Self.count, .relaxed, by: thread, &move) & 1 != 0
        move.notify(isClosed ? "finds the count closed" : "finds the count open")
        me.at = isClosed ? .done : .exchangeInOwn
        return
      }
      var isClosed = false
      state.memory.modify(Self.count, .acquiringAndReleasing, by: thread) {
        isClosed = $0 & 1 != 0
        return isClosed ? $0 : ($0 + 2) & 15
      }
      if !isClosed { state.underWay += 1 }
      move.notify(isClosed ? "finds the count closed" : "begins in its own count")
      me.at = isClosed ? .done : .build
    default:
      state.memory.modify(Self.count, .acquiringAndReleasing, by: thread) { ($0 + 2) & 15 }
      state.underWay += 1
      move.notify("begins in its own count")
      me.at = .build
    }
  }

  /// The steps of `Activity.end`, for a build or a taken disposal, and the opening of the latches that may follow.
  private func end(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let lookOrder: WeakMemory.Ordering = lacks(.makingOrder) ? .acquiring : .sequentiallyConsistent
    let changeOrder: WeakMemory.Ordering =
      lacks(.endRelease) ? .acquiring : lacks(.endOrder) ? .acquiringAndReleasing : .sequentiallyConsistent
    switch me.at {
    case .end:
      let areCountsMade = state.memory.load(Self.counts, lookOrder, by: thread, &move) != 0
      move.notify(areCountsMade ? "finds the counts" : "finds no counts")
      me.at = areCountsMade ? .endInOwn : .endInWord
    case .endInWord:
      let old = state.memory.modify(Self.word, changeOrder, by: thread) { $0 - 2 }
      hasEnded(&me, thread, &state, &move, isClosed: old & 1 != 0)
    case .endInOwn:
      let old = state.memory.modify(Self.count, changeOrder, by: thread) { ($0 - 2) & 15 }
      hasEnded(&me, thread, &state, &move, isClosed: true)
      if lacks(.lookAtAllCounts) { me.at = old & 14 == 2 ? .open : .done }
    case .lookAtWord:
      let found = state.memory.load(
        Self.word, lacks(.endOrder) ? .acquiring : .sequentiallyConsistent, by: thread, &move)
      move.notify(found & 1 != 0 ? "finds the container closed" : "finds the container open")
      me.found = found & 14
      me.at = found & 1 != 0 ? .findCountsToLook : .done
    case .findCountsToLook:
      let areCountsMade = state.memory.load(Self.counts, lookOrder, by: thread, &move) != 0
      move.notify(areCountsMade ? "finds the counts" : "finds no counts")
      me.at = areCountsMade ? .addCount : next(after: me.found)
    case .addCount:
      let sum =
        me.found + state.memory.load(
          Self.count, lacks(.endOrder) ? .acquiring : .sequentiallyConsistent, by: thread, &move) & 14
      move.notify(sum & 15 == 0 ? "finds nothing under way" : "finds something under way")
      me.at = next(after: sum & 15)
    default:
      open(thread, &state, &move)
      me.at = .done
    }
  }

  private func next(after sum: Int) -> Point { sum == 0 && !lacks(.opening) ? .open : .done }

  private func hasEnded(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move, isClosed: Bool) {
    if case .claimer = threads[thread] {} else { state.underWay -= 1 }
    move.notify("ends")
    me.at = isClosed ? .lookAtWord : .done
  }

  private func add(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    state.memory.acquire(by: thread)
    let isTooLate = state.isDisposing && !lacks(.tooLate)
    if isTooLate {
      move.notify("comes too late for the list")
      dispose(bit(thread), thread, &state, &move)
      me.at = threads[thread] == .transient ? .done : .end
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
      me.at = me.taken == 0 || lacks(.countingClaims) ? .done : .end
      me.taken = 0
      return
    case .claim: break
    default: return end(&me, thread, &state, &move)
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
      let ordering: WeakMemory.Ordering = lacks(.closeOrder) ? .relaxed : .sequentiallyConsistent
      state.memory.modify(Self.word, ordering, by: thread) { $0 | 1 }
      move.notify("begins to close")
      me.at = .findCounts
    case .findCounts:
      let ordering: WeakMemory.Ordering = lacks(.makingOrder) ? .acquiring : .sequentiallyConsistent
      let areCountsMade = state.memory.load(Self.counts, ordering, by: thread, &move) != 0
      move.notify(areCountsMade ? "finds the counts" : "finds no counts")
      me.at = areCountsMade && !lacks(.closingCounts) ? .closeCount : lacks(.listingFirst) ? .look : .list
    case .closeCount:
      state.memory.modify(Self.count, .sequentiallyConsistent, by: thread) { $0 | 1 }
      move.notify("closes the count")
      me.at = lacks(.listingFirst) ? .look : .list
    case .list:
      state.memory.acquire(by: thread)
      state.isLatchListed = true
      state.memory.release(by: thread)
      move.notify("lists its latch")
      me.at = lacks(.listingFirst) ? (me.isLast ? .open : .wait) : lacks(.lookAfterListing) ? .wait : .look
    case .look:
      let ordering: WeakMemory.Ordering = lacks(.idleAcquire) ? .relaxed : .sequentiallyConsistent
      me.found = state.memory.load(Self.word, ordering, by: thread, &move) & 14
      move.notify("looks at the word")
      me.at = .findCountsToLook
    case .findCountsToLook:
      let areCountsMade = state.memory.load(Self.counts, .sequentiallyConsistent, by: thread, &move) != 0
      if areCountsMade { me.at = .addCount } else { hasLooked(&me, &move) }
    case .addCount:
      let ordering: WeakMemory.Ordering = lacks(.idleAcquire) ? .relaxed : .sequentiallyConsistent
      me.found = (me.found + state.memory.load(Self.count, ordering, by: thread, &move) & 14) & 15
      hasLooked(&me, &move)
    case .open:
      open(thread, &state, &move)
      me.at = .wait
    case .wait:
      guard state.isLatchOpen else { return move.block() }
      move.notify("continues")
      me.at = .take
    case .take:
      state.memory.acquire(by: thread)
      var sum = state.memory.load(Self.word, .sequentiallyConsistent, by: thread, &move) & 14
      if state.memory.load(Self.counts, .sequentiallyConsistent, by: thread, &move) != 0 {
        sum += state.memory.load(Self.count, .sequentiallyConsistent, by: thread, &move) & 14
      }
      let isIdle = sum & 15 == 0
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

  private func hasLooked(_ me: inout Frame, _ move: inout Move) {
    me.isLast = me.found == 0
    move.notify(me.isLast ? "finds nothing under way" : "finds something under way")
    me.at = lacks(.listingFirst) ? .list : me.isLast ? .open : .wait
  }
}
