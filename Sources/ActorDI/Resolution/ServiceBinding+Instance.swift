internal import Synchronization

// From a binding to an instance: the scope says where it is kept, the once cell that it is built once, and this file
// what building is: the chain goes one step deeper, the factory runs, then the hooks.

extension Binding {
  /// The cell that keeps the instance for this call; nil when each resolve has one of its own.
  ///
  /// - Parameter values: the run-time arguments, if each tuple of them has an instance of its own.
  func cell(
    in graph: @autoclosure () -> ResolutionGraph, for values: ArgumentValues?
  ) -> OnceCell? {
    switch descriptor.scope.kind {
    case .transient: nil
    case .graph: graph().cell(for: self, values)
    case .singleton, .shared, .automatic, .managed: cell(for: values)
    }
  }

  /// The container whose registrations an instance is built with: its own for one that is kept (CONTRACT: a parent's
  /// singleton never sees a child's overrides), the one asked for one that is not.
  func container(for resolver: Resolver) -> Container {
    unsafe descriptor.scope.isKept ? owner : resolver.container
  }

  /// How a caller can have an instance built.
  func buildMode(_ caller: OnceStateMachine.Caller) -> OnceStateMachine.BuildMode {
    switch (synchrony, caller) {
    case (.synchronous, _), (.either, .synchronous): .inline
    case (.mainActor, .synchronous): MainExecutor.isCurrent ? .inline : .unavailable
    case (.asynchronous, .synchronous): .unavailable
    case (.either, .asynchronous): unsafe owner.canBuildSynchronously(self) ? .inline : .task
    case (.asynchronous, .asynchronous), (.mainActor, .asynchronous): .task
    }
  }

  /// Whether a running factory of this binding, met again in its own chain, means that the chain never ends. With
  /// run-time arguments it may well end: a tree builds its subtrees.
  var recursionIsCycle: Bool { identity.arguments.isEmpty }
}

// MARK: - Synchronous

extension ServiceBinding {
  /// An instance for a synchronous caller. Nil: the registration is gone.
  ///
  /// - Parameter keepAside: gets a transient that was made, and that only an asynchronous caller can complete.
  func instance(
    _ recipe: Recipe<Service>, for resolver: Resolver, keepAside: ((Service) -> Void)? = nil
  ) throws -> Service? {
    let record = unsafe ThreadRecordPointer.current
    let depth = unsafe record.pointee.depth.load(ordering: .relaxed)
    guard unsafe record.hasRoom(at: depth) || record.makeRoom(at: depth) else {
      throw unsafe ResolutionError.tooDeep(self, record.chain(below: depth))
    }
    unsafe record.push(address, at: depth)
    defer { unsafe record.pop(to: depth) }
    // What the binding keeps of user objects is alive until the slot is popped: `self` is retained by the caller.

    let chain = unsafe record.chain(below: depth)
    guard let cell = cell(in: unsafe record.callContext.graph, for: recipe.argumentValues) else {
      return try unlessGone { try transient(recipe, for: resolver, chain, keepAside) }
    }
    let inner = Resolver(container: container(for: resolver))
    let instance = try unlessGone {
      try cell.instance(for: chain, mode: buildMode(.synchronous)) { attempt in
        try unsafe record.building(attempt) { try buildSynchronously(recipe, inner, attempt) }
      }
    }
    if let instance, unsafe depth > record.pointee.base, descriptor.scope.isWeak {
      unsafe record.callContext.graph.retain(instance)
    }
    return instance.map(service(in:))
  }

