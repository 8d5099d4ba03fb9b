extension ReclamationModel {
  /// Takes one step of a reader: `adoptThread`, then for each use `pin` to `unpin` or `pop`, then `threadDidExit`.
  func read(_ uses: [Use], _ thread: Int, _ state: inout State, _ move: inout Move) {
    var me = state.frames[thread]
    let record = Int(me.record)
    let use = me.done < uses.count ? uses[Int(me.done)] : .hit(.snapshot)
    switch me.at {
    case .adopt:
      guard adopt(&me, thread, &state, &move) else { return move.block() }
    case .pin:
      // Without the fence, the compiler may move the pin's store below the load that the pin protects; the model does so.
      if !lacks(.pinFence) { pin(record, thread, &state, &move) }
      me.at = .load
    case .load:
      let ordering: WeakMemory.Ordering =
        lacks(.snapshotAcquire) ? .relaxed : lacks(.snapshotLoadInOrder) ? .acquiring : .sequentiallyConsistent
      me.object = UInt8(state.memory.load(Self.snapshot, ordering, by: thread, &move))
      move.notify("loads the snapshot: object \(me.object)")
      me.at = use.place == .instance ? .loadInstance : .use
      if lacks(.pinFence) { me.at = .latePin }
    case .latePin:
      pin(record, thread, &state, &move)
      me.at = use.place == .instance ? .loadInstance : .use
    case .loadInstance:
      me.object = UInt8(state.memory.load(Self.instance, .acquiring, by: thread, &move))
      move.notify("loads the instance: \(me.object == 0 ? "none" : "object \(me.object)")")
      me.at = .use
    case .use:
      finishReading(use, &me, thread, &state, &move)
    case .latePush:
      push(me, thread, &state, &move)
      me.at = .flags
    case .lateUse:
      touch(Int(me.object), thread, &state, &move)
      me.at = .flags
    case .flags:
      let bits = state.memory.load(flags(record), .relaxed, by: thread, &move) & requests(me)
      move.notify("loads flags: \(bits == 0 ? "nothing" : "awaited")")
      if lacks(.unpinFence), !me.isLent {
        // The load has moved above the store of the unpin.
        me.isAsked = bits != 0
        me.at = .latePinEnd
      } else {
        handleFlags(bits != 0, use, uses.count, &me)
      }
    case .latePinEnd:
      unpin(record, thread, &state, &move)
      handleFlags(me.isAsked, use, uses.count, &me)
      me.isAsked = false
    case .clear:
      if isFenced, !lacks(.fencedUnpin) {
        state.memory.modify(pins(record), .sequentiallyConsistent, by: thread) { _ in 0 }
      }
      let requests = requests(me)
      let old = state.memory.modify(flags(record), .sequentiallyConsistent, by: thread) { $0 & ~requests } & requests
      move.notify("clears flags: \(old == 0 ? "nothing was asked" : "it was awaited")")
      if old != 0, !lacks(.call) {
        me.at = .lock
      } else {
        goOn(use, uses.count, &me)
      }
    case .lent:
      if !lacks(.useBeforePop) { touch(Int(me.object), thread, &state, &move) }
      state.memory.store(depth(record), 0, lacks(.popRelease) ? .relaxed : .releasing, by: thread)
      move.notify("pops its slot")
      if lacks(.useBeforePop) {
        me.at = .lateUse
      } else {
        me.object = 0
        me.at = .flags
      }
    case .exit:
      guard !state.isLocked else { return move.block() }
      state.memory.acquire(lock: Self.reclaimerLock, by: thread)
      state.unused |= Self.bit(record)
      state.memory.release(lock: Self.reclaimerLock, by: thread)
      move.notify("ends; record \(record) is unused")
      me = Frame(at: .done)
    default:
      guard collect(&me, thread, &state, &move) else { return move.block() }
      if me.at == .done { goOn(use, uses.count, &me) }
    }
    state.frames[thread] = me
  }

  private func isBorrowing(_ use: Use) -> Bool {
    if case .borrow = use { return true }
    return false
  }

  private func adopt(_ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move) -> Bool {
    guard !state.isLocked else { return false }
    state.memory.acquire(lock: Self.reclaimerLock, by: thread)
    let free = (0..<recordCount).first { state.unused & Self.bit($0) != 0 }
    let new = (0..<recordCount).first { state.records & Self.bit($0) == 0 }
    let isShared = lacks(.ownRecord) && state.records != 0
    guard let record = isShared ? 0 : free ?? new else { return false }
    state.unused &= ~Self.bit(record)
    if !lacks(.listing) { state.records |= Self.bit(record) }
    state.memory.release(lock: Self.reclaimerLock, by: thread)
    move.notify("takes record \(record)")
    me.record = UInt8(record)
    me.at = .pin
    return true
  }

  private func pin(_ record: Int, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let isInOrder = isFenced && lacks(.fencedPinIsFence)
    state.memory.store(pins(record), 1, isInOrder ? .sequentiallyConsistent : .relaxed, by: thread)
    if isFenced, !lacks(.fencedPin), !isInOrder { state.memory.fence(by: thread) }
    move.notify("pins")
  }

  private func unpin(_ record: Int, _ thread: Int, _ state: inout State, _ move: inout Move) {
    state.memory.store(pins(record), 0, lacks(.unpinRelease) ? .relaxed : .releasing, by: thread)
    move.notify("unpins")
  }

  /// Uses or protects the object that was found, and ends the pin.
  private func finishReading(
    _ use: Use, _ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move
  ) {
    let record = Int(me.record)
    if lacks(.listing) { state.records |= Self.bit(record) }
    me.isLent = false
    me.at = .flags
    let isFound = me.object != 0
    switch use {
    case .hit where isFound:
      if lacks(.useBeforeUnpin) {
        me.at = .lateUse
      } else {
        touch(Int(me.object), thread, &state, &move)
      }
    case .borrow where isFound:
      if lacks(.slotBeforeUnpin) {
        me.at = .latePush
      } else {
        push(me, thread, &state, &move)
      }
    default: break
    }
    if !lacks(.unpinFence) { unpin(record, thread, &state, &move) }
    if !isBorrowing(use), me.at == .flags { me.object = 0 }
  }

  private func push(_ me: Frame, _ thread: Int, _ state: inout State, _ move: inout Move) {
    let record = Int(me.record)
    let ordering: WeakMemory.Ordering = lacks(.slotRelease) ? .relaxed : .releasing
    state.memory.store(slot(record), Int(me.object), ordering, by: thread)
    state.memory.store(depth(record), 1, lacks(.pushRelease) ? .relaxed : .releasing, by: thread)
    move.notify("pushes object \(me.object) into its slot")
  }

  /// The flags that ask the thread to call now: an unpin ignores those for a pop.
  private func requests(_ me: Frame) -> Int {
    me.isLent && !lacks(.popRequest) ? Self.awaited | Self.popAwaited : Self.awaited
  }

  /// Continues after an unpin or a pop.
  private func handleFlags(_ isAwaited: Bool, _ use: Use, _ count: Int, _ me: inout Frame) {
    if isAwaited || isFenced { me.at = .clear } else { goOn(use, count, &me) }
  }

  private func goOn(_ use: Use, _ count: Int, _ me: inout Frame) {
    if isBorrowing(use), !me.isLent, me.object != 0 {
      me.isLent = true
      me.at = .lent
      return
    }
    me.object = 0
    me.isLent = false
    me.done += 1
    me.at = me.done < count ? .pin : haveRecords ? .done : .exit
  }

  /// Uses an object, and checks that it is complete and not freed.
  private func touch(_ object: Int, _ thread: Int, _ state: inout State, _ move: inout Move) {
    move.notify("uses object \(object)")
    if state.freed & Self.bit(object) != 0 { move.complain("object \(object) has been freed") }
    if !state.memory.hasSeen(making(object), by: thread) {
      move.complain("object \(object) may not be complete for the thread that uses it")
    }
    state.memory.mark(using(object, reader(thread)), by: thread)
  }

  /// The reader's index among the readers.
  private func reader(_ thread: Int) -> Int {
    threads[..<thread].count { if case .reader = $0 { true } else { false } }
  }
}
