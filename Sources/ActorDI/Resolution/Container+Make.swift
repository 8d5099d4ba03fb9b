// What happens when a search found no kept instance. What is specialised for the service's type is memory for one that is made: everything
// else is compiled once, in the library.
//
// These are functions of the container, and take the resolver apart: passed as a whole, it would be retained for the call,
// and threads that resolve from the same container would contend for its reference count.
extension Container {
  /// Makes an instance for a synchronous caller.
  ///
  /// - Parameters:
  ///   - found: what a search found, under its pin, which ends here.
  ///   - literal: the address that the key was given by, if it was; else 0.
  // Inlined, and without a guard of the stack: each function between a factory and the next one costs a chain of dependencies more than
  // itself, since the processor remembers some sixteen returns.
  @inlinable
  @inline(__always)
  nonisolated func make<Service>(
    _ type: Service.Type, _ found: Lookup, _ frame: ResolutionFrame?, key: Key? = nil, literal: UInt = 0
  ) throws -> sending Service {
    // Where the type is not known, one of the two is enough.
    if _isConcrete(type) && StackWord.hasRoom(for: type) {
      return try make(type, found, frame, key: key, literal: literal, in: StackWord())
    }
    if StackWords.hasRoom(for: type) {
      return try make(type, found, frame, key: key, literal: literal, in: StackWords())
    }
    return try makeLarge(type, found, frame, key: key, literal: literal)
  }

  @inlinable
  @inline(__always)
  nonisolated func make<Service>(
    _ type: Service.Type, _ found: Lookup, _ frame: ResolutionFrame?, key: Key?, literal: UInt,
    in words: some StackMemory
  ) throws -> sending Service {
    var words = words
    let kept = try unsafe words.lend { memory in
      if frame == nil, try unsafe makeAtOnce(found, at: memory) { return nil as Instance? }
      return try unsafe produce(type, key: key, literal: literal, found, frame, at: memory)
    }
    if let kept { return Self.service(type, in: kept) }
    // Its maker's alone.
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

  /// What a factory takes: the whole of a resolve, with as little as can be in the program.
  @inlinable
  @inline(__always)
  nonisolated func take<Service>(_ type: Service.Type, _ frame: ResolutionFrame?) throws -> sending Service {
    if _isConcrete(type) && StackWord.hasRoom(for: type) { return try take(type, frame, in: StackWord()) }
    if StackWords.hasRoom(for: type) { return try take(type, frame, in: StackWords()) }
    return try takeLarge(type, frame)
  }

  @inlinable
  @inline(__always)
  nonisolated func take<Service>(
    _ type: Service.Type, _ frame: ResolutionFrame?, in words: some StackMemory
  ) throws -> sending Service {
    var words = words
    let found = try unsafe words.lend { unsafe try resolve(type, frame, at: $0) }
    if found.isKept { return found.hit(type) }
    // Its maker's alone.
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

  /// Makes an instance for an asynchronous caller. No generic type but the service's own, which the runtime would have to make for each.
  ///
  /// - Parameters:
  ///   - found: what a search found, under its pin, which ends here.
  ///   - literal: the address that the key was given by, if it was; else 0.
  @inlinable
  @inline(never)
  nonisolated func makeAsync<Service>(
    _ type: Service.Type, _ found: Lookup, _ frame: ResolutionFrame?, key: Key? = nil, literal: UInt = 0
  ) async throws -> sending Service {
    let outcome: Outcome
    if StackWords.hasRoom(for: type) {
      var words = StackWords()
      outcome = try unsafe words.lend { unsafe try tryProducing(type, key: key, found, frame, at: $0) }
      if case .made = outcome {
        // Its maker's alone.
        nonisolated(unsafe) let service = words.take(type)
        return unsafe service
      }
    } else {
      // An allocation, for a value that is larger.
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
    // Without an asynchronous call, which would be a good part of an uncontended build.
    if case .kept(let instance) = outcome { return Self.service(type, in: instance) }
    return Self.service(type, in: try await finish(outcome, type, key: key, literal: literal, frame))
  }

  @inlinable
  @inline(__always)
  static func service<Service>(_ type: Service.Type, in instance: Instance) -> sending Service {
    // What is kept is Sendable: see ``Instance``. What is not is its maker's alone.
    nonisolated(unsafe) let service = instance.value(as: type)
    return unsafe service
  }
}

/// Memory on the stack in which an instance is made, of a size that does not depend on the service's type. It stays where it is between two
/// uses, since its address has been given away.
///
/// With memory of the type's own size, code that does not know the type would have a `Result` of it looked up and moved each time: that is what
/// a closure with temporary memory returns which also throws. An optional of it would be looked up as well.
@usableFromInline
protocol StackMemory: BitwiseCopyable {}

/// For a reference.
@usableFromInline
@frozen
struct StackWord: StackMemory {
  @usableFromInline var word: UInt = 0
  @inlinable init() {}
}

/// For an existential of a protocol or two, and small values.
@usableFromInline
@frozen
struct StackWords: StackMemory {
  @usableFromInline var words: (UInt, UInt, UInt, UInt, UInt, UInt) = (0, 0, 0, 0, 0, 0)
  @inlinable init() {}
}

extension StackMemory {
  @inlinable
  @inline(__always)
  static func hasRoom<Service>(for type: Service.Type) -> Bool {
    MemoryLayout<Service>.size <= MemoryLayout<Self>.size
      && MemoryLayout<Service>.alignment <= MemoryLayout<Self>.alignment
  }

  @inlinable
  @inline(__always)
  mutating func lend<Result>(_ body: (UnsafeMutableRawPointer) throws -> Result) rethrows -> Result {
    try unsafe _withUnprotectedUnsafeMutablePointer(to: &self) { unsafe try body(UnsafeMutableRawPointer($0)) }
  }

  /// Moves the instance out that was written to the memory.
  @inlinable
  @inline(__always)
  mutating func take<Service>(_ type: Service.Type) -> Service {
    unsafe _withUnprotectedUnsafeMutablePointer(to: &self) {
      unsafe UnsafeMutableRawPointer($0).assumingMemoryBound(to: type).move()
    }
  }
}
