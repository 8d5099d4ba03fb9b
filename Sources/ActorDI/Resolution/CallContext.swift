internal import Synchronization

/// The synchronous call tree on one thread: the state that kept and `.graph` services need in addition to the hazard slots.
///
/// The first resolve that needs the context creates it; the end of the outermost call drops it. Confined to its thread.
final class CallContext: CallState {
  /// The innermost build on the thread.
  var attempt: Attempt?
  /// The asynchronous frame in which the synchronous chain began, if any.
  var frame: ResolutionFrame?
  /// The first slot of the chain.
  var start = 0

  private var ownGraph: ResolutionGraph?

  deinit {
    let isInUse = !isKnownUniquelyReferenced(&ownGraph)
    ownGraph?.endCall(isInUse: isInUse)
  }

  /// The graph that keeps the call tree's `.graph` instances.
  var graph: ResolutionGraph {
    if let frame { return frame.graph }
    if let ownGraph { return ownGraph }
    let graph = ResolutionGraph()
    ownGraph = graph
    return graph
  }
}

extension UnsafeMutablePointer<ThreadRecord> {
  /// The context of the call tree in progress, created if necessary. At least one slot must be in use, because the last pop drops the
  /// context. Creates no attempts for uncontended builds.
  var ownContext: CallContext {
    if let context = unsafe presentContext { return context }
    let context = CallContext()
    unsafe pointee.context = Unmanaged.passRetained(context)
    return context
  }

  /// The context of the call tree in progress, if it has been created. Creates no attempts for uncontended builds.
  var presentContext: CallContext? {
    guard let context = unsafe pointee.context else { return nil }
    return unsafe unsafeDowncast(context.takeUnretainedValue(), to: CallContext.self)
  }

  /// The chain of the steps below slot `depth`.
  ///
  /// - Parameter makesAttempts: Whether the chain is to wait, or to be waited for. If not, it has a path only.
  func chain(below depth: Int, makingAttempts makesAttempts: Bool = true) -> Chain {
    if makesAttempts { unsafe makeAttempts() }
    let context = unsafe presentContext
    return Chain(attempt: context?.attempt, frame: context?.frame, slots: (context?.start ?? 0)..<depth)
  }

  /// Runs a build with its ``Attempt`` as the source of its waits.
  ///
  /// - Parameter isKept: Whether the instance outlives the call, so that its requests are noted. The requests of a `.graph` instance are
  ///   noted only if it becomes part of a kept instance.
  func building<Result>(_ attempt: Attempt, keeping isKept: Bool, _ body: () throws -> Result) rethrows -> Result {
    unsafe makeAttempts()
    let context = unsafe ownContext
    let outer = context.attempt
    context.attempt = attempt
    defer { context.attempt = outer }
    if unsafe !isKept && !isRecording { attempt.note(allOf: nil) }
    return try unsafe recording(isKept, body)
  }

  /// Runs a synchronous resolve on behalf of an asynchronous factory, whose frame is the start of the chain.
  ///
  /// - Parameter endsCall: Whether a top-level call ends here. False within an asynchronous call, which may continue afterwards.
  func continuing<Result>(
    _ frame: ResolutionFrame?, endsCall: Bool = true, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let frame else { return try body() }
    // The chain of a ``Lazy`` begins at its mark.
    let mark = frame.attempt.flatMap { $0.isLazy ? $0.slot : nil }
    return try unsafe holdingCall(by: mark) { depth in
      unsafe makeAttempts()
      let context = unsafe ownContext
      let outerAttempt = context.attempt
      let outerFrame = context.frame
      let outerStart = context.start
      context.frame = frame
      context.attempt = frame.attempt ?? outerAttempt
      // A root frame is not a step: the services under construction on this thread remain part of the chain.
      if !frame.isRoot { context.start = depth }
      defer {
        context.attempt = outerAttempt
        context.frame = outerFrame
        context.start = outerStart
        if unsafe endsCall && depth == pointee.base { frame.endOutermostCall() }
      }
      return try unsafe recording(context.attempt != nil, body)
    }
  }

  /// Continues the chain of an asynchronous factory on this thread, with a binding as its next step.
  ///
  /// - Throws: ``ResolutionError/Code/tooDeep``, or the error of the body.
  func continuing<Result>(_ frame: ResolutionFrame, with binding: Binding, _ body: () throws -> Result) throws -> Result
  {
    try unsafe continuing(frame, endsCall: false) {
      let depth = unsafe pointee.depth.load(ordering: .relaxed)
      guard unsafe hasRoom(at: depth) || makeRoom(at: depth) else {
        throw unsafe ResolutionError.tooDeep(binding, chain(below: depth))
      }
      unsafe push(binding.id.step, at: depth)
      defer { unsafe pop(to: depth) }
      return try body()
    }
  }

  /// Whether a call tree is in progress.
  var isInCall: Bool { unsafe pointee.depth.load(ordering: .relaxed) > pointee.base }

  /// Holds the call tree open until the body returns, so that several resolves share one call.
  func holdingCall<Result>(by mark: HazardSlot? = nil, _ body: (_ depth: Int) throws -> Result) rethrows -> Result {
    let depth = unsafe hold(mark ?? .placeholder)
    defer { unsafe pop(to: depth) }
    return try body(depth)
  }

  /// Holds the call tree open until a pop.
  ///
  /// - Returns: The depth to pop to.
  func hold(_ mark: HazardSlot) -> Int {
    let depth = unsafe pointee.depth.load(ordering: .relaxed)
    if unsafe depth >= pointee.capacity { unsafe Reclaimer.shared.growSlots(of: self) }
    unsafe push(mark, at: depth)
    return depth
  }

  /// Holds a weakly kept instance until the end of the call tree, if the request at this depth is part of one.
  func holdInCall(_ instance: Instance, at depth: Int) {
    if unsafe depth > pointee.base { unsafe ownContext.graph.retain(instance) }
  }
}
