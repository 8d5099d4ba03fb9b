internal import Synchronization

/// One level of an asynchronous resolution: which service is being made, and for whom.
///
/// Synchronous chains need no frames: they are the slots of their thread's ``ThreadRecord``. An asynchronous factory may
/// suspend, change threads and resolve in child tasks, so its chain is a list on the heap that its ``Resolver`` carries.
///
/// `@unchecked Sendable` as its superclass; what it adds is immutable or atomic, but for the parent.
@usableFromInline
final class ResolutionFrame: LinkedElement, @unchecked Sendable {
  /// The service; nil for the root of a call.
  let identity: ServiceIdentity?
  /// Address of the service's binding, to recognise it; not to be followed.
  let binding: UInt
  /// The container whose registrations the service is made with; nil for a root.
  let container: Container?
  /// Whether the service is another one's, shown under its own type.
  let isForward: Bool
  /// The innermost attempt that this frame is part of.
  let attempt: Attempt?
  let depth: Int
  /// The call tree's `.graph` instances.
  let graph: ResolutionGraph
  /// The task that runs the factory: a frame speaks for its own task only, not for those started in it.
  private let task: UInt

  /// `nonisolated(unsafe)` because it is changed in `deinit` only.
  nonisolated(unsafe) private var parentFrame: ResolutionFrame?
  /// The root of the call; nil if it is this. Unowned, since the parents keep it.
  unowned(unsafe) private let root: ResolutionFrame?
  /// Whether the frame stands for several resolves, and ends when whoever made it says so.
  private let isShared: Bool
  /// The instances that are told when the call has ended, of a root.
  private let ownAwareInstances = LazyReference<AwareInstances>()
  private let finished = Atomic<Bool>(false)
  /// Whether the factory is running, and is part of an attempt.
  let isRecording: Atomic<Bool>

  /// The frame of the factory that runs in this task, for calls through a captured container.
  @TaskLocal static var ambient: ResolutionFrame?

  /// How deep an asynchronous chain may get.
  static var maximumDepth: Int { 16_384 }

  init(_ binding: Binding, in container: Container, parent: ResolutionFrame?, attempt: Attempt?) {
    self.container = container
    identity = binding.identity
    self.binding = binding.address
    isForward = binding.isForward
    self.attempt = attempt ?? parent?.attempt
    depth = (parent?.depth ?? 0) + 1
    graph = parent?.graph ?? ResolutionGraph()
    task = TaskAddress.current
    unsafe parentFrame = parent
    unsafe root = parent?.root ?? parent
    isShared = false
    isRecording = Atomic(self.attempt != nil)
  }

  /// A frame that is no service: the root of a call, with the graph that its services share.
  ///
  /// - Parameter isShared: whether the call consists of several resolves.
  init(
    graph: ResolutionGraph, parent: ResolutionFrame? = nil, attempt: Attempt? = nil,
    isShared: Bool = false
  ) {
    container = nil
    identity = nil
    binding = 0
    isForward = false
    self.attempt = attempt ?? parent?.attempt
    depth = parent?.depth ?? 0
    self.graph = graph
    task = 0
    unsafe parentFrame = parent
    unsafe root = parent?.root ?? parent
    self.isShared = isShared
    isRecording = Atomic(self.attempt != nil)
  }

  deinit {
    // One by one: a chain of thousands must not be released recursively.
    var next = unsafe parentFrame
    unsafe parentFrame = nil
    while isKnownUniquelyReferenced(&next) {
      let above = unsafe next?.parentFrame
      unsafe next?.parentFrame = nil
      next = above
    }
  }

  var parent: ResolutionFrame? { unsafe parentFrame }

  /// Whether the factory is still running. A resolver that outlives its factory begins chains of its own.
  var isLive: Bool {
    !finished.load(ordering: .acquiring) && !(attempt?.isFinished ?? false)
  }

  /// Whether a resolve in this frame is a top-level call of its own.
  var isOutermost: Bool { unsafe identity == nil && parentFrame == nil && !isShared }

  /// At the end of a top-level call: what was only held for it is let go of.
  func endOutermostCall() {
    if isOutermost { graph.endCall() }
  }

  /// At the end of several resolves that are one call.
  func endSharedCall() { graph.endCall() }

  // MARK: Instances that are told of the end

  /// Where instances are noted that are made now: with the attempt, since it may outlive the call that started it; else with the call.
  private var awareInstances: AwareInstances {
    if let attempt { return attempt.awareInstances.made }
    return unsafe (root ?? self).ownAwareInstances.made
  }

  /// Notes a new instance.
  ///
  /// - Returns: its number, to take it back by.
  func note(_ instance: any ResolutionAware) -> UInt64 { awareInstances.add(instance) }

  func takeBack(_ number: UInt64) { awareInstances.remove(number) }

  /// The call has the instance of an attempt: what was made for that was made for the call. The first of several that wait takes it
  /// over.
  func adoptInstances(of attempt: Attempt) {
    // Before its end it would be those of an instance that is only lent to its own hooks.
    guard attempt.isFinished || attempt.isHeld, let theirs = attempt.awareInstances.load()?.takeAll(),
      !theirs.isEmpty
    else { return }
    awareInstances.add(theirs)
  }

  /// At the successful end of a top-level call: tells the instances that were made for it.
  func tellAtEndOfOutermostCall() async throws {
    if isOutermost { try await tellAtEndOfSharedCall() }
  }

  /// The same for several resolves that are one call.
  func tellAtEndOfSharedCall() async throws {
    if let attempt {
      try await attempt.awareInstances.load()?.tellAll()
    } else {
      try await ownAwareInstances.load()?.tellAll()
    }
  }

  /// Whether one of the services under construction here is made with the registrations of a container, or of one below it.
  func isBuilding(below container: Container) -> Bool {
    sequence(first: self, next: \.parent).contains { $0.container?.isBelow(container) ?? false }
  }

  func finish() {
    finished.store(true, ordering: .releasing)
    isRecording.store(false, ordering: .relaxed)
  }

  /// The frame of the factory that this very task is running.
  static var ofCurrentTask: ResolutionFrame? {
    guard let frame = ambient, frame.task == TaskAddress.current, frame.isLive else { return nil }
    return frame
  }

  /// The services from the nearest frame that fits down to this one; nil when none does.
  ///
  /// - Complexity: O(*k*) for a frame *k* steps above.
  func path(since isStart: (ResolutionFrame) -> Bool) -> [ServiceIdentity]? {
    var frame: ResolutionFrame? = self
    while let current = frame, !isStart(current) { frame = current.parent }
    guard let start = frame else { return nil }
    var path: [ServiceIdentity] = []
    frame = self
    while let current = frame {
      if let identity = current.identity { path.append(identity) }
      if current === start { break }
      frame = current.parent
    }
    return path.reversed()
  }
}
