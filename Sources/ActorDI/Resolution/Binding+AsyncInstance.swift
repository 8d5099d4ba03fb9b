internal import Synchronization

// As `Binding+Instance`, for a caller that can suspend: the chain is a list of frames rather than the slots of a thread.
extension Binding {
  /// An instance for an asynchronous caller. Nil: the registration is gone.
  func instance(_ recipe: Recipe, for resolver: Resolver) async throws -> Instance? {
    let outer =
      resolver.liveFrame ?? ResolutionFrame.ofCurrentTask
      ?? ResolutionFrame(graph: ResolutionGraph())
    // What a forward shows may be overridden by something asynchronous.
    let isReplaceable = isForward && OverrideLayer.active != nil
    if descriptor.scope.isTransient && !standsBeforeIncomplete && !isReplaceable && isMadeAtOnce(for: resolver) {
      do {
        let instance = try await synchronousInstance(recipe, for: resolver, in: outer)
        if synchrony == .either { noteBuiltAtOnce(true) }
        return instance
      } catch let error as ResolutionError
        where error.code == .asyncRequired && (standsBeforeIncomplete || synchrony == .either)
      {
        // What it stands for has just made the first instance that a synchronous call cannot complete; or a dependency has come to need
        // an asynchronous caller.
      }
    }
    defer { outer.endOutermostCall() }
    let instance = try await instance(recipe, for: resolver, in: outer)
    try await outer.tellAtEndOfOutermostCall()
    return instance
  }

  /// Whether a synchronous call makes the instance, as far as can be told.
  private func isMadeAtOnce(for resolver: Resolver) -> Bool {
    switch synchrony {
    case .synchronous: true
    case .either: resolver.container.canBuildSynchronously(self)
    case .asynchronous, .mainActor: false
    }
  }

  private func instance(
    _ recipe: Recipe, for resolver: Resolver, in outer: ResolutionFrame
  ) async throws -> Instance? {
    let chain = Chain(outer)
    guard outer.depth < ResolutionFrame.maximumDepth else {
      throw ResolutionError.tooDeep(self, chain)
    }
    let container = container(for: resolver)
    let observation = observation(for: resolver)
    do {
      let placement = placement(asking: resolver.container)
      defer { withExtendedLifetime(placement) {} }
      guard
        let cell = try cell(
          in: outer.graph, asking: resolver.container, for: recipe.argumentValues, chain, placement)
      else {
        return try await transient(recipe, container, chain, in: outer, observation)
      }
      let mode = placement.within { buildMode(.asynchronous, asking: resolver.container) }
      let asked = resolver.container
      let seesCaller = descriptor.scope.seesCaller
      let instance = try await cell.instance(for: chain, mode: mode, observation, seesCaller: seesCaller) { attempt in
        noteParts(of: attempt, for: chain)
        return try lent(to: asked, attempt, placement) {
          try whileOpen(container, chain) {
            try placement.within { try buildInline(recipe, container, attempt, outer, observation) }
          }
        }
      } task: { [self] attempt in
        noteParts(of: attempt, for: Chain(outer))
        let frame = ResolutionFrame(self, in: container, parent: outer, attempt: attempt)
        let resolver = Resolver(container: container, frame: frame)
        let incomplete = attempt.takeIncomplete()
        return try await lent(to: asked, attempt, placement) {
          try await placement.within {
            if descriptor.scope.isKept {
              return product(
                try await build(recipe, resolver, attempt, incomplete: incomplete, observation))
            }
            // The cell of a call is no container's: what is in it, the container waits for here.
            return try await container.lifecycle.whileOpen(identity, Chain(outer), in: frame) {
              product(try await build(recipe, resolver, attempt, incomplete: incomplete, observation))
            }
          }
        }
      }
      noteParts(in: cell, for: chain)
      if let instance, outer.identity != nil, descriptor.scope.isWeak {
        outer.graph.retain(instance)
      }
      return instance
    } catch is PrimaryIsGone {
      return nil
    }
  }

  private func synchronousInstance(
    _ recipe: Recipe, for resolver: Resolver, in outer: ResolutionFrame
  ) async throws -> Instance? {
    var incomplete: Instance?
    do {
      return try synchronously(in: outer) {
        try instance(recipe, for: resolver) { incomplete = $0 }
      }
    } catch {
      guard let incomplete else { throw error }
      return try await completed(incomplete, container(for: resolver), in: outer)
    }
  }

