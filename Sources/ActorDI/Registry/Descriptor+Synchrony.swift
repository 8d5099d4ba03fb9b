// Whether the factory and the hooks of a registration can run without suspending.
extension Descriptor {
  /// Whether the factory is a synchronous function, possibly of the main actor.
  private var hasSynchronousFactory: Bool { factorySynchrony == .synchronous || factorySynchrony == .mainActor }

  /// Whether a synchronous factory closure resolves all dependencies, so that none of them can require suspension.
  ///
  /// Excludes registrations with an asynchronous hook: that hook may take the declared dependencies.
  var isSynchronousFactory: Bool {
    hasSynchronousFactory
      && traits.isDisjoint(with: [.isAutowired, .adaptsToDependencies, .isIndirect, .hasAsynchronousHook])
  }

  /// Whether only synchronous hooks can resolve the declared dependencies, so that none of them can require suspension: the initialiser
  /// takes its parameters instead.
  var hasOnlySynchronousHooks: Bool {
    traits.contains(.isAutowired) && !traits.isDisjoint(with: [.hasSynchronousHook, .hasMainActorHook])
      && traits.isDisjoint(with: [.isIndirect, .hasAsynchronousHook])
  }

  /// The synchrony of the factory together with its hooks.
  var synchrony: Synchrony {
    guard traits.hasHooks else { return factorySynchrony }
    if traits.contains(.hasAsynchronousHook) { return .asynchronous }
    if factorySynchrony != .asynchronous, traits.contains(.hasMainActorHook) { return .mainActor }
    // With an injected property, a synchronous factory is as synchronous as the injected dependency.
    return factorySynchrony == .synchronous && traits.contains(.hasInjectingHook) ? .either : factorySynchrony
  }

  /// Notes that a synchronous factory closure gets an asynchronous form.
  ///
  /// - Returns: False if the registration has no such closure, or has an asynchronous form already.
  mutating func adaptToDependencies() -> Bool {
    guard hasSynchronousFactory, traits.isDisjoint(with: [.isInstance, .isAutowired, .adaptsToDependencies]) else {
      return false
    }
    if factorySynchrony == .synchronous { factorySynchrony = .either }
    traits.insert(.adaptsToDependencies)
    return true
  }
}
