public import CActorDI

// Making an instance after a search that found no kept one. Only the memory for a new instance is specialised for the service's type.
// Everything else is compiled once, in the library.
//
// These are functions of the container and take the resolver's parts. A resolver passed as a whole would be retained for the call.
// Threads that resolve from the same container would contend for the reference count.
extension Container {
  /// Makes an instance for a synchronous caller.
  ///
  /// - Parameters:
  ///   - lookup: The result of a search, under its pin, which ends here.
  @_alwaysEmitIntoClient @inline(__always)
  nonisolated func make<Service>(
    _ type: Service.Type, _ lookup: Lookup, _ frame: ResolutionFrame?, key: Key? = nil, arguments: Arguments? = nil
  ) throws -> sending Service {
    // Not captured by the closure as a reference, which `receiveLarge` would retain.
    let container = UnheldReference(self)
    return try Self.receive(type) { memory in
      try container.borrow {
        try $0.make(type, key: key, arguments, lookup, frame, at: memory)
      }
    }
  }

  /// Resolves a service in one call of the library, which also looks it up.
  @_alwaysEmitIntoClient @inline(__always)
  nonisolated func resolveInOneCall<Service>(_ type: Service.Type, _ frame: ResolutionFrame?) throws -> sending Service
  {
    let container = UnheldReference(self)
    return try Self.receive(type) { memory in
      try container.borrow { try $0.resolve(type, frame, at: memory) }
    }
  }

  /// Receives a service, new or a copy of a kept one, that a function of the library writes to memory.
  // Inlined, and without a stack guard. A chain of dependencies pays for each function between two factories beyond the call itself:
  // the processor predicts only some sixteen to thirty nested returns.
  // A typed error, because an asynchronous caller throws the work that remains, which should cost no allocation.
  @_alwaysEmitIntoClient @inline(__always)
  static func receive<Service, Failure: Error>(
    _ type: Service.Type, _ write: (ServiceMemory) throws(Failure) -> Void
  ) throws(Failure) -> sending Service {
    guard StackWords.hasRoom(for: type) else { return try receiveLarge(type, write) }
    var words = StackWords()
    try words.borrow { memory throws(Failure) in try write(memory) }
    return words.take(type)
  }

  // Not inlined: stack memory of a size that is unknown at compile time would change the frame of each caller.
  @_alwaysEmitIntoClient @inline(never)
  static func receiveLarge<Service, Failure: Error>(
    _ type: Service.Type, _ write: (ServiceMemory) throws(Failure) -> Void
  ) throws(Failure) -> sending Service {
    // A new instance has no other reference; a kept one is Sendable.
    nonisolated(unsafe) let service = try unsafe _withUnprotectedUnsafeTemporaryAllocation(of: type, capacity: 1) {
      buffer throws(Failure) in
      let memory = unsafe ServiceMemory(UnsafeMutableRawPointer(buffer.baseAddress.unsafelyUnwrapped))
      try write(memory)
      return memory.move(as: type)
    }
    return unsafe service
  }

  /// Receives a service, if a function of the library writes one.
  ///
  /// - Parameter tryMaking: Writes the service to memory, or returns the work that remains.
  @_alwaysEmitIntoClient @inline(__always)
  static func tryReceiving<Service>(
    _ type: Service.Type, _ tryMaking: (ServiceMemory) throws -> RemainingWork?
  ) throws(NotMade) -> sending Service {
    try receive(type) { memory throws(NotMade) in
      let remaining: RemainingWork?
      do { remaining = try tryMaking(memory) } catch { throw .failed(error) }
      if let remaining { throw .remaining(remaining) }
    }
  }

  /// Makes an instance for an asynchronous caller. Uses no generic type besides the service's own: the runtime would create its
  /// metadata for each service. Not inlined, so that a hit needs no memory for it.
  ///
  /// - Parameters:
  ///   - lookup: The result of a search, under its pin, which ends here.
  @inlinable @inline(never)
  nonisolated func makeAsync<Service>(
    _ type: Service.Type, _ lookup: Lookup, _ frame: ResolutionFrame?, key: Key? = nil, arguments: Arguments? = nil
  ) async throws -> sending Service {
    let remaining: RemainingWork
    do {
      return try Self.tryReceiving(type) { try tryMaking(lookup, arguments, frame, for: .asynchronous, at: $0) }
    } catch {
      remaining = try error.remaining()
    }
    return Self.service(type, in: try await finish(type, key: key, arguments, remaining, frame))
  }

  /// Finishes a service for an asynchronous caller, suspending if necessary.
  ///
  /// - Throws: ``ResolutionError/Code/notRegistered``.
  @usableFromInline
  nonisolated func finish(
    _ service: any Any.Type, key: Key?, _ arguments: Arguments?, _ remaining: RemainingWork, _ frame: ResolutionFrame?
  ) async throws -> Instance {
    let identity = ServiceIdentity(service, key: key, taking: arguments)
    let instance = try await Resolver(container: self, frame: frame)
      .finishIfPresent(identity, remaining, arguments: arguments)
    guard let instance else { throw Resolver(container: self, frame: frame).missing(identity) }
    return instance
  }

  @_alwaysEmitIntoClient @inline(__always)
  static func service<Service>(_ type: Service.Type, in instance: Instance) -> sending Service {
    instance.value(as: type)
  }
}

/// Memory on the stack for an instance, of a size independent of the service's type.
///
/// It has room for a small value, or an existential of one or two protocols. It stays in place between its uses, because its address has
/// been handed out.
///
/// With temporary memory of the type's own size, a throwing closure over that memory would return a `Result` of the service type.
/// Unspecialised code would look up and move that type each time. It would look up an optional of the type, too.
@usableFromInline @frozen
struct StackWords: BitwiseCopyable {
  var words: (UInt, UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0, 0)
  @inlinable init() {}

  @_alwaysEmitIntoClient @inline(__always)
  static func hasRoom<Service>(for type: Service.Type) -> Bool {
    MemoryLayout<Service>.size <= MemoryLayout<Self>.size
      && MemoryLayout<Service>.alignment <= MemoryLayout<Self>.alignment
  }

  @_alwaysEmitIntoClient @inline(__always)
  mutating func borrow<Failure: Error>(
    _ body: (ServiceMemory) throws(Failure) -> Void
  ) throws(Failure) {
    try unsafe _withUnprotectedUnsafeMutablePointer(to: &self) { words throws(Failure) in
      unsafe try body(ServiceMemory(UnsafeMutableRawPointer(words)))
    }
  }

  /// Moves the instance out of the memory.
  @_alwaysEmitIntoClient @inline(__always)
  mutating func take<Service>(_ type: Service.Type) -> Service {
    unsafe _withUnprotectedUnsafeMutablePointer(to: &self) {
      // Hidden, because the words' own type needs no release. Otherwise the optimiser omits the release of an instance that the caller
      // ignores (DestroyAddrHoisting, Swift 6.3).
      unsafe actordi_hidden(UnsafeMutableRawPointer($0)).assumingMemoryBound(to: type).move()
    }
  }
}
