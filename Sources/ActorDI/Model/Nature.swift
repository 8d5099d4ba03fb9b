/// What is so of a registration, or not.
///
/// Apart from the rest of its ``Descriptor``, since it is asked often: this is copied by copying three bytes.
struct Nature: Sendable {
  private var traits: Traits = []
  /// Whether the factory suspends.
  private(set) var factorySynchrony: Synchrony

  init(_ factorySynchrony: Synchrony) {
    self.factorySynchrony = factorySynchrony
  }

  private struct Traits: OptionSet {
    let rawValue: UInt16

    static let hasScope = Traits(rawValue: 1 << 0)
    static let isForward = Traits(rawValue: 1 << 1)
    static let isDecorated = Traits(rawValue: 1 << 2)
    static let isInstance = Traits(rawValue: 1 << 3)
    static let isAutowired = Traits(rawValue: 1 << 4)
    static let isEager = Traits(rawValue: 1 << 5)
    static let inheritsKey = Traits(rawValue: 1 << 6)
    static let yieldsToEarlier = Traits(rawValue: 1 << 7)
    static let declaresDependencies = Traits(rawValue: 1 << 8)
    static let hasSynchronousHook = Traits(rawValue: 1 << 9)
    static let hasAsynchronousHook = Traits(rawValue: 1 << 10)
    static let hasMainActorHook = Traits(rawValue: 1 << 11)
    static let hasInjectingHook = Traits(rawValue: 1 << 12)
    static let isAlternative = Traits(rawValue: 1 << 13)

    static let hasHooks: Traits = [
      .hasSynchronousHook, .hasAsynchronousHook, .hasMainActorHook, .hasInjectingHook,
    ]
  }

  private subscript(trait: Traits) -> Bool {
    get { traits.contains(trait) }
    set { if newValue { traits.insert(trait) } else { traits.remove(trait) } }
  }

  /// Whether it says itself how long instances are kept.
  var hasScope: Bool {
    get { self[.hasScope] }
    set { self[.hasScope] = newValue }
  }
  /// Whether it shows another registration's instance.
  var isForward: Bool {
    get { self[.isForward] }
    set { self[.isForward] = newValue }
  }
  /// Whether it wraps another one's instance.
  var isDecorated: Bool {
    get { self[.isDecorated] }
    set { self[.isDecorated] = newValue }
  }
  /// Whether there is nothing to make: the instance was registered as such.
  var isInstance: Bool {
    get { self[.isInstance] }
    set { self[.isInstance] = newValue }
  }
  /// Whether its parameters are dependencies, and which.
  var isAutowired: Bool {
    get { self[.isAutowired] }
    set { self[.isAutowired] = newValue }
  }
  /// Whether ``Container/start()`` builds it.
  var isEager: Bool {
    get { self[.isEager] }
    set { self[.isEager] = newValue }
  }
  /// Whether it looks for its parameters under the key that it is asked for with.
  var inheritsKey: Bool {
    get { self[.inheritsKey] }
    set { self[.inheritsKey] = newValue }
  }
  /// Whether it gives way to one that stands already: ``Registration/ifNotRegistered()``.
  var yieldsToEarlier: Bool {
    get { self[.yieldsToEarlier] }
    set { self[.yieldsToEarlier] = newValue }
  }
  /// Whether it stands beside those of its identity: ``Registration/alternative()``.
  var isAlternative: Bool {
    get { self[.isAlternative] }
    set { self[.isAlternative] = newValue }
  }
  /// Whether it is said what its factory takes: it may be known to take nothing.
  var declaresDependencies: Bool {
    get { self[.declaresDependencies] }
    set { self[.declaresDependencies] = newValue }
  }

  /// Whether nothing is known of what its factory takes.
  var isOpaque: Bool { !isAutowired && !declaresDependencies }

  /// Whether something runs between the factory and the end of the build.
  var hasHooks: Bool { !traits.isDisjoint(with: .hasHooks) }
  /// Whether that takes something from the container that is not among the known dependencies.
  var hasOpaqueHooks: Bool { !traits.isDisjoint(with: Traits.hasHooks.subtracting(.hasInjectingHook)) }

  /// Whether a synchronous factory closure resolves what it takes, and so can have nothing that has to be waited for. An
  /// asynchronous hook may be what takes it.
  var isSynchronousFactory: Bool {
    !isAutowired && !isForward && !self[.hasAsynchronousHook]
      && (factorySynchrony == .synchronous || factorySynchrony == .mainActor)
  }

  /// Whether there is something to wait for in a factory with its hooks.
  var synchrony: Synchrony {
    guard hasHooks else { return factorySynchrony }
    if self[.hasAsynchronousHook] { return .asynchronous }
    if factorySynchrony != .asynchronous, self[.hasMainActorHook] { return .mainActor }
    // An injected property makes a synchronous factory depend on what is injected.
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

  /// The instance is made by another binding: the hooks are that one's.
  ///
  /// - Parameter synchrony: how that can be had.
  mutating func leaveMaking(_ synchrony: Synchrony) {
    traits.subtract(.hasHooks)
    isInstance = false
    factorySynchrony = synchrony
  }

  /// The factory always fails, at once.
  mutating func fail() { factorySynchrony = .synchronous }
}

/// Whether an instance can be had without suspending.
@usableFromInline
enum Synchrony: UInt8, Sendable {
  /// The factory is synchronous.
  case synchronous
  /// The factory is asynchronous.
  case asynchronous
  /// As the dependencies are: an autowired initialiser.
  case either
  /// On the main thread; elsewhere one has to suspend.
  case mainActor
}
