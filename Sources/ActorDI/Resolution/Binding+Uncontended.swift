internal import Synchronization

extension Binding {
  /// Runs an uncontended build of an instance that a container or the call tree keeps. The caller has put the binding in a hazard slot.
  ///
  /// - Parameters:
  ///   - asked: The container that the caller resolves from.
  ///   - slot: The binding's hazard slot.
  /// - Returns: The instance; nil if the caller must take the slow path. In that case, the once cell may hold an instance that still
  ///   needs asynchronous completion.
  func buildUncontended(
    _ arguments: Arguments?, for asked: Container, _ record: ThreadRecordPointer, _ slot: Int, _ caller: Caller
  ) throws -> Instance? {
    guard mayBuildUncontended(for: asked, record) else { return nil }
    if policy.isKeptByCall {
      return try buildInCall(arguments, for: asked, record, slot, caller)
    }
    guard policy.isKeptPerContainer else {
      return unsafe try runUncontended(arguments, in: self, of: owner, record, slot, caller)
    }
    // The asked container keeps its ancestors alive, so the keeper needs no retain. The kept slot does: the table may drop it meanwhile
    // (K2).
    return try keeperReference(for: asked)?.borrow { keeper in
      let holder = keeper.kept.slot(for: self, in: keeper.lifecycle)
      // After the slot was added: see `takeInstanceAbove`.
      if isRetired.load(ordering: .sequentiallyConsistent) { return nil }
      return try runUncontended(arguments, in: holder, of: keeper, record, slot, caller)
    } ?? nil
  }

  /// Whether the build may skip the once cell.
  ///
  /// It must not if a build log or an observer needs to be notified. It must not if it is part of an asynchronous factory of which this
  /// thread has no record.
  private func mayBuildUncontended(for asked: Container, _ record: ThreadRecordPointer) -> Bool {
    if BuildLog.isAnyKept && BuildLog.current != nil { return false }
    if asked.isObserved { return false }
    // A linked container has its own observers.
    if BuildObservation.isPossible && policy.isBuiltByOwner, unsafe owner.isObserved { return false }
    return record.hasWholeChain
  }

  /// Takes or builds the instance of a `.graph` service in the call tree on this thread.
  ///
  /// Declines if the instance becomes part of a kept one, which must note its requests.
  private func buildInCall(
    _ arguments: Arguments?, for asked: Container, _ record: ThreadRecordPointer, _ slot: Int, _ caller: Caller
  ) throws -> Instance? {
    // If the instance needs completion after all, a caller that can suspend begins again, with another graph.
    guard record.isBuildingForCall && !record.contains(found, below: slot), caller == .synchronous || !mayBeIncomplete
    else { return nil }
    // Without call state, the caller has looked for an asynchronous factory (`hasWholeChain`), and has found none.
    let graph = record.hasCallState ? record.graph : record.makeGraph()
    guard let (holder, existing) = graph.slotInCall(for: self, in: asked.lifecycle) else { return nil }
    if let existing { return existing }
    guard asked.lifecycle.activity.begin() else { return nil }
    defer { asked.lifecycle.endActivity() }
    let instance = try record.holdingCall(by: asked.lifecycle.mark) { _ in
      try runUncontended(arguments, in: holder, of: asked, record, slot, caller)
    }
    if asked.lifecycle.isClosed { throw ResolutionError.closed(identity, record.chain(below: slot), in: asked) }
    return instance
  }

