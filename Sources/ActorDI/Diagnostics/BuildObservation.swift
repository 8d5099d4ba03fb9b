internal import Synchronization

/// Reports the events of one resolve that may make an instance: the build begins, succeeds or fails, or the caller waits for
/// another build.
///
/// An observation exists only while the container has observers or subscribers. Otherwise a resolve that makes an instance
/// loads one word: it reads no clock, builds no path and allocates nothing.
///
/// An instance is reported before any other caller can get it. So the events of dependencies precede the events of the
/// services that take them, also across threads.
struct BuildObservation {
  /// The container that reports the events: the keeper of a kept instance, or else the container that was asked.
  fileprivate let reporter: Container
  fileprivate let binding: Binding

  var now: Moment { .now }

  // Not inlined: few builds are observed, and its frame would become part of each build's.
  @inline(never)
  fileprivate func observe(
    _ attempt: Attempt?, continuing suspended: ObservedRun?, _ make: () throws -> Instance
  ) throws -> Instance {
    let record = ThreadRecordPointer.current
    let outer = record.pointee.observedBuild
    defer { record.pointee.observedBuild = outer }
    let chain = Resolver.chainOfCaller()
    let run = begin(chain, in: outer, continuing: suspended ?? attempt?.continuedRun)
    record.pointee.observedBuild = run.id
    do {
      let instance = try make()
      created(instance, by: attempt, run, chain)
      return instance
    } catch var needed as OnceCell.SuspensionNeeded {
      attempt?.setProvisional(nil)
      needed.run = suspend(run, chain, failure: needed.error ?? .asyncRequired(binding.identity, chain))
      throw needed
    } catch var rest as any RestOfBuild {
      // The instance is given to the builds that lead to it.
      rest.run = suspend(run, chain, failure: OnceCell.Dropped())
      throw rest
    } catch {
      failed(error, by: attempt, run, chain)
      throw error
    }
  }

  private static let lastID = Atomic<UInt64>(0)

  /// A run of a factory and its hooks, whose beginning has been reported.
  fileprivate struct Run {
    /// The number of the build.
    let id: UInt64
    /// The number of the build that requested this one; 0 for none.
    let parent: UInt64
    let began: Moment
    /// The duration before the run was continued.
    var earlier = Duration.zero

    func duration(to end: Moment) -> Duration { earlier + began.duration(to: end) }
  }

  /// Reports that a build begins.
  ///
  /// - Parameters:
  ///   - parent: The number of the build on this thread that has requested it; 0 for none.
  ///   - suspended: The run that the build continues, whose beginning has been reported; nil if there is none.
  /// - Returns: The build. Its time is taken after the report.
  fileprivate func begin(_ chain: Chain, in parent: UInt64, continuing suspended: ObservedRun?) -> Run {
    if let suspended {
      suspended.markContinued()
      return Run(id: suspended.id, parent: suspended.parent, began: now, earlier: suspended.duration)
    }
    let id = Self.lastID.add(1, ordering: .relaxed).newValue
    let parent = parent != 0 ? parent : chain.frame?.requestingBuild ?? 0
    notify(.building, chain.path, id, parent)
    return Run(id: id, parent: parent, began: now)
  }

  /// Leaves a run for a later build to continue.
  ///
  /// - Parameter failure: The error of the run if no build continues it.
  private func suspend(_ run: Run, _ chain: Chain, failure: any Error) -> ObservedRun {
    let duration = run.duration(to: now)
    // Weak: a cell of the reporting container may keep the run.
    return ObservedRun(id: run.id, parent: run.parent, duration: duration) {
      [weak reporter, identity = binding.identity, scope = binding.effectiveScope, path = chain.path] in
      reporter?.emit(.failed(error: failure, duration: duration), of: identity, scope, path: path, run.id, run.parent)
    }
  }

  /// Reports a created instance.
  fileprivate func created(_ instance: Instance, by attempt: Attempt?, _ run: Run, _ chain: Chain) {
    // An observer that resolves the service gets this instance, as a hook does.
    attempt?.setProvisional(instance)
    let end = now
    let duration = run.duration(to: end)
    attempt?.setTimes(BuildTimes(end: end, duration: duration))
    notify(.created(duration: duration), chain.path, run.id, run.parent)
  }

