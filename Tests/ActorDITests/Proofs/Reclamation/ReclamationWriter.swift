extension ReclamationModel {
  /// Takes one step of a writer: the end of `publishChange`, or of a `forget`, up to `collectAfterChange`.
  func change(_ changes: [Change], _ thread: Int, _ state: inout State, _ move: inout Move) {
    var me = state.frames[thread]
    switch me.at {
    case .change:
      unlink(changes[Int(me.done)], &me, thread, &state, &move)
    case .retire:
      guard !state.isLocked else { return move.block() }
      state.memory.acquire(lock: Self.reclaimerLock, by: thread)
      // What is retired during a grace period waits for the next period's barrier.
      if lacks(.ownGracePeriod), state.waiting != 0 {
        state.waiting |= Self.bit(Int(me.object))
      } else {
        state.retired |= Self.bit(Int(me.object))
      }
      state.memory.release(lock: Self.reclaimerLock, by: thread)
      move.notify("retires object \(me.object)")
      me.object = 0
      me.at = .check
    case .check:
      guard !state.isLocked else { return move.block() }
      state.memory.acquire(lock: Self.reclaimerLock, by: thread)
      state.memory.release(lock: Self.reclaimerLock, by: thread)
      if state.retired == 0 {
        move.notify("finds nothing to collect")
        goOn(changes.count, &me)
      } else if let task = threads.firstIndex(where: { if case .task = $0 { true } else { false } }),
        move.choose(2) == 1
      {
        move.notify(state.hasTask ? "leaves it to the task" : "starts the task")
        if !state.hasTask, state.frames[task].at == .idle {
          state.frames[task] = Frame(at: .task)
          state.memory.hand(from: thread, to: task)
        }
        state.hasTask = true
        goOn(changes.count, &me)
      } else {
        move.notify("needs to collect")
        me.at = .lock
      }
    default:
      guard collect(&me, thread, &state, &move) else { return move.block() }
      if me.at == .done { goOn(changes.count, &me) }
    }
    state.frames[thread] = me
  }

  /// Takes one step of the task.
  func collectLater(_ thread: Int, _ state: inout State, _ move: inout Move) {
    var me = state.frames[thread]
    switch me.at {
    case .task, .taskEnd:
      guard !state.isLocked else { return move.block() }
      let isEnd = me.at == .taskEnd
      move.notify(isEnd || !lacks(.taskEndFirst) ? "says that it is not about to collect any more" : "begins")
      if isEnd || !lacks(.taskEndFirst) { state.hasTask = false }
      me = Frame(at: isEnd ? .idle : .lock)
    default:
      guard collect(&me, thread, &state, &move) else { return move.block() }
      if me.at == .done { me = Frame(at: lacks(.taskEndFirst) ? .taskEnd : .idle) }
    }
    // A writer may have started the task again meanwhile.
    if me.at == .idle, state.hasTask, !lacks(.taskEndFirst) { me.at = .task }
    state.frames[thread] = me
  }

  private func goOn(_ count: Int, _ me: inout Frame) {
    me = Frame(at: me.done + 1 < count ? .change : .done, done: me.done + 1)
    if me.at == .done { me.done = 0 }
  }

  /// Unlinks an object: one access, in the critical section of the registry or of a cell.
  private func unlink(
    _ change: Change, _ me: inout Frame, _ thread: Int, _ state: inout State, _ move: inout Move
  ) {
    state.memory.acquire(lock: Self.registryLock, by: thread)
    let old: Int
    switch change {
    case .replace:
      old = state.memory.newest(Self.snapshot)
      state.lastObject += 1
      let new = Int(state.lastObject)
      state.memory.mark(making(new), by: thread)
      let ordering: WeakMemory.Ordering =
        lacks(.snapshotRelease) ? .relaxed : lacks(.publicationInOrder) ? .releasing : .sequentiallyConsistent
      state.memory.store(Self.snapshot, new, ordering, by: thread)
      move.notify("publishes a snapshot with object \(new)")
    case .reset:
      old = state.memory.modify(Self.instance, .acquiringAndReleasing, by: thread) { _ in 0 }
      move.notify("takes the instance out: object \(old)")
    }
    state.memory.release(lock: Self.registryLock, by: thread)
    if old == 0 { return goOn(1, &me) }
    state.unlinked |= Self.bit(old)
    me.object = UInt8(old)
    me.at = .retire
  }
}
