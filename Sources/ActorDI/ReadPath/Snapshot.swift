/// One immutable state of a registry, as readers see it: a hash table from identities to bindings.
///
/// # Layout
///
/// Two levels, so that publishing one registration copies one segment and the directory, not the table:
///
/// ```
/// header:   directory mask | slot mask | keyed services | segment 0 | segment 1 | …
/// segment:  entry 0 | entry 1 | … | entry count | draft
/// entry:    signature | word | binding
/// ```
///
/// `signature` is the address of a type's metadata: the service itself or, with run-time arguments, ``Signature``
/// of service and arguments. `word` tells keys apart: see ``KeyWord``. `binding` is the address of the ``Binding``,
/// which the registry keeps alive (S1). An entry with signature 0 is empty; each segment has one (S2), so a probe ends.
///
/// Snapshots and segments are never changed once published (S3). ``SnapshotDraft`` makes the next one.
///
/// Most scopes have no registrations, and so no snapshot: their address is ``nothing``.
@usableFromInline
@frozen
@safe
struct Snapshot {
  @usableFromInline typealias Address = UInt

  @usableFromInline
  @frozen
  struct Entry {
    @usableFromInline var signature: UInt
    @usableFromInline var word: UInt
    @usableFromInline var binding: UInt

    @inlinable
    init(signature: UInt, word: UInt, binding: UInt) {
      self.signature = signature
      self.word = word
      self.binding = binding
    }
  }

  /// In place of an address: nothing is registered.
  @usableFromInline static var nothing: Address {
    @inlinable @inline(__always) get { 0 }
  }

  /// In place of an address: the container is closed. Every address is beyond it.
  @usableFromInline static var closed: Address {
    @inlinable @inline(__always) get { 1 }
  }

  /// Where the segments begin in the header.
  @usableFromInline static var firstSegment: UInt {
    @inlinable @inline(__always) get { 3 }
  }

  /// Directory mask, slot mask, a filter of the services that have keyed entries, then the segments.
  @usableFromInline let header: UnsafePointer<UInt>

  /// Whether there may be keyed entries of a service. A bit of the filter stands for many services, and stays when the last of them is gone.
  @inline(__always)
  func mayHaveKeys(of signature: UInt) -> Bool { unsafe header[2] & Self.filter(signature) != 0 }

  /// The bit of a service in the filter.
  static func filter(_ signature: UInt) -> UInt { 1 &<< (hash(signature, 0) &>> 58) }

  @inlinable
  @inline(__always)
  init(at address: Address) {
    unsafe header = UnsafePointer(bitPattern: address).unsafelyUnwrapped
  }

  /// Mixes an identity into a hash. Metadata addresses differ in their low bits, which a multiplication
  /// carries upwards; so only bits from 32 up are used. A word is rotated first: that of a literal is an address, too.
  @inlinable
  @inline(__always)
  static func hash(_ signature: UInt, _ word: UInt) -> UInt {
    (signature ^ (word &<< 20 | word &>> 44)) &* 0x9E37_79B9_7F4A_7C15
  }

  @inlinable
  @inline(__always)
  func segment(_ hash: UInt) -> UnsafePointer<Entry> {
    let index = unsafe (hash &>> 38) & header[0]
    let address = unsafe header[Int(bitPattern: Self.firstSegment &+ index)]
    return unsafe UnsafePointer(bitPattern: address).unsafelyUnwrapped
  }

  /// The binding of an identity whose word is proof by itself: no key, or the address of a literal.
  /// 0 when there is none.
  ///
  /// - Complexity: O(1), one probe.
  @inlinable
  @inline(__always)
  func find(_ signature: UInt, _ word: UInt) -> UInt {
    let hash = Self.hash(signature, word)
    let entries = unsafe segment(hash)
    let mask = unsafe header[1]
    var slot = (hash &>> 32) & mask
    while true {
      let entry = unsafe entries + Int(bitPattern: slot)
      let found = unsafe entry.pointee.signature
      if found == signature, unsafe entry.pointee.word == word {
        return unsafe entry.pointee.binding
      }
      if found == 0 { return 0 }
      slot = (slot &+ 1) & mask
    }
  }

  /// The binding of a keyed identity: the word is a hash, so `isMatch` compares the keys themselves.
  @inlinable
  @inline(__always)
  func find(_ signature: UInt, _ word: UInt, where isMatch: (_ binding: UInt) -> Bool) -> UInt {
    let hash = Self.hash(signature, word)
    let entries = unsafe segment(hash)
    let mask = unsafe header[1]
    var slot = (hash &>> 32) & mask
    while true {
      let entry = unsafe entries + Int(bitPattern: slot)
      let found = unsafe entry.pointee.signature
      if found == signature, unsafe entry.pointee.word == word {
        let binding = unsafe entry.pointee.binding
        if isMatch(binding) { return binding }
      }
      if found == 0 { return 0 }
      slot = (slot &+ 1) & mask
    }
  }
}
