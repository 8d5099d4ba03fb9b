internal import CActorDI
internal import Synchronization

/// Frees what writers replaced, once no reader can be using it.
///
/// # Idea
///
/// Epoch-style reclamation with one grace period at a time, in the manner of user-space RCU. A writer
/// unlinks an object, hands it to `retire`, and `collect` frees it after every thread has been seen
/// unpinned once since. Threads are seen through their ``ThreadRecord``.
///
/// # Reader
///
/// `pins = 1`; load the snapshot pointer; probe; retain what is returned, or put its address into a slot;
/// `pins = 0`. No read-modify-write, no fence: on a system with a process barrier the two stores are plain.
///
/// # Writer
///
/// 1. Publish the new snapshot (or clear an instance): the object is unlinked.
/// 2. A process barrier.
/// 3. Look at every record. One that reads `pins == 0` cannot hold the object: its next pin comes after the
///    barrier, so it sees the new snapshot. The others are *pending*; each is looked at again later.
/// 4. When none is pending, scan the slots. What stands in one is held back; the rest is freed, outside the lock.
///
/// # Collision
///
/// A thread that is pending when the writer leaves gets the `awaited` bit, and moves the grace period on itself when it
/// unpins. So garbage never waits for the next write, and a writer never waits for a reader.
///
/// # Whose thread frees what
///
/// Plain memory is freed by whoever sees that it can be. An object may have a `deinit` of the user's, which must not run in a call that has
/// nothing to do with it: the change that has retired it frees it, if its grace period ends within the call; else a task does (R4). So a
/// reader never runs one, nor does a change that another one has left its garbage to.
///
/// # Orderings
///
/// - O1: the reader's store `pins = 1` comes before its load of the snapshot. Paired with: the writer's
///   publication, then barrier, then load of `pins`. Either the reader sees the new snapshot or the writer
///   sees the pin. The process barrier stands in for a fence in the reader; without one, the reader fences itself
///   (``ThreadRecord/fenced``).
/// - O2: the reader's `pins = 0` releases; the writer's load of it acquires: all that the reader did while
///   pinned comes before the freeing. A slot is pushed before the unpin, so a writer that sees the unpin sees the slot.
/// - O3: `depth` releases when a slot is popped, and the scan acquires it: the use comes before the freeing. So does the
///   slot itself when it is used again.
/// - O4: the writer's store `awaited`, then barrier, then load of `pins`. Paired with: the reader's store
///   `pins = 0`, then load of `attention`. Either the writer sees the unpin or the reader sees the request.
///
/// # Progress
///
/// Readers are wait-free, but for the rare call of `collect`, which takes the lock. Writers take the lock and
/// never wait for readers. A thread that is stopped while pinned holds back what is retired after, nothing else.
@usableFromInline
package final class Reclaimer: Sendable {
  @usableFromInline package static let shared = Reclaimer()

  /// Something unlinked: an object with the reference that its owner gave up, or plain memory.
  ///
  /// `@unchecked Sendable` because it is the only reference of its owner, and moves with it.
  @safe
  enum Garbage: @unchecked Sendable {
    /// With the change that has retired it.
    case object(Unmanaged<AnyObject>, Change)
    case memory(UnsafeMutableRawPointer)

    var address: UInt {
      switch self {
      case .object(let object, _): UInt(bitPattern: unsafe object.toOpaque())
      case .memory(let memory): UInt(bitPattern: memory)
      }
    }

    func free() {
      switch self {
      case .object(let object, _): unsafe object.release()
      case .memory(let memory): unsafe actordi_free(memory)
      }
    }

    /// Whether anybody may free it, or only this change.
    func isFree(in change: Change?) -> Bool {
      if case .object(_, let own) = self { own == change } else { true }
    }
  }

  /// A change that retires something: the calls of one thread from one ``collectAfterChange()`` to the next.
  struct Change: Equatable, Sendable {
    private let record: UInt
    private let number: UInt

    static var current: Change {
      let record = unsafe ThreadRecordPointer.current
      return unsafe Change(record: UInt(bitPattern: record), number: record.pointee.changes)
    }

    /// The next one of the thread.
    static func begin() {
      let record = unsafe ThreadRecordPointer.current
      // Not in place, which would be an access to the whole record, whose atomic words others read.
      let number = unsafe record.pointee.changes
      unsafe record.pointee.changes = number &+ 1
    }
  }

  struct State: Sendable {
    /// All records ever made; never freed, reused after their thread's end.
    var records: [Reference<ThreadRecord>] = []
    var unused: [Reference<ThreadRecord>] = []

    /// Retired since the grace period in progress began.
    var retired: [Garbage] = []
    /// Bytes of plain memory among them.
    var retiredBytes = 0
    /// Whether an object is among them, whose `deinit` somebody may be waiting for.
    var hasRetiredObject = false
    /// Whether a task is about to collect.
    var hasTask = false
    /// What is free, and left to that task.
    var left: [Garbage] = []
    /// When the next process barrier may be, in nanoseconds.
    var nextBarrier: UInt64 = 0
    /// Waits for the grace period in progress.
    var waiting: [Garbage] = []
    /// The records that have not been seen unpinned in the grace period in progress.
    var pending: [Reference<ThreadRecord>] = []
    /// How many want all threads off the read path.
    var detourCount = 0
    /// Past its grace period, but in a slot.
    var held: [Garbage] = []
  }

  let state = Lock(State())

  /// How many objects wait to be freed.
  package var backlog: Int {
    state.withLock { $0.retired.count + $0.waiting.count + $0.held.count + $0.left.count }
  }

  // MARK: Retiring

  /// Takes over an object that no new reader can find. `collect` has to be called when the writer is done.
  func retire(_ object: AnyObject) {
    retire(unsafe .object(Unmanaged.passRetained(object), .current))
  }

  /// Takes over a reference that was held by an address, which no new reader can find.
  func retire(takingReferenceAt address: UInt) {
    let pointer = unsafe UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
    retire(unsafe .object(Unmanaged<AnyObject>.fromOpaque(pointer), .current))
  }

  private func retire(_ object: Garbage) {
    state.withLock { state in
      state.retired.append(object)
      state.hasRetiredObject = true
    }
  }

  /// Takes over memory that no new reader can find.
  func retire(_ memory: [UnsafeMutableRawPointer], byteCount: Int) {
    nonisolated(unsafe) let memory = unsafe memory
    state.withLock { state in
      state.retired += unsafe memory.lazy.map { unsafe .memory($0) }
      state.retiredBytes += byteCount
    }
  }

  // MARK: Collecting

  /// Frees what can be freed now. Runs `deinit`s of the user's, without a lock.
  package func collect() {
    let free = state.withLock { Self.advance(&$0) }
    for garbage in free { garbage.free() }
  }

  /// The same at the end of a change: where an object was retired, if a barrier is to be had now, else by a task; plain memory can wait for
  /// company.
  func collectAfterChange() {
    let change = Change.current
    defer { Change.begin() }
    let (isNeeded, due) = state.withLock { state in
      (state.hasRetiredObject || state.retiredBytes > Self.memoryThreshold, state.nextBarrier)
    }
    guard isNeeded else { return }
    if actordi_now() >= due {
      free(state.withLock { Self.advance(&$0) }, in: change)
    } else {
      collectLater([])
    }
  }

  /// The same for a reader that the grace period waits for.
  func collectAfterReading() { free(state.withLock { Self.advance(&$0) }, in: nil) }

  /// Frees what a change may free, and leaves the rest to a task (R4).
  private func free(_ garbage: [Garbage], in change: Change?) {
    var others: [Garbage] = []
    for garbage in garbage {
      if garbage.isFree(in: change) { garbage.free() } else { others.append(garbage) }
    }
    if !others.isEmpty { collectLater(others) }
  }

  /// Has a task free something, and collect, in a while, unless one is about to: writers that never pause would otherwise start so many
  /// tasks that readers lost their cores to them.
  private func collectLater(_ free: [Garbage]) {
    let isFirst = state.withLock { state in
      defer { state.hasTask = true }
      state.left += free
      return !state.hasTask
    }
    guard isFirst else { return }
    Task.detached { [self] in
      try? await Task.sleep(nanoseconds: Self.pause)
      let left = state.withLock { state in
        state.hasTask = false
        defer { state.left = [] }
        return state.left
      }
      for garbage in left { garbage.free() }
      collect()
    }
  }

  /// How long what is left to a task waits for company, in nanoseconds: longer than a barrier keeps its distance.
  private static var pause: UInt64 { 1_000_000 }

  /// A barrier, and how soon another one may follow.
  ///
  /// A barrier interrupts every running thread of the process, for a microsecond or, on some virtual machines, ten. A writer that never pauses would halve
  /// the readers' throughput, so barriers keep a distance of some multiple of the time that they take: next to nothing where no
  /// other thread runs. Nobody waits for one: what changes retire meanwhile shares the barrier that comes.
  private static func paceBarrier(_ state: inout State) {
    let start = actordi_now()
    actordi_process_barrier()  // O1
    let end = actordi_now()
    state.nextBarrier = end + min((end - start) * 25, 200_000)
  }

  /// Bytes of replaced snapshots that may wait for the next barrier: some eighty changes' worth. Much more would cost each change fresh
  /// pages, much less a barrier too often.
  private static var memoryThreshold: Int { 1 << 16 }

  /// Moves the grace periods on as far as the readers allow, and returns what is free.
  private static func advance(_ state: inout State) -> [Garbage] {
    var free = releaseHeld(&state)
    while true {
      if !state.waiting.isEmpty {
        awaitPending(&state)
        guard state.pending.isEmpty else { return free }
        state.held += state.waiting
        state.waiting.removeAll(keepingCapacity: true)
        free += releaseHeld(&state)
      }
      guard !state.retired.isEmpty else { return free }
      swap(&state.waiting, &state.retired)
      state.retiredBytes = 0
      state.hasRetiredObject = false
      paceBarrier(&state)  // O1
      state.pending = state.records
    }
  }

  /// Drops the records that are seen unpinned; asks those to call back that stay pinned for longer than a resolve takes,
  /// because their threads are stopped.
  private static func awaitPending(_ state: inout State) {
    for _ in 0..<looks {
      dropUnpinned(&state)
      if state.pending.isEmpty { return }
    }
    for record in state.pending { request(record) }
    actordi_process_barrier()  // O4
    dropUnpinned(&state)
  }

  /// How often a pinned record is looked at before its thread is asked to call back. A pin lasts for some ten nanoseconds; asking
  /// costs a barrier, and the reader the call.
  private static var looks: Int { 256 }

  private static func dropUnpinned(_ state: inout State) {
    state.pending.removeAll {
      unsafe $0.pointer.pointee.pins.load(ordering: .sequentiallyConsistent) == 0  // O2
    }
  }

  private static func request(_ record: Reference<ThreadRecord>) {
    unsafe record.pointer.pointee.attention.bitwiseOr(ThreadRecord.awaited, ordering: .sequentiallyConsistent)
  }

  /// Takes out of `held` what stands in no slot.
  private static func releaseHeld(_ state: inout State) -> [Garbage] {
    guard !state.held.isEmpty else { return [] }
    var used = usedAddresses(state, requesting: false)
    if state.held.contains(where: { used.contains($0.address) }) {
      _ = usedAddresses(state, requesting: true)
      actordi_process_barrier()  // O4, for slots
      used = usedAddresses(state, requesting: false)
    }
    let free = state.held.filter { !used.contains($0.address) }
    state.held.removeAll { !used.contains($0.address) }
    return free
  }

  private static func usedAddresses(_ state: State, requesting: Bool) -> Set<UInt> {
    var used: Set<UInt> = []
    for record in state.records {
      let depth = unsafe record.pointer.pointee.depth.load(ordering: .sequentiallyConsistent)  // O3
      if requesting, depth > 0 { request(record) }
      for slot in 0..<depth {
        // The lowest bit tells a lent instance from a binding.
        used.insert(unsafe record.pointer.pointee.slots[slot].load(ordering: .acquiring) & ~1)
      }
    }
    return used
  }
}

/// A pointer that several threads may hold.
///
/// `@unchecked Sendable` because holding it is harmless; each use of `pointer` says why it may be followed.
@safe
struct Reference<Pointee: ~Copyable>: @unchecked Sendable {
  let pointer: UnsafeMutablePointer<Pointee>
  init(_ pointer: UnsafeMutablePointer<Pointee>) { unsafe self.pointer = pointer }
}
