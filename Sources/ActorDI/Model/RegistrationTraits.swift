/// Boolean traits of a registration, and the synchrony of its factory.
///
/// Stored apart from the rest of the ``Descriptor`` because they are read often: a copy moves three bytes.
struct RegistrationTraits: Sendable {
  private var traits: Flags = []
  /// Whether the factory may suspend.
  var factorySynchrony: Synchrony

  init(_ factorySynchrony: Synchrony) {
    self.factorySynchrony = factorySynchrony
  }

  struct Flags: OptionSet {
    let rawValue: UInt16

    /// Whether the registration specifies a scope of its own.
    static let hasScope = Flags(rawValue: 1 << 0)
    /// Whether the registration is an alias: it returns the instance of another registration.
    static let isIndirect = Flags(rawValue: 1 << 1)
    /// Whether the registration wraps the instance of another one.
    static let isDecorated = Flags(rawValue: 1 << 2)
    /// Whether the user registered an instance, so there is nothing to build.
    static let isInstance = Flags(rawValue: 1 << 3)
    /// Whether the registration is autowired: the parameters of its initialiser are its dependencies.
    static let isAutowired = Flags(rawValue: 1 << 4)
    /// Whether ``Container/start()`` builds the service.
    static let isEager = Flags(rawValue: 1 << 5)
    /// Whether the parameters are looked up under the requested key first: ``Registration/inheritKey()``.
    static let inheritsKey = Flags(rawValue: 1 << 6)
    /// Whether the registration yields to an earlier one of its identity: ``Registration/ifNotRegistered()``.
    static let yieldsToEarlier = Flags(rawValue: 1 << 7)
    /// Whether the dependencies of the factory are declared, possibly as none.
    static let declaresDependencies = Flags(rawValue: 1 << 8)
    static let hasSynchronousHook = Flags(rawValue: 1 << 9)
    static let hasAsynchronousHook = Flags(rawValue: 1 << 10)
    static let hasMainActorHook = Flags(rawValue: 1 << 11)
    static let hasInjectingHook = Flags(rawValue: 1 << 12)
    /// Whether the registration joins the others of its identity instead of replacing them: ``Registration/alternative()``.
    static let isAlternative = Flags(rawValue: 1 << 13)
    /// Whether a factory closure has a second, asynchronous form: ``Registration/suspending(_:)``.
    static let adaptsToDependencies = Flags(rawValue: 1 << 14)

    static let hasHooks: Flags = [
      .hasSynchronousHook, .hasAsynchronousHook, .hasMainActorHook, .hasInjectingHook,
    ]
  }

  subscript(trait: Flags) -> Bool {
    get { traits.contains(trait) }
    set { if newValue { traits.insert(trait) } else { traits.remove(trait) } }
  }

  /// Whether the dependencies of the factory are unknown.
  var isOpaque: Bool { !self[.isAutowired] && !self[.declaresDependencies] }

  /// Whether hooks run between the factory and the end of the build.
  var hasHooks: Bool { !traits.isDisjoint(with: .hasHooks) }
  /// Whether a hook may take dependencies that are not among the known ones.
  var hasOpaqueHooks: Bool { !traits.isDisjoint(with: Flags.hasHooks.subtracting(.hasInjectingHook)) }

  /// Whether a synchronous factory closure resolves all dependencies, so that none of them can require suspension.
  ///
  /// Excludes registrations with an asynchronous hook, which may be what takes the declared dependencies.
  var isSynchronousFactory: Bool {
    !self[.isAutowired] && !self[.adaptsToDependencies] && !self[.isIndirect] && !self[.hasAsynchronousHook]
      && (factorySynchrony == .synchronous || factorySynchrony == .mainActor)
  }

  /// The synchrony of the factory together with its hooks.
  var synchrony: Synchrony {
    guard hasHooks else { return factorySynchrony }
    if self[.hasAsynchronousHook] { return .asynchronous }
    if factorySynchrony != .asynchronous, self[.hasMainActorHook] { return .mainActor }
    // With an injected property, a synchronous factory is as synchronous as the injected dependency.
    return factorySynchrony == .synchronous && self[.hasInjectingHook] ? .either : factorySynchrony
  }

  mutating func noteHook(_ synchrony: Synchrony) {
    switch synchrony {
    case .synchronous: self[.hasSynchronousHook] = true
    case .asynchronous: self[.hasAsynchronousHook] = true
    case .mainActor: self[.hasMainActorHook] = true
    case .either: self[.hasInjectingHook] = true
    }
  }

  /// Leaves the making of the instance, including the hooks, to another binding.
  ///
  /// - Parameter synchrony: How to obtain the other binding's instance.
  mutating func leaveMaking(_ synchrony: Synchrony) {
    traits.subtract(.hasHooks)
    self[.isInstance] = false
    factorySynchrony = synchrony
  }

  /// Notes that a synchronous factory closure gets an asynchronous form.
  ///
  /// - Returns: False if the registration has no such closure.
  mutating func adaptToDependencies() -> Bool {
    guard !self[.isInstance] && !self[.isAutowired] else { return false }
    switch factorySynchrony {
    case .synchronous: factorySynchrony = .either
    case .mainActor: break
    case .asynchronous, .either: return false
    }
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
