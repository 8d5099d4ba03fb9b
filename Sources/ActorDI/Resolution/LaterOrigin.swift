/// Where a ``Lazy`` or a ``Provider`` resolves from: a container and, for a ``Lazy``, the graph of the call that it was made in.
///
/// It holds the container, as its user expects who has no other reference left. A service that is kept by the very container and
/// holds on to this keeps both alive, until the instance is reset or the origin is let go.
final class LaterOrigin: Sendable {
  private struct State: Sendable {
    var container: Container?
    /// Nil for a provider, each of whose calls has a graph of its own.
    var graph: ResolutionGraph?
  }

  private let state: Lock<State>
  /// The overrides that it was made under. Weak, since they may keep what holds this.
  private weak let layer: OverrideLayer?

  /// The origin of a dependency.
  ///
  /// - Parameter graph: the graph that all its calls share; nil if each has one of its own.
  init(dependencyOf resolver: Resolver, sharing graph: ResolutionGraph?) {
    state = Lock(State(container: resolver.container, graph: graph))
    layer = OverrideLayer.active
  }

  /// The origin of a handle.
  init(handleOf container: Container) {
    state = Lock(State(container: container, graph: nil))
    layer = nil
  }

  /// Nil when the origin was let go.
  var container: Container? { state.withLock { $0.container } }

  /// The overrides that hold for what is resolved once and kept: those that it was made under, and no others.
  var overrides: OverrideLayer? { layer }

  /// The overrides that hold for what is resolved anew each time: those that it was made under, or else the caller's.
  var overridesOfCall: OverrideLayer? { layer ?? OverrideLayer.active }

  /// A call from here.
  ///
  /// - Parameters:
  ///   - identity: what is asked for.
  ///   - chain: who calls.
  ///   - attempt: the attempt that the resolve is part of; the caller's if nil.
  ///   - isShared: whether the caller says when the call ends.
  /// - Throws: ``ResolutionError/Code/closed`` when the origin was let go.
  func call(
    for identity: ServiceIdentity, _ chain: Chain, attempt: Attempt? = nil, isShared: Bool = false
  ) throws -> LaterCall {
    let state = state.withLock { $0 }
    guard let container = state.container else { throw ResolutionError(.closed, for: identity) }
    let graph = state.graph ?? ResolutionGraph()
    return LaterCall(container, graph: graph, chain, attempt: attempt, isShared: isShared)
  }

  /// It is not needed any more: container and graph may hold what holds this.
  func letGo() {
    _ = state.withLock { state in
      let old = state
      state = State()
      return old
    }
  }
}
