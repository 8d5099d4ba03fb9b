/// The starting point of a ``Lazy`` or a ``Provider``: its container and, for a ``Lazy``, the graph of the call that created it.
///
/// The origin retains the container, because its user may have no other reference to it. If the container keeps a service that holds
/// the origin, both stay alive until the instance is reset or the origin is released.
final class LaterOrigin: Sendable {
  private struct State: Sendable {
    var container: Container?
    /// The graph that all calls share; nil for a provider, each of whose calls has its own graph.
    var graph: ResolutionGraph?
  }

  private let state: Lock<State>
  /// The override layer in force when the origin was created. Weak, because the layer may keep an instance that holds the origin.
  private weak let layer: OverrideLayer?

  /// Creates the origin of a dependency.
  ///
  /// - Parameters:
  ///   - resolver: The resolver given to the factory that asks for the dependency.
  ///   - graph: The graph that all its calls share; nil if each call has its own graph.
  init(dependencyOf resolver: Resolver, sharing graph: ResolutionGraph?) {
    state = Lock(State(container: resolver.container, graph: graph))
    layer = OverrideLayer.active
  }

  /// Creates the origin of a handle.
  init(handleOf container: Container) {
    state = Lock(State(container: container, graph: nil))
    layer = nil
  }

  /// The container to resolve from; nil once the origin has been released.
  var container: Container? { state.withLock { $0.container } }

  /// The override layer for an instance that is resolved once and kept: only the one in force at creation.
  var overrides: OverrideLayer? { layer }

  /// The override layer for an instance that is resolved at each call: the one in force at creation, otherwise the caller's.
  var overridesOfCall: OverrideLayer? { layer ?? OverrideLayer.active }

  /// Creates a call from this origin.
  ///
  /// - Parameters:
  ///   - identity: The identity to resolve.
  ///   - chain: The caller's chain.
  ///   - attempt: The attempt that the resolve is part of; the caller's attempt if nil.
  ///   - isShared: Whether the caller ends the call itself.
  /// - Throws: ``ResolutionError/Code/closed`` if the origin has been released.
  func call(
    for identity: ServiceIdentity, _ chain: Chain, attempt: Attempt? = nil, isShared: Bool = false
  ) throws -> LaterCall {
    let state = state.withLock { $0 }
    guard let container = state.container else { throw ResolutionError(.closed, for: identity) }
    let graph = state.graph ?? ResolutionGraph()
    return LaterCall(container, graph: graph, chain, attempt: attempt, isShared: isShared)
  }

  /// Releases the container and the graph, which may in turn hold the origin's user.
  func letGo() {
    _ = state.withLock { state in
      let old = state
      state = State()
      return old
    }
  }
}