  fileprivate func failed(_ error: any Error, by attempt: Attempt?, _ run: Run, _ chain: Chain) {
    attempt?.setProvisional(nil)
    // If the binding behind this one is gone, the caller searches again.
    let error = error is BindingIsGone ? OnceCell.Dropped() : error
    notify(.failed(error: error, duration: run.duration(to: now)), chain.path, run.id, run.parent)
  }

  /// Reports that the caller waited for another caller's build.
  ///
  /// - Parameters:
  ///   - began: The start of the wait; nil if it was not measured because there was no observation.
  ///   - chain: The chain of the waiting caller.
  func waited(since began: Moment?, _ chain: Chain) {
    guard let began else { return }
    notify(.waited(duration: began.duration(to: now)), chain.path(to: binding.identity))
  }

  private func notify(_ kind: ContainerEvent.Kind, _ path: [ServiceIdentity], _ id: UInt64 = 0, _ parent: UInt64 = 0) {
    reporter.emit(kind, of: binding.identity, binding.effectiveScope, path: path, id, parent)
  }

  // MARK: Conditions for an observation

  /// The number of containers in the process that have observers, and of subscribers to events.
  private static let listeners = Atomic<Int>(0)

  static var isPossible: Bool { listeners.load(ordering: .relaxed) != 0 }

  /// Counts a listener that arrives or leaves.
  static func count(_ isListening: Bool) { listeners.add(isListening ? 1 : -1, ordering: .relaxed) }
}

extension ResolutionFrame {
  /// The number of the innermost reported build in this chain; 0 for none.
  fileprivate var requestingBuild: UInt64 {
    sequence(first: self, next: \.parent).lazy.map { unsafe $0.observedBuild }.first { $0 != 0 } ?? 0
  }
}

extension BuildObservation? {
  /// Makes an instance on this thread, and reports its factory and hooks. They run as part of the build; so do resolves that an observer
  /// makes meanwhile.
  ///
  /// - Parameters:
  ///   - attempt: The build of a kept instance; nil for any other instance.
  ///   - suspended: The run that the build continues; nil for the run that the attempt continues, if there is one.
  func creating(
    by attempt: Attempt? = nil, continuing suspended: ObservedRun? = nil, _ make: () throws -> Instance
  ) throws -> Instance {
    guard let self else { return try make() }
    return try self.observe(attempt, continuing: suspended, make)
  }

  /// Makes an instance in the task of a frame, and reports its factory and hooks.
  func creating(
    by attempt: Attempt?, in frame: ResolutionFrame?, continuing suspended: ObservedRun? = nil,
    _ make: () async throws -> Instance
  ) async throws -> Instance {
    guard let self else { return try await make() }
    let run = self.begin(Chain(frame), in: 0, continuing: suspended ?? attempt?.continuedRun)
    unsafe frame?.observedBuild = run.id
    do {
      let instance = try await make()
      self.created(instance, by: attempt, run, Chain(frame))
      return instance
    } catch {
      self.failed(error, by: attempt, run, Chain(frame))
      throw error
    }
  }
}

extension Binding {
  /// The observation for a call that may make an instance; nil if the reporting container is not observed.
  func observation(asking container: Container) -> BuildObservation? {
    guard BuildObservation.isPossible else { return nil }
    return wantedObservation(in: keeper(for: container) ?? container)
  }

  // Not inlined: its frame would become part of that of each call that makes an instance.
  @inline(never)
  private func wantedObservation(in reporter: Container) -> BuildObservation? {
    // An alias or a set of candidates builds nothing itself; a registered instance was made by the user.
    guard reporter.isObserved, descriptor.traits.isDisjoint(with: [.isIndirect, .isInstance]), !isBehindDecorator
    else { return nil }
    return BuildObservation(reporter: reporter, binding: self)
  }

  /// Whether a decorator wraps this binding's instance. The decorator's binding reports the events then.
  private var isBehindDecorator: Bool {
    let wrappers = unsafe owner.registry.withLock { _ in
      // The owner of a wrapper may be gone by now: the array is released after the lock.
      Array(sequence(first: self) { $0.outer })
    }
    return wrappers.dropFirst().contains(where: \.isDecorator)
  }
}
