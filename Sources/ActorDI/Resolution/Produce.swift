internal import CActorDI
internal import Synchronization

// From what a search found to an instance, for callers outside of any asynchronous factory: a plain transient is one call of its factory; an
// uncontended kept instance is built in place; all else takes the slow path.
extension Container {
  /// Resolves a service for a synchronous factory: one call, but for the copy of an instance that is kept.
  ///
  /// - Parameter memory: where the service is written to, unless there is an instance of it.
  /// - Returns: the instance, under a pin; or none, and no pin.
  @usableFromInline
  @inline(never)
  nonisolated func resolve(
    _ service: any Any.Type, _ frame: ResolutionFrame?, at memory: UnsafeMutableRawPointer
  ) throws -> Lookup {
    let address = UInt(bitPattern: ObjectIdentifier(service))
    var found = lookup(address)
    if found.isToSearch(for: frame) { found = search(found, address, frame) }
    if found.isKept { return found }
    if frame == nil, unsafe try makeInline(found, at: memory) { return unsafe Lookup(record: found.record, binding: 0) }
    unsafe try produce(service, key: nil, literal: 0, found, frame, at: memory)?.write(to: memory)
    return unsafe Lookup(record: found.record, binding: 0)
  }

  /// Makes a plain transient for a synchronous caller, or takes what is held weakly: by itself, since it is short, and so is what it makes.
  ///
  /// - Returns: whether it was written to `memory`. Else nothing has happened.
  @usableFromInline
  @inline(never)
  nonisolated func makeAtOnce(_ found: Lookup, at memory: UnsafeMutableRawPointer) throws -> Bool {
    unsafe try makeInline(found, at: memory)
  }

  @inline(__always)
  private nonisolated func makeInline(_ found: Lookup, at memory: UnsafeMutableRawPointer) throws -> Bool {
    guard found.isPlainTransient else { return unsafe takeWeak(found, at: memory) }
    let record = unsafe found.record
    let depth = unsafe record.pointee.depth.load(ordering: .relaxed)
    guard unsafe found.links == 0 && record.hasRoom(at: depth) && !record.contains(found.binding, below: depth),
      !isToldOfTransientsElsewhere(found)
    else { return false }
    // The hazard slot takes over from the pin (R2): the factory may take as long as it likes.
    unsafe record.push(found.binding, at: depth)
    unsafe record.unpin()
    defer { unsafe record.pop(to: depth) }
    let reference = unsafe Binding.at(found.binding)
    // Most transients are not made for a kept instance.
    if unsafe _slowPath(record.pointee.build != 0) {
      return unsafe try callNoting(reference, record, depth, at: memory)
    }
    try unsafe reference._withUnsafeGuaranteedRef { unsafe try $0.factory.write(Resolver(container: self), memory) }
    if unsafe reference._withUnsafeGuaranteedRef({ unsafe $0.isKnownAsComplete(at: memory) }) {
      return true
    }
    return unsafe try settle(reference, record, depth, at: memory)
  }

  /// Whether somebody wants to be told of a transient though its binding does not say so: it is asked for here, and stands elsewhere.
  @inline(__always)
  private nonisolated func isToldOfTransientsElsewhere(_ found: Lookup) -> Bool {
    guard BuildObservation.isPossible else { return false }
    return unsafe Binding.at(found.binding)._withUnsafeGuaranteedRef { unsafe $0.owner !== self && isObserved }
  }

  @inline(never)
  private nonisolated func callNoting(
    _ reference: Unmanaged<Binding>, _ record: ThreadRecordPointer, _ depth: Int, at memory: UnsafeMutableRawPointer
  ) throws -> Bool {
    let binding = unsafe reference.takeUnretainedValue()
    unsafe try record.notingOpaque(binding) { unsafe try binding.factory.write(Resolver(container: self), memory) }
    if unsafe binding.isKnownAsComplete(at: memory) { return true }
    return unsafe try settle(reference, record, depth, at: memory)
  }

  @inline(never)
  private nonisolated func settle(
    _ reference: Unmanaged<Binding>, _ record: ThreadRecordPointer, _ depth: Int, at memory: UnsafeMutableRawPointer
  ) throws -> Bool {
    let binding = unsafe reference.takeUnretainedValue()
    guard unsafe try binding.settle(instanceAt: memory, in: self) != nil else { return true }
    // The error's path ends with this service, which is not under construction any more.
    unsafe record.pop(to: depth)
    throw binding.needsAsynchronousCaller()
  }

  /// Makes an instance for a synchronous caller.
  ///
  /// - Parameters:
  ///   - found: what a search found, under its pin, which ends here.
  ///   - memory: where a transient is written to.
  /// - Returns: the instance; nil for one that was written to `memory`.
  @usableFromInline
  @inline(never)
  nonisolated func produce(
    _ service: any Any.Type, key: Key?, literal: UInt, _ found: Lookup, _ frame: ResolutionFrame?,
    at memory: UnsafeMutableRawPointer
  ) throws -> Instance? {
    switch unsafe try tryProducing(service, key: key, found, frame, isSynchronous: true, at: memory) {
    case .made: return nil
    case .kept(let instance): return instance
    case .incomplete(_, let binding): throw binding.needsAsynchronousCaller()
    case .pending(let located):
      return try Resolver(container: self, frame: frame)
        .instance(of: ServiceIdentity(service: service, key: key), located, literal: literal)
    }
  }

