internal import CActorDI

// The layout of a draft's entries in segments; ``Snapshot`` describes the layout.
extension SnapshotDraft {
  /// The number of entries at which a segment is full and the draft grows.
  static func limit(slots: Int) -> Int { slots - 1 - (slots - 1) / 16 }

  /// The number of segments, and of slots per segment.
  struct Size {
    var segments: Int
    var slots: Int

    /// The number of entries beyond which probes for what is missing get long: half of the slots, or five eighths in tables so large that
    /// their memory counts.
    var capacity: Int { slots < SnapshotDraft.slotsPerSegment ? slots / 2 : segments * slots / 8 * 5 }

    /// Doubles the segments' length while they are short, and then their number.
    ///
    /// Many entries may share one hash, if a key type's `hash(into:)` is poor. More segments would not help then, so the segments
    /// get longer again.
    mutating func enlarge(for entryCount: Int) {
      if slots >= SnapshotDraft.slotsPerSegment && entryCount >= segments * 16 {
        segments *= 2
      } else {
        slots = max(4, slots * 2)
      }
    }
  }

  static var firstSegment: Int { Int(Snapshot.firstSegment) }

  func index(of hash: UInt) -> Int { unsafe Int(bitPattern: hash >> 38 & header[Snapshot.directoryMaskIndex]) }

  func segment(at index: Int) -> Segment {
    unsafe Segment(bitPattern: header[Self.firstSegment + index]).unsafelyUnwrapped
  }

  /// The words behind a segment's entries.
  struct Trailer {
    var entryCount: Int
    /// The ticket of the draft that made the segment.
    let ticket: UInt
  }

  static func trailer(of segment: Segment, slots: Int) -> UnsafeMutablePointer<Trailer> {
    unsafe UnsafeMutableRawPointer(segment + slots).assumingMemoryBound(to: Trailer.self)
  }
  func trailer(of segment: Segment) -> UnsafeMutablePointer<Trailer> {
    unsafe Self.trailer(of: segment, slots: size.slots)
  }
  func count(of segment: Segment) -> Int { unsafe trailer(of: segment).pointee.entryCount }
  func isOwn(_ segment: Segment) -> Bool { unsafe trailer(of: segment).pointee.ticket == ticket }

  func isFull(_ index: Int) -> Bool { unsafe count(of: segment(at: index)) >= Self.limit(slots: Int(slotMask) + 1) }

  func slot(of binding: UInt, _ signature: UInt, _ word: UInt, _ hash: UInt, in segment: Segment) -> Int {
    var slot = Int(hash >> 32 & slotMask)
    while unsafe segment[slot].binding != binding || segment[slot].signature != signature || segment[slot].word != word
    {
      precondition(unsafe segment[slot].signature != 0, "S3: an entry to change is in the snapshot")
      slot = (slot + 1) & Int(slotMask)
    }
    return slot
  }

  /// Stores an entry in a segment, and moves those with smaller signatures behind it (S4).
  static func store(_ entry: Entry, in segment: Segment, slots: Int) {
    var entry = entry
    var slot = Int(Snapshot.hash(entry.signature, entry.word) >> 32) & (slots - 1)
    while unsafe segment[slot].signature != 0 {
      if unsafe segment[slot].signature < entry.signature { unsafe swap(&segment[slot], &entry) }
      slot = (slot + 1) & (slots - 1)
    }
    unsafe segment[slot] = entry
    unsafe trailer(of: segment, slots: slots).pointee.entryCount += 1
  }
  func store(_ entry: Entry, in segment: Segment) { unsafe Self.store(entry, in: segment, slots: size.slots) }

  /// Returns a segment that this draft may change: a copy if the segment belongs to the base.
  mutating func ownSegment(at index: Int) -> Segment {
    let old = unsafe segment(at: index)
    if unsafe isOwn(old) { return unsafe old }
    let new = unsafe Self.makeSegment(slots: Int(slotMask) + 1, ticket: ticket, copying: old)
    unsafe trailer(of: new).pointee.entryCount = count(of: old)
    unsafe noteReplaced(old)
    unsafe header[Self.firstSegment + index] = UInt(bitPattern: new)
    return unsafe new
  }

