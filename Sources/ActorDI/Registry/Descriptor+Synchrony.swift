// Whether the factory and the hooks of a registration can run without suspending.
extension Descriptor {
  /// See ``RegistrationTraits/isSynchronousFactory(_:)``.
  var isSynchronousFactory: Bool { traits.isSynchronousFactory(factorySynchrony) }

  /// Whether only synchronous hooks can resolve the declared dependencies, so that none of them can require suspension: the initialiser
  /// takes its parameters instead.
  var hasOnlySynchronousHooks: Bool {
    traits.contains(.isAutowired) && !traits.isDisjoint(with: [.hasSynchronousHook, .hasMainActorHook])
      && traits.isDisjoint(with: [.isIndirect, .hasAsynchronousHook])
  }

  /// The synchrony of the factory together with its hooks.
  var synchrony: Synchrony { traits.synchrony(ofFactory: factorySynchrony) }

  /// Notes that a synchronous factory closure gets an asynchronous form.
  ///
  /// - Returns: False if the registration has no such closure, or has an asynchronous form already.
  mutating func adaptToDependencies() -> Bool {
    guard factorySynchrony.isOfSynchronousFunction,
      traits.isDisjoint(with: [.isInstance, .isAutowired, .adaptsToDependencies])
    else {
      return false
    }
    if factorySynchrony == .synchronous { factorySynchrony = .either }
    traits.insert(.adaptsToDependencies)
    return true
  }
}
