internal import CActorDI

/// A draft of the next ``Snapshot``, which shares all unchanged segments with its predecessor.
///
/// A draft belongs to the writer that made it, under the registry's lock. It ends with `finish`, which returns the address to
/// publish and the memory that the publication replaces.
///
/// - Complexity: *n* entries occupy about *n*/32 segments of 64 slots. A change copies one segment and the directory: O(*n*/32)
///   words, by a memory copy. Growth doubles the directory and is amortised.
@safe
struct SnapshotDraft: ~Copyable {
  typealias Entry = Snapshot.Entry
  typealias Segment = UnsafeMutablePointer<Entry>

  static let slotsPerSegment = 64

  let base: Snapshot.Address
  /// The header of the next snapshot.
  var header: UnsafeMutablePointer<UInt>
  var entryCount: Int
  /// Segments of the base that this draft has replaced.
  var replaced: [Reclaimer.Garbage] = []
  /// Distinguishes this draft's own segments from its predecessor's.
  let ticket: UInt

  /// Creates a draft.
  ///
  /// - Parameters:
  ///   - base: The published snapshot.
  ///   - entryCount: The number of its entries.
  ///   - ticket: A number that no earlier draft of the same registry had.
  init(of base: Snapshot.Address, entryCount: Int, ticket: UInt) {
    self.base = base
    self.entryCount = entryCount
    self.ticket = ticket
    let header = unsafe Snapshot(orEmptyAt: base).header
    let count = unsafe Int(header[Snapshot.directoryMaskIndex]) + 1 + Self.firstSegment
    unsafe self.header = Self.allocate(words: count)
    unsafe self.header.initialize(from: header, count: count)
  }

  var segmentCount: Int { unsafe Int(header[Snapshot.directoryMaskIndex]) + 1 }
  var slotMask: UInt { unsafe header[Snapshot.slotMaskIndex] }

  /// The draft as a snapshot to search. Valid until the draft's next change.
  var snapshot: Snapshot { unsafe Snapshot(at: Snapshot.Address(header)) }

  // MARK: Changing

  /// Adds an entry. The identity must not be in the draft yet.
  mutating func insert(_ signature: UInt, _ word: UInt, binding: UInt) {
    let hash = Snapshot.hash(signature, word)
    while entryCount >= size.capacity || isFull(index(of: hash)) { grow() }
    unsafe store(Entry(signature: signature, word: word, binding: binding), in: ownSegment(at: index(of: hash)))
    entryCount += 1
    unsafe header[Snapshot.servicesIndex] |= Snapshot.filter(signature)
  }

  /// Replaces the binding `old` by another one.
  mutating func replace(_ signature: UInt, _ word: UInt, old: UInt, new: UInt) {
    let hash = Snapshot.hash(signature, word)
    let segment = unsafe ownSegment(at: index(of: hash))
    let slot = unsafe slot(of: old, signature, word, hash, in: segment)
    unsafe segment[slot].binding = new
  }

  /// Removes an entry, and reinserts the entries behind it, so that probes still end at an empty slot.
  mutating func remove(_ signature: UInt, _ word: UInt, old: UInt) {
    let hash = Snapshot.hash(signature, word)
    let segment = unsafe ownSegment(at: index(of: hash))
    let empty = Entry(signature: 0, word: 0, binding: 0)
    let hole = unsafe slot(of: old, signature, word, hash, in: segment)
    unsafe segment[hole] = empty
    unsafe trailer(of: segment).pointee.entryCount -= 1
    entryCount -= 1
    var slot = (hole + 1) & Int(slotMask)
    while unsafe segment[slot].signature != 0 {
      let entry = unsafe segment[slot]
      unsafe segment[slot] = empty
      unsafe trailer(of: segment).pointee.entryCount -= 1
      unsafe store(entry, in: segment)
      slot = (slot + 1) & Int(slotMask)
    }
  }

  /// Grows in advance for `count` more entries, so that a large batch is not rehashed repeatedly.
  mutating func reserve(_ count: Int) {
    let wanted = entryCount + count
    var size = size
    while wanted > size.capacity { size.enlarge(for: wanted) }
    if size.capacity > self.size.capacity { layOut(atLeast: size) }
  }

  // MARK: Ending

  /// Returns the address to publish, and the memory to retire after the publication.
  consuming func finish() -> (address: Snapshot.Address, replaced: Reclaimer.Memory) {
    let byteCount =
      replaced.count * Self.segmentBytes(slots: Int(slotMask) + 1) + segmentCount * MemoryLayout<UInt>.stride
    if base.isSnapshot && base != Self.empty {
      let oldHeader = unsafe UnsafeMutableRawPointer(bitPattern: base.bits).unsafelyUnwrapped
      unsafe replaced.append(.memory(oldHeader))
    }
    return unsafe (Snapshot.Address(header), Reclaimer.Memory(blocks: replaced, byteCount: byteCount))
  }

  /// Frees a snapshot that no reader can be using.
  static func deallocate(_ address: Snapshot.Address) {
    _ = unsafe forEachBlock(of: address) { unsafe actordi_free($0) }
  }

  /// Returns the memory of a snapshot.
  static func memory(of address: Snapshot.Address) -> Reclaimer.Memory {
    var blocks: [Reclaimer.Garbage] = []
    let byteCount = unsafe forEachBlock(of: address) { unsafe blocks.append(.memory($0)) }
    return Reclaimer.Memory(blocks: blocks, byteCount: byteCount)
  }

  /// Calls a function with each memory block of a snapshot. It may free the block.
  ///
  /// - Returns: The size of the segments in bytes.
  private static func forEachBlock(of address: Snapshot.Address, _ body: (UnsafeMutableRawPointer) -> Void) -> Int {
    guard address.isSnapshot && address != empty else { return 0 }
    let header = unsafe UnsafeMutablePointer(mutating: Snapshot(at: address).header)
    let segmentBytes = unsafe Self.segmentBytes(slots: Int(header[Snapshot.slotMaskIndex]) + 1)
    var byteCount = 0
    for index in 0...Int(unsafe header[Snapshot.directoryMaskIndex]) {
      let segment = unsafe header[firstSegment + index]
      guard segment != emptySegment, let block = unsafe UnsafeMutableRawPointer(bitPattern: segment) else { continue }
      unsafe body(block)
      byteCount += segmentBytes
    }
    unsafe body(UnsafeMutableRawPointer(header))
    return byteCount
  }

  /// The ticket of the segments in a registry's initial snapshot, which no draft has made.
  static var firstTicket: UInt { 1 }

  // MARK: The empty snapshot

  /// A segment with one empty slot, shared by all registries and never freed. It is the base of the first draft.
  static let emptySegment = unsafe UInt(bitPattern: makeSegment(slots: 1, ticket: 0))
  static let empty: Snapshot.Address = {
    let header = unsafe makeHeader(segments: 1, slots: 1)
    unsafe header[firstSegment] = emptySegment
    return unsafe Snapshot.Address(header)
  }()
}

extension Snapshot {
  /// Reads the snapshot at a published address. A mark yields the empty snapshot.
  init(orEmptyAt address: Address) { self.init(at: address.isSnapshot ? address : SnapshotDraft.empty) }
}

extension Snapshot.Address {
  init(_ header: UnsafeMutablePointer<UInt>) { self.init(bits: UInt(bitPattern: header)) }
}
