internal import Synchronization

// From a binding to an instance: the scope says where it is kept, the once cell that it is built once, and this file
// what building is: the chain goes one step deeper, the factory runs, then the hooks.

extension Binding {
  /// The cell that keeps the instance for this call; nil when each resolve has one of its own.
  ///
  /// - Parameters:
  ///   - container: the container that is asked.
  ///   - values: the run-time arguments, if each tuple of them has an instance of its own.
  /// - Throws: ``ResolutionError/Code/scopeNotFound``; ``ResolutionError/Code/cycle``.
  func cell(
    in graph: @autoclosure () -> ResolutionGraph, asking container: Container,
    for values: ArgumentValues?, _ chain: Chain, _ placement: Placement? = nil
  ) throws -> OnceCell? {
    switch descriptor.scope.keeper {
    case .nobody: return nil
    case .call:
      return try graph().cell(for: self, values) {
        // Under construction, but not in this graph: that of a provider's call, which its own factory has made.
        if recursionIsCycle, chain.contains(self) { throw ResolutionError.cycle(closedBy: self, chain) }
      }
    case .owner, .asker, .named:
      guard let keeper = placement?.keeper ?? keeper(for: container) else {
        throw ResolutionError.scopeNotFound(self, asking: container, chain)
      }
      return cell(in: keeper, for: values)
    }
  }

  /// How a caller can have an instance built.
  ///
  /// - Parameter container: the container that is asked.
  func buildMode(
    _ caller: OnceStateMachine.Caller, asking container: Container
  ) -> OnceStateMachine.BuildMode {
    switch (synchrony, caller) {
    case (.synchronous, _), (.either, .synchronous): .inline
    case (.mainActor, .synchronous): MainExecutor.isCurrent ? .inline : .unavailable
    case (.asynchronous, .synchronous): .unavailable
    // By itself, wherever that can be: a synchronous caller that comes meanwhile can wait for such a build only.
    case (.either, .asynchronous), (.mainActor, .asynchronous):
      container.canBuildSynchronously(self) ? .inline : .task
    case (.asynchronous, .asynchronous): .task
    }
  }

  /// What a call's own instance was made from, whoever takes it is made from: the one it is made for…
  func noteParts(of attempt: Attempt, for chain: Chain) {
    if !descriptor.scope.isKept, let outer = chain.attempt { attempt.note(in: outer) }
  }

  /// … and those that share it.
  func noteParts(in cell: OnceCell, for chain: Chain) {
    guard !descriptor.scope.isKept, let outer = chain.attempt,
      !cell.isObserved(in: outer.observed.load())
    else { return }
    outer.note(allOf: cell.observed)
  }

  /// An instance with what shows it.
  final func product(_ instance: Instance) -> Product {
    guard let forwards, descriptor.isPublished, !isWeak, !isKeptByAsker else {
      return Product(instance: instance)
    }
    return Product(
      instance: instance,
      forwarded: forwards.all.map { ($0.binding, $0.convert(instance)) })
  }

  /// Whether a running factory of this binding, met again in its own chain, means that the chain never ends. With
  /// run-time arguments it may well end: a tree builds its subtrees. An alias has no factory of its own: whether that of its target may be
  /// met again is for the target to say, which may be in its hooks.
  var recursionIsCycle: Bool { !identity.takesArguments && !isForward }
}

extension Binding {
  /// An instance for a synchronous caller. Nil: the registration is gone.
  ///
  /// - Parameter keepAside: gets a transient that was made, and that only an asynchronous caller can complete.
  final func instance(
    _ recipe: Recipe, for resolver: Resolver, keepAside: ((Instance) -> Void)? = nil
  ) throws -> Instance? {
    let record = unsafe ThreadRecordPointer.current
    let depth = unsafe record.pointee.depth.load(ordering: .relaxed)
    guard unsafe record.hasRoom(at: depth) || record.makeRoom(at: depth) else {
      throw unsafe ResolutionError.tooDeep(self, record.chain(below: depth))
    }
    unsafe record.push(address, at: depth)
    defer { unsafe record.pop(to: depth) }
    // What the binding keeps of user objects is alive until the slot is popped: `self` is retained by the caller.

    let chain = unsafe record.chain(below: depth)
    let placement = placement(asking: resolver.container)
    defer { withExtendedLifetime(placement) {} }
    guard
      let cell = try cell(
        in: unsafe record.ownContext.graph, asking: resolver.container, for: recipe.argumentValues, chain,
        placement)
    else {
      return try unlessGone { try transient(recipe, for: resolver, chain, keepAside) }
    }
    let inner = Resolver(container: container(for: resolver))
    let observation = observation(for: resolver)
    let instance = try unlessGone {
      try whileOpen(inner.container, chain) {
        let mode = placement.within { buildMode(.synchronous, asking: resolver.container) }
        return try cell.instance(for: chain, mode: mode, observation) { attempt in
          noteParts(of: attempt, for: chain)
          return try unsafe record.building(attempt, keeping: descriptor.scope.isKept) {
            try lent(to: resolver.container, attempt, placement) {
              try placement.within {
                try observation.creating(by: attempt) {
                  try buildSynchronously(recipe.factory, inner, attempt)
                }
              }
            }
          }
        }
      }
    }
    noteParts(in: cell, for: chain)
    if let instance, unsafe depth > record.pointee.base, descriptor.scope.isWeak {
      unsafe record.ownContext.graph.retain(instance)
    }
    return instance
  }