  private func transient(
    _ recipe: Recipe, _ container: Container, _ chain: Chain, in outer: ResolutionFrame,
    _ observation: BuildObservation?
  ) async throws -> Instance {
    if recursionIsCycle, chain.contains(self) { throw ResolutionError.cycle(closedBy: self, chain) }
    let frame = ResolutionFrame(self, in: container, parent: outer, attempt: nil)
    return try await container.lifecycle.whileOpen(identity, chain, in: frame) {
      try await build(recipe, Resolver(container: container, frame: frame), nil, observation)
    }
  }

  /// Factory and hooks, in the current task.
  ///
  /// - Parameter incomplete: what the factory has made before.
  func build(
    _ recipe: Recipe, _ resolver: Resolver, _ attempt: Attempt?,
    incomplete: Instance? = nil
  ) async throws -> Instance {
    let frame = resolver.frame
    defer { frame?.finish() }
    return try await ResolutionFrame.$ambient.withValue(frame) {
      let instance =
        if let incomplete {
          incomplete
        } else if let makeAsync = recipe.makeAsync {
          try await makeAsync(resolver)
        } else {
          // A synchronous factory on behalf of an asynchronous build, as one with asynchronous hooks is.
          try synchronously(in: frame) { try recipe.factory.makeInstance(of: identity.service, resolver) }
        }
      let isComplete = isComplete(instance)
      // What is kept, and was made by an earlier attempt, has been noted by that.
      let disposal =
        incomplete == nil || attempt == nil ? try note(instance, in: resolver.container) : nil
      if let disposal { attempt?.setDisposal(disposal) }
      do {
        try await finish(instance, isComplete: isComplete, resolver, attempt)
      } catch {
        // That of an attempt is ended with it.
        if attempt == nil, let disposal { await [disposal].dispose(after: .failed(error)) }
        throw error
      }
      return instance
    }
  }

  /// What follows the factory.
  private func finish(
    _ instance: Instance, isComplete: Bool, _ resolver: Resolver, _ attempt: Attempt?
  ) async throws {
    let noted = isComplete ? nil : try await complete(instance, in: resolver.frame)
    do {
      try await runHooks(with: instance, resolver, attempt)
    } catch {
      if let noted { resolver.frame?.takeBack(noted) }
      throw error
    }
  }

  private func runHooks(
    with instance: Instance, _ resolver: Resolver, _ attempt: Attempt?
  ) async throws {
    guard let hooks else { return }
    attempt?.setProvisional(instance)
    for hook in hooks {
      if let runAsync = hook.runAsync {
        try await runAsync(instance, resolver)
      } else {
        try hook.run?(instance, resolver)
      }
    }
  }

  /// Synchronous code in an asynchronous call: its chain begins with the call's.
  private func synchronously<Result>(
    in frame: ResolutionFrame?, _ body: () throws -> Result
  ) throws -> Result {
    let record = unsafe ThreadRecordPointer.current
    return try unsafe record.continuing(frame, body)
  }

  /// Factory and hooks of a kept instance whose dependencies are all synchronous, on the caller's thread.
  private func buildInline(
    _ recipe: Recipe, _ container: Container, _ attempt: Attempt, _ frame: ResolutionFrame,
    _ observation: BuildObservation?
  ) throws -> Product {
    let record = unsafe ThreadRecordPointer.current
    return try unsafe record.continuing(frame, endsCall: false) {
      let depth = unsafe record.pointee.depth.load(ordering: .relaxed)
      guard unsafe record.hasRoom(at: depth) || record.makeRoom(at: depth) else {
        throw unsafe ResolutionError.tooDeep(self, record.chain(below: depth))
      }
      unsafe record.push(address, at: depth)
      defer { unsafe record.pop(to: depth) }
      return try unsafe record.building(attempt, keeping: descriptor.scope.isKept) {
        try observation.creating(by: attempt) {
          let product = try buildSynchronously(recipe.factory, Resolver(container: container), attempt)
          if synchrony == .either { noteBuiltAtOnce(true) }
          return product
        }
      }
    }
  }
}
