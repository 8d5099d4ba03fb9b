internal import Synchronization

// The call that a request belongs to. Several callers may be in progress at once: the resolver may be that of an asynchronous factory, the
// thread may have a call tree in progress, and the task may run an asynchronous factory that has captured the container. A provider's call
// on the thread is within the factory that the task runs. So the nearest one counts:
//
// | question | 1. the resolver's frame | 2. the thread's call tree | 3. the task's frame | none |
// | --- | --- | --- | --- | --- |
// | `liveFrame` | while its factory runs | | | nil |
// | `factoryFrame`, of a caller that can suspend | the same | there is none | the factory's | nil |
// | `chainOfCaller`, for code without a resolver | | its slots | its chain | empty |
// | `currentChain` | its chain, unless it is a root | its slots | its chain | empty |
// | `currentGraph` | its graph | its graph | its graph | a graph that no call ends |
extension Resolver {
  /// The frame, if its factory is still running.
  var liveFrame: ResolutionFrame? { frame?.isLive == true ? frame : nil }

  /// The frame of the asynchronous factory that asks, which may have captured the container instead of using its own resolver; nil for a
  /// call from outside.
  var factoryFrame: ResolutionFrame? { liveFrame ?? ResolutionFrame.ofCurrentTask }

  /// The chain of the running code.
  ///
  /// - Parameter makesAttempts: See ``ThreadRecordPointer/chain(below:makingAttempts:)``.
  static func chainOfCaller(makingAttempts makesAttempts: Bool = false) -> Chain {
    let record = ThreadRecordPointer.current
    guard record.isInCall else { return Chain(ResolutionFrame.ofCurrentTask) }
    return record.chain(below: record.pointee.depth.load(ordering: .relaxed), makingAttempts: makesAttempts)
  }

  /// The chain that this resolver's calls belong to.
  var currentChain: Chain {
    if let frame = liveFrame, !frame.isRoot { return Chain(frame) }
    return Self.chainOfCaller()
  }

  /// The graph of the call in progress; outside of any call, a new graph that no call ends.
  var currentGraph: ResolutionGraph {
    if let frame = liveFrame { return frame.graph }
    let record = ThreadRecordPointer.current
    if record.isInCall { return record.graph }
    return ResolutionFrame.ofCurrentTask?.graph ?? ResolutionGraph(hasEnded: true)
  }

  /// The binding that asks; nil for a call from outside.
  var asker: Asker? {
    let chain = currentChain
    guard let asker = chain.innermostBinding else { return nil }
    let isOnThread = !chain.slots.isEmpty
    let hasInstance =
      isOnThread
      ? ThreadRecordPointer.current.isInOtherHook(of: asker) : chain.attempt?.isInOtherHook(of: asker) ?? false
    return Asker(binding: asker, hasInstance: hasInstance)
  }

  /// Runs several resolves within one call tree.
  func inOneCall<Result>(_ body: (Resolver) async throws -> Result) async throws -> Result {
    let outer = factoryFrame
    if let outer, !outer.isOutermost { return try await body(Resolver(container: container, frame: outer)) }
    let frame = ResolutionFrame(
      graph: outer?.graph ?? ResolutionGraph(), ownsGraph: outer?.ownsGraph ?? true, attempt: outer?.attempt,
      isEndedByCreator: true)
    defer { frame.endGraph() }
    let result = try await body(Resolver(container: container, frame: frame))
    try await frame.notifyAtEndOfCall()
    return result
  }
}
