public import CActorDI
public import Synchronization

/// What one thread tells the rest of the process: that it is reading now, and what it is using.
///
/// Each thread that resolves owns one record. It alone writes `pins`, `depth` and the slots; the
/// ``Reclaimer`` reads them to learn what may be freed. The record stands on cache lines of its own, so
/// that a pin never waits for another thread.
///
/// - A **pin** (R1) protects everything reachable from a snapshot. It lasts a handful of instructions, and
///   no user code runs while it is held.
/// - A **slot** (R2) protects one object, by address, for as long as user code needs it: the binding whose
///   factory runs, or the instance that is lent to a closure. The slots, in order, are also the thread's
///   resolution path, which is how a cycle is seen.
@usableFromInline
@frozen
@safe
struct ThreadRecord: ~Copyable {
  /// 1 while the thread reads a snapshot, else 0. See "Orderings" in `Reclaimer.swift`.
  @usableFromInline let pins = Atomic<UInt>(0)

  /// Bits that send the thread off the fast path; zero nearly always.
  @usableFromInline let attention = Atomic<UInt>(0)

  /// How many slots are in use.
  @usableFromInline let depth = Atomic<Int>(0)

  /// The slots. Replaced by a longer array under the reclaimer's lock, never while being scanned.
  @usableFromInline var slots: UnsafeMutablePointer<Atomic<UInt>>
  @usableFromInline var capacity: Int

  /// How many slots are in use outside of any call tree: those of instances that are lent out. The outermost resolve is the one
  /// that begins here.
  @usableFromInline var base: Int

  /// A factory is not called with the stack pointer below this address.
  @usableFromInline var stackLimit: UInt

  /// The state of the synchronous call tree on this thread; see ``CallContext``. Owned by the record.
  @usableFromInline var context: Unmanaged<CallState>?

  /// How many changes the thread has made; see ``Reclaimer/Change``.
  @usableFromInline var changes: UInt

  /// The address of the innermost ``UncontendedBuild`` that the thread runs; 0 for none.
  @usableFromInline var build: UInt

  /// What the factories of the uncontended builds ask for; see ``UncontendedBuild``. Owned by the record.
  @usableFromInline var notes: Unmanaged<NoteList>?

  /// The address of the list of containers that wait to be released on this thread; 0 while none is.
  @usableFromInline var releases: UInt

  /// Stack left for a factory and what it calls: a factory that needs more is no concern of a container.
  static var stackReserve: UInt { 128 << 10 }

  /// Bit of `attention`: the process has no barrier that orders other threads, so pins order themselves.
  @usableFromInline static var fenced: UInt { 1 }
  /// Bit of `attention`: the reclaimer waits for this thread and wants to be called.
  @usableFromInline static var awaited: UInt { 2 }
  /// Bit of `attention`: somewhere in the process overrides are in force, perhaps for this task.
  @usableFromInline static var overridden: UInt { 4 }
  /// Bit of `attention`: the thread is building a kept instance, and what that takes is noted.
  @usableFromInline static var recording: UInt { 8 }

  init() {
    capacity = 64
    unsafe slots = Self.makeSlots(64)
    base = 0
    stackLimit = 0
    unsafe context = nil
    changes = 0
    build = 0
    unsafe notes = nil
    releases = 0
  }

  static func makeSlots(_ count: Int) -> UnsafeMutablePointer<Atomic<UInt>> {
    let slots = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: count)
    for index in 0..<count { unsafe (slots + index).initialize(to: Atomic(0)) }
    return unsafe slots
  }
}

@usableFromInline typealias ThreadRecordPointer = UnsafeMutablePointer<ThreadRecord>

extension UnsafeMutablePointer<ThreadRecord> {
  /// The calling thread's record, made on first use.
  ///
  /// `@inlinable`, as all of this file's fast path: a pin costs less than a call.
  @inlinable
  @inline(__always)
  static var current: Self {
    if let record = unsafe actordi_thread_record() {
      return unsafe record.assumingMemoryBound(to: ThreadRecord.self)
    }
    return unsafe Reclaimer.adoptThread()
  }

  /// Begins to read. Until ``unpin()`` nothing that a snapshot reaches is freed.
  ///
  /// - Returns: whether the resolve has to look closer, by a search.
  @inlinable
  @inline(__always)
  @discardableResult
  func pin() -> Bool {
    unsafe pointee.pins.store(1, ordering: .relaxed)
    actordi_compiler_fence()
    guard unsafe _slowPath(pointee.attention.load(ordering: .relaxed) != 0) else { return false }
    return unsafe pinAttentively()
  }