  private func transient(
    _ recipe: Recipe<Service>, for resolver: Resolver, _ chain: Chain,
    _ keepAside: ((Service) -> Void)?
  ) throws -> Service {
    // A forward builds nothing, nor does a group: it is for what stands behind them to say.
    guard descriptor.isForward || buildMode(.synchronous) == .inline else {
      throw ResolutionError.asyncRequired(identity, chain)
    }
    if recursionIsCycle, let cycle = chain.path(since: self) {
      throw ResolutionError.cycle(cycle + [identity], chain)
    }
    let inner = Resolver(container: container(for: resolver))
    let service = try recipe.make(inner)
    guard isComplete(service) else {
      keepAside?(service)
      throw ResolutionError.asyncRequired(identity, chain)
    }
    for hook in hooks { try hook.run?(service, inner) }
    return service
  }

  /// What a binding behind this one yields: a primary, a decorated service, a candidate. Nil when that one is gone.
  private func unlessGone<Result>(_ make: () throws -> Result?) throws -> Result? {
    do { return try make() } catch is PrimaryIsGone { return nil }
  }

  /// As `build`, for a service that might also be built asynchronously: if it turns out that it has to, the attempt is none.
  ///
  /// What was found out before may have changed since: a dependency registered anew, or being built by a task.
  private func buildSynchronously(
    _ recipe: Recipe<Service>, _ resolver: Resolver, _ attempt: Attempt
  ) throws -> Product {
    do {
      return try build(recipe, resolver, attempt)
    } catch let error as ResolutionError
      where error.code == .asyncRequired && (synchrony == .either || !parts.isEmpty)
    {
      throw OnceCell.SuspensionNeeded(error: error)
    }
  }

  /// Factory and hooks of a kept instance, on the caller's thread.
  private func build(
    _ recipe: Recipe<Service>, _ resolver: Resolver, _ attempt: Attempt
  ) throws -> Product {
    if let incomplete = attempt.takeIncomplete() {
      throw OnceCell.SuspensionNeeded(incomplete: incomplete)
    }
    let box = Box(try recipe.make(resolver))
    guard isComplete(box.value) else {
      throw OnceCell.SuspensionNeeded(incomplete: Instance(object: box))
    }
    if !hooks.isEmpty {
      attempt.setProvisional(Instance(object: box))
      for hook in hooks { try hook.run?(box.value, resolver) }
    }
    return product(box)
  }

  private func product(_ box: Box<Service>) -> Product {
    guard descriptor.isPublished, !descriptor.scope.isWeak, let forwards else {
      return Product(instance: Instance(object: box))
    }
    return Product(
      instance: Instance(object: box),
      forwarded: forwards.all.map { ($0.binding, Instance(object: $0.convert(box))) })
  }

  private func service(in instance: Instance) -> Service {
    unsafe unsafeDowncast(instance.object, to: Box<Service>.self).value
  }
}

// MARK: - Asynchronous

extension ServiceBinding {
  /// An instance for an asynchronous caller. Nil: the registration is gone.
  func instance(_ recipe: Recipe<Service>, for resolver: Resolver) async throws -> Service? {
    let outer =
      resolver.liveFrame ?? ResolutionFrame.ofCurrentTask
      ?? ResolutionFrame(graph: ResolutionGraph())
    if synchrony == .synchronous && descriptor.scope.isTransient && !standsBeforeIncomplete {
      do {
        return try await synchronousInstance(recipe, for: resolver, in: outer)
      } catch let error as ResolutionError where error.code == .asyncRequired && standsBeforeIncomplete {
        // What it stands for has just made the first instance that a synchronous call cannot complete.
      }
    }
    defer { outer.endOutermostCall() }
    let service = try await instance(recipe, for: resolver, in: outer)
    try await outer.tellAtEndOfOutermostCall()
    return service
  }

