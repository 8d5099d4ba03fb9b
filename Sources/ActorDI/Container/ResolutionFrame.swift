internal import Synchronization

/// A service under construction in an asynchronous chain, or the root of a call.
///
/// There are these kinds:
///
/// - the frame of a service, with its binding, for the run of its asynchronous factory and hooks;
/// - the root of a top-level resolve (``isOutermost``), which the resolve itself ends;
/// - the root of a call with several resolves, which its creator ends;
/// - the root of a call by a ``Lazy``, a ``Provider`` or an ``Owned`` (``DeferredCall``), which its creator ends, or of the rest of a build
///   (``PostponedHooks``). Its parent is the frame of the factory that makes the call. Without a parent, it counts as the root of a
///   top-level resolve (``isOutermost``), which notifies the instances at its end.
///
/// Synchronous chains need no frames: they are in the hazard slots of their thread's ``ThreadRecord``. An asynchronous
/// factory may suspend, change threads and resolve in child tasks. So its chain is a list on the heap, which its
/// ``Resolver`` carries.
@usableFromInline
final class ResolutionFrame: LinkedElement, @unchecked Sendable {
  /// The service; nil for the root of a call.
  let service: ChainedService?
  /// Nil for the root of a call.
  let binding: BindingID?
  /// The container whose registrations build the service; nil for a root.
  let container: Container?
  /// Whether a fixed container keeps the service, whichever container is asked for it.
  let isKeptByFixedContainer: Bool
  /// The innermost build that this frame is part of.
  let attempt: Attempt?
  /// The number of services in the chain. An ``Owned`` counts as several: see ``depthOfScope``.
  let depth: Int
  /// The `.graph` instances of the call tree.
  let graph: ResolutionGraph
  /// The task that runs the factory. The frame applies to calls of this task, not to those of tasks started in it.
  private let task: UInt

  /// `nonisolated(unsafe)` because it is changed in `deinit` only.
  nonisolated(unsafe) private var parentFrame: ResolutionFrame?
  /// The topmost frame of the chain; nil if it is this one. A ``Lazy``'s root has one above it, if a factory made the call. Unheld, since
  /// the parents keep it alive.
  private let topmost: UnheldReference<ResolutionFrame>?
  /// Whether the frame's creator ends the call, not the resolve. Several resolves may belong to such a call.
  private let isEndedByCreator: Bool
  /// Of a root: whether the end of the call ends the graph. The graph of a ``Lazy`` belongs to the call that has made the lazy.
  let ownsGraph: Bool
  /// The instances to notify at the end of the call. Used in a topmost frame only.
  private let ownAwareInstances = LazyReference<AwareInstances>()
  private let finished = Atomic<Bool>(false)
  /// The index of the list in ``FramesInFlight`` that contains the frame. Written by the task that lists it, which also removes it.
  nonisolated(unsafe) var shard = 0
  /// The number of the build, if it is reported to observers; otherwise 0. Set before the factory runs, and constant from then on.
  nonisolated(unsafe) var observedBuild: UInt64 = 0

  /// The frame of the factory that runs in this task, for calls through a captured container.
  @TaskLocal static var ambient: ResolutionFrame?

  /// The maximum depth of an asynchronous chain.
  static var maximumDepth: Int { 16_384 }

  /// The depth of a call in a scope of its own. A search visits the scopes of all such calls in the chain, and the scopes take memory.
  static var depthOfScope: Int { 16 }