  /// Ends reading.
  ///
  /// The first fence is for reference counting, not for the processor (R3): the optimiser sinks a retain below an atomic
  /// store, since to it the store cannot free anything. It does not sink one below a call that it cannot see into.
  @inlinable
  @inline(__always)
  func unpin() {
    actordi_compiler_fence()
    unsafe pointee.pins.store(0, ordering: .releasing)
    actordi_compiler_fence()
    if unsafe _slowPath(pointee.attention.load(ordering: .relaxed) != 0) { unsafe attend() }
  }

  /// Puts an address on top of the slots. There must be room: see ``hasRoom``.
  ///
  /// Both stores release (O3): a scan may find the new address and take it for all that was ever there, though the depth that it has
  /// read is from before the last pop.
  @inlinable
  @inline(__always)
  func push(_ address: UInt, at depth: Int) {
    unsafe pointee.slots[depth].store(address, ordering: .releasing)
    unsafe pointee.depth.store(depth &+ 1, ordering: .releasing)
  }

  /// Takes what was pushed at `depth`, and all above it, off the slots.
  @inlinable
  @inline(__always)
  func pop(to depth: Int) {
    unsafe pointee.depth.store(depth, ordering: .releasing)
    guard unsafe depth == pointee.base else { return }
    actordi_compiler_fence()
    if unsafe _slowPath(pointee.attention.load(ordering: .relaxed) != 0) { unsafe attend() }
    if unsafe pointee.context != nil { unsafe endCall() }
  }

  /// Whether a slot can be pushed at `depth` and a factory called, as far as stack and slots go.
  @inlinable
  @inline(__always)
  func hasRoom(at depth: Int) -> Bool {
    unsafe depth < pointee.capacity && actordi_frame_address() > pointee.stackLimit
  }

  /// Whether what is resolved on this thread is noted.
  var isRecording: Bool {
    unsafe pointee.attention.load(ordering: .relaxed) & ThreadRecord.recording != 0
  }

  /// Whether a search may have to heed overrides, or to note what it finds.
  @inline(__always)
  var isWatched: Bool {
    unsafe pointee.attention.load(ordering: .relaxed) & (ThreadRecord.overridden | ThreadRecord.recording) != 0
  }

  /// Has the thread's resolves look closer while the body runs, for what they ask for to be noted.
  func recording<Result>(_ isOn: Bool, _ body: () throws -> Result) rethrows -> Result {
    guard unsafe isOn && !isRecording else { return try body() }
    unsafe pointee.attention.bitwiseOr(ThreadRecord.recording, ordering: .relaxed)
    defer { unsafe pointee.attention.bitwiseAnd(~ThreadRecord.recording, ordering: .relaxed) }
    return try body()
  }

  /// Does what `attention` asks for, after an unpin or a pop.
  @usableFromInline
  @inline(never)
  func attend() {
    let bits = unsafe pointee.attention.load(ordering: .relaxed)
    guard bits & (ThreadRecord.fenced | ThreadRecord.awaited) != 0 else { return }
    if bits & ThreadRecord.fenced != 0 {
      // The store that ended the pin must not pass the load of `awaited` below.
      _ = unsafe pointee.pins.exchange(0, ordering: .sequentiallyConsistent)
    }
    let awaited = unsafe pointee.attention.bitwiseAnd(
      ~ThreadRecord.awaited, ordering: .sequentiallyConsistent
    ).oldValue
    if awaited & ThreadRecord.awaited != 0 { Reclaimer.shared.collectAfterReading() }
  }

  /// Makes room for one more slot, or says that there is none: the stack is nearly used up.
  @usableFromInline
  @inline(never)
  func makeRoom(at depth: Int) -> Bool {
    guard unsafe actordi_frame_address() > pointee.stackLimit else { return false }
    if unsafe depth >= pointee.capacity { unsafe Reclaimer.shared.growSlots(of: self) }
    return true
  }

  /// Drops the context of a call tree that has ended.
  @usableFromInline
  @inline(never)
  func endCall() {
    // Taken out first: releasing it may run a `deinit` of the user's, which may resolve.
    let context = unsafe pointee.context
    unsafe pointee.context = nil
    unsafe context?.release()
  }
}

/// What a thread holds for the call tree in progress, until the outermost call ends: a ``CallContext``.
@usableFromInline
class CallState {}
