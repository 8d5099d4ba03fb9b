/// A synchronous factory that writes its product to given memory.
///
/// Erases the type of the product: a generic class would cost metadata per service type. The closure is created where
/// the type is known, and contains the user's factory. So it costs one call, like a factory that returns its product.
@usableFromInline @frozen @safe
struct Factory: Sendable {
  @usableFromInline typealias Write = @Sendable (Resolver, UnsafeMutableRawPointer) throws -> Void

  @usableFromInline let write: Write

  @_alwaysEmitIntoClient @inline(__always)
  init<Service>(_ make: @escaping @Sendable (Resolver) throws -> Service) {
    unsafe write = { resolver, memory in
      unsafe memory.initializeMemory(as: Service.self, to: try make(resolver))
    }
  }

  /// Creates a factory that copies an instance made elsewhere.
  init(copying make: @escaping @Sendable (Resolver) throws -> Instance) {
    unsafe write = { resolver, memory in
      unsafe try make(resolver).write(to: memory)
    }
  }

  /// Creates a factory that always fails.
  init(failingWith error: @autoclosure @escaping @Sendable () -> ResolutionError) {
    unsafe write = { _, _ in throw error() }
  }

  func makeInstance(of type: any Any.Type, _ resolver: Resolver) throws -> Instance {
    try unsafe Instance(of: type) { unsafe try write(resolver, $0) }
  }
}

extension Instance {
  /// Makes an instance directly in its box.
  ///
  /// - Parameters:
  ///   - type: The type of the product.
  ///   - write: Writes the product to the memory of the box.
  @inline(__always)
  init(of type: any Any.Type, _ write: (UnsafeMutableRawPointer) throws -> Void) rethrows {
    let box = Box.empty(for: type)
    do {
      unsafe try write(box.memory)
    } catch {
      box.leaveEmpty()
      throw error
    }
    self.init(box)
  }
}
