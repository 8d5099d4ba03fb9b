// From a chain that asks to its outcome: building, or waiting with an edge in the wait graph, suspended or blocking a thread, cancelled on the way.

extension OnceCell {
  /// The instance, for a caller that can block its thread at most. Nil: the registration is gone.
  ///
  /// - Throws: what the factory throws; a cycle; that the build is asynchronous.
  func instance(
    for chain: Chain, mode: OnceStateMachine.BuildMode, _ observation: BuildObservation? = nil, build: InlineBuild
  ) throws -> Instance? {
    while true {
      let (step, id) = arrive(.synchronous, mode)
      switch step {
      case .value(let instance): return instance
      case .retired: return nil
      case .asyncRequired:
        if let instance = unfinished(for: chain) { return instance }
        throw ResolutionError.asyncRequired(identity, chain)
      case .closed: throw closed(chain)
      case .build(let attempt):
        do {
          if let instance = try self.build(attempt, for: chain, build) { return instance }
        } catch let needed as SuspensionNeeded {
          throw needed.error ?? .asyncRequired(identity, chain)
        }
      case .start(let attempt), .wait(let attempt):
        let outcome = try wait(id, for: attempt, chain, observation) { block(id) }
        if let instance = try Self.instance(from: outcome) { return instance }
      }
    }
  }

  /// The instance, for a caller that can suspend. Nil: the registration is gone.
  ///
  /// - Parameter seesCaller: whether a build in a task of its own sees the caller's task-locals.
  /// - Throws: what the factory throws; a cycle; `CancellationError` when the caller is cancelled while it waits.
  func instance(
    for chain: Chain, mode: OnceStateMachine.BuildMode, _ observation: BuildObservation? = nil, seesCaller: Bool = true,
    build: InlineBuild, task: @escaping TaskBuild
  ) async throws -> Instance? {
    var mode = mode
    while true {
      let (step, id) = arrive(.asynchronous, mode)
      switch step {
      case .value(let instance): return instance
      case .retired: return nil
      case .asyncRequired: throw ResolutionError.asyncRequired(identity, chain)
      case .closed: throw closed(chain)
      case .build(let attempt):
        do {
          if let instance = try self.build(attempt, for: chain, build) { return instance }
        } catch is SuspensionNeeded {
          mode = .task
        }
      case .start(let attempt):
        let outcome = try await wait(id, for: attempt, chain) { self.start(attempt, seesCaller: seesCaller, task) }
        if let instance = try Self.instance(from: outcome) {
          chain.frame?.adoptInstances(of: attempt)
          return instance
        }
      case .wait(let attempt):
        let outcome = try await wait(id, for: attempt, chain, observation)
        if let instance = try Self.instance(from: outcome) {
          chain.frame?.adoptInstances(of: attempt)
          return instance
        }
      }
    }
  }

  private static func instance(from outcome: WaitOutcome) throws -> Instance? {
    switch outcome {
    case .value(let instance): return instance
    case .failure(let error): throw error
    case .cancelled: throw CancellationError()
    case .retry: return nil
    }
  }

  private func closed(_ chain: Chain) -> ResolutionError {
    .closed(identity, chain, in: homeOwner)
  }

  // MARK: Building

  /// Builds on the caller's own thread.
  ///
  /// - Returns: nil for a caller that has to ask anew.
  func build(
    _ attempt: Attempt, for chain: Chain, _ build: InlineBuild
  ) throws -> Instance? {
    // The enclosing attempt cannot go on before this one has ended, as if it waited.
    let edge = chain.edge(to: attempt)
    if let edge { _ = WaitGraph.add(edge, isFresh: true) }
    defer { if let edge { WaitGraph.remove(edge) } }
    let result = Result { try build(attempt) }
    return try finish(attempt, result, isInline: true)?.get().instance
  }

  /// What a task is building, for a caller that it waits for, and that cannot wait for it in its turn.
  private func unfinished(for chain: Chain) -> Instance? {
    guard let attempt = state.withLock({ $0.attempt }), attempt.hasProvisional, let edge = chain.edge(to: attempt)
    else {
      return nil
    }
    return WaitGraph.take(edge)
  }

  /// Builds in a task of its own: nobody's cancellation reaches it but the attempt's.
  private func start(_ attempt: Attempt, seesCaller: Bool, _ build: @escaping TaskBuild) {
    // The cell does not keep it alive, and those who wait may let go of it as soon as they wake.
    let owner = homeOwner
    let log = BuildLog.isAnyKept ? BuildLog.current : nil
    let run = { @Sendable [self] in
      do {
        let product =
          if let log {
            try await BuildLog.$current.withValue(log) { try await build(attempt) }
          } else {
            try await build(attempt)
          }
        _ = finish(attempt, .success(product))
      } catch {
        _ = finish(attempt, .failure(error))
      }
      withExtendedLifetime(owner) {}
    }
    let priority = Task.currentPriority
    attempt.run(
      in: seesCaller ? Task(priority: priority, operation: run) : .detached(priority: priority, operation: run))
  }
}

// MARK: - Waiting

extension OnceCell {
  func wait(
    _ id: WaiterID, for attempt: Attempt, _ chain: Chain, _ observation: BuildObservation?,
    _ block: () -> WaitOutcome
  ) throws -> WaitOutcome {
    let edge = chain.edge(to: attempt, .wait(id))
    if let edge, let outcome = try insteadOfWaiting(edge, id, chain) { return outcome }
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
    let edge = chain.edge(to: attempt, .wait(id))
    if let edge, let outcome = try insteadOfWaiting(edge, id, chain, isFresh: start != nil) { return outcome }
    defer { if let edge { WaitGraph.remove(edge) } }
    let began = observation?.now
    defer { observation?.waited(since: began, chain) }
    start?()
    attempt.escalate(to: Task.currentPriority)
    return await withEscalation(of: attempt) { await self.suspend(id) }
  }

  /// Adds the edge of a wait, unless the wait would never end. If the service that it leads back to has been created, it is that instance
  /// that the waiter is to see; else it is an error.
  private func insteadOfWaiting(
    _ edge: WaitGraph.Edge, _ id: WaiterID, _ chain: Chain, isFresh: Bool = false
  ) throws -> WaitOutcome? {
    switch WaitGraph.add(edge, isFresh: isFresh) {
    case .waits: return nil
    case .takes(let instance):
      giveUp(id)
      return .value(instance)
    case .cycle(let path):
      giveUp(id)
      throw ResolutionError.cycle(path, chain)
    }
  }

  private func giveUp(_ id: WaiterID) {
    leave(id)
    // Its outcome may be the last reference to an instance: it goes after the lock.
    _ = state.withLock { $0.removeWaiter(id) }
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
