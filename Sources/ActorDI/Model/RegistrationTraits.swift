/// Boolean traits of a registration, and the synchrony of its factory.
///
/// Stored apart from the rest of the ``Descriptor`` because they are read often: a copy moves three bytes.
struct RegistrationTraits: Sendable {
  private var traits = Bits16()
  /// Whether the factory may suspend.
  var factorySynchrony: Synchrony

  init(_ factorySynchrony: Synchrony) { self.factorySynchrony = factorySynchrony }

  enum Trait: UInt16 {
    /// Whether the registration specifies a scope of its own.
    case hasScope
    /// Whether the registration is an alias: it returns the instance of another registration.
    case isIndirect
    /// Whether the registration wraps the instance of another one.
    case isDecorated
    /// Whether the user registered an instance, so there is nothing to build.
    case isInstance
    /// Whether the registration is autowired: the parameters of its initialiser are its dependencies.
    case isAutowired
    /// Whether ``Container/start()`` builds the service.
    case isEager
    /// Whether the parameters are looked up under the requested key first: ``Registration/inheritKey()``.
    case inheritsKey
    /// Whether the registration yields to an earlier one of its identity: ``Registration/ifNotRegistered()``.
    case yieldsToEarlier
    /// Whether the dependencies of the factory are declared, possibly as none.
    case declaresDependencies
    case hasSynchronousHook
    case hasAsynchronousHook
    case hasMainActorHook
    case hasInjectingHook
    /// Whether the registration joins the others of its identity instead of replacing them: ``Registration/alternative()``.
    case isAlternative
    /// Whether a factory closure has a second, asynchronous form: ``Registration/suspending(_:)``.
    case adaptsToDependencies
  }

  subscript(trait: Trait) -> Bool {
    get { traits[trait.rawValue] }
    set { traits[trait.rawValue] = newValue }
  }

  /// Whether the dependencies of the factory are unknown.
  var isOpaque: Bool { !self[.isAutowired] && !self[.declaresDependencies] }

  /// Whether hooks run between the factory and the end of the build.
  var hasHooks: Bool { hasOpaqueHooks || self[.hasInjectingHook] }
  /// Whether a hook may take dependencies that are not among the known ones.
  var hasOpaqueHooks: Bool { self[.hasSynchronousHook] || self[.hasAsynchronousHook] || self[.hasMainActorHook] }

  /// Whether a synchronous factory closure resolves all dependencies, so that none of them can require suspension.
  ///
  /// Excludes registrations with an asynchronous hook: that hook may take the declared dependencies.
  var isSynchronousFactory: Bool {
    hasSynchronousFactory && !self[.isAutowired] && !self[.adaptsToDependencies] && !self[.isIndirect]
      && !self[.hasAsynchronousHook]
  }

  /// Whether the factory is a synchronous function, possibly of the main actor.
  private var hasSynchronousFactory: Bool { factorySynchrony == .synchronous || factorySynchrony == .mainActor }

  /// The synchrony of the factory together with its hooks.
  var synchrony: Synchrony {
    guard hasHooks else { return factorySynchrony }
    if self[.hasAsynchronousHook] { return .asynchronous }
    if factorySynchrony != .asynchronous, self[.hasMainActorHook] { return .mainActor }
    // With an injected property, a synchronous factory is as synchronous as the injected dependency.
    return factorySynchrony == .synchronous && self[.hasInjectingHook] ? .either : factorySynchrony
  }

  /// Leaves the factory and the hooks to another binding.
  ///
  /// - Parameter synchrony: How to obtain the other binding's instance.
  mutating func delegateMaking(_ synchrony: Synchrony) {
    for trait in [Trait.hasSynchronousHook, .hasAsynchronousHook, .hasMainActorHook, .hasInjectingHook, .isInstance] {
      self[trait] = false
    }
    factorySynchrony = synchrony
  }

  /// Notes that a synchronous factory closure gets an asynchronous form.
  ///
  /// - Returns: False if the registration has no such closure.
  mutating func adaptToDependencies() -> Bool {
    guard hasSynchronousFactory, !self[.isInstance], !self[.isAutowired] else { return false }
    if factorySynchrony == .synchronous { factorySynchrony = .either }
    self[.adaptsToDependencies] = true
    return true
  }
}

/// Whether an instance can be obtained without suspending.
@usableFromInline
enum Synchrony: UInt8, Sendable {
  /// The factory is synchronous.
  case synchronous
  /// The factory is asynchronous.
  case asynchronous
  /// As synchronous as the dependencies: an autowired initialiser.
  case either
  /// Synchronous on the main thread; elsewhere the caller must suspend.
  case mainActor
}
