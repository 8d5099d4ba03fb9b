internal import CActorDI
internal import Synchronization

// From a search's result to an instance, for callers outside of any asynchronous factory. A plain transient is one call of its factory.
// A kept service without an instance is built uncontended, in place. Everything else takes the slow path.
extension Container {
  /// Resolves a service for a synchronous factory, in one call.
  ///
  /// - Parameter memory: Receives the service.
  @usableFromInline @inline(never) @_optimize(speed)
  nonisolated func resolve(
    _ service: any Any.Type, _ frame: ResolutionFrame?, at memory: UnsafeMutableRawPointer
  ) throws {
    let found = find(UInt(bitPattern: ObjectIdentifier(service)), frame)
    if found.isKept {
      unsafe found.write(to: memory)
    } else if try unsafe frame != nil || !makeInline(found, at: memory) {
      try unsafe produce(service, key: nil, found, frame, at: memory)
    }
  }

  /// Makes an instance for a synchronous caller, after a search that found no kept one.
  ///
  /// - Parameters:
  ///   - found: The result of the search, under its pin, which ends here.
  ///   - memory: Receives the service.
  @usableFromInline @inline(never) @_optimize(speed)
  nonisolated func make(
    _ service: any Any.Type, key: Key?, _ found: Lookup, _ frame: ResolutionFrame?,
    at memory: UnsafeMutableRawPointer
  ) throws {
    if try unsafe frame != nil || !makeInline(found, at: memory) {
      try unsafe produce(service, key: key, found, frame, at: memory)
    }
  }

  /// Makes a plain transient for a synchronous caller, or takes a weakly kept instance. `produce` handles the rarer cases.
  ///
  /// - Returns: Whether the instance was written to `memory`. If not, nothing has happened.
  // Transparent, because the optimiser leaves the call in `resolve` otherwise. A chain of dependencies would pay for it: the processor
  // predicts only some sixteen to thirty nested returns.
  @_transparent
  private nonisolated func makeInline(_ found: Lookup, at memory: UnsafeMutableRawPointer) throws -> Bool {
    guard found.isPlainTransient else { return unsafe takeWeak(found, at: memory) }
    let record = unsafe found.record
    let depth = unsafe record.pointee.depth.load(ordering: .relaxed)
    // A kept instance under construction notes its requests. `produce` does that.
    guard unsafe found.links == 0 && record.pointee.build == 0 && record.hasRoom(at: depth),
      // The shortcut does not report transients to observers.
      unsafe !record.contains(found.binding, below: depth) && !isObserved
    else { return false }
    // The hazard slot takes over from the pin (R2), so the factory may run for any length of time.
    unsafe record.push(found.binding, at: depth)
    unsafe record.unpin()
    defer { unsafe record.pop(to: depth) }
    let reference = unsafe Binding.at(found.binding)
    try unsafe reference._withUnsafeGuaranteedRef { unsafe try $0.factory.write(Resolver(container: self), memory) }
    if unsafe reference._withUnsafeGuaranteedRef({ unsafe $0.isKnownAsComplete(at: memory) }) { return true }
    return unsafe try check(reference, record, depth, at: memory)
  }

  @inline(never)
  private nonisolated func check(
    _ reference: Unmanaged<Binding>, _ record: ThreadRecordPointer, _ depth: Int, at memory: UnsafeMutableRawPointer
  ) throws -> Bool {
    let binding = unsafe reference.takeUnretainedValue()
    guard unsafe try binding.check(instanceAt: memory, in: self) != nil else { return true }
    // The error's path ends with this service, which is no longer under construction.
    unsafe record.pop(to: depth)
    throw binding.needsAsynchronousCaller()
  }

  /// Makes an instance if that takes more than a call of the factory.
  ///
  /// - Parameter memory: Receives the service.
  @inline(never)
  private nonisolated func produce(
    _ service: any Any.Type, key: Key?, _ found: Lookup, _ frame: ResolutionFrame?,
    at memory: UnsafeMutableRawPointer
  ) throws {
    guard unsafe try produceIfPresent(service, key: key, found, frame, at: memory) else {
      throw Resolver(container: self, frame: frame).missing(ServiceIdentity(service, key: key))
    }
  }