  private func instance(
    _ recipe: Recipe<Service>, for resolver: Resolver, in outer: ResolutionFrame
  ) async throws -> Service? {
    let chain = Chain(outer)
    guard outer.depth < ResolutionFrame.maximumDepth else {
      throw ResolutionError.tooDeep(self, chain)
    }
    let container = container(for: resolver)
    do {
      guard let cell = cell(in: outer.graph, for: recipe.argumentValues) else {
        return try await transient(recipe, container, chain, in: outer)
      }
      let mode = buildMode(.asynchronous)
      let instance = try await cell.instance(for: chain, mode: mode) { attempt in
        try buildInline(recipe, container, attempt, outer)
      } task: { [self] attempt in
        let frame = ResolutionFrame(self, parent: outer, attempt: attempt)
        let resolver = Resolver(container: container, frame: frame)
        let incomplete = attempt.takeIncomplete()
        return product(try await build(recipe, resolver, attempt, incomplete: incomplete))
      }
      if let instance, outer.identity != nil, descriptor.scope.isWeak {
        outer.graph.retain(instance)
      }
      return instance.map(service(in:))
    } catch is PrimaryIsGone {
      return nil
    }
  }

  private func synchronousInstance(
    _ recipe: Recipe<Service>, for resolver: Resolver, in outer: ResolutionFrame
  ) async throws -> Service? {
    var incomplete: Box<Service>?
    do {
      return try synchronously(in: outer) {
        try instance(recipe, for: resolver) { incomplete = Box($0) }
      }
    } catch {
      guard let incomplete else { throw error }
      return try await completed(incomplete, container(for: resolver), in: outer)
    }
  }

  private func transient(
    _ recipe: Recipe<Service>, _ container: Container, _ chain: Chain, in outer: ResolutionFrame
  ) async throws -> Service {
    if recursionIsCycle, let cycle = chain.path(since: self) {
      throw ResolutionError.cycle(cycle + [identity], chain)
    }
    let frame = ResolutionFrame(self, parent: outer, attempt: nil)
    return try await build(recipe, Resolver(container: container, frame: frame), nil).value
  }

  /// Factory and hooks, in the current task.
  ///
  /// - Parameter incomplete: what the factory has made before.
  func build(
    _ recipe: Recipe<Service>, _ resolver: Resolver, _ attempt: Attempt?,
    incomplete: Instance? = nil
  ) async throws -> Box<Service> {
    let frame = resolver.frame
    defer { frame?.finish() }
    return try await ResolutionFrame.$ambient.withValue(frame) {
      let box =
        if let incomplete {
          unsafe unsafeDowncast(incomplete.object, to: Box<Service>.self)
        } else if let makeAsync = recipe.makeAsync {
          try await makeAsync(resolver)
        } else {
          // A synchronous factory on behalf of an asynchronous build, as one with asynchronous hooks is.
          Box(try synchronously(in: frame) { try recipe.make(resolver) })
        }
      let noted = isComplete(box.value) ? nil : try await complete(box, in: frame)
      do {
        try await runHooks(with: box, resolver, attempt)
      } catch {
        if let noted { frame?.takeBack(noted) }
        throw error
      }
      return box
    }
  }

  private func runHooks(
    with box: Box<Service>, _ resolver: Resolver, _ attempt: Attempt?
  ) async throws {
    guard !hooks.isEmpty else { return }
    attempt?.setProvisional(Instance(object: box))
    for hook in hooks {
      if let runAsync = hook.runAsync {
        try await runAsync(box, resolver)
      } else {
        try hook.run?(box.value, resolver)
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
    _ recipe: Recipe<Service>, _ container: Container, _ attempt: Attempt, _ frame: ResolutionFrame
  ) throws -> Product {
    let record = unsafe ThreadRecordPointer.current
    return try unsafe record.continuing(frame, endsCall: false) {
      let depth = unsafe record.pointee.depth.load(ordering: .relaxed)
      guard unsafe record.hasRoom(at: depth) || record.makeRoom(at: depth) else {
        throw unsafe ResolutionError.tooDeep(self, record.chain(below: depth))
      }
      unsafe record.push(address, at: depth)
      defer { unsafe record.pop(to: depth) }
      return try unsafe record.building(attempt) {
        try buildSynchronously(recipe, Resolver(container: container), attempt)
      }
    }
  }
}
