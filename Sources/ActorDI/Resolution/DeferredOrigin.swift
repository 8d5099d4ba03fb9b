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
  /// What a lazy releases after its first use.
  private struct Releasable: Sendable {
    /// Nil for a scope, which is not retained.
    var container: Container?
    /// The graph that all calls share.
    var graph: ResolutionGraph?
  }

  private let releasable: Lock<Releasable>
  /// The container, if it is a scope.
  private weak let scope: Container?
  /// The container of a provider, a handle or a load, each of whose calls has its own graph; nil for a scope or a lazy. Retained by the
  /// origin, for calls to borrow: a call that retained it would contend with calls on other threads.
  private let held: UnheldReference<Container>?
  private let name: String
  /// Of the override layer in force when the origin was created (V4). If the layer keeps an instance that holds the origin, the end of
  /// its operation releases that instance.
  private let succession: OverrideSuccession?
  /// Runs before each search for the service.
  private let atCall: @Sendable () -> Void

  /// Creates the origin of a dependency.
  ///
  /// - Parameters:
  ///   - resolver: The resolver given to the factory that asks for the dependency.
  ///   - graph: The graph that all its calls share; nil if each call has its own graph.
  convenience init(dependencyOf resolver: borrowing Resolver, sharing graph: ResolutionGraph?) {
    let isHeld = !resolver.container.lifecycle.isScope
    self.init(resolver.container, isHeld: isHeld, sharing: graph, under: OverrideLayer.active)
  }

  /// Creates the origin of a handle or of a load, whose calls have graphs of their own.
  init(
    _ container: borrowing Container, isHeld: Bool = true, sharing graph: ResolutionGraph? = nil,
    under layer: OverrideLayer?, atCall: @escaping @Sendable () -> Void = {}
  ) {
    scope = isHeld ? nil : copy container
    held = isHeld && graph == nil ? UnheldReference(copy container) : nil
    releasable = Lock(Releasable(container: isHeld && graph != nil ? copy container : nil, graph: graph))
    name = container.name
    succession = layer?.makeSuccession()
    self.atCall = atCall
    held?.retain()
  }

  deinit { held?.release() }

  /// The container to resolve from; nil once it has been released, or the scope freed.
  var container: Container? { held?.object ?? scope ?? releasable.withLock { $0.container } }

  /// The override layer for an instance that is resolved once and kept.
  var overrides: OverrideLayer? { succession?.live }

  /// The override layer for an instance that is resolved at each call. Without a layer at creation, it is the caller's.
  var overridesOfCall: OverrideLayer? { succession?.ofCall ?? OverrideLayer.active }

  /// Whether a call is like any other resolve from the container: no other resolve contains it, and no overrides were in force at the
  /// origin's creation.
  private var isOutsideOfCalls: Bool {
    succession == nil && !ThreadRecordPointer.current.isInCall && ResolutionFrame.ofCurrentTask == nil
  }

  /// The resolver for a call that is like any other resolve from the container; nil for other calls.
  var resolverOutsideOfCalls: Resolver? {
    guard isOutsideOfCalls, let container, !container.isBelowDraining else { return nil }
    atCall()
    return Resolver(container: container)
  }

  /// The container for a call that is like any other resolve from it, to be borrowed. Nil for other calls, and for those from a scope, which
  /// the origin does not hold.
  var containerOutsideOfCalls: UnheldReference<Container>? {
    guard isOutsideOfCalls, let container = held, !container.isBelowDraining else { return nil }
    atCall()
    return container
  }

  /// The kept instance that a call would yield; nil if only a call can find it.
  func keptInstance(of identity: ServiceIdentity) -> Instance? {
    guard succession == nil, let container else { return nil }
    atCall()
    // The thread's chain, if there is one, comes before the frame of its task.
    let frame = ThreadRecordPointer.current.isInCall ? nil : ResolutionFrame.ofCurrentTask
    return container.find(identity.signature, erasedKey: identity.key, frame).takeKept()
  }

  /// Creates a call from this origin.
  ///
  /// - Parameters:
  ///   - identity: The identity to resolve.
  ///   - chain: The caller's chain.
  ///   - attempt: The build that includes the resolve; the caller's build if nil.
  ///   - isEndedByCreator: Whether the creator ends the call, not the resolve.
  /// - Throws: ``ResolutionError/Code/closed`` if the container has been released, or the scope freed.
  func call(
    for identity: ServiceIdentity, _ chain: Chain, attempt: Attempt? = nil, isEndedByCreator: Bool = false
  ) throws -> DeferredCall {
    guard let container else {
      throw ResolutionError(.closed, for: identity, path: chain.path(to: identity), container: name)
    }
    atCall()
    let shared = releasable.withLock { $0.graph }
    return DeferredCall(
      container, graph: shared ?? ResolutionGraph(), ownsGraph: shared == nil, chain, attempt: attempt,
      isEndedByCreator: isEndedByCreator)
  }

  /// Releases the container and the graph, which may hold the origin's user.
  func release() { _ = releasable.withLock { exchange(&$0, with: Releasable()) } }
}