  /// Runs an uncontended build in a holder, unless the holder has an instance or a build. The build of a kept instance counts as activity of
  /// the keeper, which ends here or, if the once cell ends the build, there.
  // Not inlined, so that a caller that finds an instance keeps no memory for a build.
  @inline(never)
  private func runUncontended(
    _ arguments: Arguments?, in holder: InstanceHolder, of keeper: Container, _ record: ThreadRecordPointer,
    _ slot: Int, _ caller: Caller
  ) throws -> Instance? {
    guard beginActivity(of: keeper) else { return nil }
    guard holder.beginUncontended() else {
      endActivity(of: keeper)
      return nil
    }
    var disposal: Disposal?
    var notes: RequestNotes?
    let instance: Instance
    do {
      instance = try record.buildingUncontended(
        in: holder, slot: slot, isKeptByCall: policy.isKeptByCall, isNoting: !policy.isKeptByCall && mayTakeMore, &notes
      ) {
        // In two branches: a container that may be either would be retained.
        if policy.isBuiltByOwner {
          try makeOnThread(
            factory, arguments, Resolver(container: ownContainer), disposal: &disposal, keptBy: record)
        } else {
          try makeOnThread(
            factory, arguments, Resolver(container: keeper), disposal: &disposal, keptBy: record)
        }
      }
    } catch {
      return try failUncontended(error, in: holder, of: keeper, disposal, notes, record, slot, caller)
    }
    if synchrony == .either { noteBuiltAtOnce(true) }
    if let notes { instance.note(notes) }
    if !keeper.lifecycle.isClosed && publish(instance, in: holder, disposal) {
      endActivity(of: keeper)
      return instance
    }
    // The cell has claimed the build (Q2), the container has been closed, or a weakly kept instance needs a disposal.
    // No alias shows the instance of an uncontended build.
    return try finishInCell(.success(Product(instance: instance)), holder, disposal, notes, record, slot, caller)
  }

  /// Ends an uncontended build that has failed, or that needs a caller that can suspend, or whose rest must wait. Not inlined, so that a
  /// build that succeeds keeps nothing for it.
  ///
  /// - Returns: The instance, if the rest has run; nil if the caller must take the slow path.
  @inline(never)
  private func failUncontended(
    _ error: any Error, in holder: InstanceHolder, of keeper: Container, _ disposal: Disposal?, _ notes: RequestNotes?,
    _ record: ThreadRecordPointer, _ slot: Int, _ caller: Caller
  ) throws -> Instance? {
    let needed = suspension(for: error)
    if needed != nil, synchrony == .either { noteBuiltAtOnce(false) }
    let hasInstance = disposal != nil || needed?.incomplete != nil || error is PostponedHooks
    guard !hasInstance, !keeper.lifecycle.isClosed, holder.abandonUncontended() else {
      // The cell continues with the instance or disposes of it, and refuses the caller if the container has been closed.
      return try finishInCell(.failure(needed ?? error), holder, disposal, notes, record, slot, caller)
    }
    endActivity(of: keeper)
    guard let needed else { throw error }
    return try refuse(needed, record, slot, caller)
  }

  /// Ends an uncontended build through the once cell. Not inlined, so that other builds keep nothing for it.
  ///
  /// - Returns: The instance; nil if the caller must take the slow path.
  @inline(never)
  private func finishInCell(
    _ result: Result<Product, any Error>, _ holder: InstanceHolder, _ disposal: Disposal?, _ notes: RequestNotes?,
    _ record: ThreadRecordPointer, _ slot: Int, _ caller: Caller
  ) throws -> Instance? {
    do {
      return try holder.ownCell.endUncontended(
        result, disposal, notes, for: record.chain(below: slot, makingAttempts: true))?.instance
    } catch let needed as OnceCell.SuspensionNeeded {
      // The need of this build or its rest, or of the rest of another one that has waited for this one.
      return try refuse(needed, record, slot, caller)
    }
  }

  /// Refuses a caller that cannot suspend, whose build needs one that can.
  ///
  /// - Returns: Nil, since any other caller takes the slow path.
  private func refuse(
    _ needed: OnceCell.SuspensionNeeded, _ record: ThreadRecordPointer, _ slot: Int, _ caller: Caller
  ) throws -> Instance? {
    guard caller == .synchronous else { return nil }
    throw needed.error ?? ResolutionError.asyncRequired(identity, record.chain(below: slot))
  }

  private func publish(_ instance: Instance, in holder: InstanceHolder, _ disposal: Disposal?) -> Bool {
    if policy.isWeak { return disposal == nil && holder.finishUncontended(weakly: instance) }
    return holder.finishUncontended(instance)
  }

  // The keeper's activity counts the build of a kept instance. For an instance of the call tree, `buildInCall` counts the build.

  private func beginActivity(of keeper: Container) -> Bool { policy.isKeptByCall || keeper.lifecycle.activity.begin() }

  private func endActivity(of keeper: Container) { if !policy.isKeptByCall { keeper.lifecycle.endActivity() } }
}
