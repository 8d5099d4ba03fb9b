// The end of a build, which may be tied to others (G1, G2).
extension OnceCell {
  /// The failure of a build that took an instance whose own build has failed (G2), or that has waited for a failed one (G4).
  struct Dropped: Error, CustomStringConvertible {
    var description: String { "A service that the instance depends on could not be completed." }
  }

  /// Ends a build whose factory and hooks have run, together with the builds that are tied to it, unless it is held (G1).
  ///
  /// The steps of an end:
  ///
  /// 1. Mark the builds as finished.
  /// 2. Number the instances anew in the order of creation, since their hooks are done.
  /// 3. Publish the instances, or record the failures.
  /// 4. Wake the waiters of all builds.
  /// 5. Release what the cells have dropped, and end the keepers' activity.
  /// 6. Dispose of the instances that the cells do not keep.
  ///
  /// - Returns: The outcome for the caller; an error if the keeper is closed (L1). Nil if the caller must ask again, because the build is
  ///   held (G1) or was dropped (G2).
  func finish(_ attempt: Attempt, _ result: Result<Product, any Error>) -> Result<Product, any Error>? {
    var result = refusedIfClosed(result)
    // A finished build is part of no cycle, so the flag is set before any waiter wakes.
    let isTied = !attempt.finishUntied()
    let conclusion = isTied ? conclude(attempt, result) : .ends(isDropped: false, others: [])
    guard case .ends(let isDropped, let others) = conclusion else { return nil }
    var shared = result
    var scopeOutcome = ScopeOutcome.completed
    switch result {
    case .success where isDropped:
      shared = Self.failureOfPart(of: attempt)
      scopeOutcome = .failed(Dropped())
    case .success:
      if isTied || attempt.has(.pastFactory) {
        let complete = [attempt] + others.filter { !$0.isDropped }.map(\.held.attempt)
        complete.flatMap(\.disposals).markCreated()
      }
    case .failure(var needed as SuspensionNeeded):
      scopeOutcome = .failed(needed.error ?? asyncRequired)
      if isTied {
        // The next build makes another instance, and so has ties of its own.
        needed.incomplete = nil
        result = .failure(needed)
        shared = result
      }
    case .failure(let error):
      // The failure of a yielding build is for its caller only.
      if attempt.has(.yielding) { shared = .failure(Dropped()) }
      scopeOutcome = .failed(error)
    }
    // All instances are published before any waiter wakes, so a caller that gets one finds the others.
    var followUps = [end(attempt, shared, isHandedOut: !attempt.isTask)]
    for other in others {
      let held = other.held
      followUps.append(
        held.cell.end(held.attempt, other.isDropped ? Self.failureOfPart(of: held.attempt) : .success(held.product)))
    }
    for followUp in followUps { for wakeup in followUp.wakeups { wakeup() } }
    followUps.flatMap { $0.cleanUp() }.disposeInBackground(after: scopeOutcome)
    withExtendedLifetime(others) {}
    return isDropped ? attempt.failureOfPart.map { .failure($0) } : result
  }

  /// The result of a build, or an error if the keeper is closed. If the build has failed with such an error, that knows the whole path.
  private func refusedIfClosed(_ result: Result<Product, any Error>) -> Result<Product, any Error> {
    if !isKeeperClosed { return result }
    if case .failure(let error as ResolutionError) = result, error.code == .closed { return result }
    return .failure(closed)
  }

  /// Concludes a build that is, or was about to be, tied to others.
  private func conclude(_ attempt: Attempt, _ result: Result<Product, any Error>) -> WaitGraph.Conclusion {
    switch result {
    case .success(let product):
      attempt.setProvisional(product.instance)
      let held = WaitGraph.Held(attempt: attempt, retained: RetainedCell(self), product: product)
      return WaitGraph.conclude(attempt, held)
    case .failure(let error):
      return WaitGraph.conclude(attempt, nil, failingTakersWith: attempt.failureForTakers(error))
    }
  }

  /// The result of a build that has taken an instance whose own build has failed.
  private static func failureOfPart(of attempt: Attempt) -> Result<Product, any Error> {
    .failure(attempt.failureOfPart ?? Dropped())
  }

  /// The work after a build's instance has been published, or its failure recorded.
  private struct FollowUp {
    let cell: OnceCell
    let attempt: Attempt
    let wakeups: [Wakeup]
    /// What the cell has dropped.
    let dropped: [DroppedReference]
    /// The disposal of an instance that the cell does not keep.
    let disposal: Disposal?
    /// Whether the build was dropped.
    let isDropped: Bool
    /// Whether a caller has the instance, although the cell does not keep it.
    let isHandedOut: Bool

