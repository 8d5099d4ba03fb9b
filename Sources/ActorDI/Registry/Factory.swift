/// A synchronous factory that writes its product to given memory.
///
/// Erases the type of the product: the runtime would create the metadata of a generic class at the first use of each
/// service type. The closure is created in the client, where the type is known, and contains the user's factory. So it
/// costs one call, like a factory that returns its product.
@usableFromInline @frozen @safe
struct Factory: Sendable {
  /// Returns the error instead of throwing it.
  ///
  /// The compiler merges closures that differ only in the types they name, and replaces each by a jump to the merged function. From a
  /// closure that throws, it would be a call. A chain of dependencies would then nest a third more calls, and the processor predicts only
  /// some sixteen to thirty nested returns.
  @usableFromInline typealias Body = @Sendable (Resolver, UnsafeMutableRawPointer) -> (any Error)?

  @usableFromInline let body: Body

  @_alwaysEmitIntoClient @inline(__always)
  init<Service>(_ make: @escaping @Sendable (Resolver) throws -> Service) {
    unsafe body = { resolver, memory in
      do {
        unsafe memory.initializeMemory(as: Service.self, to: try make(resolver))
        return nil
      } catch {
        return error
      }
    }
  }

  /// Creates a factory that copies an instance made elsewhere.
  init(copying make: @escaping @Sendable (Resolver) throws -> Instance) {
    unsafe body = { resolver, memory in
      do {
        unsafe try make(resolver).write(to: memory)
        return nil
      } catch {
        return error
      }
    }
  }

  /// Creates a factory that always fails.
  init(failingWith error: @autoclosure @escaping @Sendable () -> ResolutionError) {
    unsafe body = { _, _ in error() }
  }

  /// Calls the factory.
  ///
  /// - Parameter memory: Receives the product.
  func write(_ resolver: Resolver, _ memory: UnsafeMutableRawPointer) throws {
    if let error = unsafe body(resolver, memory) { throw error }
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
