internal import Synchronization

/// What one resolve tells of the making of an instance: that it begins, that it was created or that this failed, or that another's build was
/// waited for.
///
/// There is one only while somebody wants to be told. Without, a resolve that makes something loads one word; no clock is read, no
/// path is built, nothing is allocated.
///
/// What was made is told of before anybody else can have it: so the events of dependencies come before those of the services that take them,
/// on whatever threads they are made.
final class BuildObservation: Sendable {
  /// Where it happens: the container that keeps the instance, or is asked for one that is not kept.
  private let home: Container
  private let binding: Binding
  /// How long an earlier run took, in which the instance was made and could not be completed.
  private let earlier = Lock(Duration.zero)
  /// Whether it was told that it begins.
  private let hasBegun = Atomic<Bool>(false)

  init(of binding: Binding, in home: Container) {
    self.binding = binding
    self.home = home
  }

  var now: ContinuousClock.Instant { .now }

  /// Factory and hooks of a kept instance, on this thread. Part of the attempt: what an observer resolves meanwhile is, too.
  func creating(by attempt: Attempt, _ build: () throws -> Product) throws -> Product {
    let began = begin(Resolver.chainOfCaller)
    do {
      let product = try build()
      // An observer that asks for it gets it, as a hook does.
      attempt.setProvisional(product.instance)
      created(since: began, Resolver.chainOfCaller, by: attempt)
      return product
    } catch {
      attempt.setProvisional(nil)
      failed(error, since: began, Resolver.chainOfCaller)
      throw error
    }
  }

  /// Factory and hooks of an instance that is not kept, on this thread.
  func creating<Service>(_ make: () throws -> Service) throws -> Service {
    let began = begin(Resolver.chainOfCaller)
    do {
      let service = try make()
      created(since: began, Resolver.chainOfCaller)
      return service
    } catch {
      failed(error, since: began, Resolver.chainOfCaller)
      throw error
    }
  }

  /// - Returns: when it has begun, after having told of it.
  func begin(_ chain: Chain) -> ContinuousClock.Instant {
    // Not again for one that goes on in a task.
    if !hasBegun.exchange(true, ordering: .relaxed) { tell(.building, chain.path) }
    return now
  }

  /// - Parameter attempt: notes it for those who ask when the instance was made; nil for one that is not kept.
  func created(since began: ContinuousClock.Instant, _ chain: Chain, by attempt: Attempt? = nil) {
    let duration = duration(since: began)
    attempt?.setTimes(BuildTimes(end: now, duration: duration))
    tell(.created(duration: duration), chain.path)
  }

  func failed(_ error: any Error, since began: ContinuousClock.Instant, _ chain: Chain) {
    switch error {
    case is OnceCell.SuspensionNeeded:
      let duration = began.duration(to: now)
      earlier.withLock { $0 += duration }
    case is PrimaryIsGone: break
    default: tell(.failed(error: error, duration: duration(since: began)), chain.path)
    }
  }

  /// - Parameters:
  ///   - began: nil if it was not looked at, since there was no observation.
  ///   - chain: who has waited.
  func waited(since began: ContinuousClock.Instant?, _ chain: Chain) {
    guard let began else { return }
    tell(.waited(duration: began.duration(to: now)), chain.path(to: binding.identity))
  }

  private func duration(since began: ContinuousClock.Instant) -> Duration {
    earlier.withLock { $0 } + began.duration(to: now)
  }

  private func tell(_ kind: ContainerEvent.Kind, _ path: [ServiceIdentity]) {
    home.emit(kind, of: binding, path: path)
  }

  // MARK: Whether there is one

  /// How many containers of the process have an observer, or a subscriber to their events.
  private static let observedContainers = Atomic<Int>(0)

  static var isPossible: Bool { observedContainers.load(ordering: .relaxed) != 0 }

  /// A container comes to be observed, or is not observed any more.
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
  /// The observation of a call that may make an instance; nil when nobody wants to be told.
  final func observation(for resolver: Resolver) -> BuildObservation? {
    guard BuildObservation.isPossible || isShortcutWithheld else { return nil }
    return wantedObservation(in: keeper(for: resolver.container) ?? resolver.container)
  }

  /// The same, given the container where it happens.
  ///
  /// - Parameter home: the container that keeps the instance, or is asked for one that is not kept.
  final func observation(in home: Container) -> BuildObservation? {
    guard BuildObservation.isPossible || isShortcutWithheld else { return nil }
    return wantedObservation(in: home)
  }

  @inline(never)
  private final func wantedObservation(in home: Container) -> BuildObservation? {
    if isShortcutWithheld { unsafe owner.restoreShortcuts() }
    // A forward makes nothing, nor does a group; a registered instance was made by the user.
    let nature = descriptor.nature
    guard home.isObserved, !nature.isForward, !nature.isInstance, !isBehindDecorator else { return nil }
    return BuildObservation(of: self, in: home)
  }

  /// Factory and hooks for a caller that suspends, with an observation of them.
  final func build(
    _ recipe: Recipe, _ resolver: Resolver, _ attempt: Attempt?,
    incomplete: Instance? = nil, _ observation: BuildObservation?
  ) async throws -> Instance {
    guard let observation else {
      return try await build(recipe, resolver, attempt, incomplete: incomplete)
    }
    let began = observation.begin(Chain(resolver.frame))
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
  /// Whether it would be resolved by one call of its factory, if nobody wanted to be told.
  final var isShortcutWithheld: Bool {
    mayBePlainTransient && !isPlainTransient.load(ordering: .relaxed)
  }

  /// Under the registry's lock.
  final func useShortcut(_ isUsed: Bool) {
    isPlainTransient.store(isUsed && mayBePlainTransient, ordering: .relaxed)
  }

  /// Whether a decorator wraps what it makes: then the wrapped instance is the one that is told of.
  fileprivate final var isBehindDecorator: Bool {
    let wrappers = unsafe owner.registry.withLock { _ in
      // What holds it may be gone meanwhile: it is let go of after the lock.
      Array(sequence(first: self) { $0.wrapper })
    }
    return wrappers.dropFirst().contains(where: \.isDecorator)
  }
}
