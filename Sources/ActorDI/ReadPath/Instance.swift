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

  /// Writes a copy of the value to memory, whatever its type.
  func write(to memory: UnsafeMutableRawPointer) {
    func write<Value>(_ type: Value.Type) { unsafe memory.initializeMemory(as: type, to: value(as: type)) }
    write(self.type)
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
