internal import Synchronization

/// The synchronous call tree on one thread: what its kept and graph-scoped services need beyond the slots.
///
/// Made by the first resolve that needs it, dropped when the outermost call ends. Confined to its thread.
@usableFromInline
final class CallContext: CallState {
  /// The innermost attempt that the thread is building.
  var attempt: Attempt?
  /// The asynchronous frame that the synchronous chain began in, if any.
  var frame: ResolutionFrame?
  /// The first slot of the chain.
  var start = 0

  private var ownGraph: ResolutionGraph?

  deinit { ownGraph?.endCall() }

  /// The call tree's `.graph` instances.
  var graph: ResolutionGraph {
    if let frame { return frame.graph }
    if let ownGraph { return ownGraph }
    let graph = ResolutionGraph()
    ownGraph = graph
    return graph
  }
}

extension UnsafeMutablePointer<ThreadRecord> {
  /// The context of the call tree in progress. At least one slot must be in use: the last pop drops it.
  var callContext: CallContext {
    unsafe makeAttempts()
    return unsafe ownContext
  }

  /// The same, whatever uncontended builds there are.
  var ownContext: CallContext {
    if let context = unsafe presentContext { return context }
    let context = CallContext()
    unsafe pointee.context = Unmanaged.passRetained(context)
    return context
  }

  /// The same, if there is one already.
  var presentContext: CallContext? {
    guard let context = unsafe pointee.context else { return nil }
    return unsafe unsafeDowncast(context.takeUnretainedValue(), to: CallContext.self)
  }

  var existingContext: CallContext? {
    unsafe makeAttempts()
    return unsafe presentContext
  }

  /// The chain that ends below slot `depth`.
  func chain(below depth: Int) -> Chain {
    let context = unsafe existingContext
    return unsafe Chain(
      attempt: context?.attempt, frame: context?.frame,
      slots: Chain.Slots(record: self, range: (context?.start ?? 0)..<depth))
  }

  /// Runs a build inside its attempt: what it resolves is waited for by the attempt.
  ///
  /// - Parameter keeping: whether the instance outlives the call, so that it is of use to know what it was made from. What is shared for
  ///   the time of a call is looked at only if it is part of such an instance.
  func building<Result>(
    _ attempt: Attempt, keeping isKept: Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    let context = unsafe callContext
    let outer = context.attempt
    context.attempt = attempt
    defer { context.attempt = outer }
    if unsafe !isKept && !isRecording { attempt.note(allOf: nil) }
    return try unsafe recording(isKept, body)
  }

  /// Runs synchronous resolution on behalf of an asynchronous factory: its frame is where the chain begins.
  ///
  /// - Parameter endsCall: whether a top-level call ends here. Not on the way of an asynchronous one, which may have more to do.
  func continuing<Result>(
    _ frame: ResolutionFrame?, endsCall: Bool = true, _ body: () throws -> Result
  ) rethrows -> Result {
    guard let frame else { return try body() }
    // A lazy's chain begins at its mark.
    let mark = frame.attempt.flatMap { $0.isLazy ? $0.slot : nil }
    return try unsafe holdingCall(by: mark) { depth in
      let context = unsafe callContext
      let outer = (context.attempt, context.frame, context.start)
      context.frame = frame
      context.attempt = frame.attempt ?? outer.0
      // A root is no step of its own: what is under construction on this thread stays part of the chain.
      if frame.identity != nil { context.start = depth }
      defer {
        (context.attempt, context.frame, context.start) = outer
        if unsafe endsCall && depth == pointee.base { frame.endOutermostCall() }
      }
      return try unsafe recording(context.attempt != nil, body)
    }
  }

  /// Keeps the call tree from ending before the body does, though each of several resolves in it may be the outermost.
  func holdingCall<Result>(
    by mark: UInt? = nil, _ body: (_ depth: Int) throws -> Result
  ) rethrows -> Result {
    let depth = unsafe pointee.depth.load(ordering: .relaxed)
    if unsafe depth >= pointee.capacity { unsafe Reclaimer.shared.growSlots(of: self) }
    unsafe push(mark ?? Self.placeholder, at: depth)
    defer { unsafe pop(to: depth) }
    return try body(depth)
  }

  /// A slot that protects nothing and is no step of the path.
  private static var placeholder: UInt { 1 }
}
