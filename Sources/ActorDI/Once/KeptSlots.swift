internal import CActorDI
internal import Synchronization

/// The holder of one container's instance of a registration whose instances are kept by the asking containers.
///
/// A slot refers to its registration by number only. If slots retained the binding, concurrent scopes would contend for its
/// reference count.
///
/// `@unchecked Sendable` because its superclass is; the added properties are immutable or atomic.
final class KeptSlot: InstanceHolder, @unchecked Sendable {
  /// The registration's number; see ``Binding/keptNumber``.
  let number: KeptNumber
  let identity: ServiceIdentity
  private let heldScope: HeldScope
  /// The registration's binding.
  private let binding: BindingID
  /// The lifecycle of the container that keeps the instance. Unowned, because that container owns the slot.
  private unowned(unsafe) let lifecycle: Lifecycle
  private let ownArgumentCells: ArgumentCells?
  override var argumentCells: ArgumentCells? { ownArgumentCells }
  /// Whether the registration has been removed.
  let isRetired = Atomic<Bool>(false)

  /// Creates an empty slot.
  ///
  /// - Parameters:
  ///   - scope: The registration's scope.
  ///   - binding: The registration's binding.
  init(
    _ number: KeptNumber, _ identity: ServiceIdentity, _ scope: HeldScope, binding: BindingID, keepsPerArguments: Bool,
    in lifecycle: Lifecycle
  ) {
    self.number = number
    self.identity = identity
    heldScope = scope
    self.binding = binding
    unsafe self.lifecycle = lifecycle
    ownArgumentCells = keepsPerArguments ? ArgumentCells() : nil
  }

  /// The registration's scope.
  var scope: Scope { heldScope.scope(in: unsafe lifecycle) }

  override func makeCell() -> OnceCell {
    // Called only for a plainly kept instance, which may have been built without a cell. For others, the binding creates the cell
    // before the build.
    let storage = InstanceStorage(.strong, in: self)
    return unsafe OnceCell(identity, binding: binding, keeping: storage, in: lifecycle)
  }

  /// Forgets the instances of all cells. Builds in flight continue for their waiters.
  func forget() -> [DroppedReference] { forgetInstance() + (argumentCells?.forget() ?? []) }

  /// Forgets all instances and retires the cells, because the registration has been removed.
  func retire(_ makeCell: () -> OnceCell) -> [DroppedReference] {
    isRetired.store(true, ordering: .releasing)
    return cell(makeCell).retire() + (argumentCells?.retire() ?? [])
  }
}

extension KeptSlot: ResettableHolder {}

/// The table of one container's ``KeptSlot``s. Readers search it without a lock.
///
/// The table is an open-addressed array of numbers and slots.
///
/// - K1: Each entry is written once: the slot, then its number with a releasing store.
/// - K2: A full table is replaced by one of twice the size. Readers may be searching the old table, so it stays in memory
///   until the container is freed. All old tables together are no larger than the last one.
/// - K3: The first table is published without the lock, which most scopes therefore never take. Of several threads, one publishes; the
///   others, and all later writers, take the lock and change that table.
///
/// If the slots of removed registrations outnumber the others, the new table omits them. The old tables and the omitted
/// slots then go to the ``Reclaimer``.
struct KeptSlots: ~Copyable, Sendable {
  /// The address of the table; 0 while nothing has been kept.
  private let table = Atomic<UInt>(0)
  /// The writers' lock.
  private let writing = Lock(())

  /// The memory of a table:
  ///
  /// ```
  /// mask of offsets | count | previous table | number 0 | slot 0 | number 1 | slot 1 | …
  /// ```
  ///
  /// Only the last table owns references to the slots.
  @safe
  private struct Table {
    let words: UnsafeMutablePointer<UInt>

    static var smallestCapacity: Int { 8 }
    private static var headerCount: Int { 3 }

    init?(at address: UInt) {
      guard let words = unsafe UnsafeMutablePointer<UInt>(bitPattern: address) else { return nil }
      unsafe self.words = unsafe words
    }

    init(capacity: Int) {
      let count = Self.headerCount + 2 * capacity
      unsafe words = actordi_allocate(count * MemoryLayout<UInt>.stride).bindMemory(to: UInt.self, capacity: count)
      unsafe words.initialize(repeating: 0, count: count)
      unsafe words[0] = UInt((capacity - 1) * Self.entrySize)
    }

    private static var entrySize: Int { 2 * MemoryLayout<UInt>.stride }

    var address: UInt { unsafe UInt(bitPattern: words) }
    var capacity: Int { unsafe Int(words[0]) / Self.entrySize + 1 }
    var count: Int {
      get { unsafe Int(words[1]) }
      nonmutating set { unsafe words[1] = UInt(newValue) }
    }
    var previous: UInt {
      get { unsafe words[2] }
      nonmutating set { unsafe words[2] = newValue }
    }

    private func entry(_ offset: UInt) -> UnsafeMutablePointer<UInt> {
      let memory = unsafe UnsafeMutableRawPointer(words + Self.headerCount) + Int(bitPattern: offset)
      return unsafe memory.assumingMemoryBound(to: UInt.self)
    }

    private func offset(after offset: UInt) -> UInt { unsafe (offset &+ UInt(Self.entrySize)) & words[0] }

    private static func atomic(_ word: UnsafeMutablePointer<UInt>) -> UnsafePointer<Atomic<UInt>> {
      unsafe UnsafeRawPointer(word).assumingMemoryBound(to: Atomic<UInt>.self)
    }