    /// Cleans up, once the waiters of all builds are awake.
    ///
    /// - Returns: The disposals to run now.
    func cleanUp() -> [Disposal] {
      dropped.release()
      attempt.setProvisional(nil)
      defer { cell.lifecycle?.borrow { $0.endBuild(attempt) } }
      guard let disposal else { return [] }
      if isDropped || attempt.failureOfPart != nil { disposal.discard() }
      // The shutdown disposes of all instances that its container has made.
      if disposal.lifecycle.isClosed { return [] }
      if !isHandedOut { return [disposal] }
      // An instance that was handed out is disposed of at the next reset or at the shutdown.
      disposal.leaveToReset()
      return []
    }
  }

  /// Ends a build in the cell. Publishes its instance, if the cell keeps it.
  ///
  /// - Parameter isHandedOut: Whether the caller of this function hands the instance out, besides the waiters.
  /// - Returns: The work that the caller performs after this.
  private func end(_ attempt: Attempt, _ result: Result<Product, any Error>, isHandedOut: Bool = false) -> FollowUp {
    let life = storage.expiry.map { attempt.life ?? $0.makeOwnLife() }
    life?.readClock()
    // The keeper may have been closed while the build was held.
    let result = refusedIfClosed(result)
    let notes = attempt.notes.load()
    var (disposal, times) = attempt.takeResults()
    let (wakeups, dropped, isDelivered) = withClaimedState { state -> ([Wakeup], [DroppedReference], Bool) in
      var dropped: [DroppedReference] = []
      // Nothing continues the build once its call tree has ended.
      if case .failure(let needed as SuspensionNeeded) = result, state.machine.isAttached(attempt.number),
        !state.isCallOver
      {
        // Without an instance to continue with, the next build makes another one.
        let isContinued = needed.incomplete != nil
        state.unfinished = Unfinished(
          instance: needed.incomplete, disposal: isContinued ? disposal : nil, notes: isContinued ? notes : nil,
          life: isContinued ? life : nil, run: needed.run)
        if isContinued { disposal = nil }
      }
      let ending = state.machine.finish(attempt.number, machineOutcome(of: result, with: life))
      if ending.publishes, case .success(let product) = result {
        dropped = publish(product, with: life, of: attempt, notes, times, exchange(&disposal, with: nil), &state)
      } else if let life, state.unfinished?.life !== life {
        storage.expiry?.end(life)
      }
      if state.attempt === attempt {
        state.attempt = nil
        if state.isCallOver { dropped += endCall(&state) }
      }
      let delivered = ending.deliver.compactMap { answer($0, .ended(result), &state) }
      let retried = ending.retry.compactMap { answer($0, .retry, &state) }
      return (delivered + retried, dropped, !ending.deliver.isEmpty)
    }
    let isSuccess = if case .success = result { true } else { false }
    let isDropped = if case .failure(is Dropped) = result { true } else { false }
    return FollowUp(
      cell: self, attempt: attempt, wakeups: wakeups, dropped: dropped, disposal: disposal, isDropped: isDropped,
      isHandedOut: isSuccess && (isHandedOut || isDelivered || attempt.has(.taken)))
  }

  /// Keeps the instance of a build, with what is known about the build.
  ///
  /// - Returns: What the cell has kept before.
  private func publish(
    _ product: Product, with life: Life?, of attempt: Attempt, _ notes: RequestNotes?, _ times: BuildTimes?,
    _ disposal: Disposal?, _ state: inout State
  ) -> [DroppedReference] {
    var dropped = storage.store(product, with: life, &state.places)
    if let old = state.disposal { dropped.append(.ended(old)) }
    if let old = state.notes { dropped.append(.owned(old)) }
    state.builder = attempt.number
    state.times = times
    state.notes = notes
    // The lifecycle lists the disposal of a `.graph` instance. A ``Lazy`` in the instance may hold the graph, and so the cell.
    state.disposal = storage.isKeptByCall ? nil : disposal
    return dropped
  }

  private func machineOutcome(of result: Result<Product, any Error>, with life: Life?) -> OnceStateMachine.Outcome {
    switch result {
    case .success(let product): storage.keeps(product.instance, with: life) ? .value : .unkeptValue
    case .failure(is SuspensionNeeded), .failure(is Dropped): .abandoned
    case .failure: .failure
    }
  }

  private var closed: ResolutionError {
    ResolutionError(.closed, for: identity, path: [identity], container: keeper?.name)
  }

  /// The failure of an instance that only an asynchronous caller can complete, and that no such caller continues with.
  var asyncRequired: ResolutionError {
    ResolutionError(.asyncRequired, for: identity, path: [identity], container: keeper?.name)
  }
}
