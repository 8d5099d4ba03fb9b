internal import Synchronization

/// Reports the events of one resolve that may make an instance: the build begins, succeeds or fails, or the caller waits for
/// another build.
///
/// An observation exists only while the container has observers or subscribers. Otherwise a resolve that makes an instance
/// loads one word: it reads no clock, builds no path and allocates nothing.
///
/// An instance is reported before any other caller can get it. So the events of dependencies precede those of the services
/// that take them, whatever threads they are made on.
final class BuildObservation: Sendable {
  /// The container that reports the events: the owner of a kept instance, or else the container that was asked.
  private let home: Container
  private let binding: Binding

  init(of binding: Binding, in home: Container) {
    self.binding = binding
    self.home = home
  }

  var now: ContinuousClock.Instant { .now }

  /// Observes the factory and hooks of a kept instance on this thread. They run as part of the build; so do resolves that an
  /// observer makes meanwhile.
  func creating(by attempt: Attempt, _ build: () throws -> Product) throws -> Product {
    let began = begin(Resolver.chainOfCaller, after: attempt.suspended)
    do {
      let product = try build()
      // An observer that resolves the service gets this instance, as a hook does.
      attempt.setProvisional(product.instance)
      created(since: began, Resolver.chainOfCaller, by: attempt)
      return product
    } catch var needed as OnceCell.SuspensionNeeded {
      attempt.setProvisional(nil)
      needed.duration = began.duration(to: now)
      throw needed
    } catch {
      attempt.setProvisional(nil)
      failed(error, since: began, Resolver.chainOfCaller)
      throw error
    }
  }

  /// Observes the factory and hooks of an instance that is not kept, on this thread.
  func creating<Service>(_ make: () throws -> Service) throws -> Service {
    let began = begin(Resolver.chainOfCaller, after: nil)
    do {
      let service = try make()
      created(since: began, Resolver.chainOfCaller)
      return service
    } catch {
      failed(error, since: began, Resolver.chainOfCaller)
      throw error
    }
  }

  /// Reports that the build begins.
  ///
  /// - Parameter suspended: The duration of the run that the build continues, whose beginning has been reported; nil if there is none.
  /// - Returns: The time of the beginning, taken after the report.
  func begin(_ chain: Chain, after suspended: Duration?) -> ContinuousClock.Instant {
    if suspended == nil { notify(.building, chain.path) }
    return now - (suspended ?? .zero)
  }

  /// Reports a created instance.
  ///
  /// - Parameter attempt: Records the times of the build for ``Container/instances``; nil for an instance that is not kept.
  func created(since began: ContinuousClock.Instant, _ chain: Chain, by attempt: Attempt? = nil) {
    let duration = began.duration(to: now)
    attempt?.setTimes(BuildTimes(end: now, duration: duration))
    notify(.created(duration: duration), chain.path)
  }

  func failed(_ error: any Error, since began: ContinuousClock.Instant, _ chain: Chain) {
    switch error {
    // The build continues, or it was none.
    case is OnceCell.SuspensionNeeded, is PrimaryIsGone: break
    default: notify(.failed(error: error, duration: began.duration(to: now)), chain.path)
    }
  }

  /// Reports that the caller waited for another caller's build.
  ///
  /// - Parameters:
  ///   - began: The start of the wait; nil if it was not measured because there was no observation.
  ///   - chain: The chain of the waiting caller.
  func waited(since began: ContinuousClock.Instant?, _ chain: Chain) {
    guard let began else { return }
    notify(.waited(duration: began.duration(to: now)), chain.path(to: binding.identity))
  }

  private func notify(_ kind: ContainerEvent.Kind, _ path: [ServiceIdentity]) {
    home.emit(kind, of: binding, path: path)
  }

  // MARK: Conditions for an observation

  /// The number of containers in the process that have an observer or an event subscriber.
  private static let observedContainers = Atomic<Int>(0)

  static var isPossible: Bool { observedContainers.load(ordering: .relaxed) != 0 }

  /// Counts a container whose observation begins or ends.
  static func count(_ isObserved: Bool) {
    observedContainers.add(isObserved ? 1 : -1, ordering: .relaxed)
  }
}

extension BuildObservation? {
  func creating(by attempt: Attempt, _ build: () throws -> Product) throws -> Product {
    guard let self else { return try build() }
    return try self.creating(by: attempt, build)
  }

  func creating<Service>(_ make: () throws -> Service) throws -> Service {
    guard let self else { return try make() }
    return try self.creating(make)
  }
}

extension Binding {
  /// The observation for a call that may make an instance; nil if the container is not observed.
  final func observation(for resolver: Resolver) -> BuildObservation? {
    guard BuildObservation.isPossible || isShortcutWithheld else { return nil }
    return wantedObservation(in: keeper(for: resolver.container) ?? resolver.container)
  }

  /// The observation for a call that may make an instance, given the reporting container.
  ///
  /// - Parameter home: The owner of a kept instance, or else the container that was asked.
  final func observation(in home: Container) -> BuildObservation? {
    guard BuildObservation.isPossible || isShortcutWithheld else { return nil }
    return wantedObservation(in: home)
  }

  @inline(never)
  private final func wantedObservation(in home: Container) -> BuildObservation? {
    if isShortcutWithheld { unsafe owner.restoreShortcuts() }
    // An alias or a set of candidates builds nothing itself; a registered instance was made by the user.
    let traits = descriptor.traits
    guard home.isObserved, !traits.isIndirect, !traits.isInstance, !isBehindDecorator else { return nil }
    return BuildObservation(of: self, in: home)
  }

  /// Runs the factory and hooks for a caller that can suspend, and observes them.
  final func build(
    _ recipe: Recipe, _ resolver: Resolver, _ attempt: Attempt?,
    incomplete: Instance? = nil, _ observation: BuildObservation?
  ) async throws -> Instance {
    guard let observation else {
      return try await build(recipe, resolver, attempt, incomplete: incomplete)
    }
    // The synchronous call that has made an incomplete transient has reported its beginning.
    let isBegun = attempt == nil && incomplete != nil
    let began = observation.begin(Chain(resolver.frame), after: attempt?.suspended ?? (isBegun ? .zero : nil))
    do {
      let instance = try await build(recipe, resolver, attempt, incomplete: incomplete)
      attempt?.setProvisional(instance)
      observation.created(since: began, Chain(resolver.frame), by: attempt)
      return instance
    } catch {
      attempt?.setProvisional(nil)
      observation.failed(error, since: began, Chain(resolver.frame))
      throw error
    }
  }
}

extension Binding {
  /// Whether the observation of the container alone prevents a resolve by a single factory call.
  final var isShortcutWithheld: Bool {
    mayBePlainTransient && !isPlainTransient.load(ordering: .relaxed)
  }

  /// Enables or disables the shortcut by a single factory call. The caller holds the registry's lock.
  final func useShortcut(_ isUsed: Bool) {
    isPlainTransient.store(isUsed && mayBePlainTransient, ordering: .relaxed)
  }

  /// Whether a decorator wraps this binding's instance. The decorator's binding reports the events then.
  fileprivate final var isBehindDecorator: Bool {
    let wrappers = unsafe owner.registry.withLock { _ in
      // The owner of a wrapper may be gone by now: the array is released after the lock.
      Array(sequence(first: self) { $0.wrapper })
    }
    return wrappers.dropFirst().contains(where: \.isDecorator)
  }
}