  /// Makes an instance if that takes more than a call of the factory.
  ///
  /// - Parameter memory: Receives the service.
  /// - Returns: Whether the service is registered, built in, or a relationship type.
  @inline(never) @_optimize(speed)
  nonisolated func produceIfPresent(
    _ service: any Any.Type, key: Key?, _ found: Lookup, _ frame: ResolutionFrame?,
    at memory: UnsafeMutableRawPointer
  ) throws -> Bool {
    var located: Located?
    switch unsafe try tryMaking(found, frame, isSynchronous: true, at: memory) {
    case nil: return true
    case .incomplete(_, let binding): throw binding.needsAsynchronousCaller(frame)
    case .absent where frame == nil && !ServiceIdentity.isBuiltIn(service):
      try Resolver(container: self).checkOpen(for: ServiceIdentity(service, key: key))
      if unsafe found.record.isRecording { unsafe found.record.note(ServiceIdentity(service, key: key)) }
      guard let type = service as? any RelationshipType.Type else { return false }
      try unsafe type.write(from: self, key: key, to: memory)
      return true
    case .absent: break
    case .pending(let pending): located = pending
    }
    let resolver = Resolver(container: self, frame: frame)
    let instance = try resolver.instanceIfPresent(of: ServiceIdentity(service, key: key), located)
    guard let instance else { return false }
    unsafe instance.write(to: memory)
    return true
  }

  /// Finishes a service for an asynchronous caller, suspending if necessary.
  @usableFromInline
  nonisolated func finish(
    _ service: any Any.Type, key: Key?, _ unfinished: Unfinished, _ frame: ResolutionFrame?
  ) async throws -> Instance {
    let resolver = Resolver(container: self, frame: frame)
    let identity = ServiceIdentity(service, key: key)
    let instance = try await resolver.finishIfPresent(identity, unfinished)
    guard let instance else { throw resolver.missing(identity) }
    return instance
  }

  /// Takes a weakly kept instance.
  ///
  /// - Returns: False if there is no instance, in which case nothing has happened.
  @inline(never) @_optimize(speed)
  private nonisolated func takeWeak(_ found: Lookup, at memory: UnsafeMutableRawPointer) -> Bool {
    guard found.binding != 0 else { return false }
    let word = unsafe Binding.at(found.binding)._withUnsafeGuaranteedRef { $0.instance.load(ordering: .acquiring) }
    guard let box = InstanceHolder.weakReference(in: word) else { return false }
    let record = unsafe found.record
    let depth = unsafe record.pointee.depth.load(ordering: .relaxed)
    if unsafe depth == record.pointee.base {
      guard box.borrow({ $0.holdObject() }) else { return false }
      box.borrow { unsafe $0.takeBits(to: memory) }
      unsafe record.unpin()
    } else {
      guard let instance = box.borrow({ $0.instance }) else { return false }
      unsafe record.unpin()
      unsafe record.holdInCall(instance, at: depth)
      unsafe instance.write(to: memory)
    }
    return true
  }

  /// The work that remains after `tryMaking`.
  @usableFromInline @frozen
  enum Unfinished {
    /// The completion of a new instance, which is asynchronous.
    case incomplete(Instance, Binding)
    /// The search has been complete, and has found no registration.
    case absent
    /// Everything, on the slow path.
    case pending(Located?)

    /// The binding for the slow path, if it has been found.
    var located: Located? { if case .pending(let located) = self { located } else { nil } }
  }

  /// Makes an instance if that requires neither waiting nor the slow path.
  ///
  /// - Parameters:
  ///   - found: The result of a search, under its pin, which ends here.
  ///   - isSynchronous: Whether the caller cannot suspend.
  ///   - memory: Receives the service.
  /// - Returns: The remaining work; nil if the service was written to the memory.
  @usableFromInline @_optimize(speed)
  nonisolated func tryMaking(
    _ found: Lookup, _ frame: ResolutionFrame?, isSynchronous: Bool = false, at memory: UnsafeMutableRawPointer
  ) throws -> Unfinished? {
    try unsafe tryMaking(found, frame, isSynchronous: isSynchronous, at: memory) { unsafe try $0.factory.write($1, $2) }
  }

