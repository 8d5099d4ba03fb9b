internal import Synchronization

extension Binding {
  /// Builds a kept instance in place, if nothing has begun for it. In a hazard slot.
  ///
  /// - Parameters:
  ///   - asked: the container that is asked.
  ///   - slot: the binding's hazard slot.
  ///   - isSynchronous: whether the caller cannot suspend.
  /// - Returns: nil where it takes the slow path; nothing has been kept then, but perhaps an instance that is to be completed.
  final func buildAlone(
    for asked: Container, _ record: ThreadRecordPointer, _ slot: Int, isSynchronous: Bool
  ) throws -> Instance? {
    guard unsafe mayBuildAlone(for: asked, record, slot) else { return nil }
    guard isKeptByAsker else {
      return unsafe try buildAlone(in: self, of: owner, record, slot, isSynchronous: isSynchronous)
    }
    // Without a reference to the container, which the asked one holds; with one to the slot, which the table may let go of meanwhile (K2).
    return try keeperReference(for: asked)?.lend { keeper in
      let holder = keeper.kept.slot(for: self, in: keeper.lifecycle)
      return unsafe try buildAlone(in: holder, of: keeper, record, slot, isSynchronous: isSynchronous)
    } ?? nil
  }

  /// Whether nobody wants to hear of the build, and it is not part of an asynchronous factory that the thread does not know of.
  private final func mayBuildAlone(for asked: Container, _ record: ThreadRecordPointer, _ slot: Int) -> Bool {
    if BuildLog.isAnyKept && BuildLog.current != nil { return false }
    if BuildObservation.isPossible && asked.isObserved { return false }
    return unsafe record.pointee.build != 0 || record.pointee.context != nil || ResolutionFrame.ofCurrentTask == nil
  }

  private final func buildAlone(
    in holder: InstanceHolder, of keeper: Container, _ record: ThreadRecordPointer, _ slot: Int, isSynchronous: Bool
  ) throws -> Instance? {
    let lifecycle = keeper.lifecycle
    guard holder.beginAlone() else { return nil }
    guard lifecycle.activity.begin() else {
      _ = holder.abandonAlone() ? nil : holder.ownCell.attemptInFlight.map { holder.ownCell.abandon($0) }
      return nil
    }
    let inner = isBuiltByOwner ? ownContainer : keeper
    var disposal: Disposal?
    let (result, noted) = unsafe record.buildingAlone(in: holder, slot: slot, isNoting: mayTakeMore) {
      try makeSynchronously(factory, Resolver(container: inner), disposal: &disposal)
    }
    let notes = noted.isEmpty ? nil : RequestNotes(noted)
    switch result {
    case .success(let instance):
      if synchrony == .either { noteBuiltAtOnce(true) }
      instance.box.notes = notes
      if !lifecycle.isClosed && holder.finishAlone(instance) {
        lifecycle.endActivity()
        return instance
      }
      // Somebody has come for it.
      return try holder.ownCell.finishAlone(.success(product(instance)), disposal, notes)?.instance
    case .failure(let error):
      let needed = suspension(for: error)
      if disposal == nil && needed?.incomplete == nil && holder.abandonAlone() {
        lifecycle.endActivity()
      } else {
        _ = try? holder.ownCell.finishAlone(.failure(needed ?? error), disposal, notes)
      }
      guard let needed else { throw error }
      if synchrony == .either { noteBuiltAtOnce(false) }
      guard isSynchronous else { return nil }
      throw unsafe needed.error ?? ResolutionError.asyncRequired(identity, record.chain(below: slot))
    }
  }

  /// That an error means no failure, but that the build cannot go on without suspending.
  private final func suspension(for error: any Error) -> OnceCell.SuspensionNeeded? {
    if let needed = error as? OnceCell.SuspensionNeeded { return needed }
    guard synchrony == .either, let error = error as? ResolutionError, error.code == .asyncRequired else { return nil }
    return OnceCell.SuspensionNeeded(error: error)
  }
}
