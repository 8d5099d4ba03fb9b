/// The memory of a service: where its maker writes it, and where its caller finds it.
///
/// Erases the type, so that the functions between the two are compiled once. The caller that reserves the memory knows the type of the
/// service that it asks for, and keeps the memory until it has moved the service out.
///
/// Marked as safe, so that `unsafe` marks where memory is reserved, and not each function that passes it on.
@usableFromInline @frozen @safe
struct ServiceMemory: BitwiseCopyable {
  @usableFromInline let pointer: UnsafeMutableRawPointer

  // Emitted into the client, as are the functions below: a new instance costs little more than its initialiser.
  @_alwaysEmitIntoClient @inline(__always)
  init(_ pointer: UnsafeMutableRawPointer) { unsafe self.pointer = pointer }

  /// Writes the service.
  ///
  /// - Parameter type: The type that is asked for. Not inferred: the compiler might infer an optional of it.
  @_alwaysEmitIntoClient @inline(__always)
  func initialize<Service>(as type: Service.Type, to service: consuming Service) {
    unsafe pointer.initializeMemory(as: type, to: service)
  }

  /// Moves the service out.
  @_alwaysEmitIntoClient @inline(__always)
  func move<Service>(as type: Service.Type) -> Service { unsafe pointer.assumingMemoryBound(to: type).move() }

  /// Borrows the service for a closure, without copying or retaining it.
  func borrow<Service, Result>(as type: Service.Type, to body: (borrowing Service) throws -> Result) rethrows -> Result
  {
    try unsafe Instance.borrow(pointer.assumingMemoryBound(to: type), to: body)
  }

  /// Moves the service into an instance, whatever its type.
  func take(as type: any Any.Type) -> Instance {
    func take<Service>(_ type: Service.Type) -> Instance { Instance(holding: move(as: type)) }
    return take(type)
  }

  /// Releases the service, whatever its type.
  func deinitialize(as type: any Any.Type) {
    func deinitialize<Service>(_ type: Service.Type) {
      unsafe pointer.assumingMemoryBound(to: type).deinitialize(count: 1)
    }
    deinitialize(type)
  }

  /// A word of a service that has been written, such as a reference or the type in an existential.
  ///
  /// The caller knows from the service's type that the word is there: see ``DynamicTypeProbe``.
  func word(at offset: Int = 0) -> UInt { unsafe pointer.loadUnaligned(fromByteOffset: offset, as: UInt.self) }
}
