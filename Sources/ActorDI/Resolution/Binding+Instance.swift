internal import Synchronization

// From a binding to an instance. The scope determines the owner, and the once cell ensures a single build. This file runs the build: it
// extends the chain by one step, then calls the factory and the hooks.

extension Binding {
  /// The cell that keeps the instance for this call; nil for a transient.
  ///
  /// - Parameters:
  ///   - container: The container that the caller resolves from.
  ///   - values: The run-time arguments, if each tuple of them has its own instance; nil otherwise.
  /// - Throws: ``ResolutionError/Code/scopeNotFound``; ``ResolutionError/Code/cycle``.
  func cell(
    in graph: @autoclosure () -> ResolutionGraph, asking container: Container,
    for values: ArgumentValues?, _ chain: Chain, _ placement: Placement?
  ) throws -> (cell: OnceCell, holder: InstanceHolder)? {
    switch descriptor.scope.keeper {
    case .caller: return nil
    case .call:
      let slot = try graph().slot(for: self, in: container.lifecycle) { others in
        // The service is under construction in another graph: its own factory has called a provider of it. Each call of a provider has
        // its own graph. Within one graph, it may be under construction for another container.
        if recursionIsCycle, chain.contains(self), !others.contains(where: { $0.name.binding == keptNumber }) {
          throw ResolutionError.cycle([identity], chain)
        }
      }
      return (slot.cell(for: values), slot)
    case .owner, .asker, .named:
      guard let keeper = placement?.keeper ?? keeper(for: container) else {
        throw ResolutionError.scopeNotFound(self, asking: container, chain)
      }
      return cell(in: keeper, for: values)
    }
  }

  /// How a caller can have an instance built.
  ///
  /// - Parameter container: The container that the caller resolves from.
  func buildMode(_ caller: OnceStateMachine.Caller, asking container: Container) -> OnceStateMachine.BuildMode {
    switch (synchrony, caller) {
    case (.synchronous, _), (.either, .synchronous): .inline
    case (.mainActor, .synchronous): MainExecutor.isCurrent ? .inline : .unavailable
    case (.asynchronous, .synchronous): .unavailable
    // Inline where possible, because a synchronous caller can wait for an inline build, but not for a task.
    case (.either, .asynchronous), (.mainActor, .asynchronous):
      container.canBuildSynchronously(self) ? .inline : .task
    case (.asynchronous, .asynchronous): .task
    }
  }

  /// Notes the requests of an unkept instance in the enclosing build, too, while the instance is built.
  func noteParts(of attempt: Attempt, for chain: Chain) {
    if !descriptor.scope.isKept, let outer = chain.attempt { attempt.note(in: outer) }
  }

  /// Notes the requests of an unkept instance in the enclosing build, too, if the instance was built for another
  /// service.
  func noteParts(in cell: OnceCell, for chain: Chain) {
    guard !descriptor.scope.isKept, let outer = chain.attempt, !cell.hasNotes(outer.notes.load()) else { return }
    outer.note(allOf: cell.requests)
  }

  /// The product of a build: the instance, and its conversions for the aliases.
  func product(_ instance: Instance) -> Product {
    guard descriptor.isPublished, !isWeak, !isKeptByAsker else { return Product(instance: instance) }
    let aliased = aliases.map { Product.Aliased(holder: $0, instance: $0.converted(instance)) }
    return Product(instance: instance, aliased: aliased)
  }

  /// Whether a request for this binding within its own factory is always a cycle.
  ///
  /// With run-time arguments, the recursion may end: a tree builds its subtrees. An alias has no factory, so its target decides: a request
  /// within the target's hooks is no cycle.
  var recursionIsCycle: Bool { !identity.takesArguments && !isIndirect }
}

extension Binding {
  /// The instance for a synchronous caller; nil if the registration has been removed.
  ///
  /// - Parameter inherited: The key that the service's dependencies inherit.
  func instance(_ arguments: Arguments?, inheriting inherited: Key? = nil, for resolver: Resolver) throws -> Instance? {
    let record = unsafe ThreadRecordPointer.current
    let depth = unsafe record.pointee.depth.load(ordering: .relaxed)
    guard unsafe record.hasRoom(at: depth) || record.makeRoom(at: depth) else {
      throw unsafe ResolutionError.tooDeep(self, record.chain(below: depth))
    }
    unsafe record.push(id.step, at: depth)
    defer { unsafe record.pop(to: depth) }
    // The caller retains `self`, so everything that the binding references stays alive until the slot is popped.

    let chain = unsafe record.chain(below: depth)
    try checkStrictness(asking: resolver.container, chain)
    let factory = recipe(inheriting: inherited).factory
    let placement = placement(asking: resolver.container)
    defer { withExtendedLifetime(placement) {} }
    do {
      guard
        let (cell, holder) = try cell(
          in: unsafe record.graph, asking: resolver.container, for: identifyingValues(arguments), chain,
          placement)
      else { return try transient(factory, arguments, for: resolver, chain) }
      defer { withExtendedLifetime(holder) {} }
      let inner = container(for: resolver.container)
      let observation = observation(for: resolver)
      let instance = try whileOpen(inner, chain) {
        let mode = placement.within { buildMode(.synchronous, asking: resolver.container) }
        return try cell.instance(for: chain, mode: mode, observation) { attempt in
          noteParts(of: attempt, for: chain)
          return try CheckOut(self, to: resolver.container, attempt, placement).product(observation) {
            unsafe try build(factory, arguments, in: inner, attempt, record, observation)
          }
        }
      }
      noteParts(in: cell, for: chain)
      if let instance, descriptor.scope.isWeak { unsafe record.holdInCall(instance, at: depth) }
      return instance
    } catch is PrimaryIsGone {
      // The binding behind this one, such as an alias's target, a decorated binding or a candidate, has been removed.
      return nil
    }
  }

