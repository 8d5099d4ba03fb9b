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
  /// How long the origin retains its container.
  private enum Retention: Sendable {
    /// As long as the origin lives: for a provider, a handle or a load. Retained by hand, for calls to borrow: a call that retained the
    /// container would contend with calls on other threads.
    case always(UnheldReference<Container>)
    /// Until the first use of a lazy, which releases it.
    case untilRelease
    /// Not at all: for a scope.
    case never(ContainerReference)
  }

  /// What a lazy releases after its first use.
  private struct Releasable: Sendable {
    /// Nil for a scope.
    let container: Container?
    /// The graph that all calls share.
    let graph: ResolutionGraph
  }

  private let retention: Retention
  /// Nil if each call has its own graph, and once it has been released.
  private let releasable: Lock<Releasable?>
  private let name: String
  /// Of the override layer in force when the origin was created (V4). If the layer keeps an instance that holds the origin, the end of
  /// its operation releases that instance.
  private let succession: OverrideSuccession?
  /// Runs before each search for an instance that a cell is to keep.
  let atBuild: @Sendable () -> Void

  /// Creates the origin of a dependency.
  ///
  /// - Parameters:
  ///   - resolver: The resolver given to the factory that asks for the dependency.
  ///   - graph: The graph that all its calls share; nil if each call has its own graph.
  convenience init(dependencyOf resolver: borrowing Resolver, sharing graph: ResolutionGraph?) {
    let isHeld = !resolver.container.lifecycle.isScope
    self.init(resolver.container, isHeld: isHeld, sharing: graph, under: OverrideLayer.active)
  }

  /// Creates an origin.
  ///
  /// - Parameters:
  ///   - isHeld: Whether the origin retains the container.
  ///   - graph: The graph that all its calls share; nil if each call has its own graph, as those of a handle and of a load.
  ///   - layer: The override layer in force.
  ///   - atBuild: Runs before each search for an instance that a cell is to keep.
  init(
    _ container: borrowing Container, isHeld: Bool = true, sharing graph: ResolutionGraph? = nil,
    under layer: OverrideLayer?, atBuild: @escaping @Sendable () -> Void = {}
  ) {
    if !isHeld {
      retention = .never(ContainerReference(copy container))
    } else if graph == nil {
      retention = .always(UnheldReference(retaining: copy container))
    } else {
      retention = .untilRelease
    }
    releasable = Lock(graph.map { Releasable(container: isHeld ? copy container : nil, graph: $0) })
    name = container.name
    succession = layer?.makeSuccession()
    self.atBuild = atBuild
  }

  deinit { if case .always(let container) = retention { container.release() } }

  /// The container to resolve from; nil once it has been released, or the scope freed.
  var container: Container? {
    switch retention {
    case .always(let container): container.object
    case .untilRelease: releasable.withLock { $0?.container }
    case .never(let scope): scope.container
    }
  }

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
    return Resolver(container: container)
  }

  /// The container for a call that is like any other resolve from it, to be borrowed. Nil for other calls, and for those from a scope, which
  /// the origin does not hold.
  var containerOutsideOfCalls: UnheldReference<Container>? {
    guard isOutsideOfCalls, case .always(let container) = retention, !container.isBelowDraining else { return nil }
    return container
  }

  /// The kept instance that a call would yield; nil if only a call can find it.
  func keptInstance(of identity: ServiceIdentity) -> Instance? {
    guard succession == nil, let container else { return nil }
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
  /// - Throws: ``ResolutionError/Code/closed`` if the container has been released, or the scope freed.
  func call(for identity: ServiceIdentity, _ chain: Chain, attempt: Attempt? = nil) throws -> DeferredCall {
    guard let container else {
      throw ResolutionError(.closed, for: identity, path: chain.path(to: identity), container: name)
    }
    let shared = releasable.withLock { $0?.graph }
    return DeferredCall(
      container, graph: shared ?? ResolutionGraph(), ownsGraph: shared == nil, chain, attempt: attempt)
  }

  /// Releases the container and the graph, which may hold the origin's user.
  func release() { _ = releasable.withLock { exchange(&$0, with: nil) } }
}
