internal import Synchronization

// How a caller obtains an outcome. A caller arrives, and the machine says its step (`arrive`, `Step`). It takes the instance or builds on its
// own thread (`takeOrBuild`, `Progress`), or it waits with an edge in the wait graph until the build answers (`wait`, `WaitOutcome`). A caller
// that is asked to try again arrives again. A waiter suspends its task or blocks its thread; a suspended one may be cancelled.

extension OnceCell {
  /// The instance, for a caller that cannot suspend but may block its thread; nil if the registration has been removed.
  ///
  /// - Throws: The errors of the factory; ``ResolutionError/Code/cycle``; ``ResolutionError/Code/asyncRequired`` if the build is
  ///   asynchronous; ``ResolutionError/Code/closed``.
  func instance(
    for chain: Chain, mode: OnceStateMachine.BuildMode, _ observation: BuildObservation? = nil, build: InlineBuild
  ) throws -> Instance? {
    var mode = mode
    var joined: Attempt?
    while true {
      switch try takeOrBuild(for: .synchronous, &mode, &joined, chain, build) {
      case .has(let instance): return instance
      case .waits(let id, let attempt, _):
        let outcome = try wait(id, for: attempt, chain, observation)
        if let instance = try endWait(with: outcome, for: chain) { return instance }
      }
    }
  }

  /// The instance, for a caller that can suspend; nil if the registration has been removed.
  ///
  /// - Parameter seesCaller: Whether a build in its own task inherits the caller's task-locals.
  /// - Throws: The errors of the factory; ``ResolutionError/Code/cycle``; ``ResolutionError/Code/closed``; `CancellationError` if the
  ///   caller is cancelled while it waits.
  func instance(
    for chain: Chain, mode: OnceStateMachine.BuildMode, _ observation: BuildObservation? = nil, seesCaller: Bool = true,
    build: InlineBuild, task: @escaping TaskBuild
  ) async throws -> Instance? {
    var mode = mode
    var joined: Attempt?
    // A caller that is asked to try again may find the instance of the build that it has waited for.
    var awaited: Attempt?
    while true {
      switch try takeOrBuild(for: .asynchronous, &mode, &joined, chain, build) {
      case .has(let instance):
        if let awaited, instance != nil { chain.frame?.adoptInstances(of: awaited) }
        return instance
      case .waits(let id, let attempt, let isFirst):
        awaited = attempt
        var start: (() -> Void)?
        if isFirst { start = { self.start(attempt, in: chain.frame, seesCaller: seesCaller, task) } }
        let outcome = try await wait(id, for: attempt, chain, observation, startingBy: start)
        if let instance = try endWait(with: outcome, for: chain) {
          chain.frame?.adoptInstances(of: attempt)
          return instance
        }
      }
    }
  }

  /// What a caller has achieved without waiting.
  private enum Progress {
    /// The instance; nil if the registration has been removed.
    case has(Instance?)
    /// The caller is a waiter of a build. The first waiter of a build in a task starts the task.
    case waits(WaiterID, for: Attempt, isFirst: Bool)
  }

  /// Takes the instance, or builds it on the calling thread.
  ///
  /// - Parameters:
  ///   - mode: How the caller can have the instance built. Set to `task` if a build has turned out to be asynchronous.
  ///   - joined: The build whose failure is also the caller's, even if the caller is asked to try again.
  private func takeOrBuild(
    for caller: Caller, _ mode: inout OnceStateMachine.BuildMode, _ joined: inout Attempt?, _ chain: Chain,
    _ build: InlineBuild
  ) throws -> Progress {
    while true {
      switch arrive(caller, mode, after: joined) {
      case .value(let instance): return .has(instance)
      case .closed: throw closed(chain)
      case .failed(let error): throw self.error(error, for: chain)
      case .asyncRequired:
        if let instance = try takeProvisional(for: chain) { return .has(instance) }
        throw ResolutionError.asyncRequired(identity, chain, isInTask: mode == .inline)
      case .build(let attempt):
        joined = attempt
        do {
          if let instance = try self.build(attempt, for: chain, build) { return .has(instance) }
        } catch let needed as SuspensionNeeded {
          guard caller == .asynchronous else { throw needed.error ?? .asyncRequired(identity, chain) }
          mode = .task
        }
      case .start(let id, let attempt):
        joined = attempt
        return .waits(id, for: attempt, isFirst: true)
      case .wait(let id, let attempt, let hasJoined):
        joined = hasJoined ? attempt : nil
        return .waits(id, for: attempt, isFirst: false)
      }
    }
  }

  /// Ends a wait.
  ///
  /// - Returns: The instance; nil if the caller must arrive again.
  private func endWait(with outcome: WaitOutcome, for chain: Chain) throws -> Instance? {
    switch outcome {
    case .ended(.success(let product)): return product.instance
    case .ended(.failure(let error)): throw self.error(error, for: chain)
    case .cancelled: throw CancellationError()
    case .retry: return nil
    }
  }

