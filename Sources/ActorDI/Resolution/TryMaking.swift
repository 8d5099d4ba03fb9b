internal import CActorDI
internal import Synchronization

// Making an instance in place, for a synchronous or an asynchronous caller: whatever requires neither a wait for another caller's build
// nor the slow path. A kept service without an instance is built uncontended.
//
// A try that would need a caller that can suspend fails, and leaves the rest to the slow path, which may run the factory of a transient
// again. So an asynchronous caller tries only what is expected to succeed, and nothing whose hooks would be repeated (`isTriedAtOnce`).
extension Container {
  /// The work that remains after `tryMaking`.
  @usableFromInline @frozen
  enum RemainingWork {
    /// The completion of a new instance of the binding, which is asynchronous.
    case incomplete(Instance, Located)
    /// The search has been complete, and has found no registration.
    case absent
    /// Everything, on the slow path.
    case pending(Located?)

    /// The binding for the slow path, if it has been found.
    var located: Located? { if case .pending(let located) = self { located } else { nil } }

    /// Whether a further search for the identity would find nothing, either.
    func isAbsent(_ identity: ServiceIdentity) -> Bool {
      if case .absent = self { !identity.isSuppliedUnregistered } else { false }
    }
  }

  /// The reason why a service has not been made without waiting.
  @usableFromInline @frozen
  enum NotMade: Error {
    case failed(any Error)
    case remaining(RemainingWork)

    /// The work that remains.
    ///
    /// - Throws: The error of the factory or the hooks, if they have failed.
    @usableFromInline
    func remaining() throws -> RemainingWork {
      switch self {
      case .failed(let error): throw error
      case .remaining(let remaining): return remaining
      }
    }
  }

  /// Makes an instance if that requires neither waiting nor the slow path.
  ///
  /// - Parameters:
  ///   - lookup: The result of a search, under its pin, which ends here.
  ///   - memory: Receives the service.
  /// - Returns: The remaining work; nil if the service was written to the memory.
  @usableFromInline
  nonisolated func tryMaking(
    _ lookup: Lookup, _ arguments: Arguments?, _ frame: ResolutionFrame?, for caller: Caller,
    at memory: ServiceMemory
  ) throws -> RemainingWork? {
    guard lookup.binding.isBinding else {
      lookup.record.unpin()
      return lookup.binding == .absent ? .absent : .pending(nil)
    }
    if let frame {
      return try tryContinuing(frame, lookup, arguments, for: caller, at: memory)
    }
    let record = lookup.record
    let depth = record.pointee.depth.load(ordering: .relaxed)
    // The hazard slots take over from the pin (R2), so the factory may run for any length of time. The slot of the link array comes
    // first, because the last slot holds the binding under construction.
    let top = lookup.links == .none ? depth : depth + 1
    guard record.hasRoom(at: top) else { return .pending(lookup.takeLocated()) }
    return try Binding.at(lookup.binding).borrow { binding in
      if binding.isMadeByOneCall {
        guard caller == .synchronous || binding.isTriedAtOnce(for: self), !isObserved,
          arguments != nil || !record.contains(lookup.binding, below: depth)
        else { return .pending(lookup.takeLocated()) }
        record.protect(lookup, from: depth, to: top)
        defer { record.pop(to: depth) }
        return try call(binding, arguments, record, for: caller, at: memory)
      }
      // `tryShortcut` has tried this for most synchronous callers. For all others, this is the first try.
      if binding.policy.isWeak, takeWeak(lookup, at: memory) { return nil }
      guard binding.isBuiltUncontended, caller == .synchronous || binding.isTriedAtOnce(for: self) else {
        return .pending(lookup.takeLocated())
      }
      record.protect(lookup, from: depth, to: top)
      defer { record.pop(to: depth) }
      guard let instance = try binding.buildUncontended(arguments, for: self, record, top, caller) else {
        return .pending(binding.located)
      }
      if binding.policy.isWeak { record.holdInCall(instance, at: depth) }
      instance.write(to: memory)
      return nil
    }
  }

