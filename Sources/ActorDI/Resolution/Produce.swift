internal import CActorDI
internal import Synchronization

// From a search's result to an instance, for a synchronous caller: first the shortcut, by which a plain transient is one call of its
// factory, and a weakly kept instance is taken; then the try in place (`tryMaking`); then the slow path (`finishIfPresent`).
//
// The functions marked as never inlined keep their registers and their memory out of a plain transient.
extension Container {
  /// Resolves a service for a synchronous factory, in one call.
  ///
  /// - Parameter memory: Receives the service.
  @usableFromInline
  nonisolated func resolve(
    _ service: any Any.Type, _ frame: ResolutionFrame?, at memory: ServiceMemory
  ) throws {
    let lookup = find(UInt(bitPattern: ObjectIdentifier(service)), frame)
    if lookup.isKept {
      lookup.takeCopy(to: memory)
    } else if try frame != nil || !tryShortcut(lookup, nil, at: memory) {
      try makeWithoutShortcut(service, key: nil, nil, lookup, frame, at: memory)
    }
  }

  /// Makes an instance for a synchronous caller, after a search that found no kept one.
  ///
  /// - Parameters:
  ///   - lookup: The result of the search, under its pin, which ends here.
  ///   - memory: Receives the service.
  @usableFromInline
  nonisolated func make(
    _ service: any Any.Type, key: Key?, _ arguments: Arguments?, _ lookup: Lookup, _ frame: ResolutionFrame?,
    at memory: ServiceMemory
  ) throws {
    if try frame != nil || !tryShortcut(lookup, arguments, at: memory) {
      try makeWithoutShortcut(service, key: key, arguments, lookup, frame, at: memory)
    }
  }

  /// Makes a plain transient for a synchronous caller, or takes a weakly kept instance. `makeWithoutShortcut` handles the rarer cases.
  ///
  /// - Returns: Whether the instance was written to `memory`, and the pin has ended. If not, nothing has happened.
  // Inlined, because the optimiser leaves the call in `resolve` otherwise. A chain of dependencies would pay for it: the processor
  // predicts only some sixteen to thirty nested returns. The optimiser ignores the attribute if this function and its caller both have 64
  // blocks or more (decision 18).
  @inline(__always)
  private nonisolated func tryShortcut(
    _ lookup: Lookup, _ arguments: Arguments?, at memory: ServiceMemory
  ) throws -> Bool {
    guard lookup.isPlainTransient else { return takeWeak(lookup, at: memory) }
    let record = lookup.record
    let depth = record.pointee.depth.load(ordering: .relaxed)
    // A kept instance under construction notes its requests. `makeWithoutShortcut` does that.
    guard lookup.links == .none && record.pointee.build == 0 && record.hasRoom(at: depth),
      // The shortcut does not report transients to observers.
      (arguments != nil || !record.contains(lookup.binding, below: depth)) && !isObserved
    else { return false }
    // The hazard slot takes over from the pin (R2), so the factory may run for any length of time.
    record.push(HazardSlot(lookup.binding), at: depth)
    record.unpin()
    defer { record.pop(to: depth) }
    let reference = Binding.at(lookup.binding)
    try reference.borrow {
      try $0.factory.write(Resolver(container: self), memory, arguments)
    }
    return try reference.borrow { $0.isKnownAsComplete(at: memory) }
      || check(reference, record, depth, at: memory)
  }

  @inline(never)
  private nonisolated func check(
    _ reference: UnheldReference<Binding>, _ record: ThreadRecordPointer, _ depth: Int,
    at memory: ServiceMemory
  ) throws -> Bool {
    let binding = reference.object
    guard let incomplete = try binding.check(instanceAt: memory, in: self) else { return true }
    // The error's path ends with this service, which is no longer under construction.
    record.pop(to: depth)
    throw binding.refuse(incomplete, in: self, for: Resolver.chainOfCaller())
  }

  /// Makes an instance for which the shortcut is not enough.
  ///
  /// - Parameter memory: Receives the service.
  /// - Throws: ``ResolutionError/Code/notRegistered``, among others.
  @inline(never)
  private nonisolated func makeWithoutShortcut(
    _ service: any Any.Type, key: Key?, _ arguments: Arguments?, _ lookup: Lookup, _ frame: ResolutionFrame?,
    at memory: ServiceMemory
  ) throws {
    if try makeIfPresent(service, key: key, arguments, lookup, frame, at: memory) { return }
    throw Resolver(container: self, frame: frame).missing(ServiceIdentity(service, key: key, taking: arguments))
  }

