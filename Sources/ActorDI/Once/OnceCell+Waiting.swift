// From arrival to outcome: the edge in the wait graph, the suspension or the blocked thread, cancellation on the way.
extension OnceCell {
  func wait(
    _ id: WaiterID, for attempt: Attempt, _ chain: Chain, _ observation: BuildObservation?,
    _ block: () -> WaitOutcome
  ) throws -> WaitOutcome {
    let edge = chain.edge(to: attempt)
    if let edge, let cycle = WaitGraph.add(edge, isFresh: false) {
      return try closeCycle(cycle, id, attempt, chain)
    }
    defer { if let edge { WaitGraph.remove(edge) } }
    let began = observation?.now
    defer { observation?.waited(since: began, chain) }
    return block()
  }

  /// - Parameter start: begins the attempt, if that is the caller's part. The edge is there before: what the attempt waits for may
  ///   lead back here at once.
  func wait(
    _ id: WaiterID, for attempt: Attempt, _ chain: Chain, _ observation: BuildObservation? = nil,
    startingBy start: (() -> Void)? = nil
  ) async throws -> WaitOutcome {
    let edge = chain.edge(to: attempt)
    if let edge, let cycle = WaitGraph.add(edge, isFresh: start != nil) {
      return try closeCycle(cycle, id, attempt, chain)
    }
    defer { if let edge { WaitGraph.remove(edge) } }
    let began = observation?.now
    defer { observation?.waited(since: began, chain) }
    start?()
    attempt.escalate(to: Task.currentPriority)
    return await withEscalation(of: attempt) { await self.suspend(id) }
  }

  /// A wait that would never end. If the service it leads back to has been created and is in its hooks, it is that
  /// instance that they are to see; else it is an error.
  private func closeCycle(
    _ cycle: [ServiceIdentity], _ id: WaiterID, _ attempt: Attempt, _ chain: Chain
  ) throws -> WaitOutcome {
    leave(id)
    // Its outcome may be the last reference to an instance: it goes after the lock.
    _ = state.withLock { $0.removeWaiter(id) }
    if let provisional = attempt.provisional { return .value(provisional) }
    throw ResolutionError.cycle(cycle, chain)
  }

  private func suspend(_ id: WaiterID) async -> WaitOutcome {
    await withTaskCancellationHandler {
      unsafe await withUnsafeContinuation { continuation in
        let settled = state.withLock { state -> WaitOutcome? in
          if case .settled(let outcome) = state.waiters[id] {
            state.removeWaiter(id)
            return outcome
          }
          state.waiters[id] = unsafe .task(continuation)
          return nil
        }
        if let settled { unsafe continuation.resume(returning: settled) }
      }
    } onCancel: {
      leave(id)
    }
  }

  func block(_ id: WaiterID) -> WaitOutcome {
    let thread = BlockedThread()
    let settled = state.withLock { state -> WaitOutcome? in
      if case .settled(let outcome) = state.waiters[id] {
        state.removeWaiter(id)
        return outcome
      }
      state.waiters[id] = .thread(thread)
      return nil
    }
    return settled ?? thread.wait()
  }

  /// The waiter gives up: woken if it is suspended, and gone.
  private func leave(_ id: WaiterID) {
    let (wakeup, abandoned) = state.withLock { state -> (Wakeup?, Attempt?) in
      switch state.machine.leave(id) {
      case .tooLate: return (nil, nil)
      case .left: return (settle(id, .cancelled, &state), nil)
      case .leftLast: return (settle(id, .cancelled, &state), state.attempt)
      }
    }
    wakeup?.perform()
    abandoned?.cancel()
  }

  private func withEscalation(
    of attempt: Attempt, _ operation: () async -> WaitOutcome
  ) async -> WaitOutcome {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
      return await operation()
    }
    return await withTaskPriorityEscalationHandler {
      await operation()
    } onPriorityEscalated: { _, priority in
      attempt.escalate(to: priority)
    }
  }
}
