internal import Synchronization

// The short way of a resolve from outside of any factory: where the instance is there, or a synchronous factory can make it now, there is
// nothing to suspend for, and neither frames nor asynchronous calls are needed. Most scoped services are built like that.
extension Container {
  /// The instance, if it can be had at once; nil when the general path has to be taken.
  ///
  /// - Parameters:
  ///   - found: what the read path has found here, under its pin, which ends here.
  ///   - binding: gets that, when the general path has to be taken.
  ///   - make: calls the factory of a binding of the service. It comes from where the service's type is known: all else here
  ///     has no type parameter, since to look generic types up costs more than many a factory.
  @usableFromInline
  nonisolated func makeImmediately<Service>(
    _ type: Service.Type, _ found: Lookup, _ binding: inout Binding?, key: Key?, literal: UInt = 0,
    _ make: (Binding, Resolver) throws -> Instance
  ) throws -> Instance? {
    let record = unsafe found.record
    // In a factory the chain is more than a thread's slots.
    guard unsafe record.isOutsideOfCalls, OverrideLayer.active == nil, !lifecycle.isClosed,
      ResolutionFrame.ofCurrentTask == nil
    else {
      binding = found.retainBinding()
      return nil
    }
    return try makeImmediately(ServiceIdentity(type, key: key), found, literal: literal, make)
  }

  private nonisolated func makeImmediately(
    _ identity: ServiceIdentity, _ found: Lookup, literal: UInt, _ make: (Binding, Resolver) throws -> Instance
  ) throws -> Instance? {
    let record = unsafe found.record
    let depth = unsafe record.pointee.depth.load(ordering: .relaxed)
    var isOwn = true
    var address = found.binding
    if address == 0 {
      unsafe record.unpin()
      (address, isOwn) = pinnedBinding(of: identity, literal: literal)
      if address == 0 { return nil }
    }
    guard unsafe record.hasRoom(at: depth) else {
      unsafe record.unpin()
      return nil
    }
    // The slot takes over from the pin (R2).
    unsafe record.push(address, at: depth)
    unsafe record.unpin()
    defer { unsafe record.pop(to: depth) }
    return try unsafe Binding.at(address)._withUnsafeGuaranteedRef { binding in
      var isNew = false
      guard binding.standsInFor == nil,
        let instance = unsafe try binding.immediateInstance(for: self, record, depth, &isNew, make)
      else { return nil }
      if !isNew && !isOwn { binding.standIn(in: self) }
      return instance
    }
  }

  /// The binding that an identity leads to through the parents, under a pin; 0, and none, if it may be otherwise.
  ///
  /// What the container itself has was not found, unless it was looked for by a literal's address, or all threads take the general path.
  private nonisolated func pinnedBinding(
    of identity: ServiceIdentity, literal: UInt
  ) -> (address: UInt, isOwn: Bool) {
    guard lazyLinks.load() == nil else { return (0, false) }
    let own = lookup(identity)
    if own.binding != 0 {
      // The address of the literal is remembered by the general path.
      if literal == 0 { return (own.binding, true) }
      unsafe own.record.unpin()
      return (0, false)
    }
    unsafe own.record.unpin()
    var next = unsafe parent.map { unsafe Unmanaged.passUnretained($0) }
    while let container = unsafe next {
      // Each is held by the one before it.
      let found = unsafe container._withUnsafeGuaranteedRef { container -> UInt? in
        guard container.lazyLinks.load() == nil else { return nil }
        let found = container.lookup(identity)
        if found.binding == 0 {
          unsafe found.record.unpin()
          unsafe next = container.parent.map { unsafe Unmanaged.passUnretained($0) }
        }
        return found.binding
      }
      guard let found else { return (0, false) }
      if found != 0 { return (found, false) }
    }
    return (0, false)
  }
}

extension UnsafeMutablePointer<ThreadRecord> {
  /// Whether the thread runs no factory, and nothing that belongs to a call.
  fileprivate var isOutsideOfCalls: Bool {
    unsafe pointee.depth.load(ordering: .relaxed) == pointee.base && pointee.context == nil
      && pointee.quietBuild == 0
  }
}

