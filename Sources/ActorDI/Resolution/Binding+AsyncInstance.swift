internal import Synchronization

// The counterpart of `Binding+Instance` for callers that can suspend. The chain is a list of frames instead of a thread's hazard slots.
extension Binding {
  /// The instance for an asynchronous caller; nil if the registration has been removed.
  ///
  /// - Parameters:
  ///   - inherited: The key that the service's dependencies inherit.
  ///   - incomplete: A transient that a synchronous call has made and that still needs completion; nil to build.
  func instance(
    _ arguments: Arguments?, inheriting inherited: Key? = nil, for resolver: Resolver,
    completing incomplete: Instance? = nil
  ) async throws -> Instance? {
    let recipe = recipe(inheriting: inherited)
    let outer = resolver.liveFrame ?? ResolutionFrame.ofCurrentTask ?? ResolutionFrame()
    defer { outer.endOutermostCall() }
    let instance =
      if let incomplete {
        try await transient(
          recipe, arguments, resolver.container, Chain(outer), in: outer, observation(for: resolver),
          incomplete: incomplete)
      } else {
        try await self.instance(recipe, arguments, for: resolver, in: outer)
      }
    try await outer.notifyAtEndOfOutermostCall()
    return instance
  }

  private func instance(
    _ recipe: Recipe, _ arguments: Arguments?, for resolver: Resolver, in outer: ResolutionFrame
  ) async throws -> Instance? {
    let chain = Chain(outer)
    guard outer.depth < ResolutionFrame.maximumDepth else { throw ResolutionError.tooDeep(self, chain) }
    try checkStrictness(asking: resolver.container, chain)
    let container = container(for: resolver.container)
    let observation = observation(for: resolver)
    do {
      let placement = placement(asking: resolver.container)
      defer { withExtendedLifetime(placement) {} }
      guard
        let (cell, holder) = try cell(
          in: outer.graph, asking: resolver.container, for: identifyingValues(arguments), chain, placement)
      else {
        if synchrony == .either, !isIndirect && !isBuiltAtOnce, resolver.container.canBuildSynchronously(self) {
          noteBuiltAtOnce(true)
        }
        return try await transient(recipe, arguments, container, chain, in: outer, observation)
      }
      defer { withExtendedLifetime(holder) {} }
      let mode = placement.within { buildMode(.asynchronous, asking: resolver.container) }
      let asked = resolver.container
      let seesCaller = descriptor.scope.seesCaller
      let instance = try await cell.instance(for: chain, mode: mode, observation, seesCaller: seesCaller) { attempt in
        noteParts(of: attempt, for: chain)
        return try CheckOut(self, to: asked, attempt, placement).product(observation) {
          try whileOpen(container, chain) {
            try build(recipe, arguments, container, attempt, continuing: outer, observation)
          }
        }
      } task: { [self] attempt in
        noteParts(of: attempt, for: Chain(outer))
        let frame = ResolutionFrame(of: self, in: container, parent: outer, attempt: attempt)
        let resolver = Resolver(container: container, frame: frame)
        let checkOut = CheckOut(self, to: asked, attempt, placement)
        if let idle = try checkOut.takeIdle() { return idle }
        let incomplete = attempt.takeIncomplete()
        let instance = try await placement.within {
          try await whileOpen(container, Chain(outer), in: frame) {
            try await build(recipe, arguments, resolver, attempt, incomplete: incomplete, observation)
          }
        }
        return try checkOut.finish(product(instance))
      }
      noteParts(in: cell, for: chain)
      if let instance, !outer.isRoot, descriptor.scope.isWeak { outer.graph.retain(instance) }
      return instance
    } catch is PrimaryIsGone {
      return nil
    }
  }

  /// Makes an instance that is not kept, or completes one that a synchronous call has made.
  private func transient(
    _ recipe: Recipe, _ arguments: Arguments?, _ container: Container, _ chain: Chain, in outer: ResolutionFrame,
    _ observation: BuildObservation?, incomplete: Instance? = nil
  ) async throws -> Instance {
    if incomplete == nil && chain.isEndless(self) { throw ResolutionError.cycle([identity], chain) }
    let frame = ResolutionFrame(of: self, in: container, parent: outer)
    let resolver = Resolver(container: container, frame: frame)
    return try await whileOpen(container, chain, in: frame) {
      try await build(recipe, arguments, resolver, nil, incomplete: incomplete, observation)
    }
  }

  /// Runs the factory and the hooks in the current task.
  ///
  /// - Parameter incomplete: An instance that the factory has already made and that still needs completion; nil to run the factory.
  func build(
    _ recipe: Recipe, _ arguments: Arguments?, _ resolver: Resolver, _ attempt: Attempt?, incomplete: Instance?
  ) async throws -> Instance {
    let frame = resolver.frame
    defer { frame?.finish() }
    return try await ResolutionFrame.$ambient.withValue(frame) {
      let instance =
        if let incomplete {
          incomplete
        } else if let makeAsync = recipe.makeAsync {
          try await makeAsync(resolver, arguments)
        } else {
          // A synchronous factory whose build is asynchronous for another reason, such as asynchronous hooks.
          try unsafe ThreadRecordPointer.current.continuing(frame) {
            try recipe.factory.makeInstance(of: identity.service, resolver, arguments)
          }
        }
      let isComplete = isComplete(instance)
      // The earlier build that made a kept instance has recorded its disposal.
      let disposal = incomplete == nil || attempt == nil ? try note(instance, in: resolver.container) : nil
      if let disposal { attempt?.setDisposal(disposal) }
      do {
        try await finish(instance, isComplete: isComplete, resolver, attempt)
        // The once cell notes when a kept instance is complete.
        if attempt == nil { disposal?.markCreated() }
      } catch {
        // A failed build without a once cell disposes of its own instance.
        if attempt == nil, let disposal { await [disposal].dispose(after: .failed(error)) }
        throw error
      }
      return instance
    }
  }

  /// Runs the steps after the factory: the instance's own completion, then the hooks.
  private func finish(_ instance: Instance, isComplete: Bool, _ resolver: Resolver, _ attempt: Attempt?) async throws {
    let noted = isComplete ? nil : try await complete(instance, in: resolver.frame)
    guard let hooks else { return }
    do {
      try await run(hooks, of: instance, resolver, in: attempt)
    } catch {
      if let noted { resolver.frame?.awareInstances.remove(noted) }
      throw error
    }
  }

  /// Runs the factory and the hooks of a kept instance on the caller's thread; all dependencies are expected to be synchronous.
  private func build(
    _ recipe: Recipe, _ arguments: Arguments?, _ container: Container, _ attempt: Attempt,
    continuing frame: ResolutionFrame, _ observation: BuildObservation?
  ) throws -> Product {
    let record = unsafe ThreadRecordPointer.current
    return try unsafe record.continuing(frame, with: self) {
      unsafe try build(recipe.factory, arguments, in: container, attempt, record, observation)
    }
  }
}
