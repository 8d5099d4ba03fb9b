/// An immutable state of a registry, as readers see it: a hash table from identities to bindings.
///
/// # Layout
///
/// The table has two levels, so that publishing one registration copies one segment and the directory, not the whole table:
///
/// ```
/// header:   directory mask | slot mask | services | segment 0 | segment 1 | …
/// segment:  entry 0 | entry 1 | … | entry count | draft
/// entry:    signature | word | binding
/// ```
///
/// - `signature` is the address of a type's metadata: the service or, with run-time arguments, the ``Signature`` of service and
///   arguments.
/// - `word` distinguishes keys; see ``KeyWord``.
/// - `binding` is the address of the ``Binding``, which the registry keeps alive (S1).
///
/// An entry with signature 0 is empty. Each segment has an empty entry (S2), so a probe ends. Between the slot of an entry's hash and its
/// own slot, no entry has a smaller signature (S4), so the probe for a missing identity usually ends earlier.
///
/// Published snapshots and segments never change (S3). ``SnapshotDraft`` makes the next snapshot. Most scopes have no registrations
/// and therefore no snapshot: their address is ``Address/nothing``.
///
/// The functions that a lookup needs are emitted into the client, and inlined there.
@usableFromInline @frozen @safe
struct Snapshot {
  /// The address of a published snapshot, or a mark in place of one.
  @usableFromInline @frozen
  struct Address: Equatable, BitwiseCopyable, Sendable {
    @usableFromInline let bits: UInt

    @_alwaysEmitIntoClient @inline(__always)
    init(bits: UInt) { self.bits = bits }

    // Inlined earlier than a synthesised one, as that of ``FoundBinding``.
    @_alwaysEmitIntoClient @inline(__always)
    static func == (left: Self, right: Self) -> Bool { left.bits == right.bits }

    /// Nothing is registered.
    @_alwaysEmitIntoClient @inline(__always) static var nothing: Address { Address(bits: 0) }

    /// The container is closed.
    @_alwaysEmitIntoClient @inline(__always) static var closed: Address { Address(bits: 1) }

    /// Whether there is a snapshot. Every address is greater than the marks.
    @_alwaysEmitIntoClient @inline(__always)
    var isSnapshot: Bool { bits > Self.closed.bits }
  }

  /// An entry of the hash table.
  @usableFromInline @frozen
  struct Entry {
    @usableFromInline var signature: UInt
    @usableFromInline var word: UInt
    @usableFromInline var binding: UInt
  }

  // The indices of the header's words.
  @_alwaysEmitIntoClient @inline(__always) static var directoryMaskIndex: Int { 0 }
  @_alwaysEmitIntoClient @inline(__always) static var slotMaskIndex: Int { 1 }
  static var servicesIndex: Int { 2 }
  @_alwaysEmitIntoClient @inline(__always) static var firstSegment: UInt { 3 }

  /// The masks, the filter of the services, then the addresses of the segments.
  @usableFromInline let header: UnsafePointer<UInt>

  /// Whether a service may have entries.
  ///
  /// A search that passes through several containers misses in most of them. The filter then saves the probe, and what it costs if other
  /// entries have the same slot, which depends on the addresses in the process. Each bit of the filter stands for many services, and is
  /// never cleared, even when its last entry is removed.
  func mayHave(_ signature: UInt) -> Bool { unsafe header[Self.servicesIndex] & Self.filter(signature) != 0 }

  /// The filter bit of a service.
  static func filter(_ signature: UInt) -> UInt { 1 &<< (hash(signature, 0) &>> 58) }

  @_alwaysEmitIntoClient @inline(__always)
  init(at address: Address) { unsafe header = UnsafePointer(bitPattern: address.bits).unsafelyUnwrapped }

  /// Mixes an identity into a hash.
  ///
  /// Metadata addresses differ in their low bits. The multiplication carries these upwards, so only bits from 32 up are used.
  @_alwaysEmitIntoClient @inline(__always)
  static func hash(_ signature: UInt, _ word: UInt) -> UInt {
    (signature ^ word) &* 0x9E37_79B9_7F4A_7C15
  }

  @_alwaysEmitIntoClient @inline(__always)
  func segment(_ hash: UInt) -> UnsafePointer<Entry> {
    let index = unsafe (hash &>> 38) & header[Self.directoryMaskIndex]
    let address = unsafe header[Int(bitPattern: Self.firstSegment &+ index)]
    return unsafe UnsafePointer(bitPattern: address).unsafelyUnwrapped
  }

  /// Returns the binding of an identity, or ``FoundBinding/nothing``.
  ///
  /// - Parameter isMatch: Compares the keys, as the word is a hash.
  /// - Complexity: O(1), one probe.
  @_alwaysEmitIntoClient @inline(__always)
  func find(_ signature: UInt, _ word: UInt, where isMatch: (FoundBinding) -> Bool) -> FoundBinding {
    let hash = Self.hash(signature, word)
    let entries = unsafe segment(hash)
    let mask = unsafe header[Self.slotMaskIndex]
    var slot = (hash &>> 32) & mask
    while true {
      let entry = unsafe entries + Int(bitPattern: slot)
      let found = unsafe entry.pointee.signature
      if found == signature, unsafe entry.pointee.word == word {
        let binding = FoundBinding(bits: unsafe entry.pointee.binding)
        if isMatch(binding) { return binding }
      }
      // S4, S2
      if found < signature { return .nothing }
      slot = (slot &+ 1) & mask
    }
  }
}
