internal import Synchronization

// The synchronous call tree on one thread: what kept and `.graph` services need in addition to the hazard slots.
extension UnsafeMutablePointer<ThreadRecord> {
  /// The asynchronous frame in which the thread's chain began, if any.
  var frame: ResolutionFrame? {
    unsafe pointee.frame.map { unsafe unsafeDowncast($0.takeUnretainedValue(), to: ResolutionFrame.self) }
  }

  /// The graph that keeps the call tree's `.graph` instances, made on first use. At least one slot must be in use, because the last pop
  /// ends the graph.
  var graph: ResolutionGraph {
    if let frame = unsafe frame { return frame.graph }
    if let graph = unsafe pointee.graph {
      return unsafe unsafeDowncast(graph.takeUnretainedValue(), to: ResolutionGraph.self)
    }
    let graph = ResolutionGraph()
    unsafe pointee.graph = .passRetained(graph)
    return graph
  }

  /// Whether the call tree in progress has anything but plain transients so far.
  var hasCallState: Bool {
    unsafe pointee.build != 0 || pointee.frame != nil || pointee.graph != nil
  }

  /// Ends the graph of a call tree that has ended. Not inlined, since a call tree of plain transients has none.
  @usableFromInline @inline(never)
  func endCall() {
    guard let ended = unsafe pointee.graph else { return }
    // Removed before its end, which may run a user-defined `deinit` that resolves.
    unsafe pointee.graph = nil
    var graph = unsafe unsafeDowncast(ended.takeRetainedValue(), to: ResolutionGraph.self)
    let isInUse = !isKnownUniquelyReferenced(&graph)
    graph.endCall(isInUse: isInUse)
  }

  /// The chain of the steps below slot `depth`.
  ///
  /// - Parameter makesAttempts: Whether the chain is to wait, or to be waited for. If not, it has a path only.
  func chain(below depth: Int, makingAttempts makesAttempts: Bool = true) -> Chain {
    if makesAttempts { unsafe makeAttempts() }
    return unsafe Chain(attempt: attempt, frame: frame, slots: pointee.chainStart..<depth)
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
      let outer = unsafe (frame: pointee.frame, start: pointee.chainStart)
      unsafe pointee.frame = .passUnretained(frame)
      // A root frame is not a step: the services under construction on this thread remain part of the chain.
      if !frame.isRoot { unsafe pointee.chainStart = depth }
      defer {
        unsafe (pointee.frame, pointee.chainStart) = outer
        if unsafe endsCall && depth == pointee.base { frame.endOutermostCall() }
        withExtendedLifetime(frame) {}
      }
      if let attempt = frame.attempt { return try unsafe building(attempt, keeping: true, body) }
      return try unsafe recording(attempt != nil, body)
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
    return try unsafe continuing(frame, endsCall: false) {
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
    if unsafe depth > pointee.base { unsafe graph.retain(instance) }
  }
}
