public import CActorDI
public import Synchronization

/// The per-thread state that other threads read: whether the thread is reading now, and which objects it uses.
///
/// Each thread that resolves owns one record. Only that thread writes `pins`, `depth` and the hazard slots; the ``Reclaimer`` reads
/// them to decide what may be freed. The record has cache lines of its own, so a pin never waits for another thread.
///
/// - A **pin** (R1) protects everything that a snapshot reaches. It lasts for a few instructions, and no user code runs under it.
/// - A **hazard slot** (R2) protects one object, by address, while user code needs it: the binding whose factory runs, or a
///   borrowed instance. In order, the slots are also the thread's resolution path, which reveals cycles.
@usableFromInline @frozen @safe
struct ThreadRecord: ~Copyable {
  /// 1 while the thread reads a snapshot, otherwise 0. See "Orderings" in `Reclaimer.swift`.
  @usableFromInline let pins = Atomic<UInt>(0)

  /// Flags that other threads set, and that this thread handles out of line. Nearly always 0.
  @usableFromInline let flags = Atomic<UInt>(0)

  /// 1 while the thread builds a kept instance whose requests are noted, otherwise 0. Its lookups then leave everything
  /// to the search.
  ///
  /// Not one of the `flags`: only the thread itself sets it, so it needs no read-modify-write.
  @usableFromInline var recording: UInt = 0

  /// The number of hazard slots in use.
  @usableFromInline let depth = Atomic<Int>(0)

  /// The hazard slots. Replaced by a longer array under the reclaimer's lock, so never during a scan.
  @usableFromInline var slots: UnsafeMutablePointer<Atomic<UInt>>
  @usableFromInline var capacity = 64

  /// The number of hazard slots in use outside of any call tree, by borrowed instances. A resolve that starts at this depth is the
  /// outermost one.
  @usableFromInline var base: Int = 0

  /// The lowest stack pointer at which a factory may be called.
  @usableFromInline var stackLimit: UInt = 0

  /// The graph of the synchronous call tree on this thread, owned by the record; nil until the call needs one. See
  /// `ThreadRecord+Call.swift`, also for the two properties below.
  @usableFromInline var graph: UnheldReference<AnyObject>?

  /// The frame of the asynchronous factory that the thread's chain continues. The function that continues it holds it.
  var frame: UnheldReference<AnyObject>?

  /// The first hazard slot of the thread's chain.
  var chainStart = 0

  /// The number of changes that the thread has made; see ``Reclaimer/Change``.
  var changes: UInt = 0

  /// The address of the innermost ``ThreadBuild`` on this thread; 0 for none.
  var build: UInt = 0

  /// The requests of the factories of uncontended builds; see ``ThreadBuild``. Owned by the record.
  var notes: UnheldReference<NoteList>?

  /// The address of the list of parents to be released on this thread; 0 if no release is in progress.
  var releases: UInt = 0

  /// The number of the innermost build on this thread that is reported to observers; 0 for none.
  var observedBuild: UInt64 = 0

  /// The thread's index in each ``Sharded``.
  ///
  /// Counted, not derived from the record's address: the heaps of two threads may have their records at the same offset.
  let shard: Int

  /// The stack space reserved for a factory and its callees. A factory that needs more is outside the container's control.
  static var stackReserve: UInt { 128 << 10 }

  /// Flag in `flags`: the process has no barrier that orders other threads, so pins execute a fence.
  static var fenced: UInt { 1 }
  /// Flag in `flags`: the reclaimer waits for this thread, which must call it after its unpin.
  static var awaited: UInt { 2 }
  /// Flag in `flags`: overrides are in force for some task of the process, perhaps for this one.
  static var overridden: UInt { 4 }
  /// Flag in `flags`: a hazard slot keeps an object from being freed. The thread must call the reclaimer after a pop.
  static var popAwaited: UInt { 8 }

  init(shard: Int) {
    self.shard = shard
    unsafe slots = Self.makeSlots(capacity)
  }

  static func makeSlots(_ count: Int) -> UnsafeMutablePointer<Atomic<UInt>> {
    let slots = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: count)
    for index in 0..<count { unsafe (slots + index).initialize(to: Atomic(0)) }
    return unsafe slots
  }
}

/// The address of a thread's record.
///
/// Marked as safe because a record is never freed: another thread reuses it after its thread's end.
///
/// `@unchecked Sendable` because the ``Reclaimer`` reads the records of all threads. Everything else is for the record's own thread.
@usableFromInline @frozen @safe
struct ThreadRecordPointer: BitwiseCopyable, @unchecked Sendable {
  @usableFromInline let pointer: UnsafeMutablePointer<ThreadRecord>

  @_alwaysEmitIntoClient @inline(__always)
  init(_ pointer: UnsafeMutablePointer<ThreadRecord>) { unsafe self.pointer = pointer }

  var address: UInt { unsafe UInt(bitPattern: pointer) }

  // By address, since the record contains atomics, and since a coroutine would make a pin without optimisation slower.
  @_alwaysEmitIntoClient @inline(__always)
  var pointee: ThreadRecord {
    unsafeAddress { unsafe UnsafePointer(pointer) }
    nonmutating unsafeMutableAddress { unsafe pointer }
  }
}

extension ThreadRecordPointer {
  /// The calling thread's record, created on first use.
  ///
  /// Emitted into the client, as all of the fast path in this file: a pin costs less than a call.
  @_alwaysEmitIntoClient @inline(__always)
  static var current: Self {
    guard let record = unsafe actordi_thread_record() else { return Reclaimer.adoptThread() }
    return unsafe Self(record.assumingMemoryBound(to: ThreadRecord.self))
  }

