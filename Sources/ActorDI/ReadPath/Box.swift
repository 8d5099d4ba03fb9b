public import CActorDI

/// The memory of an instance, whatever its type: one object, with the value behind its header, which is that type.
///
/// It is no generic class, since the runtime would have to make the tables of that for each type of service, once. The type is known wherever a
/// value goes in or comes out: see ``Instance``.
@usableFromInline
final class Box: ManagedBuffer<any Any.Type, UInt8> {
  deinit {
    func deinitialize<Value>(_ type: Value.Type) { unsafe memory(of: type).deinitialize(count: 1) }
    deinitialize(self.type)
  }

  /// By its address: there is nobody to guard it against, and the guard would cost more than the look.
  var type: any Any.Type { unsafe withUnsafeMutablePointerToHeader { unsafe $0.pointee } }

  /// One with memory for a value, which has to be there when it ends, or ``leaveEmpty()``.
  @inlinable
  @inline(__always)
  static func empty<Value>(for type: Value.Type) -> Box {
    let padding = MemoryLayout<Value>.alignment <= MemoryLayout<UInt>.alignment ? 0 : MemoryLayout<Value>.alignment
    let box = create(minimumCapacity: MemoryLayout<Value>.size + padding + distance) { _ in type }
    return unsafe unsafeDowncast(box, to: Box.self)
  }

  /// What is allocated next is, as a rule, the object that the value will refer to. All who copy the value change that one's reference count:
  /// with it in the same cache line, each of them would wait for the line before it finds the value. With so many bytes between them it is not.
  @inlinable static var distance: Int { 40 }

  /// Has it hold nothing.
  @inlinable
  func leaveEmpty() { header = Void.self }

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

/// An instance, or any value, in a ``Box``: what the container hands from one part of it to another. Only at both ends, where an instance is
/// made and where somebody gets it, its type is known to the compiler.
///
/// `@unchecked Sendable` because it does not change, so that threads may read it at the same time, and only Sendable services are kept: the
/// initialisers of ``Registration`` that take a kept scope ask for it. One that holds anything else, as a `.graph` instance under
/// construction, never leaves its call.
@usableFromInline
@frozen
struct Instance: @unchecked Sendable {
  @usableFromInline let box: Box

  @inlinable
  init(_ box: Box) { self.box = box }

  /// - Parameter value: of the type that it is to be read as. (An existential of a known type would be opened here: see SE-0352.)
  @inlinable
  @inline(__always)
  init<Value>(holding value: consuming Value) {
    box = Box.empty(for: Value.self)
    unsafe box.memory(of: Value.self).initialize(to: value)
  }

  /// The type that it was made as, of the service rather than of what that may hold.
  var type: any Any.Type { box.type }

  /// - Parameter type: what it was made as.
  @inlinable
  @inline(__always)
  func value<Value>(as type: Value.Type = Value.self) -> Value {
    let value = unsafe box.memory(of: type).pointee
    extendLifetime(box)
    return value
  }

  /// Lends the value to a closure, without a copy of it, which would be a retain.
  @inlinable
  @inline(__always)
  func lend<Value, Result>(
    as type: Value.Type = Value.self, to body: (borrowing Value) throws -> Result
  ) rethrows -> Result {
    defer { extendLifetime(box) }
    return try unsafe Self.lend(box.memory(of: type), to: body)
  }

  /// The value, whatever its type.
  var anyValue: Any {
    func any<Value>(_ type: Value.Type) -> Any { value(as: type) }
    return any(self.type)
  }

  /// For any type, copyable or not: so there is none that the compiler could copy.
  @inlinable
  @inline(__always)
  static func lend<Value: ~Copyable, Result>(
    _ memory: UnsafePointer<Value>, to body: (borrowing Value) throws -> Result
  ) rethrows -> Result {
    try unsafe body(memory.pointee)
  }

  /// That of a box that is known by its address only. The caller holds a pin or a slot for it.
  @inlinable
  @inline(__always)
  static func value<Value>(at address: UInt, as type: Value.Type) -> Value {
    let pointer = unsafe UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
    return unsafe Unmanaged<Box>.fromOpaque(pointer)._withUnsafeGuaranteedRef { unsafe $0.memory(of: type).pointee }
  }
}