  /// Makes an instance if that requires neither waiting nor the slow path.
  ///
  /// - Parameter write: Calls the factory of the found binding.
  @_optimize(speed)
  nonisolated func tryMaking(
    _ found: Lookup, _ frame: ResolutionFrame?, isSynchronous: Bool, at memory: UnsafeMutableRawPointer,
    by write: Binding.Write
  ) throws -> Unfinished? {
    guard found.binding != 0 else {
      unsafe found.record.unpin()
      return found.isAbsent ? .absent : .pending(nil)
    }
    if let frame { return unsafe try tryMaking(found, in: frame, isSynchronous: isSynchronous, at: memory, by: write) }
    let record = unsafe found.record
    let depth = unsafe record.pointee.depth.load(ordering: .relaxed)
    // The hazard slots take over from the pin (R2), so the factory may run for any length of time. The slot of the link array comes
    // first, because the last slot holds the binding under construction.
    let top = found.links == 0 ? depth : depth + 1
    guard unsafe record.hasRoom(at: top) else { return .pending(found.retain()) }
    return try unsafe Binding.at(found.binding)._withUnsafeGuaranteedRef { binding in
      if unsafe binding.isPlainTransient || binding.isMadeInPlace {
        guard isSynchronous || binding.isTriedAtOnce(for: self), !isObserved,
          unsafe binding.isPlainWithArguments || !record.contains(found.binding, below: depth)
        else { return .pending(found.retain()) }
        unsafe record.protect(found, at: depth)
        defer { unsafe record.pop(to: depth) }
        return unsafe try call(write, of: binding, record, isSynchronous: isSynchronous, at: memory)
      }
      if binding.isWeak, unsafe takeWeak(found, at: memory) { return nil }
      guard binding.isBuiltUncontended, isSynchronous || binding.isTriedAtOnce(for: self) else {
        return .pending(found.retain())
      }
      unsafe record.protect(found, at: depth)
      defer { unsafe record.pop(to: depth) }
      guard
        let instance = unsafe try binding.buildUncontended(
          for: self, record, top, isSynchronous: isSynchronous, by: write)
      else { return unsafe .pending(Located(binding: binding, container: binding.owner)) }
      if binding.isWeak { unsafe record.holdInCall(instance, at: depth) }
      unsafe instance.write(to: memory)
      return nil
    }
  }

  /// Makes an instance for an asynchronous factory. The call continues the factory's chain on this thread.
  @inline(never)
  private nonisolated func tryMaking(
    _ found: Lookup, in frame: ResolutionFrame, isSynchronous: Bool, at memory: UnsafeMutableRawPointer,
    by write: Binding.Write
  ) throws -> Unfinished? {
    let record = unsafe found.record
    // The pin lasts until the hazard slots take over, so there must be room for those of the call, the link array and
    // the binding.
    guard frame.isLive, unsafe !record.isInCall && record.hasRoom(at: record.pointee.base + 3),
      unsafe isSynchronous || Binding.at(found.binding)._withUnsafeGuaranteedRef({ $0.isBuiltAtOnce })
    else { return .pending(found.retain()) }
    return try unsafe record.continuing(frame, endsCall: false) {
      unsafe try tryMaking(found, nil, isSynchronous: isSynchronous, at: memory, by: write)
    }
  }

  /// Takes or makes the instance of a binding behind a found one, which keeps it alive.
  ///
  /// - Returns: False if that takes the slow path. In that case, nothing has happened.
  nonisolated func make(_ binding: Binding, at memory: UnsafeMutableRawPointer) throws -> Bool {
    if binding.identity.takesArguments { return false }
    let unfinished = unsafe try tryTaking(binding, nil, isSynchronous: true, at: memory) {
      unsafe try $0.factory.write($1, $2)
    }
    switch unfinished {
    case nil: return true
    case .incomplete(_, let binding): throw binding.needsAsynchronousCaller()
    case .absent, .pending: return false
    }
  }

  /// Takes or makes the instance of a binding that the caller keeps alive, if that requires neither waiting nor the slow path.
  nonisolated func tryTaking(
    _ binding: Binding, _ frame: ResolutionFrame?, isSynchronous: Bool, at memory: UnsafeMutableRawPointer,
    by write: Binding.Write
  ) throws -> Unfinished? {
    let record = unsafe ThreadRecordPointer.current
    if unsafe record.isOverridden { return .pending(nil) }
    unsafe record.pin()
    let found = unsafe Lookup(
      record: record, binding: binding.address, instance: binding.instance(shownBy: self), links: 0)
    if found.isKept {
      unsafe found.write(to: memory)
      return nil
    }
    return unsafe try tryMaking(found, frame, isSynchronous: isSynchronous, at: memory, by: write)
  }