  private func closed(_ chain: Chain) -> ResolutionError { .closed(identity, chain, in: keeper) }

  /// The error of a build for one of its callers. If the closed keeper has refused the instance, it has the caller's own path.
  private func error(_ error: any Error, for chain: @autoclosure () -> Chain) -> any Error {
    guard let refusal = error as? ResolutionError, refusal.code == .closed, isKeeperClosed else { return error }
    // The refusal of a part has the path to that part.
    return refusal.identity?.isSame(as: identity) == true ? closed(chain()) : error
  }

  // MARK: Building

  /// Builds on the caller's own thread.
  ///
  /// - Returns: The instance; nil if the caller must ask again.
  func build(_ attempt: Attempt, for chain: Chain, _ build: InlineBuild) throws -> Instance? {
    // The enclosing build cannot continue before this one ends, as if it waited.
    let edge = chain.edge(to: attempt)
    if let edge { WaitGraph.add(edge) }
    defer { if let edge { WaitGraph.remove(edge) } }
    let result = Result { try build(attempt) }
    return try finishInline(attempt, result, for: chain)?.instance
  }

  /// Ends a build on the thread of its caller, unless it must wait for another build.
  ///
  /// - Parameter chain: The chain of the caller, which only few builds need at their end.
  /// - Returns: The product; nil if the caller must ask again.
  func finishInline(
    _ attempt: Attempt, _ result: Result<Product, any Error>, for chain: @autoclosure () -> Chain
  ) throws -> Product? {
    guard let result = postponeOrFinishRest(of: attempt, result, for: chain) else { return nil }
    do {
      return try finish(attempt, finishOthers(awaiting: attempt, result, for: chain))?.get()
    } catch {
      throw self.error(error, for: chain())
    }
  }

  /// Takes the provisional instance of a build in a task, for a caller that the build waits for (G3). Such a caller cannot wait for the build.
  ///
  /// - Throws: ``ResolutionError/Code/cycle`` if an injection waits for the build instead (G4).
  private func takeProvisional(for chain: Chain) throws -> Instance? {
    guard let attempt = state.withLock({ $0.attempt }), let edge = chain.edge(to: attempt) else { return nil }
    switch WaitGraph.answer(edge) {
    case .takes(let instance):
      noteTaken(by: edge, chain)
      return instance
    case .cycle(let path): throw ResolutionError.cycle(path, chain)
    case .waits, nil: return nil
    }
  }

  /// Notes that a build has taken the provisional instance of another one, or its own.
  private func noteTaken(by edge: WaitGraph.Edge, _ chain: Chain) {
    edge.source.noteUnkeptTakers(chain.unkept(in: edge.source))
  }

  /// Builds in a separate task, which ``Attempt/cancel()`` cancels. A caller's cancellation does not reach it.
  private func start(_ attempt: Attempt, in frame: ResolutionFrame?, seesCaller: Bool, _ build: @escaping TaskBuild) {
    // The cell retains neither its container nor its holder, and the waiters may release them as soon as they wake.
    let retained = RetainedCell(self)
    let log = BuildLog.isAnyKept ? BuildLog.current : nil
    frame?.graph.beginUse()
    let run = { @concurrent @Sendable [self] in
      // Before anything else: a cancellation must reach the factory while it is still on its caller's thread.
      if let task = Task<Void, Never>.running { attempt.connect(to: task) }
      let result =
        if let log {
          await BuildLog.$current.withValue(log) { await self.result(of: attempt, build) }
        } else {
          await self.result(of: attempt, build)
        }
      // Before the waiters wake: a caller that has waited ends its graph itself. If the caller has left, this ends the graph.
      frame?.graph.endUse()
      _ = finish(attempt, result)
      withExtendedLifetime(retained) {}
    }
    // What is kept for a caller may begin on that caller's thread. What outlives its callers must not delay the one that leaves.
    attempt.connect(to: .begin(seesCaller: seesCaller, isAtOnce: seesCaller, run))
  }

  /// Runs a build in the current task, and then the builds that have waited for it.
  private func result(of attempt: Attempt, _ build: TaskBuild) async -> Result<Product, any Error> {
    let result = await Result.catching { try await build(attempt) }
    return await finishOthers(awaiting: attempt, result)
  }
}

// MARK: - Waiting