  private final func transient(
    _ recipe: Recipe, for resolver: Resolver, _ chain: Chain,
    _ keepAside: ((Instance) -> Void)?
  ) throws -> Instance {
    // A forward builds nothing, nor does a group: it is for what stands behind them to say.
    guard isForward || buildMode(.synchronous, asking: resolver.container) == .inline else {
      throw ResolutionError.asyncRequired(identity, chain)
    }
    if recursionIsCycle, chain.contains(self) { throw ResolutionError.cycle(closedBy: self, chain) }
    let inner = Resolver(container: container(for: resolver))
    return try inner.container.lifecycle.whileOpen(identity, chain) {
      try observation(for: resolver).creating { try made(recipe, inner, chain, keepAside) }
    }
  }

  /// Makes an instance that is not kept.
  private final func made(
    _ recipe: Recipe, _ inner: Resolver, _ chain: Chain, _ keepAside: ((Instance) -> Void)?
  ) throws -> Instance {
    var disposal: Disposal?
    do {
      return try makeSynchronously(recipe.factory, inner, disposal: &disposal, notesIncomplete: keepAside == nil)
    } catch {
      disposal.map { [$0].disposeInBackground(after: .failed(error)) }
      guard let incomplete = (error as? OnceCell.SuspensionNeeded)?.incomplete else { throw error }
      guard let keepAside else { throw ResolutionError.asyncRequired(identity, chain) }
      keepAside(incomplete)
      // It is no failure: who has given that goes on with what was kept aside.
      throw OnceCell.SuspensionNeeded()
    }
  }

  /// Has a container wait for a build of which nothing is kept. What is kept, is by a cell that sees to that.
  func whileOpen<Result>(
    _ container: Container, _ chain: Chain, _ build: () throws -> Result
  ) throws -> Result {
    if descriptor.scope.isKept { return try build() }
    return try container.lifecycle.whileOpen(identity, chain, build)
  }

  /// What a binding behind this one yields: a primary, a decorated service, a candidate. Nil when that one is gone.
  private func unlessGone<Result>(_ make: () throws -> Result?) throws -> Result? {
    do { return try make() } catch is PrimaryIsGone { return nil }
  }

  /// As `build`, for a service that might also be built asynchronously: if it turns out that it has to, the attempt is none.
  ///
  /// What was found out before may have changed since: a dependency registered anew, or being built by a task.
  func buildSynchronously(
    _ factory: Factory, _ resolver: Resolver, _ attempt: Attempt
  ) throws -> Product {
    do {
      return try build(factory, resolver, attempt)
    } catch let error as ResolutionError
      where error.code == .asyncRequired && (synchrony != .synchronous || standing != .alone)
    {
      throw OnceCell.SuspensionNeeded(error: error)
    }
  }

  /// Makes a kept instance for an attempt, or goes on with what an earlier one has made.
  private func build(
    _ factory: Factory, _ resolver: Resolver, _ attempt: Attempt
  ) throws -> Product {
    if let incomplete = attempt.takeIncomplete() {
      throw OnceCell.SuspensionNeeded(incomplete: incomplete)
    }
    var disposal: Disposal?
    defer { if let disposal { attempt.setDisposal(disposal) } }
    return product(try makeSynchronously(factory, resolver, attempt, disposal: &disposal))
  }

  /// What every synchronous build is: the factory, then a look at what it has made, its end noted, and the hooks.
  ///
  /// - Parameters:
  ///   - attempt: what shows the hooks the instance, should they lead back to the service.
  ///   - disposal: gets the end of the instance, if that has to be disposed of; also where this throws.
  ///   - notesIncomplete: whether the end is noted of what only an asynchronous caller can complete.
  /// - Throws: ``OnceCell/SuspensionNeeded`` with such an instance.
  final func makeSynchronously(
    _ factory: Factory, _ resolver: Resolver, _ attempt: Attempt? = nil, disposal: inout Disposal?,
    notesIncomplete: Bool = true
  ) throws -> Instance {
    let instance = try factory.makeInstance(of: descriptor.identity.service, resolver)
    // Nearly always nothing, but this one may conform to something that the service's type does not.
    let isComplete = isComplete(instance)
    if !hasNoEnd && (isComplete || notesIncomplete) { disposal = try note(instance, in: resolver.container) }
    guard isComplete else { throw OnceCell.SuspensionNeeded(incomplete: instance) }
    if let hooks {
      attempt?.setProvisional(instance)
      for hook in hooks { try hook.run?(instance, resolver) }
    }
    return instance
  }
}
