/// Boolean traits of a registration.
///
/// In two bytes, since a large registry has a hundred thousand sets of them.
struct RegistrationTraits: OptionSet, Sendable {
  let rawValue: UInt16

  /// The registration specifies a scope of its own.
  static let hasScope = RegistrationTraits(rawValue: 1 << 0)
  /// The registration is an alias or a choice: it returns the instance of another registration.
  static let isIndirect = RegistrationTraits(rawValue: 1 << 1)
  /// The registration wraps the instance of another one.
  static let isDecorated = RegistrationTraits(rawValue: 1 << 2)
  /// The user registered an instance, so there is nothing to build.
  static let isInstance = RegistrationTraits(rawValue: 1 << 3)
  /// The registration is autowired: the parameters of its initialiser are its dependencies.
  static let isAutowired = RegistrationTraits(rawValue: 1 << 4)
  /// ``Container/start()`` builds the service.
  static let isEager = RegistrationTraits(rawValue: 1 << 5)
  /// The parameters are looked up under the requested key first: ``Registration/inheritKey()``.
  static let inheritsKey = RegistrationTraits(rawValue: 1 << 6)
  /// The registration yields to an earlier one of its identity: ``Registration/ifNotRegistered()``.
  static let yieldsToEarlier = RegistrationTraits(rawValue: 1 << 7)
  /// The dependencies of the factory are declared, possibly as none.
  static let declaresDependencies = RegistrationTraits(rawValue: 1 << 8)
  /// The registration joins the others of its identity instead of replacing them: ``Registration/alternative()``.
  static let isAlternative = RegistrationTraits(rawValue: 1 << 9)
  /// A factory closure has a second, asynchronous form: ``Registration/suspending(_:)``.
  static let adaptsToDependencies = RegistrationTraits(rawValue: 1 << 10)

  // The kinds of hooks that run between the factory and the end of the build.
  static let hasSynchronousHook = RegistrationTraits(rawValue: 1 << 11)
  static let hasAsynchronousHook = RegistrationTraits(rawValue: 1 << 12)
  static let hasMainActorHook = RegistrationTraits(rawValue: 1 << 13)
  static let hasInjectingHook = RegistrationTraits(rawValue: 1 << 14)

  /// The service touches the world outside the program: ``Registration/external()``.
  static let isExternal = RegistrationTraits(rawValue: 1 << 15)

  /// The hooks that may take dependencies that are not among the known ones.
  private static let opaqueHooks: RegistrationTraits = [.hasSynchronousHook, .hasAsynchronousHook, .hasMainActorHook]

  /// Whether the dependencies of the factory are unknown.
  var isOpaque: Bool { isDisjoint(with: [.isAutowired, .declaresDependencies]) }

  /// Whether hooks run between the factory and the end of the build.
  var hasHooks: Bool { hasOpaqueHooks || contains(.hasInjectingHook) }

  /// Whether a hook may take dependencies that are not among the known ones.
  var hasOpaqueHooks: Bool { !isDisjoint(with: Self.opaqueHooks) }

  // The next two take one property of a descriptor besides the traits: a function of a binding's descriptor gets a copy of it, and threads
  // contend for the reference counts of its parts.

  /// Whether a synchronous factory closure resolves all dependencies, so that none of them can require suspension.
  ///
  /// Excludes registrations with an asynchronous hook: that hook may take the declared dependencies.
  func isSynchronousFactory(_ factory: Synchrony) -> Bool {
    factory.isOfSynchronousFunction
      && isDisjoint(with: [.isAutowired, .adaptsToDependencies, .isIndirect, .hasAsynchronousHook])
  }

  /// The synchrony of a factory together with the hooks.
  func synchrony(ofFactory factory: Synchrony) -> Synchrony {
    guard hasHooks else { return factory }
    if contains(.hasAsynchronousHook) { return .asynchronous }
    if factory != .asynchronous, contains(.hasMainActorHook) { return .mainActor }
    // With an injected property, a synchronous factory is as synchronous as the injected dependency.
    return factory == .synchronous && contains(.hasInjectingHook) ? .either : factory
  }

  /// Leaves the factory and the hooks to another binding.
  mutating func delegateMaking() {
    subtract(Self.opaqueHooks)
    subtract([.hasInjectingHook, .isInstance, .isExternal, .isEager])
  }
}
