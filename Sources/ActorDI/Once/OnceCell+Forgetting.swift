// Emptying a cell: by a reset, the end of its call tree, the removal of its registration, or a sweep.
extension OnceCell {
  /// Forgets the instance. A build in flight continues for its waiters.
  ///
  /// - Returns: The instance that was kept, for the caller to release.
  func forget() -> [DroppedReference] {
    withClaimedState { forget(&$0) }
  }

  /// Forgets the instance if a given build has made it. If that build is still in flight, it will keep nothing.
  func forget(builtBy attempt: Attempt) -> [DroppedReference] {
    withClaimedState { state in
      state.attempt === attempt || state.builder == attempt.number ? forget(&state) : []
    }
  }

  private func forget(_ state: inout State) -> [DroppedReference] {
    // During a build, too: the storage may hold an expired instance.
    state.machine.reset()
    return takeAll(&state)
  }

  /// Drops the strong reference and the notes, because the cell's call tree has ended. After a build in flight, drops them once more.
  func endCall() {
    // The only disposal is that of an unfinished instance: the lifecycle lists that of a complete one.
    let disposals = withClaimedState { endCall(&$0) }.reclaim()
    if !disposals.isEmpty { disposals.disposeInBackground(after: .failed(asyncRequired)) }
  }

  func endCall(_ state: inout State) -> [DroppedReference] {
    state.isCallOver = state.attempt != nil
    return storage.endCall(&state.places) + takeNotesAndUnfinished(&state)
  }

  /// Forgets the instance and retires the cell, because the registration has been removed. Later callers look the service up again.
  func retire() -> [DroppedReference] {
    withClaimedState { state in
      state.machine.retire()
      return takeAll(&state)
    }
  }

  /// Retires the cell if it keeps no instance and runs no build.
  ///
  /// - Precondition: The caller has called the storage's ``InstanceStorage/readClock()`` before taking its own lock. Nothing is released
  ///   here.
  func retireIfEmpty() -> (isRetired: Bool, dropped: [DroppedReference]) {
    withClaimedState { state in
      let existing = storage.load(state.places)
      guard state.machine.isEmpty(hasValue: existing != nil) else {
        return (false, existing.map { [.owned($0)] } ?? [])
      }
      state.machine.retire()
      return (true, takeAll(&state))
    }
  }

  /// The build in flight, if there is one.
  var attemptInFlight: Attempt? { withClaimedState { $0.attempt } }

  private func takeAll(_ state: inout State) -> [DroppedReference] {
    var dropped = storage.take(&state.places) + takeNotesAndUnfinished(&state)
    if let disposal = exchange(&state.disposal, with: nil) { dropped.append(.ended(disposal)) }
    return dropped
  }

  /// Takes the notes and the unfinished build.
  private func takeNotesAndUnfinished(_ state: inout State) -> [DroppedReference] {
    var dropped: [DroppedReference] = []
    if let notes = state.notes { dropped.append(.owned(notes)) }
    if let notes = state.unfinished?.notes { dropped.append(.owned(notes)) }
    if let instance = state.unfinished?.instance { dropped.append(.owned(instance)) }
    if let disposal = state.unfinished?.disposal { dropped.append(.ended(disposal)) }
    if let life = state.unfinished?.life { dropped.append(.owned(life)) }
    if let run = state.unfinished?.run { dropped.append(.owned(run)) }
    state.notes = nil
    state.unfinished = nil
    return dropped
  }
}
