internal import Synchronization

// The counterpart of `Binding+Instance` for callers that can suspend. The chain is a list of frames instead of a thread's hazard slots.
extension Binding {
  /// The instance for an asynchronous caller; nil if the registration has been removed.
  func instance(_ recipe: Recipe, for resolver: Resolver) async throws -> Instance? {
    let outer =
      resolver.liveFrame ?? ResolutionFrame.ofCurrentTask
      ?? ResolutionFrame(graph: ResolutionGraph())
    // An override of an alias's target may be asynchronous.
    let isReplaceable = isIndirect && OverrideLayer.active != nil
    if descriptor.scope.isTransient && !standsBeforeIncomplete && !isReplaceable && isMadeAtOnce(for: resolver) {
      do {
        let instance = try await synchronousInstance(recipe, for: resolver, in: outer)
        if synchrony == .either { noteBuiltAtOnce(true) }
        return instance
      } catch let error as ResolutionError
        where error.code == .asyncRequired && (standsBeforeIncomplete || synchrony == .either)
      {
        // Either the binding behind this one has just built its first instance that needs asynchronous completion, or a dependency now
        // needs an asynchronous caller. Both continue below.
      }
    }
    defer { outer.endOutermostCall() }
    let instance = try await instance(recipe, for: resolver, in: outer)
    try await outer.notifyAtEndOfOutermostCall()
    return instance
  }

  /// Whether a synchronous call is expected to build the instance, as far as is known now.
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
        let (cell, holder) = try cell(
          in: outer.graph, asking: resolver.container, for: recipe.argumentValues, chain, placement)
      else {
        return try await transient(recipe, container, chain, in: outer, observation)
      }
      defer { withExtendedLifetime(holder) {} }
      let mode = placement.within { buildMode(.asynchronous, asking: resolver.container) }
      let asked = resolver.container
      let seesCaller = descriptor.scope.seesCaller
      let instance = try await cell.instance(for: chain, mode: mode, observation, seesCaller: seesCaller) { attempt in
        noteParts(of: attempt, for: chain)
        return try checkedOut(to: asked, attempt, placement) {
          try whileOpen(container, chain) {
            try placement.within { try buildInline(recipe, container, attempt, outer, observation) }
          }
        }
      } task: { [self] attempt in
        noteParts(of: attempt, for: Chain(outer))
        let frame = ResolutionFrame(self, in: container, parent: outer, attempt: attempt)
        let resolver = Resolver(container: container, frame: frame)
        let incomplete = attempt.takeIncomplete()
        return try await checkedOut(to: asked, attempt, placement) {
          try await placement.within {
            if descriptor.scope.isKept {
              return product(
                try await build(recipe, resolver, attempt, incomplete: incomplete, observation))
            }
            // No container owns the cell of a call, so the container counts the build here.
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
      let run = (error as? OnceCell.SuspensionNeeded)?.run
      return try await completed(incomplete, container(for: resolver), in: outer, continuing: run)
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

  /// Runs the factory and the hooks in the current task.
  ///
  /// - Parameter incomplete: An instance that the factory has made already and that still needs completion; nil to run the factory.
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
          // A synchronous factory whose build is asynchronous for another reason, such as asynchronous hooks.
          try synchronously(in: frame) { try recipe.factory.makeInstance(of: identity.service, resolver) }
        }
      let isComplete = isComplete(instance)
      // If an earlier attempt made a kept instance, that attempt has recorded its disposal.
      let disposal =
        incomplete == nil || attempt == nil ? try note(instance, in: resolver.container) : nil
      if let disposal { attempt?.setDisposal(disposal) }
      do {
        try await finish(instance, isComplete: isComplete, resolver, attempt)
      } catch {
        // A failed attempt disposes of its own instance.
        if attempt == nil, let disposal { await [disposal].dispose(after: .failed(error)) }
        throw error
      }
      return instance
    }
  }

  /// Runs the steps after the factory: the instance's own completion, then the hooks.
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

  /// Runs synchronous code within an asynchronous call, whose chain it continues.
  private func synchronously<Result>(
    in frame: ResolutionFrame?, _ body: () throws -> Result
  ) throws -> Result {
    let record = unsafe ThreadRecordPointer.current
    return try unsafe record.continuing(frame, body)
  }

  /// Runs the factory and the hooks of a kept instance on the caller's thread; all dependencies are expected to be synchronous.
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
