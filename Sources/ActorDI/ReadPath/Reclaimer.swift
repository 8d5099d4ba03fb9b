internal import CActorDI
internal import Synchronization

/// Frees replaced memory and instances once no reader can be using them.
///
/// # Idea
///
/// Epoch-style reclamation with one grace period at a time, in the manner of user-space RCU. A writer unlinks an object and retires
/// it. `collect` frees the object once every thread has been observed unpinned since. Threads are observed through their
/// ``ThreadRecord``.
///
/// # Reader
///
/// `pins = 1`; load the snapshot pointer; probe; retain the result, or push its address into a hazard slot; `pins = 0`. A reader
/// executes no read-modify-write and no fence: on a system with a process barrier, the two stores are plain.
///
/// # Writer
///
/// 1. Publish the new snapshot, or clear an instance: the old object is unlinked.
/// 2. Execute a process barrier.
/// 3. Look at every record. A reader whose record shows `pins == 0` cannot reach the object: its next pin follows the barrier, so
///    it sees the new snapshot. The other records are *pending*, and are looked at again later.
/// 4. When no record is pending, scan the hazard slots. Objects found in one are held back; the rest are freed, outside the lock.
///
/// # Collision
///
/// If a record is still pending when the writer leaves, the writer sets its `awaited` flag. The reader then advances the grace
/// period itself when it unpins. So garbage never waits for the next write, and a writer never waits for a reader.
///
/// If an object is held back, the writer sets `popAwaited` in the records whose slots contain its address. Only a pop can end that
/// use, so an unpin ignores this flag: a thread may look up anything while it uses a retired object.
///
/// # Which thread frees
///
/// Any thread frees plain memory. An object may have a user-defined `deinit`, which must not run in an unrelated call. The change
/// that retired the object releases it if the grace period ends within the call; otherwise a task does (R4). So neither a reader
/// nor another change ever runs that `deinit`.
///
/// # Orderings
///
/// - O1: The reader stores `pins = 1` before it loads the snapshot. Paired with the writer's publication, then barrier, then load
///   of `pins`. Either the reader sees the new snapshot or the writer sees the pin. The process barrier replaces a fence in the
///   reader; without one, the reader executes the fence (``ThreadRecord/fenced``).
/// - O2: The reader's store `pins = 0` releases, and the writer's load acquires it. So the reader's accesses while pinned happen
///   before the freeing. A hazard slot is pushed before the unpin, so a writer that sees the unpin sees the slot.
/// - O3: The store of `depth` that pops a hazard slot releases, and the scan acquires it. So the use happens before the freeing.
///   Reusing a slot stores its address with the same ordering.
/// - O4: The writer sets `awaited`, executes a barrier, then loads `pins`. Paired with the reader's store `pins = 0`, then load of
///   `flags`. Either the writer sees the unpin or the reader sees the request. The same holds for `popAwaited` and `depth`.
///
/// # Progress
///
/// Readers are wait-free, except for the rare call of ``collectAfterReading()``, which takes the lock. Writers take the
/// lock and never wait for readers. A thread that is stopped while pinned delays only the reclamation of what is
/// retired afterwards.
@usableFromInline
package final class Reclaimer: Sendable {
  @usableFromInline package static let shared = Reclaimer()

  /// An unlinked object, with the reference that its owner gave up, or unlinked plain memory.
  ///
  /// `@unchecked Sendable` because it is the owner's only reference, and moves with it.
  @safe
  enum Garbage: @unchecked Sendable {
    /// An object, and the change that has retired it; nil if its release runs no user code.
    case object(UnheldReference<AnyObject>, Change?)
    case memory(UnsafeMutableRawPointer)

    var address: UInt {
      switch self {
      case .object(let object, _): object.address
      case .memory(let memory): UInt(bitPattern: memory)
      }
    }

    func free() {
      switch self {
      case .object(let object, _): object.release()
      case .memory(let memory): unsafe actordi_free(memory)
      }
    }

    /// Whether a change may free this; nil for a reader. Any thread may free plain memory.
    func canBeFreed(by change: Change?) -> Bool {
      if case .object(_, let own?) = self { own == change } else { true }
    }
  }

  /// Memory whose release runs no user code, so that it can wait for more garbage.
  struct Memory: Sendable {
    var blocks: [Garbage]
    /// The approximate size of the blocks together.
    var byteCount: Int
  }

  /// A change that retires something: the calls of one thread from one ``collectAfterChange()`` or ``collectForReader()`` to the next.
  struct Change: Equatable, Sendable {
    private let record: UInt
    private let number: UInt

    static var current: Change {
      let record = ThreadRecordPointer.current
      return Change(record: record.address, number: record.pointee.changes)
    }

    /// Begins the calling thread's next change.
    static func begin() {
      let record = ThreadRecordPointer.current
      // Not in place: that would be an access to the whole record, whose atomic words other threads read.
      let number = record.pointee.changes
      record.pointee.changes = number &+ 1
    }
  }

  /// The reclaimer's mutable state, guarded by its lock.
  struct State: ~Copyable {
    /// All records ever made. They are never freed; a record is reused after its thread's end.
    var records: [ThreadRecordPointer] = []
    var unused: [ThreadRecordPointer] = []

    /// Garbage retired since the current grace period began.
    var retired: [Garbage] = []
    /// The bytes of plain memory in `retired`.
    var retiredBytes = 0
    /// Whether `retired` contains an object, whose `deinit` the program may be waiting for.
    var hasRetiredObject = false
    /// Whether a task is scheduled to collect.
    var hasTask = false
    /// Garbage past its grace period, for that task to free.
    var freeableLater: [Garbage] = []
    /// The earliest time for the next process barrier, in nanoseconds.
    var nextBarrier: UInt64 = 0
    /// Garbage that waits for the current grace period.
    var waiting: [Garbage] = []
    /// The records not yet observed unpinned in the current grace period.
    var pending: [ThreadRecordPointer] = []
    /// The number of calls that have forced all threads off the fast path.
    var slowPathCount = 0
    /// Garbage past its grace period that hazard slots may contain.
    var inUse: [Garbage] = []

    /// Whether there is garbage for which a grace period should begin.
    var isWorthABarrier: Bool { hasRetiredObject || retiredBytes > Reclaimer.memoryThreshold }
  }

  let state = Lock(State())

  /// The number of objects and blocks waiting to be freed.
  package var backlog: Int {
    state.withLock { $0.retired.count + $0.waiting.count + $0.inUse.count + $0.freeableLater.count }
  }

  // MARK: Retiring

  /// Retires an object that no new reader can reach. The writer must call ``collectAfterChange()`` when it is done.
  func retire(_ object: AnyObject) { retire(.object(UnheldReference(retaining: object), .current)) }

  /// Retires a reference that was held by address, and that no new reader can reach.
  func retire(takingReferenceAt address: UInt) {
    retire(.object(UnheldReference(at: address), .current))
  }

  private func retire(_ garbage: Garbage) {
    state.withLock { state in
      state.retired.append(garbage)
      state.hasRetiredObject = true
    }
  }

  /// Retires a weak reference that no new reader can reach. Like plain memory, it can wait for more garbage, unless it owns keys.
  func retire(_ reference: UnheldReference<WeakBox>) {
    if reference.borrow({ $0.ownsKeys }) { return retire(takingReferenceAt: reference.address) }
    retire(Memory(blocks: [.object(reference.erased, nil)], byteCount: WeakBox.byteCount))
  }

  /// Retires memory that no new reader can reach.
  func retire(_ memory: Memory) {
    state.withLock { state in
      state.retired.append(contentsOf: memory.blocks)
      state.retiredBytes += memory.byteCount
    }
  }

  // MARK: Collecting

  /// Frees everything that can be freed now. Runs user-defined `deinit`s, without a lock.
  package func collect() {
    let freeable = state.withLock { Self.advance(&$0) }
    for garbage in freeable { garbage.free() }
  }

  /// Collects at the end of a change.
  ///
  /// Plain memory waits until there is enough of it. An object is freed within the call if a barrier may be executed now; otherwise
  /// a task frees it.
  func collectAfterChange() {
    let change = Change.current
    defer { Change.begin() }
    let (isNeeded, due) = state.withLock { ($0.isWorthABarrier, $0.nextBarrier) }
    guard isNeeded else { return }
    if actordi_now() >= due {
      free(state.withLock { Self.advance(&$0) }, in: change)
    } else {
      collectLater([])
    }
  }

  /// Collects for a reader that a grace period or an object held back waits for.
  func collectAfterReading() { free(state.withLock { Self.advance(&$0) }, in: nil) }

  /// Frees the garbage that a change may free, and leaves the rest to a task (R4).
  private func free(_ garbage: [Garbage], in change: Change?) {
    var others: [Garbage] = []
    for garbage in garbage {
      if garbage.canBeFreed(by: change) { garbage.free() } else { others.append(garbage) }
    }
    if !others.isEmpty { collectLater(others) }
  }

  /// Collects in a task, after a reader has replaced something.
  ///
  /// Plain memory waits until there is enough of it. An object is not the garbage of the thread's next change, which would release it (R4).
  func collectForReader() {
    Change.begin()
    if state.withLock({ $0.isWorthABarrier }) { collectLater([]) }
  }

  /// Schedules a task that frees garbage and then collects, unless one is scheduled already.
  ///
  /// One task at a time: a writer that never pauses would otherwise start so many tasks that readers lost their cores to them.
  private func collectLater(_ garbage: [Garbage]) {
    let isFirst = state.withLock { state in
      defer { state.hasTask = true }
      state.freeableLater += garbage
      return !state.hasTask
    }
    guard isFirst else { return }
    Task.detached { [self] in
      try? await Task.sleep(nanoseconds: Self.pause)
      let freeable = state.withLock { state in
        state.hasTask = false
        return exchange(&state.freeableLater, with: [])
      }
      for garbage in freeable { garbage.free() }
      collect()
    }
  }

  /// The delay before the task runs, in nanoseconds, which lets it serve many changes. It exceeds the distance between barriers.
  ///
  /// Each run wakes the timer's thread and another one. Once a millisecond, beside a writer that never pauses, that would take a
  /// twentieth of a core from the readers.
  private static var pause: UInt64 { 8_000_000 }

  /// Executes a process barrier, and sets the time before which no other may follow.
  ///
  /// A barrier interrupts every running thread of the process, for a microsecond or, on some virtual machines, ten. A writer that
  /// never pauses would halve the readers' throughput. So barriers keep a distance of 100 times their own duration, which is almost
  /// nothing when no other thread runs. No caller waits for a barrier: garbage retired meanwhile shares the next one.
  private static func executeBarrier(_ state: inout State) {
    let start = actordi_now()
    actordi_process_barrier()  // O1
    let end = actordi_now()
    state.nextBarrier = end + min((end - start) * 100, 1_000_000)
  }

  /// The bytes of replaced snapshots that may wait for the next barrier: about eighty changes. With a much larger limit, each
  /// change would need fresh pages; with a much smaller one, barriers would be too frequent.
  private static var memoryThreshold: Int { 1 << 16 }

  /// Advances the grace periods as far as the readers allow.
  ///
  /// - Returns: The garbage to free.
  private static func advance(_ state: inout State) -> [Garbage] {
    var freeable = removeUnused(&state)
    while true {
      if !state.waiting.isEmpty {
        awaitPending(&state)
        guard state.pending.isEmpty else { return freeable }
        state.inUse += state.waiting
        state.waiting.removeAll(keepingCapacity: true)
        freeable += removeUnused(&state)
      }
      guard !state.retired.isEmpty else { return freeable }
      swap(&state.waiting, &state.retired)
      state.retiredBytes = 0
      state.hasRetiredObject = false
      executeBarrier(&state)  // O1
      state.pending = state.records
    }
  }

  /// Drops the records observed unpinned. Asks the rest to call back: a pin this long means that the thread is stopped.
  private static func awaitPending(_ state: inout State) {
    for _ in 0..<looksBeforeRequest {
      dropUnpinned(&state)
      if state.pending.isEmpty { return }
    }
    for record in state.pending {
      record.pointee.flags.bitwiseOr(ThreadRecord.awaited, ordering: .sequentiallyConsistent)
    }
    actordi_process_barrier()  // O4
    dropUnpinned(&state)
  }

  /// The number of looks at a pinned record before its thread is asked to call back. A pin lasts about ten nanoseconds; asking
  /// costs a barrier, and the reader a call.
  private static var looksBeforeRequest: Int { 256 }

  private static func dropUnpinned(_ state: inout State) {
    state.pending.removeAll {
      $0.pointee.pins.load(ordering: .sequentiallyConsistent) == 0  // O2
    }
  }

  /// Removes from `inUse` the garbage that is in no hazard slot.
  ///
  /// - Returns: The garbage to free.
  private static func removeUnused(_ state: inout State) -> [Garbage] {
    guard !state.inUse.isEmpty else { return [] }
    var found = scanSlots(state)
    while requestPops(of: found.users) {
      actordi_process_barrier()  // O4, for slots
      found = scanSlots(state)
    }
    let unused = state.inUse.filter { !found.used.contains($0.address) }
    state.inUse.removeAll { !found.used.contains($0.address) }
    return unused
  }

  /// Asks threads to call after they have popped a slot.
  ///
  /// A thread that was asked before calls after its next pop, and the calling thread knows its own request. Neither needs a barrier. So a
  /// long use costs one barrier, however often threads collect meanwhile.
  ///
  /// - Returns: Whether a thread may have popped a slot and missed the request.
  private static func requestPops(of users: [ThreadRecordPointer]) -> Bool {
    var mayMiss = false
    for record in users where record.pointee.flags.load(ordering: .relaxed) & ThreadRecord.popAwaited == 0 {
      record.pointee.flags.bitwiseOr(ThreadRecord.popAwaited, ordering: .sequentiallyConsistent)
      if !record.isOfCallingThread { mayMiss = true }
    }
    return mayMiss
  }

  /// Scans the hazard slots.
  ///
  /// - Returns: The addresses of `inUse` that are in a hazard slot, and the records of these slots.
  private static func scanSlots(_ state: borrowing State) -> (used: Set<UInt>, users: [ThreadRecordPointer]) {
    let addresses = Set(state.inUse.map(\.address))
    var used: Set<UInt> = []
    var users: [ThreadRecordPointer] = []
    for record in state.records {
      var isUser = false
      for slot in 0..<record.pointee.depth.load(ordering: .sequentiallyConsistent) {  // O3
        let address = record.scannedSlot(at: slot).address
        guard addresses.contains(address) else { continue }
        used.insert(address)
        isUser = true
      }
      if isUser { users.append(record) }
    }
    return (used, users)
  }
}