  /// Makes an instance: tries in place, then finishes what is left.
  ///
  /// - Parameter memory: Receives the service.
  /// - Returns: Whether the service is registered, built in, or a relationship type.
  // Inlined, since each request for a relationship type would pay for the call.
  @inline(__always)
  nonisolated func makeIfPresent(
    _ service: any Any.Type, key: Key?, _ arguments: Arguments?, _ lookup: Lookup, _ frame: ResolutionFrame?,
    at memory: ServiceMemory
  ) throws -> Bool {
    let remaining = try tryMaking(lookup, arguments, frame, for: .synchronous, at: memory)
    guard let remaining else { return true }
    let identity = ServiceIdentity(service, key: key, taking: arguments)
    return try finishIfPresent(identity, remaining, arguments: arguments, frame, at: memory)
  }

  /// Finishes a service for a synchronous caller.
  ///
  /// - Parameters:
  ///   - remaining: The work that remains.
  ///   - inherited: The key that the service's dependencies inherit; not part of the service's own identity.
  ///   - memory: Receives the service.
  /// - Returns: Whether the service is registered, built in, or a relationship type.
  nonisolated func finishIfPresent(
    _ identity: ServiceIdentity, _ remaining: RemainingWork = .pending(nil), inheriting inherited: Key? = nil,
    arguments: Arguments? = nil, _ frame: ResolutionFrame?, at memory: ServiceMemory
  ) throws -> Bool {
    if case .incomplete(let instance, let located) = remaining {
      throw located.binding.refuse(instance, in: self, for: Resolver(container: self, frame: frame).currentChain)
    }
    let record = ThreadRecordPointer.current
    // Each branch has a resolver of its own: the optimiser would retain the container for a common one.
    guard let frame, frame.isLive else {
      try Resolver(container: self).checkOpen(for: identity)
      // An asynchronous factory may have captured the container. A call tree in progress has begun its own chain.
      guard !record.isInCall, let captured = ResolutionFrame.ofCurrentTask else {
        return try finishInCall(identity, remaining, inheriting: inherited, arguments, nil, record, at: memory)
      }
      return try record.continuing(captured) {
        try finishInCall(identity, remaining, inheriting: inherited, arguments, nil, record, at: memory)
      }
    }
    try Resolver(container: self, frame: frame).checkOpen(for: identity)
    return try record.continuing(frame) {
      try finishInCall(identity, remaining, inheriting: inherited, arguments, frame, record, at: memory)
    }
  }

  /// Finishes a service in the call tree of the thread, which continues the chain of the asking asynchronous factory, if there is one.
  ///
  /// - Parameter frame: The frame of the caller's resolver; nil if it has none.
  // Not inlined into the function above, which would retain the container for both of its branches.
  @inline(never)
  private nonisolated func finishInCall(
    _ identity: ServiceIdentity, _ remaining: RemainingWork, inheriting inherited: Key?, _ arguments: Arguments?,
    _ frame: ResolutionFrame?, _ record: ThreadRecordPointer, at memory: ServiceMemory
  ) throws -> Bool {
    record.note(identity)
    if !remaining.isAbsent(identity) {
      let resolver = Resolver(container: self, frame: frame)
      var found = remaining.located
      while let located = try found ?? resolver.search(identity) {
        let instance = try located.instance(arguments, inheriting: inherited, for: resolver)
        if let instance {
          instance.write(to: memory)
          return true
        }
        // The binding was replaced between the search and the build: search again.
        found = nil
      }
      if let instance = try resolver.builtIn(identity) {
        instance.write(to: memory)
        return true
      }
    }
    guard let type = RelationshipTypes.relationship(identity.service) else { return false }
    let depth = record.hold(.placeholder)
    defer { record.pop(to: depth) }
    // The thread's record has the frame.
    try type.write(
      to: memory, from: Resolver(container: self), key: identity.key, arguments: arguments)
    return true
  }

  /// Takes a weakly kept instance.
  ///
  /// - Returns: Whether the instance was written to `memory`, and the pin has ended. If not, nothing has happened.
  @inline(never)
  nonisolated func takeWeak(_ lookup: Lookup, at memory: ServiceMemory) -> Bool {
    guard lookup.binding.isBinding else { return false }
    guard let box = Binding.at(lookup.binding).borrow({ $0.word.weakReference }) else {
      return false
    }
    let record = lookup.record
    let depth = record.pointee.depth.load(ordering: .relaxed)
    if depth == record.pointee.base {
      guard box.borrow({ $0.holdObject() }) else { return false }
      box.borrow { $0.takeBits(to: memory) }
      record.unpin()
    } else {
      guard let instance = box.borrow({ $0.instance }) else { return false }
      record.unpin()
      record.holdInCall(instance, at: depth)
      instance.write(to: memory)
    }
    return true
  }
}