  /// Whether this is the calling thread's record. Creates none.
  var isOfCallingThread: Bool { unsafe actordi_thread_record() == UnsafeMutableRawPointer(pointer) }

  /// Pins the thread: until ``unpin()``, nothing that a snapshot reaches is freed.
  ///
  /// - Returns: Whether the lookup must leave everything to the search; see ``pinCheckingFlags()``.
  @_alwaysEmitIntoClient @inline(__always) @discardableResult
  func pin() -> Bool {
    pointee.pins.store(1, ordering: .relaxed)
    actordi_compiler_fence()
    guard _slowPath(pointee.flags.load(ordering: .relaxed) | pointee.recording != 0) else { return false }
    return pinCheckingFlags()
  }

  /// Unpins the thread.
  ///
  /// The first fence stops the compiler, not the processor (R3). The optimiser sinks a retain below an atomic store, because it
  /// assumes that the store cannot release anything. It does not sink a retain below an opaque call.
  @_alwaysEmitIntoClient @inline(__always)
  func unpin() {
    actordi_compiler_fence()
    pointee.pins.store(0, ordering: .releasing)
    actordi_compiler_fence()
    if _slowPath(pointee.flags.load(ordering: .relaxed) != 0) { handleFlags() }
  }

  /// Pushes onto the hazard slots. There must be room; see ``hasRoom(at:)``.
  ///
  /// Both stores release (O3). A scan may combine an old depth with this new address, and then free what the slot contained before.
  /// The release orders the earlier use of the slot before that.
  @_alwaysEmitIntoClient @inline(__always)
  func push(_ slot: HazardSlot, at depth: Int) {
    unsafe pointee.slots[depth].store(slot.bits, ordering: .releasing)
    pointee.depth.store(depth &+ 1, ordering: .releasing)
  }

  /// Pops the hazard slot at `depth` and all slots above it.
  ///
  /// The first fence stops the compiler, as that of ``unpin()`` does: the caller may have retained what the slot protected (R3).
  @_alwaysEmitIntoClient @inline(__always)
  func pop(to depth: Int) {
    actordi_compiler_fence()
    pointee.depth.store(depth, ordering: .releasing)
    guard depth == pointee.base else { return }
    actordi_compiler_fence()
    if _slowPath(pointee.flags.load(ordering: .relaxed) != 0) { handleFlagsAfterPop() }
    if pointee.graph != nil { endCall() }
  }

  /// The content of a hazard slot of the calling thread. Inlined, since the search for cycles reads every slot.
  @inline(__always)
  func slot(at index: Int) -> HazardSlot { HazardSlot(bits: unsafe pointee.slots[index].load(ordering: .relaxed)) }

  /// The content of a hazard slot of any thread, under the reclaimer's lock, which keeps the slots in place. Pairs with the store in
  /// ``push(_:at:)``.
  func scannedSlot(at index: Int) -> HazardSlot {
    HazardSlot(bits: unsafe pointee.slots[index].load(ordering: .acquiring))
  }

  /// Whether a call tree is in progress.
  var isInCall: Bool { pointee.depth.load(ordering: .relaxed) > pointee.base }

  /// Whether the stack and the hazard slots have room for a push at `depth` and a factory call.
  @_alwaysEmitIntoClient @inline(__always)
  func hasRoom(at depth: Int) -> Bool {
    depth < pointee.capacity && actordi_frame_address() > pointee.stackLimit
  }

  /// Whether the requests on this thread are noted.
  var isRecording: Bool { pointee.recording != 0 }

  /// Runs a closure. If `isOn`, the search notes the thread's requests meanwhile.
  func recording<Result>(_ isOn: Bool, _ body: () throws -> Result) rethrows -> Result {
    let outer = pointee.recording
    if isOn { pointee.recording = 1 }
    defer { pointee.recording = outer }
    return try body()
  }

  /// Handles the flags after an unpin. Not inlined, since they are nearly always 0.
  @usableFromInline @inline(never)
  func handleFlags() { handle(ThreadRecord.awaited) }

  /// Handles the flags after a pop. Not inlined, since they are nearly always 0.
  @usableFromInline @inline(never)
  func handleFlagsAfterPop() { handle(ThreadRecord.awaited | ThreadRecord.popAwaited) }

  /// Calls the reclaimer if one of the requests is set, and clears these requests.
  private func handle(_ requests: UInt) {
    let bits = pointee.flags.load(ordering: .relaxed)
    guard bits & (ThreadRecord.fenced | requests) != 0 else { return }
    if bits & ThreadRecord.fenced != 0 {
      // Orders the store that ended the pin, or popped the slot, before the load of the requests below.
      _ = pointee.pins.exchange(0, ordering: .sequentiallyConsistent)
    }
    let found = pointee.flags.bitwiseAnd(~requests, ordering: .sequentiallyConsistent).oldValue
    if found & requests != 0 { Reclaimer.shared.collectAfterReading() }
  }

  /// Makes room for one more hazard slot.
  ///
  /// - Returns: False if the stack is nearly exhausted.
  func makeRoom(at depth: Int) -> Bool {
    guard actordi_frame_address() > pointee.stackLimit else { return false }
    if depth >= pointee.capacity { Reclaimer.shared.growSlots(of: self) }
    return true
  }

}
