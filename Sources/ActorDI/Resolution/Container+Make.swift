// Making an instance after a search found no kept one. Only the memory for a new instance is specialised for the service's type;
// everything else is compiled once, in the library.
//
// These are functions of the container and take the resolver's parts. A resolver passed as a whole would be retained for the call.
// Threads that resolve from the same container would contend for the reference count.
extension Container {
  /// Makes an instance for a synchronous caller.
  ///
  /// - Parameters:
  ///   - found: The result of a search, under its pin, which ends here.
  ///   - literal: The address of the literal that the key was given by, or 0.
  // Inlined, and without a stack guard. A chain of dependencies pays for each function between two factories beyond the call itself:
  // the processor predicts only some sixteen nested returns.
  @_alwaysEmitIntoClient
  @inline(__always)
  nonisolated func make<Service>(
    _ type: Service.Type, _ found: Lookup, _ frame: ResolutionFrame?, key: Key? = nil, literal: UInt = 0
  ) throws -> sending Service {
    // Where the type is not known at compile time, the larger memory alone is enough.
    if _isConcrete(type) && StackWord.hasRoom(for: type) {
      return try make(type, found, frame, key: key, literal: literal, in: StackWord())
    }
    if StackWords.hasRoom(for: type) {
      return try make(type, found, frame, key: key, literal: literal, in: StackWords())
    }
    return try makeLarge(type, found, frame, key: key, literal: literal)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  nonisolated func make<Service>(
    _ type: Service.Type, _ found: Lookup, _ frame: ResolutionFrame?, key: Key?, literal: UInt,
    in words: some StackMemory
  ) throws -> sending Service {
    var words = words
    let kept = try unsafe words.borrow { memory in
      if frame == nil, try unsafe makeAtOnce(found, at: memory) { return nil as Instance? }
      return try unsafe produce(type, key: key, literal: literal, found, frame, at: memory)
    }
    if let kept { return Self.service(type, in: kept) }
    // A new instance has no other reference; a weakly kept one is Sendable.
    nonisolated(unsafe) let service = words.take(type)
    return unsafe service
  }

  @inlinable
  @inline(never)
  nonisolated func makeLarge<Service>(
    _ type: Service.Type, _ found: Lookup, _ frame: ResolutionFrame?, key: Key?, literal: UInt
  ) throws -> sending Service {
    nonisolated(unsafe) let service = try unsafe _withUnprotectedUnsafeTemporaryAllocation(of: type, capacity: 1) {
      memory in
      let memory = unsafe memory.baseAddress.unsafelyUnwrapped
      if frame == nil, try unsafe makeAtOnce(found, at: memory) { return unsafe memory.move() }
      if let instance = try unsafe produce(type, key: key, literal: literal, found, frame, at: memory) {
        return instance.value(as: type)
      }
      return unsafe memory.move()
    }
    return unsafe service
  }

  /// Resolves a parameter of a factory, with as little code as possible in the calling program.
  @_alwaysEmitIntoClient
  @inline(__always)
  nonisolated func take<Service>(_ type: Service.Type, _ frame: ResolutionFrame?) throws -> sending Service {
    if _isConcrete(type) && StackWord.hasRoom(for: type) { return try take(type, frame, in: StackWord()) }
    if StackWords.hasRoom(for: type) { return try take(type, frame, in: StackWords()) }
    return try takeLarge(type, frame)
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  nonisolated func take<Service>(
    _ type: Service.Type, _ frame: ResolutionFrame?, in words: some StackMemory
  ) throws -> sending Service {
    var words = words
    let found = try unsafe words.borrow { unsafe try resolve(type, frame, at: $0) }
    if found.isKept { return found.hit(type) }
    // A new instance has no other reference; a weakly kept one is Sendable.
    nonisolated(unsafe) let service = words.take(type)
    return unsafe service
  }

  @inlinable
  @inline(never)
  nonisolated func takeLarge<Service>(_ type: Service.Type, _ frame: ResolutionFrame?) throws -> sending Service {
    nonisolated(unsafe) let service = try unsafe _withUnprotectedUnsafeTemporaryAllocation(of: type, capacity: 1) {
      memory in
      let memory = unsafe memory.baseAddress.unsafelyUnwrapped
      let found = unsafe try resolve(type, frame, at: memory)
      if found.isKept { return found.hit(type) }
      return unsafe memory.move()
    }
    return unsafe service
  }

  /// Makes an instance for an asynchronous caller. Uses no generic type besides the service's own: the runtime would create its
  /// metadata for each service.
  ///
  /// - Parameters:
  ///   - found: The result of a search, under its pin, which ends here.
  ///   - literal: The address of the literal that the key was given by, or 0.
  @inlinable
  @inline(never)
  nonisolated func makeAsync<Service>(
    _ type: Service.Type, _ found: Lookup, _ frame: ResolutionFrame?, key: Key? = nil, literal: UInt = 0
  ) async throws -> sending Service {
    let outcome: Outcome
    if StackWords.hasRoom(for: type) {
      var words = StackWords()
      outcome = try unsafe words.borrow { unsafe try tryProducing(type, key: key, found, frame, at: $0) }
      if case .made = outcome {
        // A new instance has no other reference; a weakly kept one is Sendable.
        nonisolated(unsafe) let service = words.take(type)
        return unsafe service
      }
    } else {
      // A larger value is allocated.
      let box = Box.empty(for: type)
      do {
        outcome = try unsafe tryProducing(type, key: key, found, frame, at: box.memory(of: type))
      } catch {
        box.leaveEmpty()
        throw error
      }
      if case .made = outcome { return Self.service(type, in: Instance(box)) }
      box.leaveEmpty()
    }
    // Avoids an asynchronous call, which would be a good part of the cost of an uncontended build.
    if case .kept(let instance) = outcome { return Self.service(type, in: instance) }
    return Self.service(type, in: try await finish(outcome, type, key: key, literal: literal, frame))
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  static func service<Service>(_ type: Service.Type, in instance: Instance) -> sending Service {
    // A kept instance is Sendable: see ``Instance``. A new one has no other reference.
    nonisolated(unsafe) let service = instance.value(as: type)
    return unsafe service
  }
}

/// Memory on the stack for a new instance, of a size independent of the service's type. It stays in place between its uses, because its
/// address has been handed out.
///
/// With temporary memory of the type's own size, unspecialised code would look up and move a `Result` of the service type each time: a
/// throwing closure over that memory returns one. An optional of the type would be looked up as well.
@usableFromInline
protocol StackMemory: BitwiseCopyable {}

/// Memory for a reference.
@usableFromInline
@frozen
struct StackWord: StackMemory {
  @usableFromInline var word: UInt = 0
  @inlinable init() {}
}

/// Memory for a small value, or an existential of one or two protocols.
@usableFromInline
@frozen
struct StackWords: StackMemory {
  @usableFromInline var words: (UInt, UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0, 0)
  @inlinable init() {}
}

extension StackMemory {
  @_alwaysEmitIntoClient
  @inline(__always)
  static func hasRoom<Service>(for type: Service.Type) -> Bool {
    MemoryLayout<Service>.size <= MemoryLayout<Self>.size
      && MemoryLayout<Service>.alignment <= MemoryLayout<Self>.alignment
  }

  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func borrow<Result>(_ body: (UnsafeMutableRawPointer) throws -> Result) rethrows -> Result {
    try unsafe _withUnprotectedUnsafeMutablePointer(to: &self) { unsafe try body(UnsafeMutableRawPointer($0)) }
  }

  /// Moves the instance out of the memory.
  @_alwaysEmitIntoClient
  @inline(__always)
  mutating func take<Service>(_ type: Service.Type) -> Service {
    unsafe _withUnprotectedUnsafeMutablePointer(to: &self) {
      // Through an integer, which hides from the optimiser that the memory is a variable whose own type needs no release. It left out the
      // release of an instance that the caller does not use (DestroyAddrHoisting, Swift 6.3).
      let address = UInt(bitPattern: $0)
      let memory = unsafe UnsafeMutableRawPointer(bitPattern: address).unsafelyUnwrapped
      return unsafe memory.assumingMemoryBound(to: type).move()
    }
  }
}