  /// Makes an instance for an asynchronous factory, whose chain the call continues on this thread.
  // Not inlined into the function above, which serves all other callers.
  @inline(never)
  private nonisolated func tryContinuing(
    _ frame: ResolutionFrame, _ lookup: Lookup, _ arguments: Arguments?, for caller: Caller,
    at memory: ServiceMemory
  ) throws -> RemainingWork? {
    let record = lookup.record
    // The pin lasts until the hazard slots take over, so there must be room for three: those of the call, the link array and the binding.
    guard frame.isLive, !record.isInCall && record.hasRoom(at: record.pointee.base + 2),
      caller == .synchronous || Binding.at(lookup.binding).borrow({ $0.isBuiltAtOnce })
    else { return .pending(lookup.takeLocated()) }
    return try record.continuing(frame) {
      try tryMaking(lookup, arguments, nil, for: caller, at: memory)
    }
  }

  /// Takes or makes the instance of a binding that the caller keeps alive, if that requires neither waiting nor the slow path.
  nonisolated func tryTakingOrMaking(
    _ binding: Binding, _ arguments: Arguments?, _ frame: ResolutionFrame?, for caller: Caller,
    at memory: ServiceMemory
  ) throws -> RemainingWork? {
    let record = ThreadRecordPointer.current
    if record.isOverridden { return .pending(nil) }
    record.pin()
    let lookup = Lookup(
      record: record, binding: binding.found, holderWord: binding.word(for: self))
    // A container that closes shows its instances until their disposers have run (L1). No search has looked at the keeper for this call.
    if lookup.holderWord != .free, let keeper = binding.keeperReference(for: self),
      keeper.borrow({ $0.publishedSnapshot }) == .closed
    {
      record.unpin()
      return .pending(nil)
    }
    if lookup.isKept {
      lookup.takeCopy(to: memory)
      return nil
    }
    return try tryMaking(lookup, arguments, frame, for: caller, at: memory)
  }

  /// Calls the factory of a transient, or that of an alias or choice, which builds nothing itself. The binding is in a hazard slot.
  /// The caller may continue on the slow path.
  private nonisolated func call(
    _ binding: Binding, _ arguments: Arguments?, _ record: ThreadRecordPointer, for caller: Caller,
    at memory: ServiceMemory
  ) throws -> RemainingWork? {
    let outer = record.beginNoting(requestsOf: binding)
    defer { if let outer { record.endNoting(outer) } }
    do {
      if binding.isTransientWithHooks {
        return try binding.makeWithHooks(arguments, Resolver(container: self), at: memory)
      }
      try binding.factory.write(Resolver(container: self), memory, arguments)
    } catch let error as ResolutionError where caller == .asynchronous && binding.takesSlowPath(after: error) {
      if binding.synchrony == .either { binding.noteBuiltAtOnce(false) }
      return .pending(binding.located)
    } catch is BindingIsGone {
      // The slow path searches again.
      return .pending(nil)
    }
    if binding.isKnownAsComplete(at: memory) { return nil }
    return try binding.check(instanceAt: memory, in: self).map { .incomplete($0, binding.located) }
  }
}

extension Binding {
  /// Whether the binding is tried without suspending for an asynchronous caller.
  ///
  /// If the try fails, the caller begins again. So it must repeat no hook. The target of an alias must have its instance already, or be a
  /// plain transient.
  fileprivate func isTriedAtOnce(for asked: Container) -> Bool {
    guard isBuiltAtOnce else { return false }
    guard isIndirect else {
      return !descriptor.traits.hasHooks || synchrony == .synchronous && ThreadRecordPointer.current.hasWholeChain
    }
    guard let primary else { return false }
    if primary.word(for: asked).isInstance { return true }
    // The factory of the alias is synchronous. It would block the thread if another one builds a kept instance.
    return primary.isPlainTransient && !mayYieldIncomplete
  }