  /// Notes a segment of the base that the draft has replaced, to be retired after the publication.
  mutating func noteReplaced(_ old: Segment) {
    if UInt(bitPattern: old) != Self.emptySegment {
      // Most changes replace one segment and the header.
      if replaced.isEmpty { replaced.reserveCapacity(2) }
      unsafe replaced.append(.memory(UnsafeMutableRawPointer(old)))
    }
  }

  var size: Size { Size(segments: segmentCount, slots: Int(slotMask) + 1) }

  mutating func grow() {
    var size = size
    size.enlarge(for: entryCount)
    layOut(atLeast: size)
  }

  mutating func layOut(atLeast size: Size) {
    let entries = takeEntries()
    var size = size
    while !tryLayingOut(entries, size) { size.enlarge(for: entries.count) }
  }

  /// Removes all entries. Frees the draft's own segments, and records those of the base as replaced.
  mutating func takeEntries() -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(entryCount)
    for index in 0..<segmentCount {
      let segment = unsafe segment(at: index)
      for slot in 0...Int(slotMask) where unsafe segment[slot].signature != 0 { unsafe entries.append(segment[slot]) }
      if unsafe isOwn(segment) { unsafe actordi_free(segment) } else { unsafe noteReplaced(segment) }
    }
    return entries
  }

  /// Distributes the entries over new segments.
  ///
  /// - Returns: False if a segment overflows; the new segments are then freed.
  mutating func tryLayingOut(_ entries: [Entry], _ size: Size) -> Bool {
    let services = unsafe header[Snapshot.servicesIndex]
    unsafe actordi_free(header)
    unsafe header = Self.makeHeader(segments: size.segments, slots: size.slots)
    unsafe header[Snapshot.servicesIndex] = services
    for index in 0..<size.segments {
      unsafe header[Self.firstSegment + index] = UInt(bitPattern: Self.makeSegment(slots: size.slots, ticket: ticket))
    }
    for entry in entries {
      let hash = Snapshot.hash(entry.signature, entry.word)
      if isFull(index(of: hash)) {
        for index in 0..<size.segments { unsafe actordi_free(segment(at: index)) }
        return false
      }
      unsafe store(entry, in: segment(at: index(of: hash)))
    }
    return true
  }

  /// Allocates a segment.
  ///
  /// - Parameter old: The segment whose entries are copied; nil for none.
  static func makeSegment(slots: Int, ticket: UInt, copying old: Segment? = nil) -> Segment {
    let memory = unsafe actordi_allocate(segmentBytes(slots: slots))
    let segment = unsafe memory.bindMemory(to: Entry.self, capacity: slots)
    if let old = unsafe old {
      unsafe segment.initialize(from: old, count: slots)
    } else {
      unsafe segment.initialize(repeating: Entry(signature: 0, word: 0, binding: 0), count: slots)
    }
    let trailer = unsafe UnsafeMutableRawPointer(segment + slots).bindMemory(to: Trailer.self, capacity: 1)
    unsafe trailer.initialize(to: Trailer(entryCount: 0, ticket: ticket))
    return unsafe segment
  }

  static func segmentBytes(slots: Int) -> Int { slots * MemoryLayout<Entry>.stride + MemoryLayout<Trailer>.stride }

  /// Allocates a header whose segment addresses are not set yet.
  static func makeHeader(segments: Int, slots: Int) -> UnsafeMutablePointer<UInt> {
    let header = unsafe allocate(words: segments + firstSegment)
    unsafe header[Snapshot.directoryMaskIndex] = UInt(segments - 1)
    unsafe header[Snapshot.slotMaskIndex] = UInt(slots - 1)
    unsafe header[Snapshot.servicesIndex] = 0
    return unsafe header
  }

  static func allocate(words: Int) -> UnsafeMutablePointer<UInt> {
    unsafe actordi_allocate(words * MemoryLayout<UInt>.stride).bindMemory(to: UInt.self, capacity: words)
  }
}