  /// Calls the factory of a transient, or that of an alias or delegate, which builds nothing itself. The binding is in a hazard slot.
  /// The caller may continue on the slow path.
  private nonisolated func call(
    _ write: Binding.Write, of binding: Binding, _ record: ThreadRecordPointer, isSynchronous: Bool,
    at memory: UnsafeMutableRawPointer
  ) throws -> Unfinished? {
    do {
      if binding.isTransientWithHooks {
        return unsafe try record.notingOpaque(binding) {
          unsafe try binding.makeWithHooks(Resolver(container: self), at: memory, by: write)
        }
      }
      if unsafe record.pointee.build != 0 {
        unsafe try record.notingOpaque(binding) { unsafe try write(binding, Resolver(container: self), memory) }
      } else {
        unsafe try write(binding, Resolver(container: self), memory)
      }
    } catch let error as ResolutionError where !isSynchronous && error.code == .asyncRequired {
      binding.noteBuiltAtOnce(false)
      return unsafe .pending(Located(binding: binding, container: binding.owner))
    } catch is PrimaryIsGone {
      return unsafe .pending(Located(binding: binding, container: binding.owner))
    }
    if unsafe binding.isKnownAsComplete(at: memory) { return nil }
    return unsafe try binding.check(instanceAt: memory, in: self).map { .incomplete($0, binding) }
  }
}

extension Binding {
  /// Calls the synchronous factory of a binding, which writes its product to the memory.
  typealias Write = (_ binding: Binding, _ resolver: Resolver, _ memory: UnsafeMutableRawPointer) throws -> Void

  /// Whether a resolve is little more than a call of the factory, although the binding is not a plain transient.
  fileprivate final var isMadeInPlace: Bool {
    isPlainWithArguments || isTransientWithHooks || isDecoratedTransient || isIndirect && !identity.takesArguments
  }

  private final func closed(in container: Container) -> ResolutionError {
    ResolutionError(.closed, for: identity, path: [identity], container: container.name)
  }

  /// Makes a transient, then runs its hooks.
  ///
  /// - Returns: The instance if its completion is asynchronous; nil if it was written to the memory.
  @inline(never)
  fileprivate final func makeWithHooks(
    _ resolver: Resolver, at memory: UnsafeMutableRawPointer, by write: Write
  ) throws -> Container.Unfinished? {
    var disposal: Disposal?
    let lifecycle = resolver.container.lifecycle
    // A closing container waits for the hooks of an instance that it will dispose of (L1).
    let isCounted = !needsNoDisposal
    if isCounted, !lifecycle.activity.begin() { throw closed(in: resolver.container) }
    defer { if isCounted { lifecycle.endActivity() } }
    do {
      let instance = try unsafe ThreadRecordPointer.current.holdingCall(by: lifecycle.mark) { _ in
        try unsafe makeSynchronously(resolver, disposal: &disposal, notesIncomplete: false, by: write)
      }
      if isCounted && lifecycle.isClosed { throw closed(in: resolver.container) }
      unsafe instance.write(to: memory)
      return nil
    } catch let needed as OnceCell.SuspensionNeeded {
      guard let instance = needed.incomplete else { throw needed }
      return .incomplete(instance, self)
    } catch {
      disposal.map { [$0].disposeInBackground(after: .failed(error)) }
      throw error
    }
  }
}

extension UnsafeMutablePointer<ThreadRecord> {
  /// Replaces the pin by hazard slots: one for the binding, and one for the link array if the binding was found by links. There must be
  /// room.
  @inline(__always)
  fileprivate func protect(_ found: Lookup, at depth: Int) {
    if found.links != 0 {
      // The lowest bit marks a slot that is not a step of the path, unlike a binding.
      unsafe push(found.links | 1, at: depth)
      unsafe push(found.binding, at: depth + 1)
    } else {
      unsafe push(found.binding, at: depth)
    }
    unsafe unpin()
  }

  /// Whether a binding's factory is already running on this thread, so that calling it again would be a cycle.
  @inline(__always)
  func contains(_ binding: UInt, below depth: Int) -> Bool {
    var slot = 0
    while slot < depth {
      if unsafe pointee.slots[slot].load(ordering: .relaxed) == binding { return true }
      slot &+= 1
    }
    return unsafe pointee.context != nil && isInFrames(binding)
  }

  /// Whether a binding's factory is running in the chain of frames that this thread continues.
  @inline(never)
  private func isInFrames(_ binding: UInt) -> Bool {
    guard let frame = unsafe presentContext?.frame else { return false }
    return Chain(frame).contains(binding)
  }
}
