/// A resolve that a ``Lazy`` or a ``Provider`` makes after the factory that asked for it.
///
/// The call belongs to the caller's chain. So a service under construction that uses its own lazy dependency is a cycle. A ``Lazy``
/// resolves within the graph of the call that created it; each call of a ``Provider`` has a graph of its own.
struct DeferredCall {
  let resolver: Resolver
  /// The root of the call, which the resolver has, too.
  private let frame: ResolutionFrame

  /// Creates a call.
  ///
  /// - Parameters:
  ///   - container: The container to resolve from.
  ///   - graph: Keeps the call's `.graph` instances.
  ///   - ownsGraph: Whether the graph is the call's own. That of a ``Lazy`` is not.
  ///   - chain: The caller's chain.
  ///   - attempt: The build that includes the resolve; the caller's build if nil.
  ///   - opensScope: Whether the container is a scope of the call's own.
  init(
    _ container: Container, graph: ResolutionGraph, ownsGraph: Bool = true, _ chain: Chain, attempt: Attempt? = nil,
    opensScope: Bool = false
  ) {
    if let attempt, let outer = chain.attempt { attempt.shareNotes(of: outer) }
    // The frame in which a synchronous chain began may belong to an outer build, not to the running one.
    frame = ResolutionFrame(
      graph: graph, ownsGraph: ownsGraph, parent: chain.frame, attempt: attempt ?? chain.attempt, opensScope: opensScope
    )
    resolver = Resolver(container: container, frame: frame)
    // The call that created the lazy may have ended, or end meanwhile.
    if !ownsGraph { graph.beginUse() }
  }

  /// Ends the call's graph, or its use of the graph of a ``Lazy``. A resolver that the call has returned begins new calls from then on.
  func end() {
    frame.finish()
    if frame.ownsGraph { frame.graph.endCall() } else { frame.graph.endUse() }
  }

  /// Runs the resolve on the caller's thread.
  ///
  /// The call ends with it, unless a task resolves again within the same graph.
  func inline<Result>(_ body: (Resolver) throws -> Result) throws -> Result {
    do {
      let result = try body(resolver)
      end()
      return result
    } catch {
      if error is OnceCell.SuspensionNeeded, !frame.ownsGraph { frame.graph.passUse() } else { end() }
      throw error
    }
  }
}
