/// An instance, or any other value, in a ``Box``. The parts of the container pass instances to one another in this form.
///
/// The compiler knows the type only at both ends: where an instance is made, and where a caller receives it. The functions for both ends are
/// emitted into the client, which is specialised for the type.
///
/// `@unchecked Sendable` because an instance is immutable, and kept services are Sendable: the initialisers of ``Registration``
/// with a kept scope require it. Any other service, such as a `.graph` instance under construction, never leaves its call.
@usableFromInline @frozen
struct Instance: @unchecked Sendable {
  @usableFromInline let box: Box

  @inlinable
  init(_ box: Box) { self.box = box }

  /// Boxes a value.
  ///
  /// - Parameter value: The value, as the type under which it will be read. (A type-erased parameter would open an existential; see
  ///   SE-0352.)
  @_alwaysEmitIntoClient @inline(__always)
  init<Value>(holding value: consuming Value) {
    box = Box.empty(for: Value.self)
    unsafe box.memory(of: Value.self).initialize(to: value)
  }

  /// The type under which the value was stored: the service type, which may differ from the dynamic type.
  var type: any Any.Type { box.type }

  /// Returns a copy of the value.
  ///
  /// - Parameter type: The type under which the value was stored. Not inferred: where an optional is wanted, the compiler would infer
  ///   the optional, and read its tag from beyond the value.
  @_alwaysEmitIntoClient @inline(__always)
  func value<Value>(as type: Value.Type) -> Value {
    assert(box.header.type == type, "an instance is read as the type it was stored under")
    let value = unsafe box.memory(of: type).pointee
    extendLifetime(box)
    return value
  }

  /// Whether this is the same instance: the same object or, for a value, the same copy.
  func isSame(as other: Instance) -> Bool {
    if box === other.box { return true }
    guard let object, let otherObject = other.object else { return false }
    return object === otherObject
  }

  /// Writes a copy of the value to memory, whatever its type.
  func write(to memory: ServiceMemory) { box.write(to: memory) }

  /// Borrows the value for a closure, without copying or retaining it.
  @_alwaysEmitIntoClient @inline(__always)
  func borrow<Value, Result>(as type: Value.Type, to body: (borrowing Value) throws -> Result) rethrows -> Result {
    defer { extendLifetime(box) }
    return try unsafe Self.borrow(box.memory(of: type), to: body)
  }

  /// The value, whatever its type.
  var anyValue: Any {
    func any<Value>(_ type: Value.Type) -> Any { value(as: type) }
    return any(self.type)
  }

  /// Borrows a value in memory. The generic parameter is noncopyable, so the compiler cannot insert a copy.
  @_alwaysEmitIntoClient @inline(__always)
  static func borrow<Value: ~Copyable, Result>(
    _ memory: UnsafePointer<Value>, to body: (borrowing Value) throws -> Result
  ) rethrows -> Result {
    try unsafe body(memory.pointee)
  }
}