    // Inlined, like the two functions that lead to it, so that the search for a scoped instance makes no call.
    @inline(__always)
    func find(_ number: KeptNumber) -> UnheldReference<KeptSlot>? {
      var offset = unsafe number.bits & words[0]
      while true {
        let found = unsafe Self.atomic(entry(offset)).pointee.load(ordering: .acquiring)  // K1
        if found == number.bits { return unsafe UnheldReference(at: entry(offset)[1]) }
        if found == 0 { return nil }
        offset = self.offset(after: offset)
      }
    }

    /// Enters a slot, and takes ownership of the caller's reference to it.
    func enter(_ slot: UnheldReference<KeptSlot>) {
      let number = slot.borrow { $0.number.bits }
      var offset = unsafe number & words[0]
      while unsafe entry(offset).pointee != 0 { offset = self.offset(after: offset) }
      unsafe entry(offset)[1] = slot.address
      unsafe Self.atomic(entry(offset)).pointee.store(number, ordering: .releasing)  // K1
      count += 1
    }

    func forEach(_ body: (UnheldReference<KeptSlot>) -> Void) {
      var offset = UInt(0)
      repeat {
        if unsafe entry(offset).pointee != 0 { unsafe body(UnheldReference(at: entry(offset)[1])) }
        offset = self.offset(after: offset)
      } while offset != 0
    }

    /// Calls a function with the memory of this table and of the tables that it replaced. The function may free the memory.
    func forEachBlock(_ body: (UnsafeMutableRawPointer) -> Void) {
      var next: Table? = self
      while let table = next {
        next = Table(at: table.previous)
        unsafe body(UnsafeMutableRawPointer(table.words))
      }
    }
  }

  private var current: Table? { Table(at: table.load(ordering: .acquiring)) }

  deinit {
    guard let last = current else { return }
    last.forEach { $0.release() }
    unsafe last.forEachBlock { unsafe actordi_free($0) }
  }

  /// Returns the slot of a number; nil if there is none.
  ///
  /// - Concurrency: Call under a pin or the lock, because the table may be replaced and freed (K2).
  @inline(__always)
  func find(_ number: KeptNumber) -> UnheldReference<KeptSlot>? { current?.find(number) }

  /// The word of a number's slot; ``HolderWord/free`` without a slot.
  ///
  /// - Concurrency: Call under a pin.
  @inline(__always)
  func word(_ number: KeptNumber) -> HolderWord { find(number)?.borrow(\.word) ?? .free }

  /// Returns the slot of a number; nil if there is none. Takes the lock, so the caller needs no pin.
  func existing(_ number: KeptNumber) -> KeptSlot? {
    // Sequentially consistent: see `Binding.takeInstanceAbove`.
    guard table.load(ordering: .sequentiallyConsistent) != 0 else { return nil }
    return writing.withLock { _ in find(number)?.object }
  }

  /// Returns the slot of a number, created on first use.
  func slot(_ number: KeptNumber, orMake make: () -> KeptSlot) -> KeptSlot {
    if table.load(ordering: .acquiring) == 0 {
      let first = make()
      if begin(with: first) { return first }
    }
    return writing.withLock { _ in
      if let slot = find(number) { return slot.object }
      let new = make()
      add(new)
      return new
    }
  }

  var all: [KeptSlot] {
    writing.withLock { _ in
      var slots: [KeptSlot] = []
      current?.forEach { slots.append($0.object) }
      return slots
    }
  }

  /// Forgets all instances of the slots that satisfy a predicate.
  ///
  /// - Returns: The instances that were kept, for the caller to release.
  func forget(where isWanted: (KeptSlot) -> Bool) -> [DroppedReference] { all.filter(isWanted).flatMap { $0.forget() } }

  /// Publishes a first table with one slot (K3).
  ///
  /// - Returns: False if there is a table already.
  private func begin(with new: KeptSlot) -> Bool {
    let slot = UnheldReference(new)
    slot.retain()
    let first = Table(capacity: Table.smallestCapacity)
    first.enter(slot)
    guard table.compareExchange(expected: 0, desired: first.address, ordering: .sequentiallyConsistent).exchanged else {
      unsafe actordi_free(first.words)
      slot.release()
      return false
    }
    return true
  }

  /// Adds a slot to the existing table. Call under the lock.
  private func add(_ new: KeptSlot) {
    guard let old = current else { preconditionFailure("K3: there is a table, and it stays") }
    let slot = UnheldReference(new)
    slot.retain()
    if (old.count + 1) * 4 <= old.capacity * 3 { return old.enter(slot) }
    var living: [UnheldReference<KeptSlot>] = []
    var gone: [UnheldReference<KeptSlot>] = []
    old.forEach { slot in
      if slot.borrow({ $0.isRetired.load(ordering: .acquiring) }) { gone.append(slot) } else { living.append(slot) }
    }
    let hasManyGone = gone.count > living.count
    let next = Table(capacity: hasManyGone ? old.capacity : old.capacity * 2)
    for slot in hasManyGone ? living : living + gone { next.enter(slot) }
    next.enter(slot)
    if !hasManyGone { next.previous = old.address }
    table.store(next.address, ordering: .sequentiallyConsistent)
    guard hasManyGone else { return }
    var blocks: [Reclaimer.Garbage] = []
    unsafe old.forEachBlock { unsafe blocks.append(.memory($0)) }
    Reclaimer.shared.retire(
      Reclaimer.Memory(blocks: blocks, byteCount: 2 * old.capacity * 2 * MemoryLayout<UInt>.stride))
    for slot in gone { Reclaimer.shared.retire(takingReferenceAt: slot.address) }
    // A resolve is no change, whose end would collect (R4).
    Reclaimer.shared.collectForReader()
  }
}