  /// Whether the slow path may succeed, or explain the failure better, after the synchronous factory has thrown an error.
  ///
  /// In an asynchronous factory that has called a captured container, only the slow path knows the chain. If the thread continues the
  /// factory's chain, the error has the whole path already.
  fileprivate func takesSlowPath(after error: ResolutionError) -> Bool {
    if mayBuildAsynchronously(after: error) { return true }
    return error.code == .asyncRequired && ThreadRecordPointer.current.frame == nil
      && ResolutionFrame.ofCurrentTask != nil
  }

  /// Makes a transient, then runs its hooks. Not inlined into the call of a factory, where it would take memory for the disposal.
  ///
  /// - Returns: The instance if its completion is asynchronous; nil if it was written to the memory.
  @inline(never)
  fileprivate func makeWithHooks(
    _ arguments: Arguments?, _ resolver: Resolver, at memory: ServiceMemory
  ) throws -> Container.RemainingWork? {
    let record = ThreadRecordPointer.current
    // The last slot is this binding's own.
    let outer = record.pointee.depth.load(ordering: .relaxed) - 1
    func closed() -> ResolutionError {
      .closed(identity, record.chain(below: outer), in: resolver.container)
    }
    // A closing container waits for the hooks of an instance that it will dispose of (L1).
    let isAwaited = !needsNoDisposal
    if isAwaited, !resolver.container.lifecycle.activity.begin() { throw closed() }
    let depth = record.hold(resolver.container.lifecycle.mark)
    // Not `whileOpen`: the optimiser would retain what its closure captures, and threads would contend for the reference counts.
    defer {
      record.pop(to: depth)
      if isAwaited { resolver.container.lifecycle.endActivity() }
    }
    try factory.write(resolver, memory, arguments)
    var disposal: Disposal?
    if disposalHook != nil || !isKnownAsComplete(at: memory) {
      // In a box, for what may have to hold the instance: its disposal, or a caller that completes it.
      let instance = memory.take(as: descriptor.identity.service)
      guard isComplete(instance) else { return .incomplete(instance, located) }
      disposal = try note(instance, in: resolver.container)
      instance.write(to: memory)
    }
    do {
      if let hooks { try run(hooks, at: memory, resolver, in: .unkept) }
    } catch {
      memory.deinitialize(as: descriptor.identity.service)
      disposal.map { [$0].disposeInBackground(after: .failed(error)) }
      throw error
    }
    if let disposal {
      disposal.markCreated()
      record.innermostAttempt?.addDisposal(disposal, ofUnkept: id)
    }
    if isAwaited, resolver.container.lifecycle.isClosed {
      // The closing container disposes of the instance.
      memory.deinitialize(as: descriptor.identity.service)
      throw closed()
    }
    return nil
  }
}

// The first two functions are inlined, since each transient pays for them.
extension ThreadRecordPointer {
  /// Replaces the pin by hazard slots: one for the binding, and one for the link array if the binding was found by links. There must be
  /// room.
  ///
  /// - Parameters:
  ///   - depth: The first slot.
  ///   - top: The last slot, which is the binding's.
  @inline(__always)
  fileprivate func protect(_ lookup: Lookup, from depth: Int, to top: Int) {
    if lookup.links != .none { push(HazardSlot(lookup.links), at: depth) }
    push(HazardSlot(lookup.binding), at: top)
    unpin()
  }

  /// Whether a binding's factory is already running on this thread, so that calling it again would be a cycle.
  @inline(__always)
  func contains(_ binding: FoundBinding, below depth: Int) -> Bool {
    var slot = 0
    while slot < depth {
      if self.slot(at: slot) == HazardSlot(binding) { return true }
      slot &+= 1
    }
    return pointee.frame != nil && isInFrames(binding)
  }

  /// Whether a binding's factory is running in the chain of frames that this thread continues. Not inlined, since a synchronous chain
  /// has no frames.
  @inline(never)
  private func isInFrames(_ binding: FoundBinding) -> Bool {
    Chain(frame).contains(BindingID(at: binding.bits))
  }
}
