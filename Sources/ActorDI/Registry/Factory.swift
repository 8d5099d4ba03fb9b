/// A synchronous factory that writes its product to given memory.
///
/// Erases the types of the product and of the run-time arguments: the runtime would create the metadata of a generic class at the first
/// use of each service type. The closure is created in the client, where the types are known, and contains the user's factory. So it
/// costs one call, like a factory that returns its product.
@usableFromInline @frozen @safe
struct Factory: Sendable {
  /// Returns the error instead of throwing it.
  ///
  /// The compiler merges closures that differ only in the types they name, and replaces each by a jump to the merged function. From a
  /// closure that throws, it would be a call. A chain of dependencies would then nest a third more calls, and the processor predicts only
  /// some sixteen to thirty nested returns.
  @usableFromInline typealias Body = @Sendable (Resolver, ServiceMemory, Arguments?) -> (any Error)?

  @usableFromInline let body: Body

  /// Creates a factory without run-time arguments.
  @_alwaysEmitIntoClient @inline(__always)
  init<Service>(_ make: @escaping @Sendable (Resolver) throws -> Service) {
    body = { resolver, memory, _ in
      do {
        memory.initialize(as: Service.self, to: try make(resolver))
        return nil
      } catch {
        return error
      }
    }
  }

  /// Creates a factory with run-time arguments, of which there may be none.
  @_alwaysEmitIntoClient @inline(__always)
  init<Service, each Argument: Sendable>(
    taking make: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service
  ) {
    body = { resolver, memory, arguments in
      do {
        let values = try Arguments.values(of: arguments, for: Service.self, repeat (each Argument).self)
        memory.initialize(as: Service.self, to: try make(resolver, repeat each values))
        return nil
      } catch {
        return error
      }
    }
  }

  /// Creates a factory that passes the run-time arguments on, or ignores them.
  ///
  /// - Parameter write: Writes the product to the memory.
  init(_ write: @escaping @Sendable (Resolver, ServiceMemory, Arguments?) throws -> Void) {
    body = { resolver, memory, arguments in
      do {
        try write(resolver, memory, arguments)
        return nil
      } catch {
        return error
      }
    }
  }

  /// Creates a factory whose product is a copy of an instance: for an object, the same object.
  init(copying instance: Instance) {
    body = { _, memory, _ in
      instance.write(to: memory)
      return nil
    }
  }

  /// Creates a factory that always fails.
  init(failingWith error: @autoclosure @escaping @Sendable () -> ResolutionError) {
    body = { _, _, _ in error() }
  }

  /// Calls the factory.
  ///
  /// - Parameters:
  ///   - memory: Receives the product.
  ///   - arguments: The run-time arguments, of the types that the factory takes; nil if there are none.
  func write(_ resolver: Resolver, _ memory: ServiceMemory, _ arguments: Arguments?) throws {
    if let error = body(resolver, memory, arguments) { throw error }
  }

  func makeInstance(of type: any Any.Type, _ resolver: Resolver, _ arguments: Arguments?) throws -> Instance {
    try Instance(of: type) { try write(resolver, $0, arguments) }
  }
}

extension Instance {
  /// Makes an instance directly in its box.
  ///
  /// - Parameters:
  ///   - type: The type of the product.
  ///   - write: Writes the product to the memory of the box.
  init(of type: any Any.Type, _ write: (ServiceMemory) throws -> Void) rethrows {
    let box = Box.empty(for: type)
    do {
      try write(box.memory)
    } catch {
      box.leaveEmpty()
      throw error
    }
    self.init(box)
  }
}
