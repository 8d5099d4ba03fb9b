internal import CActorDI
internal import Synchronization

// Thread records: created when a thread first resolves, reused after the thread's end.
extension Reclaimer {
  /// Assigns a record to the calling thread.
  // Not inlined: each thread calls it once, and its frame would become part of the fast path's.
  @usableFromInline @inline(never)
  static func adoptThread() -> ThreadRecordPointer {
    let record = shared.state.withLock { state in
      if let unused = state.unused.popLast() { return unused }
      let record = makeRecord(shard: state.records.count % shardCount)
      if state.slowPathCount > 0 { setSlowPath(true, record) }
      state.records.append(record)
      return record
    }
    let limit = actordi_stack_limit()
    record.pointee.stackLimit = limit == 0 ? 0 : limit + ThreadRecord.stackReserve
    unsafe actordi_thread_adopt(record.pointer) { unsafe Reclaimer.threadDidExit($0) }
    return record
  }

  private static func threadDidExit(_ raw: UnsafeMutableRawPointer) {
    let record = unsafe ThreadRecordPointer(raw.assumingMemoryBound(to: ThreadRecord.self))
    shared.state.withLock { $0.unused.append(record) }
  }

  private static func makeRecord(shard: Int) -> ThreadRecordPointer {
    // Whole pairs of cache lines, because processors prefetch lines in pairs.
    let pair = 128
    let size = (MemoryLayout<ThreadRecord>.size + pair - 1) / pair * pair
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: pair)
    let pointer = unsafe memory.bindMemory(to: ThreadRecord.self, capacity: 1)
    unsafe pointer.initialize(to: ThreadRecord(shard: shard))
    let record = unsafe ThreadRecordPointer(pointer)
    if !actordi_has_process_barrier() { record.pointee.flags.store(ThreadRecord.fenced, ordering: .relaxed) }
    return record
  }

  /// Makes the resolves of all threads check for overrides of their task. Each call with true needs a matching call with false.
  func forceSlowPath(_ isOn: Bool) {
    state.withLock { state in
      state.slowPathCount += isOn ? 1 : -1
      guard state.slowPathCount == (isOn ? 1 : 0) else { return }
      for record in state.records { Self.setSlowPath(isOn, record) }
    }
  }

  /// Relaxed, because only two kinds of thread need to see the flag: the calling thread, and a thread on which it starts a task.
  private static func setSlowPath(_ isOn: Bool, _ record: ThreadRecordPointer) {
    if isOn {
      record.pointee.flags.bitwiseOr(ThreadRecord.overridden, ordering: .relaxed)
    } else {
      record.pointee.flags.bitwiseAnd(~ThreadRecord.overridden, ordering: .relaxed)
    }
  }

  /// The contents of each thread's hazard slots, for comparison only: the addresses are not protected.
  var hazardSlotsOfThreads: [[HazardSlot]] {
    state.withLock { state in
      state.records.map { record in
        let depth = record.pointee.depth.load(ordering: .acquiring)
        return (0..<depth).map { record.scannedSlot(at: $0) }
      }
    }
  }

  /// Doubles the hazard slots of the calling thread's record.
  ///
  /// Not inlined, since each push checks for room, and few find none.
  @usableFromInline @inline(never)
  func growSlots(of record: ThreadRecordPointer) {
    // Only the calling thread replaces its slots.
    let old = unsafe record.pointee.slots
    let count = record.pointee.capacity
    let new = unsafe ThreadRecord.makeSlots(count * 2)
    for index in 0..<count { unsafe new[index].store(old[index].load(ordering: .relaxed), ordering: .relaxed) }
    // Under the lock, because a scan may be reading the slots.
    state.withLock { _ in
      unsafe record.pointee.slots = new
      record.pointee.capacity = count * 2
    }
    unsafe old.deallocate()
  }
}