  private func transient(
    _ factory: Factory, _ arguments: Arguments?, for resolver: Resolver, _ chain: Chain
  ) throws -> Instance {
    // An alias or a delegate builds nothing; the binding behind it decides whether the caller may be synchronous.
    guard isIndirect || buildMode(.synchronous, asking: resolver.container) == .inline else {
      throw ResolutionError.asyncRequired(identity, chain)
    }
    if chain.isEndless(self) { throw ResolutionError.cycle([identity], chain) }
    let inner = Resolver(container: container(for: resolver.container))
    return try whileOpen(inner.container, chain) {
      try observation(for: resolver).creating {
        var disposal: Disposal?
        do {
          return try makeSynchronously(factory, arguments, inner, disposal: &disposal, in: .unkept)
        } catch {
          disposal.map { [$0].disposeInBackground(after: .failed(error)) }
          guard (error as? OnceCell.SuspensionNeeded)?.incomplete != nil else { throw error }
          throw ResolutionError.asyncRequired(identity, chain)
        }
      }
    }
  }

  /// Makes a kept instance on this thread, or hands over the incomplete instance that an earlier build has made.
  ///
  /// If the synchronous build proves impossible, it ends without a result, and an asynchronous caller builds in a task.
  /// The expectation may be out of date: a dependency may have been registered again, or a task may be building it.
  func build(
    _ factory: Factory, _ arguments: Arguments?, in container: Container, _ attempt: Attempt,
    _ record: ThreadRecordPointer, _ observation: BuildObservation?
  ) throws -> Product {
    try unsafe record.building(attempt, keeping: descriptor.scope.isKept) {
      let instance = try observation.creating(by: attempt) {
        if let incomplete = attempt.takeIncomplete() { throw OnceCell.SuspensionNeeded(incomplete: incomplete) }
        var disposal: Disposal?
        defer { if let disposal { attempt.setDisposal(disposal) } }
        do {
          let instance = try makeSynchronously(
            factory, arguments, Resolver(container: container), disposal: &disposal, in: .contended(attempt))
          if synchrony == .either { noteBuiltAtOnce(true) }
          return instance
        } catch let error as ResolutionError
          where error.code == .asyncRequired && (synchrony != .synchronous || standing != .alone)
        {
          throw OnceCell.SuspensionNeeded(error: error)
        }
      }
      return product(instance)
    }
  }

  /// Runs the common steps of every synchronous build: the factory, the check for completion, the recording of the disposal, the hooks.
  ///
  /// - Parameters:
  ///   - disposal: Receives the instance's disposal if it needs one, also if this function throws.
  ///   - notesIncomplete: Whether to record the disposal of an instance that only an asynchronous caller can complete.
  ///   - build: The build, which shows the instance to the hooks.
  /// - Throws: ``OnceCell/SuspensionNeeded`` with an instance that only an asynchronous caller can complete; ``PostponedHooks``.
  func makeSynchronously(
    _ factory: borrowing Factory, _ arguments: Arguments?, _ resolver: Resolver, disposal: inout Disposal?,
    notesIncomplete: Bool = true, in build: HookedBuild
  ) throws -> Instance {
    let instance = try factory.makeInstance(of: descriptor.identity.service, resolver, arguments)
    // The instance's dynamic type may conform to protocols that the service type does not conform to.
    let isComplete = isComplete(instance)
    if !needsNoDisposal && (isComplete || notesIncomplete) { disposal = try note(instance, in: resolver.container) }
    guard isComplete else { throw OnceCell.SuspensionNeeded(incomplete: instance) }
    if let hooks {
      try run(hooks, of: instance, resolver, in: build)
      if let disposal, build.isAlone { disposal.markCreated() }
    }
    return instance
  }
}
