extension ReclamationModel {
  /// Takes one step of `Reclaimer.collect`. At the end, the thread is at `done`.
  ///
  /// - Returns: False if the reclaimer's lock is taken.
  func collect(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) -> Bool {
    switch me.at {
    case .lock:
      guard !state.isLocked else { return false }
      state.isLocked = true
      state.memory.acquire(lock: Self.reclaimerLock, by: thread)
      move.notify("collects")
      me.free = 0
      removeUnused(&me, thread, &state, &move)
    case .scanDepth:
      let ordering: WeakMemory.Ordering = lacks(.popAcquire) ? .relaxed : .sequentiallyConsistent
      let found = state.memory.load(depth(Int(me.next)), ordering, by: thread, &move)
      move.notify("finds \(found) slots of record \(me.next) in use")
      if found > 0 { me.at = .scanSlot } else { scanNext(&me, thread, &state, &move) }
    case .scanSlot:
      let ordering: WeakMemory.Ordering = lacks(.slotRelease) || lacks(.slotAcquire) ? .relaxed : .acquiring
      let found = state.memory.load(slot(Int(me.next)), ordering, by: thread, &move)
      move.notify("finds object \(found) in it")
      me.used |= Self.bit(found)
      if state.inUse & Self.bit(found) != 0 { me.users |= Self.bit(Int(me.next)) }
      me.at = .scanDepth
      scanNext(&me, thread, &state, &move)
    case .requestSlots:
      let record = Int(me.next)
      if state.memory.load(flags(record), .relaxed, by: thread, &move) & Self.popAwaited == 0 {
        request(Self.popAwaited, record, thread, &state, &move)
        if !isReader(thread) || Int(me.record) != record { me.isNew = true }
      }
      if let next = self.record(after: record, in: me.users) {
        me.next = UInt8(next)
      } else if me.isNew {
        if !lacks(.slotBarrier) { barrier(thread, &state, &move) }
        beginScan(&me, state)
      } else {
        endScan(&me, thread, &state, &move)
      }
    case .look, .lookAgain:
      let record = Int(me.next)
      let ordering: WeakMemory.Ordering = lacks(.unpinAcquire) ? .relaxed : .sequentiallyConsistent
      let found = state.memory.load(pins(record), ordering, by: thread, &move)
      move.notify("finds record \(record) \(found == 0 ? "unpinned" : "pinned")")
      if found == 0 { state.pending &= ~Self.bit(record) }
      if let next = self.record(after: record, in: state.pending) {
        me.next = UInt8(next)
      } else {
        afterLooks(&me, thread, &state, &move)
      }
    case .requestPins:
      if !lacks(.request) { request(Self.awaited, Int(me.next), thread, &state, &move) }
      if let next = record(after: Int(me.next), in: state.pending) {
        me.next = UInt8(next)
      } else if lacks(.lookAgain) {
        unlock(&me, thread, &state, &move)
      } else {
        if !lacks(.awaitBarrier) { barrier(thread, &state, &move) }
        me.at = .lookAgain
        me.next = UInt8(record(after: -1, in: state.pending) ?? 0)
      }
    default:
      preconditionFailure("no step of a collector")
    }
    return true
  }

  private func record(after record: Int, in set: UInt16) -> Int? {
    (record + 1..<max(recordCount, record + 1)).first { set & Self.bit($0) != 0 }
  }

  private func barrier(_ thread: Int, _ state: inout State, _ move: inout Move) {
    if isFenced { state.memory.fence(by: thread) } else { state.memory.processBarrier() }
    move.notify(isFenced ? "fences" : "has all threads fence")
  }

  private func request(_ flag: Int, _ record: Int, _ thread: Int, _ state: inout State, _ move: inout Move) {
    state.memory.modify(flags(record), .sequentiallyConsistent, by: thread) { $0 | flag }
    move.notify("asks the thread of record \(record) to call after \(flag == Self.awaited ? "its unpin" : "a pop")")
  }

  // MARK: Hazard slots

  private func removeUnused(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    if lacks(.scan) {
      me.free |= state.inUse
      state.inUse = 0
    }
    if state.inUse == 0 || state.records == 0 {
      endScan(&me, thread, &state, &move)
    } else {
      beginScan(&me, state)
    }
  }

  private func beginScan(_ me: inout Frame, _ state: State) {
    (me.used, me.users, me.isNew) = (0, 0, false)
    me.at = .scanDepth
    me.next = UInt8(record(after: -1, in: state.records) ?? 0)
  }

  private func scanNext(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    me.at = .scanDepth
    if let next = record(after: Int(me.next), in: state.records) {
      me.next = UInt8(next)
    } else if let first = record(after: -1, in: me.users), !lacks(.requestForSlots) {
      me.at = .requestSlots
      me.next = UInt8(first)
    } else {
      endScan(&me, thread, &state, &move)
    }
  }

  private func endScan(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    me.free |= state.inUse & ~me.used
    state.inUse &= me.used
    (me.used, me.users, me.isNew) = (0, 0, false)
    advance(&me, thread, &state, &move)
  }

  // MARK: Grace periods

  /// Runs the loop of `advance`, from its top.
  private func advance(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    if state.waiting == 0 {
      guard state.retired != 0 else { return unlock(&me, thread, &state, &move) }
      (state.waiting, state.retired) = (state.retired, 0)
      if !lacks(.processBarrier) { barrier(thread, &state, &move) }
      state.pending = state.records
    }
    me.at = .look
    guard let first = record(after: -1, in: state.pending) else {
      return afterLooks(&me, thread, &state, &move)
    }
    me.next = UInt8(first)
  }

  private func afterLooks(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    guard let first = record(after: -1, in: state.pending) else {
      state.inUse |= state.waiting
      state.waiting = 0
      return removeUnused(&me, thread, &state, &move)
    }
    if me.at == .lookAgain { return unlock(&me, thread, &state, &move) }
    me.at = .requestPins
    me.next = UInt8(first)
  }

  /// Unlocks the reclaimer, then frees the collected objects.
  private func unlock(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    state.isLocked = false
    state.memory.release(lock: Self.reclaimerLock, by: thread)
    move.notify(me.free == 0 ? "frees nothing" : "frees \(Self.objects(me.free))")
    for object in 1...objectCount where me.free & Self.bit(object) != 0 {
      for reader in 0..<readerCount where !state.memory.hasSeen(using(object, reader), by: thread) {
        move.complain("object \(object) is freed though its last use did not happen before")
      }
    }
    state.freed |= me.free
    (me.next, me.free) = (0, 0)
    me.at = .done
  }
}
