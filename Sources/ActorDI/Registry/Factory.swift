/// A synchronous factory, whatever it makes: it writes that where it is told to.
///
/// So what holds it needs no type parameter, for each value of which the runtime would have to make the tables of a class, once. Where it is
/// made the type is known, and what the user has written becomes part of the closure: it is one call, as a factory that returns its product.
@usableFromInline
@frozen
@safe
struct Factory: Sendable {
  @usableFromInline typealias Write = @Sendable (Resolver, UnsafeMutableRawPointer) throws -> Void

  @usableFromInline let write: Write

  init(writing write: @escaping Write) { unsafe self.write = write }

  @inlinable
  @inline(__always)
  init<Service>(_ make: @escaping @Sendable (Resolver) throws -> Service) {
    unsafe write = { resolver, memory in
      unsafe memory.initializeMemory(as: Service.self, to: try make(resolver))
    }
  }

  /// Of something that has made the instance elsewhere.
  init(copying make: @escaping @Sendable (Resolver) throws -> Instance) {
    unsafe write = { resolver, memory in
      let instance = try make(resolver)
      func copy<Service>(_ type: Service.Type) {
        unsafe memory.initializeMemory(as: type, to: instance.value(as: type))
      }
      copy(instance.type)
    }
  }

  /// One that always fails.
  init(failingWith error: @autoclosure @escaping @Sendable () -> ResolutionError) {
    unsafe write = { _, _ in throw error() }
  }

  /// Makes it where it is to stay.
  ///
  /// - Parameter type: what it was made to make.
  func makeInstance(of type: any Any.Type, _ resolver: Resolver) throws -> Instance {
    let box = Box.empty(for: type)
    do {
      unsafe try write(resolver, box.memory)
    } catch {
      box.leaveEmpty()
      throw error
    }
    return Instance(box)
  }
}