  /// Ends for an asynchronous caller what could not be made at once.
  @usableFromInline
  nonisolated func finish(
    _ outcome: Outcome, _ service: any Any.Type, key: Key?, literal: UInt, _ frame: ResolutionFrame?
  ) async throws -> Instance {
    switch outcome {
    case .made: fatalError("made already")
    case .kept(let instance): instance
    case .incomplete(let instance, let binding): try await binding.completed(instance, in: self)
    case .pending(let found):
      try await Resolver(container: self, frame: frame)
        .instance(of: ServiceIdentity(service: service, key: key), found, literal: literal)
    }
  }

  /// Takes what is held weakly.
  ///
  /// - Returns: false when it is not there: nothing has happened then.
  @inline(never)
  private nonisolated func takeWeak(_ found: Lookup, at memory: UnsafeMutableRawPointer) -> Bool {
    let record = unsafe found.record
    guard unsafe found.binding != 0 && Binding.at(found.binding)._withUnsafeGuaranteedRef({ $0.isWeak }),
      unsafe record.pointee.depth.load(ordering: .relaxed) == record.pointee.base, let held = found.holdWeakInstance()
    else { return false }
    held.lend { unsafe $0.takeBits(to: memory) }
    unsafe record.unpin()
    return true
  }

  @usableFromInline
  @frozen
  enum Outcome {
    /// It was written to the memory.
    case made
    case kept(Instance)
    case incomplete(Instance, Binding)
    case pending(Located?)
  }

  /// Makes an instance if that needs neither waiting nor the slow path.
  ///
  /// - Parameters:
  ///   - found: what a search found, under its pin, which ends here.
  ///   - isSynchronous: whether the caller cannot suspend.
  ///   - memory: where a transient is written to.
  @usableFromInline
  nonisolated func tryProducing(
    _ service: any Any.Type, key: Key?, _ found: Lookup, _ frame: ResolutionFrame?, isSynchronous: Bool = false,
    at memory: UnsafeMutableRawPointer
  ) throws -> Outcome {
    guard found.binding != 0, frame == nil else { return .pending(found.retain()) }
    let record = unsafe found.record
    let depth = unsafe record.pointee.depth.load(ordering: .relaxed)
    // The hazard slots take over from the pin (R2): the factory may take as long as it likes. That of the links comes first, for what is
    // under construction is the last one.
    let top = found.links == 0 ? depth : depth + 1
    guard unsafe record.hasRoom(at: top) else { return .pending(found.retain()) }
    return try unsafe Binding.at(found.binding)._withUnsafeGuaranteedRef { binding in
      if binding.isPlainTransient.load(ordering: .relaxed) {
        guard unsafe (isSynchronous || binding.isBuiltAtOnce) && !record.contains(found.binding, below: depth),
          !isToldOfTransientsElsewhere(found)
        else { return .pending(found.retain()) }
        unsafe record.protect(found, at: depth)
        defer { unsafe record.pop(to: depth) }
        return unsafe try call(binding, record, isSynchronous: isSynchronous, at: memory)
      }
      if binding.isWeak { return unsafe takeWeak(found, at: memory) ? .made : .pending(found.retain()) }
      guard binding.isBuiltAlone, isSynchronous || binding.isBuiltAtOnce else { return .pending(found.retain()) }
      unsafe record.protect(found, at: depth)
      defer { unsafe record.pop(to: depth) }
      if let instance = unsafe try binding.buildAlone(for: self, record, top, isSynchronous: isSynchronous) {
        return .kept(instance)
      }
      return unsafe .pending(Located(binding: binding, container: binding.owner))
    }
  }

  /// Calls the factory of a plain transient for a caller that can suspend. In a hazard slot.
  private nonisolated func call(
    _ binding: Binding, _ record: ThreadRecordPointer, isSynchronous: Bool, at memory: UnsafeMutableRawPointer
  ) throws -> Outcome {
    do {
      if unsafe record.pointee.build != 0 {
        unsafe try record.notingOpaque(binding) { unsafe try binding.factory.write(Resolver(container: self), memory) }
      } else {
        unsafe try binding.factory.write(Resolver(container: self), memory)
      }
    } catch let error as ResolutionError where !isSynchronous && error.code == .asyncRequired {
      binding.noteBuiltAtOnce(false)
      return unsafe .pending(Located(binding: binding, container: binding.owner))
    }
    if unsafe binding.isKnownAsComplete(at: memory) { return .made }
    if let incomplete = unsafe try binding.settle(instanceAt: memory, in: self) {
      return .incomplete(incomplete, binding)
    }
    return .made
  }
}

extension UnsafeMutablePointer<ThreadRecord> {
  /// Puts hazard slots in the place of the pin, for a binding and, if it was found by links, for those. There must be room.
  @inline(__always)
  fileprivate func protect(_ found: Lookup, at depth: Int) {
    if found.links != 0 {
      // The lowest bit tells what is no step of the path from a binding.
      unsafe push(found.links | 1, at: depth)
      unsafe push(found.binding, at: depth + 1)
    } else {
      unsafe push(found.binding, at: depth)
    }
    unsafe unpin()
  }

  /// Whether a binding's factory is running on this thread: to call it again would be a cycle.
  @inline(__always)
  fileprivate func contains(_ binding: UInt, below depth: Int) -> Bool {
    var slot = 0
    while slot < depth {
      if unsafe pointee.slots[slot].load(ordering: .relaxed) == binding { return true }
      slot &+= 1
    }
    return false
  }
}