extension OnceCell {
  /// Blocks the thread until the build ends.
  private func wait(
    _ id: WaiterID, for attempt: Attempt, _ chain: Chain, _ observation: BuildObservation?
  ) throws -> WaitOutcome {
    let edge = chain.edge(to: attempt, .wait(id), in: RetainedCell(self))
    if let edge, let outcome = try insteadOfWaiting(edge, id, chain) { return outcome }
    defer { if let edge { WaitGraph.remove(edge) } }
    let began = observation?.now
    defer { observation?.waited(since: began, chain) }
    let thread = BlockedThread()
    return outcome(for: id, elseWakingBy: thread.wake) ?? thread.wait()
  }

  /// Suspends until the build ends.
  ///
  /// - Parameter start: Begins the build; nil if another caller does. The edge is added first, because the build's own waits may lead
  ///   back to this caller at once (W1).
  private func wait(
    _ id: WaiterID, for attempt: Attempt, _ chain: Chain, _ observation: BuildObservation?,
    startingBy start: (() -> Void)?
  ) async throws -> WaitOutcome {
    let edge = chain.edge(to: attempt, .wait(id), in: RetainedCell(self))
    if let edge, start != nil {
      WaitGraph.add(edge)
    } else if let edge, let outcome = try insteadOfWaiting(edge, id, chain) {
      return outcome
    }
    defer { if let edge { WaitGraph.remove(edge) } }
    // The caller that begins the build does not report a wait.
    let observation = start == nil ? observation : nil
    let began = observation?.now
    defer { observation?.waited(since: began, chain) }
    attempt.escalate(to: Task.currentPriority)
    // A factory of the build may close a container that waits for this caller (L4).
    attempt.add(.ofTask, of: id)
    defer { attempt.removeCall(of: id) }
    return await withEscalation(of: attempt) { await self.suspend(id, startingBy: start) }
  }

  /// Adds the edge of a wait, unless the wait would never end.
  ///
  /// - Returns: Nil if the caller must wait; the instance if the wait would close a cycle but the instance already exists.
  /// - Throws: ``ResolutionError/Code/cycle``.
  private func insteadOfWaiting(
    _ edge: WaitGraph.Edge, _ id: WaiterID, _ chain: Chain
  ) throws -> WaitOutcome? {
    switch WaitGraph.wait(edge) {
    case .waits: return nil
    case .takes(let instance):
      noteTaken(by: edge, chain)
      giveUp(id, hasTaken: edge.source !== edge.target)
      return .ended(.success(Product(instance: instance)))
    case .cycle(let path):
      giveUp(id)
      throw ResolutionError.cycle(path, chain)
    }
  }

  /// Removes a waiter that does not wait after all.
  ///
  /// - Parameter hasTaken: Whether its own build has taken the unfinished instance.
  private func giveUp(_ id: WaiterID, hasTaken: Bool = false) {
    // The waiter may have an outcome with the last reference to an instance, so it is released after the lock.
    let (_, abandoned) = state.withLock { state -> (Waiter?, Attempt?) in
      if hasTaken { state.machine.leaveWithInstance(id) }
      let departure = state.machine.leave(id)
      let waiter = state.removeWaiter(id)
      if case .leftLast = departure { return (waiter, state.attempt) }
      return (waiter, nil)
    }
    abandoned?.cancel()
  }

  private func suspend(_ id: WaiterID, startingBy start: (() -> Void)?) async -> WaitOutcome {
    await withTaskCancellationHandler {
      start?()
      return unsafe await withUnsafeContinuation { continuation in
        let wake = { @Sendable in unsafe continuation.resume(returning: $0) }
        if let outcome = outcome(for: id, elseWakingBy: wake) { wake(outcome) }
      }
    } onCancel: {
      leave(id)
    }
  }

  /// Returns the outcome that came before the waiter suspended. If there is none, lists the waiter to be woken, and returns nil.
  private func outcome(for id: WaiterID, elseWakingBy wake: @escaping @Sendable (WaitOutcome) -> Void) -> WaitOutcome? {
    state.withLock { state in
      if case .answered(let outcome) = state.waiters[id] {
        state.removeWaiter(id)
        return outcome
      }
      state.waiters[id] = .waiting(wake: wake)
      return nil
    }
  }

  /// Removes a waiter that gives up, and wakes it if it is suspended.
  private func leave(_ id: WaiterID) {
    let (wakeup, abandoned) = state.withLock { state -> (Wakeup?, Attempt?) in
      switch state.machine.leave(id) {
      case .tooLate: return (nil, nil)
      case .left: return (answer(id, .cancelled, &state), nil)
      case .leftLast: return (answer(id, .cancelled, &state), state.attempt)
      }
    }
    wakeup?()
    abandoned?.cancel()
  }

  private func withEscalation(of attempt: Attempt, _ operation: () async -> WaitOutcome) async -> WaitOutcome {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return await operation() }
    return await withTaskPriorityEscalationHandler {
      await operation()
    } onPriorityEscalated: { _, priority in
      attempt.escalate(to: priority)
    }
  }
}
