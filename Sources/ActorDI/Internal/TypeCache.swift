internal import Synchronization

/// What is known of types, computed once for each: a question to the runtime about a type's conformances takes longer than many factories.
///
/// Lock-free. The cache keeps its entries as long as it exists, since a type is never unloaded.
@safe
struct TypeCache<Value: Sendable>: ~Copyable, @unchecked Sendable {
  // `@unchecked Sendable` because the entries are published by the places, which are atomic, and do not change afterwards.

  private struct Entry {
    let type: ObjectIdentifier
    let value: Value
    /// The address of the next entry of the same place; 0 for none.
    let next: UInt
  }

  /// The addresses of the latest entries, by a hash of the type's address.
  private let places: UnsafeMutablePointer<Atomic<UInt>>

  private static var bits: Int { 8 }

  init() {
    unsafe places = .allocate(capacity: 1 << Self.bits)
    for index in 0..<1 << Self.bits { unsafe (places + index).initialize(to: Atomic(0)) }
  }

  deinit {
    for index in 0..<1 << Self.bits {
      var address = unsafe (places + index).move().load(ordering: .acquiring)
      while let entry = unsafe UnsafeMutablePointer<Entry>(bitPattern: address) {
        address = unsafe entry.move().next
        unsafe entry.deallocate()
      }
    }
    unsafe places.deallocate()
  }

  /// The value of a type.
  ///
  /// - Parameter compute: Computes the value of a type that is not known yet. Threads may do so at the same time.
  /// - Complexity: O(1) for a known type.
  borrowing func value(of type: any Any.Type, or compute: () -> Value) -> Value {
    let type = ObjectIdentifier(type)
    let hash = UInt(bitPattern: type) &* 0x9E37_79B9_7F4A_7C15
    let place = unsafe places + Int(bitPattern: hash &>> (UInt.bitWidth - Self.bits))
    var first = unsafe place.pointee.load(ordering: .acquiring)
    if let known = Self.find(type, from: first) { return known }
    let value = compute()
    let entry = UnsafeMutablePointer<Entry>.allocate(capacity: 1)
    while true {
      unsafe entry.initialize(to: Entry(type: type, value: value, next: first))
      let (isDone, now) = unsafe place.pointee.compareExchange(
        expected: first, desired: UInt(bitPattern: entry), ordering: .acquiringAndReleasing)
      if isDone { return value }
      unsafe entry.deinitialize(count: 1)
      if let known = Self.find(type, from: now) {
        unsafe entry.deallocate()
        return known
      }
      first = now
    }
  }

  private static func find(_ type: ObjectIdentifier, from first: UInt) -> Value? {
    var address = first
    while let entry = unsafe UnsafePointer<Entry>(bitPattern: address) {
      if unsafe entry.pointee.type == type { return unsafe entry.pointee.value }
      address = unsafe entry.pointee.next
    }
    return nil
  }
}
