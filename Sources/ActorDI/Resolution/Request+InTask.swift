internal import Synchronization

// What a request gets by suspending: it waits for a build, runs an asynchronous factory or hook, or completes an instance. Its chain is a
// list of frames.

// A suspended request borrows the located binding. It would retain a binding as such, and threads would contend for the reference count.
extension Located {
  /// The instance for an asynchronous caller; nil if the registration has been removed.
  ///
  /// - Parameter inherited: The key that the service's dependencies inherit.
  func instance(
    _ arguments: Arguments?, inheriting inherited: Key? = nil, for resolver: Resolver
  ) async throws -> Instance? {
    // The frame of the asynchronous factory that asks, or the root of a new call.
    let callerFrame = resolver.factoryFrame ?? ResolutionFrame()
    defer { callerFrame.endOutermostCall() }
    let chain = Chain(callerFrame)
    guard callerFrame.depth < ResolutionFrame.maximumDepth else { throw ResolutionError.tooDeep(binding, chain) }
    try binding.checkStrictness(asking: resolver.container, chain)
    let request = Request(for: self, asking: resolver.container, arguments, inheriting: inherited, from: callerFrame)
    var instance: Instance?
    do {
      if let (cell, holder) = try request.cell(in: callerFrame.graph, for: chain) {
        defer { withExtendedLifetime(holder) {} }
        instance = try await cell.instance(
          for: chain, mode: request.buildMode, request.observation,
          seesCaller: binding.policy.seesCaller
        ) { attempt in
          try request.build(attempt, for: chain)
        } task: { attempt in
          try await request.buildInTask(attempt)
        }
        request.noteInEnclosingBuild(instance, from: cell, for: chain)
        if let instance, !callerFrame.isRoot, binding.policy.isWeak { callerFrame.graph.retain(instance) }
      } else {
        try request.prepareToMakeUnkept(for: chain)
        instance = try await request.makeInTask(nil)
      }
    } catch is BindingIsGone {
      // As for a synchronous caller.
    }
    try await callerFrame.notifyAtEndOfOutermostCall()
    return instance
  }

  /// Completes a transient that a synchronous call has made, for an asynchronous caller.
  func instance(completing incomplete: Instance, for resolver: Resolver) async throws -> Instance {
    let callerFrame = resolver.factoryFrame ?? ResolutionFrame()
    defer { callerFrame.endOutermostCall() }
    let request = Request(for: self, asking: resolver.container, nil, inheriting: nil, from: callerFrame)
    // First: if the container has been closed since the factory ran, it refuses the rest, but disposes of the instance.
    let disposal = try binding.note(incomplete, in: request.container)
    let instance = try await request.makeInTask(nil, completing: incomplete, disposedOfBy: disposal)
    try await callerFrame.notifyAtEndOfOutermostCall()
    return instance
  }
}

extension Binding {
  /// Has the instance built for its scope to keep, if there is none. If an override is in force, that is built instead.
  func ensureBuilt(for resolver: Resolver) async throws {
    let found = OverrideLayer.locate(identity, for: resolver.container)
    let isOverridden = found.map { unsafe $0.container !== owner } ?? false
    _ = try await resolver.finishIfPresent(identity, .pending(isOverridden ? nil : located))
  }
}

extension Request {
  /// Builds the instance in the current task, for its scope to keep.
  fileprivate func buildInTask(_ attempt: Attempt) async throws -> Product {
    shareNotes(of: attempt, for: Chain(callerFrame))
    let checkOut = CheckOut(for: self, attempt)
    // An incomplete instance would be lost if an idle one took its place.
    let incomplete = attempt.takeIncomplete()
    if incomplete == nil, let idle = try checkOut?.takeIdle() { return idle }
    let product = try await placement.within {
      binding.product(try await makeInTask(attempt, completing: incomplete), under: placement)
    }
    binding.learn(from: attempt, under: placement)
    return try checkOut?.finish(product) ?? product
  }

