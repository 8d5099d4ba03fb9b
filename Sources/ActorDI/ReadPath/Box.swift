public import CActorDI

/// The memory of an instance, whatever its type: one object, with the value behind its header, which is that type.
///
/// It is no generic class, since the runtime would have to make the tables of that for each type of service, once. The type is known wherever a
/// value goes in or comes out: see ``Instance``.
@usableFromInline
final class Box: ManagedBuffer<Box.Header, UInt8> {
  @usableFromInline
  struct Header {
    /// The type of the value.
    @usableFromInline var type: any Any.Type
    /// What the instance was made from, of an uncontended build: written before the box is shown, and read while it is.
    @usableFromInline var notes: RequestNotes?

    @inlinable
    init(type: any Any.Type) {
      self.type = type
      notes = nil
    }
  }

  deinit {
    func deinitialize<Value>(_ type: Value.Type) { unsafe memory(of: type).deinitialize(count: 1) }
    deinitialize(self.type)
  }

  /// By its address: there is nobody to guard it against, and the guard would cost more than the look.
  var type: any Any.Type { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee.type } }

  var notes: RequestNotes? {
    get { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee.notes } }
    set { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee.notes = newValue } }
  }

  /// One with memory for a value, which has to be there when it ends, or ``leaveEmpty()``.
  @inlinable
  @inline(__always)
  static func empty<Value>(for type: Value.Type) -> Box {
    let padding = MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment ? 0 : MemoryLayout<Value>.alignment
    let box = create(minimumCapacity: MemoryLayout<Value>.size + padding + distance) { _ in Header(type: type) }
    return unsafe unsafeDowncast(box, to: Box.self)
  }

  /// Where the value is, whatever its type.
  var memory: UnsafeMutableRawPointer {
    func address<Value>(_ type: Value.Type) -> UnsafeMutableRawPointer {
      unsafe UnsafeMutableRawPointer(memory(of: type))
    }
    return unsafe address(self.type)
  }

  /// What is allocated next is, as a rule, the object that the value will refer to. All who copy the value change that one's reference count:
  /// with it in the same cache line, each of them would wait for the line before it finds the value. With so many bytes between them it is not.
  @inlinable static var distance: Int { 32 }

  /// Has it hold nothing.
  @inlinable
  func leaveEmpty() { header.type = Void.self }

  /// Where the value is. The caller keeps the box, if need be by `extendLifetime`.
  ///
  /// The optimiser takes the memory for what it is declared as, bytes, and would conclude that nothing escapes to it: an object that is
  /// stored there might be made on the stack. So where the address comes from is hidden, as that of allocated memory is.
  @inlinable
  @inline(__always)
  final func memory<Value>(of type: Value.Type) -> UnsafeMutablePointer<Value> {
    let bytes = unsafe actordi_hidden(withUnsafeMutablePointerToElements { UnsafeMutableRawPointer($0) })
    // The header ends where a word may begin.
    let memory =
      MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment ? unsafe bytes : unsafe bytes.alignedUp(for: type)
    return unsafe memory.assumingMemoryBound(to: type)
  }
}