  /// Creates the frame of a service under construction, or the root of a call.
  ///
  /// - Parameters:
  ///   - binding: The service's binding; nil for a root.
  ///   - graph: The graph that the services of the call share. By default it is the parent's, or a new one.
  ///   - ownsGraph: Whether the end of the call ends the graph.
  ///   - isEndedByCreator: Whether the frame's creator ends the call, not the resolve.
  ///   - opensScope: Whether the frame is the root of a call in a scope of its own.
  init(
    of binding: Binding? = nil, in container: Container? = nil, graph: ResolutionGraph? = nil, ownsGraph: Bool = true,
    parent: ResolutionFrame? = nil, attempt: Attempt? = nil, isEndedByCreator: Bool = false, opensScope: Bool = false
  ) {
    service = binding.map { ChainedService($0) }
    self.binding = binding?.id
    self.container = container
    isKeptByFixedContainer = binding?.policy.isKeptByFixedContainer ?? false
    self.attempt = attempt ?? parent?.attempt
    depth = (parent?.depth ?? 0) + (opensScope ? Self.depthOfScope : binding == nil ? 0 : 1)
    self.graph = graph ?? parent?.graph ?? ResolutionGraph()
    self.ownsGraph = ownsGraph
    task = binding == nil ? 0 : TaskAddress.current
    unsafe parentFrame = parent
    topmost = parent.map { UnheldReference($0.topmostFrame) }
    self.isEndedByCreator = isEndedByCreator
  }

  deinit {
    // Iteratively, since the recursive release of a chain of thousands would overflow the stack.
    var next = unsafe parentFrame
    unsafe parentFrame = nil
    while isKnownUniquelyReferenced(&next) {
      let above = unsafe next?.parentFrame
      unsafe next?.parentFrame = nil
      next = above
    }
  }

  var parent: ResolutionFrame? { unsafe parentFrame }

  private var topmostFrame: ResolutionFrame { topmost?.object ?? self }

  /// Whether the factory is still running, or a root's call in progress. A resolver that outlives it begins new chains.
  var isLive: Bool { !finished.load(ordering: .acquiring) && !(attempt?.has(.finished) ?? false) }

  /// Whether the frame is the root of a call, and no service.
  var isRoot: Bool { binding == nil }

  /// Whether the frame is the root of a single top-level resolve.
  var isOutermost: Bool { isRoot && parent == nil && !isEndedByCreator }

  /// Ends the graph of a top-level call, if this frame is its root.
  func endOutermostCall() { if isOutermost { endGraph() } }

  /// Ends the graph, of which this frame is a root, unless it belongs to another call.
  func endGraph() { if ownsGraph { graph.endCall() } }

  // MARK: Instances to notify of the end

  /// The instances to notify when the build or the call ends.
  ///
  /// A build has its own, since it may outlive the call that began it. All others belong to the call.
  var awareInstances: AwareInstances {
    if let attempt { return attempt.awareInstances.load(orStore: AwareInstances()) }
    return topmostFrame.ownAwareInstances.load(orStore: AwareInstances())
  }

  /// Takes over the instances made for a build whose instance the call has received. The first of several waiters gets
  /// them.
  func adoptInstances(of attempt: Attempt) {
    // Before the end of the build, only its own hooks have its instance.
    guard attempt.has(.finished) || attempt.has(.held), let theirs = attempt.awareInstances.load()?.takeAll(),
      !theirs.isEmpty
    else { return }
    awareInstances.add(theirs)
  }

  /// Notifies the instances made for a top-level call of its success, if this frame is its root.
  func notifyAtEndOfOutermostCall() async throws { if isOutermost { try await notifyAtEndOfCall() } }

  /// Notifies the instances made for a call of its success.
  func notifyAtEndOfCall() async throws {
    let instances = if let attempt { attempt.awareInstances.load() } else { ownAwareInstances.load() }
    try await instances?.notifyAll()
  }

  func finish() { finished.store(true, ordering: .releasing) }

  /// The frame of the factory that the current task itself is running.
  static var ofCurrentTask: ResolutionFrame? {
    guard let frame = ambient, frame.task == TaskAddress.current, frame.isLive else { return nil }
    return frame
  }
}

/// A service under construction in a chain, or a binding on the way to one.
struct ChainedService {
  let identity: ServiceIdentity
  /// Whether the binding is an alias or a choice, which returns the instance of another one.
  let isIndirect: Bool
  /// Whether the service is made by a synchronous factory closure, which cannot wait for what it resolves.
  let isSynchronousFactory: Bool

  // Borrowing: an initialiser owns its parameters otherwise, and calls would contend for the binding's reference count.
  init(_ binding: borrowing Binding) {
    identity = binding.identity
    isIndirect = binding.isIndirect
    isSynchronousFactory = binding.descriptor.traits.isSynchronousFactory(binding.descriptor.factorySynchrony)
  }
}
