// How a cell comes to be empty again: a reset, the end of its call or its registration, a sweep.
extension OnceCell {
  /// Forgets the instance. A build in flight goes on for those who wait for it.
  ///
  /// - Returns: what was kept, for the caller to release.
  func forget() -> [DroppedInstance] {
    withState { state in
      // Also while its successor is being built: an instance that has expired is still held then.
      state.machine.reset()
      return storage.take() + takeRest(&state) + takeDisposal(&state)
    }
  }

  /// The same, if what is kept was made by an attempt. One that is still in flight keeps nothing.
  func forget(builtBy attempt: Attempt) -> [DroppedInstance] {
    let isNew = withState { $0.attempt === attempt || $0.builder == attempt.number }
    return isNew ? forget() : []
  }

  /// The call tree that the cell belongs to has ended.
  func endCall() {
    withState { state in storage.endCall() + takeRest(&state) }.release()
  }

  /// As `forget`, for good: the registration is gone, and whoever still comes has to look it up again.
  func retire() -> [DroppedInstance] {
    withState { state in
      state.machine.retire()
      return storage.take() + takeRest(&state) + takeDisposal(&state)
    }
  }

  /// Retires the cell if nothing is kept or being built in it.
  ///
  /// For a caller that holds a lock of its own, and has called ``readClock()`` before it took it: nothing is released here.
  func retireIfEmpty() -> (isRetired: Bool, dropped: [DroppedInstance]) {
    withState { state in
      let existing = storage.load()
      guard state.machine.isEmpty(hasValue: existing != nil) else {
        return (false, existing.map { [.owned($0)] } ?? [])
      }
      state.machine.retire()
      return (true, storage.take() + takeRest(&state) + takeDisposal(&state))
    }
  }

  /// The attempt in progress, if there is one.
  var attemptInFlight: Attempt? { withState { attempt(in: &$0) } }

  /// The container goes without being closed.
  func dropDisposal() {
    _ = withState { takeDisposal(&$0) }
  }

  func takeDisposal(_ state: inout State) -> [DroppedInstance] {
    guard let disposal = state.disposal else { return [] }
    state.disposal = nil
    return [.ended(disposal)]
  }

  /// What is held beside the instance: one that is not complete, and what was noted.
  private func takeRest(_ state: inout State) -> [DroppedInstance] {
    guard state.observed != nil || state.incomplete != nil || state.incompleteObserved != nil else { return [] }
    var dropped = [state.observed, state.incompleteObserved].compactMap { $0.map(DroppedInstance.notes) }
    if let incomplete = state.incomplete { dropped.append(.owned(incomplete)) }
    state.observed = nil
    state.incompleteObserved = nil
    if let disposal = state.incompleteDisposal { dropped.append(.ended(disposal)) }
    (state.incomplete, state.incompleteDisposal) = (nil, nil)
    return dropped
  }

  /// Lets an instance expire that has reached its time. Calls a clock of the user's: not under a lock.
  func readClock() { storage.readClock() }
}
