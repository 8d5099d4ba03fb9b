public import CActorDI

/// The memory of an instance of any type: one object, with the value behind its header.
///
/// Erases the type: the runtime would create the metadata of a generic class at the first use of each service type. The code that stores or
/// reads a value knows its type, and is emitted into the client, which is specialised for it; see ``Instance``.
@usableFromInline
final class Box: ManagedBuffer<Box.Header, UInt8> {
  @usableFromInline
  struct Header {
    /// The type of the value.
    @usableFromInline var type: any Any.Type
    /// Notes of the requests of an uncontended build. Written before the box is shown, and immutable while it is shown.
    @usableFromInline var notes: RequestNotes?

    @inlinable
    init(type: any Any.Type) { self.type = type }
  }

  deinit {
    func deinitialize<Value>(_ type: Value.Type) { unsafe memory(of: type).deinitialize(count: 1) }
    deinitialize(self.type)
  }

  /// By address, because an exclusivity check would cost more than the access, and nothing writes the type concurrently.
  private(set) var type: any Any.Type {
    get { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee.type } }
    set { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee.type = newValue } }
  }

  var notes: RequestNotes? {
    get { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee.notes } }
    set { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee.notes = newValue } }
  }

  /// Allocates a box for a value.
  ///
  /// The caller initialises the value, or calls ``leaveEmpty()``, before the box is released.
  @_alwaysEmitIntoClient @inline(__always)
  static func empty<Value>(for type: Value.Type) -> Box {
    let padding = MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment ? 0 : MemoryLayout<Value>.alignment
    let box = create(minimumCapacity: MemoryLayout<Value>.size + padding + distance) { _ in Header(type: type) }
    return unsafe unsafeDowncast(box, to: Box.self)
  }

  /// The address of the value, whatever its type.
  var memory: ServiceMemory {
    func memory<Value>(_ type: Value.Type) -> ServiceMemory {
      unsafe ServiceMemory(UnsafeMutableRawPointer(self.memory(of: type)))
    }
    return memory(self.type)
  }

  /// Writes a copy of the value to memory, whatever its type.
  func write(to memory: ServiceMemory) {
    func write<Value>(_ type: Value.Type) {
      unsafe memory.pointer.assumingMemoryBound(to: type).initialize(to: self.memory(of: type).pointee)
    }
    write(self.type)
  }

  /// The number of unused bytes behind the value.
  ///
  /// The next allocation is usually the object that the value refers to. Copying the value changes that object's reference count.
  /// If both shared a cache line, each copy would wait for the line before it could read the value. This distance separates them.
  @inlinable static var distance: Int { 32 }

  /// Marks the box as holding no value.
  func leaveEmpty() { type = Void.self }

  /// Returns the address of the value. The caller keeps the box alive, with `extendLifetime` if necessary.
  ///
  /// The optimiser trusts the declared type of the memory, bytes. It would conclude that no object escapes into it, and might
  /// allocate a stored object on the stack. So the origin of the address is hidden from it, as for allocated memory.
  @_alwaysEmitIntoClient @inline(__always)
  final func memory<Value>(of type: Value.Type) -> UnsafeMutablePointer<Value> {
    let bytes = unsafe actordi_hidden(withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) })
    // The header's end is aligned for a word.
    let memory =
      MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment ? unsafe bytes : unsafe bytes.alignedUp(for: type)
    return unsafe memory.assumingMemoryBound(to: type)
  }
}
