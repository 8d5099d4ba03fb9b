/// The starting point of a ``Lazy``, a ``Provider`` or a load of an ``Injected`` property.
///
/// It consists of a container and, for a ``Lazy``, the graph of the call that created the lazy.
///
/// The origin retains the container, because its user may have no other reference to it. If the container keeps a service that holds
/// the origin, both stay alive until the instance is reset or the origin is released.
///
/// The origin of a dependency does not retain a scope: a scope is closed when its operation ends, and resolves nothing from then on. So a
/// scoped service with a ``Lazy`` or a ``Provider`` does not delay the release of its scope (E1). A handle retains every container,
/// because it calls the container's binding directly.
final class DeferredOrigin: Sendable {
  private struct State: Sendable {
    /// Nil for a scope that is not retained, and once the origin has been released.
    var container: Container?
    /// The graph that all calls share; nil for a provider, each of whose calls has its own graph.
    var graph: ResolutionGraph?
  }

  private let state: Lock<State>
  /// The container, if it is not retained.
  private weak let scope: Container?
  private let name: String
  /// The override layer in force when the origin was created. Weak, because the layer may keep an instance that holds the origin.
  private weak let layer: OverrideLayer?
  /// Runs before each search for the service.
  private let atCall: @Sendable () -> Void

  /// Creates the origin of a dependency.
  ///
  /// - Parameters:
  ///   - resolver: The resolver given to the factory that asks for the dependency.
  ///   - graph: The graph that all its calls share; nil if each call has its own graph.
  convenience init(dependencyOf resolver: Resolver, sharing graph: ResolutionGraph?) {
    let container = resolver.container
    self.init(container, isHeld: !container.lifecycle.isScope, sharing: graph, under: OverrideLayer.active)
  }

  /// Creates the origin of a handle or of a load, whose calls have graphs of their own.
  init(
    _ container: Container, isHeld: Bool = true, sharing graph: ResolutionGraph? = nil, under layer: OverrideLayer?,
    atCall: @escaping @Sendable () -> Void = {}
  ) {
    state = Lock(State(container: isHeld ? container : nil, graph: graph))
    scope = isHeld ? nil : container
    name = container.name
    self.layer = layer
    self.atCall = atCall
  }

  /// The container to resolve from; nil once it has been released, or the scope freed.
  var container: Container? { state.withLock { $0.container } ?? scope }

  /// The override layer for an instance that is resolved once and kept: the layer in force at creation, if any.
  var overrides: OverrideLayer? { layer }

  /// The override layer for an instance that is resolved at each call: the layer in force at creation, otherwise the caller's.
  var overridesOfCall: OverrideLayer? { layer ?? OverrideLayer.active }

  /// The resolver for a call that no other resolve contains; nil inside of another resolve, or if overrides were in force at creation.
  ///
  /// Such a call is like any other resolve from the container.
  var resolverOutsideOfCalls: Resolver? {
    guard layer == nil, unsafe !ThreadRecordPointer.current.isInCall, ResolutionFrame.ofCurrentTask == nil,
      let container
    else { return nil }
    atCall()
    return Resolver(container: container)
  }

  /// The kept instance that a call would yield; nil if only a call can find it.
  func keptInstance(of identity: ServiceIdentity) -> Instance? {
    guard layer == nil, let container else { return nil }
    atCall()
    return container.find(identity.signature, erasedKey: identity.key, Resolver.frameOfCaller).takeKept()
  }

  /// Creates a call from this origin.
  ///
  /// - Parameters:
  ///   - identity: The identity to resolve.
  ///   - chain: The caller's chain.
  ///   - attempt: The build that includes the resolve; the caller's build if nil.
  ///   - isShared: Whether the caller ends the call itself.
  /// - Throws: ``ResolutionError/Code/closed`` if the container has been released, or the scope freed.
  func call(
    for identity: ServiceIdentity, _ chain: Chain, attempt: Attempt? = nil, isShared: Bool = false
  ) throws -> DeferredCall {
    let state = state.withLock { $0 }
    guard let container = state.container ?? scope else {
      throw ResolutionError(.closed, for: identity, container: name)
    }
    atCall()
    let graph = state.graph ?? ResolutionGraph()
    return DeferredCall(container, graph: graph, chain, attempt: attempt, isShared: isShared)
  }

  /// Releases the container and the graph, which may hold the origin's user.
  func release() { _ = state.withLock { exchange(&$0, with: State()) } }
}