extension Binding {
  /// The instance that is kept, or that can be made and kept now, without waiting for anybody. In a slot.
  ///
  /// - Parameter isNew: gets whether it was made now.
  fileprivate final func immediateInstance(
    for asked: Container, _ record: ThreadRecordPointer, _ depth: Int, _ isNew: inout Bool,
    _ make: (Binding, Resolver) throws -> Instance
  ) throws -> Instance? {
    guard descriptor.scope.isKept, !descriptor.scope.isWeak, let cell = keptCell(asking: asked)
    else { return nil }
    do {
      guard canBuildQuietly(for: asked) else {
        return try unsafe immediateInstanceGenerally(
          in: cell, for: Resolver(container: asked), record, at: depth, &isNew)
      }
      switch cell.arriveQuietly() {
      case nil: return nil
      case .value(let instance): return instance
      case .build(let number):
        isNew = true
        if isOwnedByScope(of: asked) {
          return try unsafe buildQuietly(in: cell, number, asked, record, make)
        }
        let inner = container(for: Resolver(container: asked))
        return try unsafe buildQuietly(in: cell, number, inner, record, make)
      }
    } catch is OnceCell.SuspensionNeeded {
      // What was made is kept aside, for the general path to go on with.
      return nil
    } catch is PrimaryIsGone {
      return nil
    }
  }

  /// The cell that keeps the instance for a container that is asked; nil when none has the name of its scope.
  private final func keptCell(asking asked: Container) -> OnceCell? {
    if isOwnedByScope(of: asked) {
      return asked.lifecycle.cells.cell(for: self, nil, in: asked.lifecycle)
    }
    guard let keeper = keeper(for: asked) else { return nil }
    return unsafe keeper === owner
      ? cell(for: nil) : keeper.lifecycle.cells.cell(for: self, nil, in: keeper.lifecycle)
  }

  /// Whether a container that is asked keeps an instance of its own, which most are asked for: it need not be searched for the keeper.
  private final func isOwnedByScope(of asked: Container) -> Bool {
    if case .scoped = descriptor.scope.kind, unsafe asked !== owner { true } else { false }
  }

  /// Whether a build is nothing but a call of the factory, and nobody wants to hear of it.
  private final func canBuildQuietly(for asked: Container) -> Bool {
    isMadeByOneCall && pool == nil && parts.isEmpty
      && !(BuildLog.isAnyKept && BuildLog.current != nil)
      && !(BuildObservation.isPossible && asked.isObserved)
  }

  private final func buildQuietly(
    in cell: OnceCell, _ number: OnceStateMachine.AttemptID, _ inner: Container, _ record: ThreadRecordPointer,
    _ make: (Binding, Resolver) throws -> Instance
  ) throws -> Instance {
    let instance: Instance
    var disposal: Disposal?
    do {
      instance = try unsafe record.buildingQuietly(in: cell) {
        try make(self, Resolver(container: inner))
      }
      if !isSettled {
        // Nearly always nothing, but this one may conform to something that the service's type does not.
        let isComplete = isComplete(instance)
        disposal = try note(instance, in: inner)
        guard isComplete else {
          throw OnceCell.SuspensionNeeded(incomplete: instance)
        }
      } else if !disposalHooks.isEmpty {
        disposal = try add(InstanceDisposal(instance, of: self, in: inner.lifecycle), in: inner)
      }
    } catch {
      return try cell.finishAloud(number, .failure(error), disposal).instance
    }
    if forwards == nil, cell.finishQuietly(number, instance, &disposal) { return instance }
    return try cell.finishAloud(number, .success(product(instance)), disposal).instance
  }

  /// As by the general path, for one with hooks.
  private final func immediateInstanceGenerally(
    in cell: OnceCell, for resolver: Resolver, _ record: ThreadRecordPointer, at depth: Int, _ isNew: inout Bool
  ) throws -> Instance? {
    // A build that is told of is left to the general path.
    let canBuild = !descriptor.nature.inheritsKey && synchrony == .synchronous && observation(for: resolver) == nil
    let chain = unsafe record.chain(below: depth)
    switch cell.arriveImmediately(canBuild: canBuild) {
    case .value(let instance): return instance
    case .build(let attempt):
      isNew = true
      return try cell.build(attempt, for: chain) { attempt in
        let inner = Resolver(container: container(for: resolver))
        return try unsafe record.building(attempt, keeping: descriptor.scope.isKept) {
          if pool == nil { return try buildSynchronously(factory, inner, attempt) }
          return try lent(to: resolver.container, attempt) {
            try buildSynchronously(factory, inner, attempt)
          }
        }
      }
    case .closed: throw ResolutionError.closed(identity, chain, in: resolver.container)
    case .start, .wait, .asyncRequired, .retired, nil: return nil
    }
  }
}