  /// Prepares to make an instance that is not kept, for a caller that can suspend.
  ///
  /// - Throws: ``ResolutionError/Code/cycle``.
  fileprivate func prepareToMakeUnkept(for chain: Chain) throws {
    if chain.isEndless(binding) { throw ResolutionError.cycle([binding.identity], chain) }
    if binding.synchrony == .either, !binding.isIndirect && !binding.isBuiltAtOnce,
      asked.canBuildSynchronously(binding)
    {
      // Nothing will suspend any more, so the next asynchronous caller makes the instance in place.
      binding.noteBuiltAtOnce(true)
    }
  }

  /// Makes an instance in the current task, or completes one.
  ///
  /// - Parameters:
  ///   - attempt: The build; nil for an instance that is not kept.
  ///   - incomplete: An instance that the factory has already made and that still needs completion; nil to run the factory.
  ///   - disposal: The recorded disposal of the incomplete instance; nil if it needs none, or if the attempt has it.
  fileprivate func makeInTask(
    _ attempt: Attempt?, completing incomplete: Instance? = nil, disposedOfBy disposal: Disposal? = nil
  ) async throws -> Instance {
    let frame = ResolutionFrame(of: binding, in: container, parent: callerFrame, attempt: attempt)
    let isCounted = try binding.beginBuild(for: container, in: frame)
    defer { if isCounted { binding.endBuild(for: container, in: frame) } }
    defer { frame.finish() }
    let instance = try await observation.creating(by: attempt, in: frame) {
      // Calls through a captured container find the frame there.
      try await ResolutionFrame.$ambient.withValue(frame) {
        let resolver = Resolver(container: container, frame: frame)
        return try await make(resolver, attempt, completing: incomplete, disposedOfBy: disposal)
      }
    }
    if isCounted, container.lifecycle.isClosed {
      throw ResolutionError.closed(binding.identity, Chain(callerFrame), in: container)
    }
    return instance
  }

  /// Runs the steps of the build: the factory, the recording of the instance's disposal, the instance's own completion, the hooks.
  ///
  /// - Parameter resolver: The resolver of the factory, with its frame.
  private func make(
    _ resolver: Resolver, _ attempt: Attempt?, completing incomplete: Instance?, disposedOfBy recorded: Disposal?
  ) async throws -> Instance {
    let instance =
      if let incomplete {
        incomplete
      } else if let makeAsync {
        try await makeAsync(resolver, arguments)
      } else {
        // A synchronous factory whose build is asynchronous for another reason, such as asynchronous hooks.
        try ThreadRecordPointer.current.continuing(resolver.frame) {
          try factory.makeInstance(of: binding.identity.service, resolver, arguments)
        }
      }
    let isComplete = binding.isComplete(instance)
    let disposal = incomplete == nil ? try binding.note(instance, in: container, under: placement) : recorded
    if let disposal { attempt?.setDisposal(disposal) }
    // The number under which the instance is notified at the end of the call.
    var noted: UInt64?
    do {
      if !isComplete {
        noted = try await binding.complete(instance, in: resolver.frame)
        attempt?.set(.pastFactory)
      }
      if let hooks = binding.hooks { try await binding.run(hooks, of: instance, resolver, in: attempt) }
      // The once cell notes when a kept instance is complete.
      if attempt == nil, let disposal {
        disposal.markCreated()
        resolver.frame?.attempt?.addDisposal(disposal, ofUnkept: binding.id)
      }
    } catch {
      if let noted { resolver.frame?.awareInstances.remove(noted) }
      // A weakly held instance may have no other owner.
      (attempt?.disposal ?? disposal)?.retainInstance()
      // A failed build without a once cell disposes of its own instance. Not in order: a resolve waits for no other disposals.
      if attempt == nil, let disposal { await [disposal].dispose(after: .failed(error), inOrder: false) }
      throw error
    }
    return instance
  }
}
