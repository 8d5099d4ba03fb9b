internal import Synchronization

// What a request can get on the calling thread. A caller that cannot suspend gets everything here, or an error; for any other caller, this
// is the part of the way before it suspends.

extension Located {
  /// The instance for a synchronous caller; nil if the registration has been removed.
  ///
  /// - Parameter inherited: The key that the service's dependencies inherit.
  func instance(_ arguments: Arguments?, inheriting inherited: Key? = nil, for resolver: Resolver) throws -> Instance? {
    let record = ThreadRecordPointer.current
    let depth = record.pointee.depth.load(ordering: .relaxed)
    guard record.hasRoom(at: depth) || record.makeRoom(at: depth) else {
      throw ResolutionError.tooDeep(binding, record.chain(below: depth))
    }
    record.push(binding.id.step, at: depth)
    defer { record.pop(to: depth) }
    let chain = record.chain(below: depth, makingAttempts: true)
    try binding.checkStrictness(asking: resolver.container, chain)
    let request = Request(for: self, asking: resolver.container, arguments, inheriting: inherited)
    do {
      guard let (cell, holder) = try request.cell(in: record.graph, for: chain) else {
        return try request.makeUnkept(for: chain)
      }
      defer { withExtendedLifetime(holder) {} }
      let instance = try cell.instance(for: chain, mode: request.buildMode, request.observation) { attempt in
        try request.build(attempt, for: chain)
      }
      request.noteInEnclosingBuild(instance, from: cell, for: chain)
      if let instance, binding.policy.isWeak { record.holdInCall(instance, at: depth) }
      return instance
    } catch is BindingIsGone {
      // The binding behind this one, such as an alias's target, a decorated binding or a candidate, has been removed.
      return nil
    }
  }
}

extension Request {
  /// Builds the instance on the calling thread, for its scope to keep.
  ///
  /// What surrounds the factory, outermost first:
  ///
  /// 1. the override layers of the instance, which observers and conversions for aliases see, too;
  /// 2. the activity of an unkept instance's container: a closing container waits for all of this code;
  /// 3. the chain of an asynchronous caller, which makes the caller's build the innermost one on the thread;
  /// 4. the build of this instance, which is part of the caller's;
  /// 5. the observation: its reports, and the resolves of its observers, are part of the build.
  ///
  /// - Parameter chain: The caller's chain.
  func build(_ attempt: Attempt, for chain: Chain) throws -> Product {
    shareNotes(of: attempt, for: chain)
    let checkOut = CheckOut(for: self, attempt)
    // An incomplete instance would be lost if an idle one took its place.
    let incomplete = attempt.takeIncomplete()
    if incomplete == nil, let idle = try checkOut?.takeIdle() { return idle }
    let record = ThreadRecordPointer.current
    do {
      let product = try placement.within {
        try binding.whileOpen(container, chain) {
          try record.continuing(callerFrame, with: binding) {
            try record.building(attempt, keeping: binding.policy.isKept) {
              binding.product(
                try observation.creating(by: attempt) { try make(attempt, completing: incomplete) }, under: placement)
            }
          }
        }
      }
      binding.learn(from: attempt, under: placement)
      return try checkOut?.finish(product) ?? product
    } catch let rest as PostponedHooks {
      throw rest.within(placement, checkOut, observation)
    }
  }

  /// Makes a kept instance, or hands over the incomplete instance that an earlier build has made.
  ///
  /// If the synchronous build proves impossible, it ends without a result, and an asynchronous caller builds in a task.
  /// The expectation may be out of date: a dependency may have been registered again, or a task may be building it.
  private func make(_ attempt: Attempt, completing incomplete: Instance?) throws -> Instance {
    if let incomplete { throw OnceCell.SuspensionNeeded(incomplete: incomplete) }
    var disposal: Disposal?
    defer { if let disposal { attempt.setDisposal(disposal) } }
    do {
      let instance = try binding.makeOnThread(
        factory, arguments, Resolver(container: container), disposal: &disposal, keptBy: .current,
        under: placement)
      if binding.synchrony == .either { binding.noteBuiltAtOnce(true) }
      return instance
    } catch {
      throw binding.suspension(for: error) ?? error
    }
  }

  /// Makes an instance that is not kept, for a caller that cannot suspend.
  fileprivate func makeUnkept(for chain: Chain) throws -> Instance {
    // An alias or a choice builds nothing; the binding behind it decides whether the caller may be synchronous.
    guard binding.isIndirect || buildMode == .inline else {
      throw ResolutionError.asyncRequired(binding.identity, chain)
    }
    if chain.isEndless(binding) { throw ResolutionError.cycle([binding.identity], chain) }
    return try binding.whileOpen(container, chain) {
      try observation.creating {
        var disposal: Disposal?
        do {
          let instance = try binding.makeOnThread(
            factory, arguments, Resolver(container: container), disposal: &disposal, keptBy: nil)
          if let disposal { ThreadRecordPointer.current.innermostAttempt?.addDisposal(disposal, ofUnkept: binding.id) }
          return instance
        } catch {
          if let incomplete = (error as? OnceCell.SuspensionNeeded)?.incomplete {
            throw binding.refuse(incomplete, in: container, for: chain)
          }
          disposal.map { [$0].disposeInBackground(after: .failed(error)) }
          throw error
        }
      }
    }
  }
}
