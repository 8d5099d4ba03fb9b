internal import Synchronization

// The synchronous call tree on one thread: what kept and `.graph` services need in addition to the hazard slots.
extension ThreadRecordPointer {
  /// The asynchronous frame in which the thread's chain began, if any.
  var frame: ResolutionFrame? { pointee.frame?.restored(to: ResolutionFrame.self).object }

  /// The graph that keeps the call tree's `.graph` instances, made on first use. At least one slot must be in use, because the last pop
  /// ends the graph.
  var graph: ResolutionGraph {
    if let frame { return frame.graph }
    if let graph = pointee.graph { return graph.restored(to: ResolutionGraph.self).object }
    // An asynchronous factory may have captured the container. Plain transients that it makes in place continue no chain.
    if let captured = ResolutionFrame.ofCurrentTask { return captured.graph }
    return makeGraph()
  }

  /// Makes the graph of a call tree that is part of no asynchronous factory.
  func makeGraph() -> ResolutionGraph {
    let graph = ResolutionGraph()
    pointee.graph = UnheldReference(retaining: graph)
    return graph
  }

  /// Whether the call tree in progress has anything but plain transients so far.
  var hasCallState: Bool {
    pointee.build != 0 || pointee.frame != nil || pointee.graph != nil
  }

  /// Whether the record has the whole chain of the running code. It has not in an asynchronous factory that calls a captured container: only
  /// the slow path looks for the factory's frame.
  var hasWholeChain: Bool { hasCallState || ResolutionFrame.ofCurrentTask == nil }

  /// Ends the graph of a call tree that has ended. Not inlined, since a call tree of plain transients has none.
  @usableFromInline @inline(never)
  func endCall() {
    guard let ended = pointee.graph else { return }
    // Removed before its end, which may run a user-defined `deinit` that resolves.
    pointee.graph = nil
    var graph = ended.restored(to: ResolutionGraph.self).takeRetained()
    let isShared = !isKnownUniquelyReferenced(&graph)
    graph.endCall(mayBelongToLazy: isShared)
  }

  /// The chain of the steps below slot `depth`.
  ///
  /// - Parameter makesAttempts: Whether the chain is to wait, to be waited for, or to note a request. If not, only its path is complete.
  func chain(below depth: Int, makingAttempts makesAttempts: Bool = false) -> Chain {
    if makesAttempts { makeAttempts() }
    return Chain(attempt: attempt, frame: frame, slots: pointee.chainStart..<depth)
  }

  /// Runs a synchronous resolve on behalf of an asynchronous factory, whose frame is the start of the chain.
  func continuing<Result>(_ frame: ResolutionFrame?, _ body: () throws -> Result) rethrows -> Result {
    guard let frame else { return try body() }
    // The chain of a ``Lazy`` begins at its mark.
    let mark = frame.attempt.flatMap { $0.isLazy ? $0.slot : nil }
    return try holdingCall(by: mark) { depth in
      makeAttempts()
      let outer = (frame: pointee.frame, start: pointee.chainStart)
      pointee.frame = UnheldReference(frame)
      // A root frame is not a step: the services under construction on this thread remain part of the chain.
      if !frame.isRoot { pointee.chainStart = depth }
      defer {
        (pointee.frame, pointee.chainStart) = outer
        withExtendedLifetime(frame) {}
      }
      if let attempt = frame.attempt { return try building(attempt, keeping: true, body) }
      return try recording(attempt != nil, body)
    }
  }

  /// Continues the chain of an asynchronous factory on this thread, with a binding as its next step.
  ///
  /// - Parameter frame: Nil to run the body only.
  /// - Throws: ``ResolutionError/Code/tooDeep``, or the error of the body.
  func continuing<Result>(
    _ frame: ResolutionFrame?, with binding: Binding, _ body: () throws -> Result
  ) throws -> Result {
    guard let frame else { return try body() }
    return try continuing(frame) {
      let depth = pointee.depth.load(ordering: .relaxed)
      guard hasRoom(at: depth) || makeRoom(at: depth) else {
        throw ResolutionError.tooDeep(binding, chain(below: depth))
      }
      push(binding.id.step, at: depth)
      defer { pop(to: depth) }
      return try body()
    }
  }

  /// Holds the call tree open until the body returns, so that several resolves share one call.
  func holdingCall<Result>(by mark: HazardSlot? = nil, _ body: (_ depth: Int) throws -> Result) rethrows -> Result {
    let depth = hold(mark ?? .placeholder)
    defer { pop(to: depth) }
    return try body(depth)
  }

  /// Holds the call tree open until a pop.
  ///
  /// - Returns: The depth to pop to.
  func hold(_ mark: HazardSlot) -> Int {
    let depth = pointee.depth.load(ordering: .relaxed)
    if depth >= pointee.capacity { Reclaimer.shared.growSlots(of: self) }
    push(mark, at: depth)
    return depth
  }

  /// Holds a weakly kept instance until the end of the call tree, if the request at this depth is part of one.
  func holdInCall(_ instance: Instance, at depth: Int) {
    if depth > pointee.base { graph.retain(instance) }
  }
}
