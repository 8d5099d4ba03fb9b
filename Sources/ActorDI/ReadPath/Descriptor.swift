/// What is known of a registration beside its factory.
///
/// It is as short as it can be, since each registration has one: what few registrations say stands apart, in a box of its own.
struct Descriptor: Sendable {
  var identity: ServiceIdentity
  let source: RegistrationSource
  private var box: ExtrasBox?
  /// The container's default scope, once it stands in a container, where it says none itself.
  private(set) var scope: Scope
  private var traits: Traits
  /// Whether the factory suspends.
  private(set) var factorySynchrony: Synchrony

  /// - Parameter scope: nil for the default of the container that it will stand in.
  init(
    _ identity: ServiceIdentity, _ scope: Scope?, _ factorySynchrony: Synchrony, _ source: RegistrationSource
  ) {
    self.identity = identity
    self.source = source
    self.scope = scope ?? .transient
    traits = scope == nil ? [] : .hasScope
    self.factorySynchrony = factorySynchrony
  }
}

// MARK: - What is so, or not

extension Descriptor {
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

    static let hasHooks: Traits = [
      .hasSynchronousHook, .hasAsynchronousHook, .hasMainActorHook, .hasInjectingHook,
    ]
  }

  // Inlined, as all that is asked of a binding's descriptor often: it is not copied for that.
  private subscript(trait: Traits) -> Bool {
    @inline(__always) get { traits.contains(trait) }
    set { if newValue { traits.insert(trait) } else { traits.remove(trait) } }
  }

  /// Whether it says itself how long instances are kept.
  var hasScope: Bool { self[.hasScope] }
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
  /// Whether it is said what its factory takes: it may be known to take nothing.
  var declaresDependencies: Bool {
    get { self[.declaresDependencies] }
    set { self[.declaresDependencies] = newValue }
  }

  /// Whether nothing is known of what its factory takes.
  var isOpaque: Bool { !isAutowired && !declaresDependencies }

  /// Whether something runs between the factory and the end of the build.
  var hasHooks: Bool {
    @inline(__always) get { !traits.isDisjoint(with: .hasHooks) }
  }
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

  /// For a binding that has the instance made by another one: the hooks are that one's.
  ///
  /// - Parameter synchrony: how that can be had.
  mutating func leaveMaking(_ synchrony: Synchrony) {
    traits.subtract(.hasHooks)
    isInstance = false
    factorySynchrony = synchrony
    if box != nil {
      typed = nil
      disposalHooks = []
    }
  }

  /// The same, failing always.
  func failing(with fault: ResolutionError) -> Descriptor {
    var failing = self
    failing.fault = fault
    failing.factorySynchrony = .synchronous
    return failing
  }
}

// MARK: - How instances are kept

extension Descriptor {
  mutating func setScope(_ scope: Scope) {
    self.scope = scope
    self[.hasScope] = true
  }

  /// - Parameter scope: that of the container it stands in.
  mutating func assumeScope(_ scope: Scope) {
    if !hasScope { self.scope = scope }
  }

  /// Whether the instance that its own container keeps stands in the binding, where the read path finds it: there is but one, and it
  /// does not expire.
  @inline(__always)
  var isPublished: Bool {
    guard box == nil || (keeping.timeToLive == nil && !keeping.isPerArguments) else { return false }
    switch scope.kind {
    case .singleton, .managed, .shared, .automatic, .scoped, .scopedByName, .pooled: return true
    case .transient, .graph: return false
    }
  }

  /// Whether each tuple of run-time arguments has an instance of its own.
  var keepsPerArguments: Bool { box != nil && keeping.isPerArguments && !scope.isTransient }
}

// MARK: - What few registrations say

extension Descriptor {
  private struct Extras: Sendable {
    var keeping = Keeping()
    var parameters: [Dependency] = []
    var furtherDependencies: [Dependency] = []
    var declaredDependencies: [Dependency] = []
    var disposalHooks: [DisposalHook] = []
    var conditions: [@Sendable () -> Bool] = []
    var fault: ResolutionError?
    var typed: (any AnyObject & Sendable)?
  }

  private final class ExtrasBox: Sendable {
    let extras: Extras
    init(_ extras: Extras) { self.extras = extras }
  }

  private mutating func setExtra<Value>(_ path: WritableKeyPath<Extras, Value>, _ value: Value) {
    var extras = box?.extras ?? Extras()
    extras[keyPath: path] = value
    box = ExtrasBox(extras)
  }

  /// Whether there is anything of the following.
  @inline(__always)
  var saysMore: Bool { box != nil }

  /// What is said of kept instances, beside the scope.
  var keeping: Keeping {
    get { box?.extras.keeping ?? Keeping() }
    set { setExtra(\.keeping, newValue) }
  }

  /// What an autowired initialiser takes.
  var parameters: [Dependency] {
    get { box?.extras.parameters ?? [] }
    set { setExtra(\.parameters, newValue) }
  }

  /// What hooks take, as injected properties do; or what it shows, of a forward.
  var furtherDependencies: [Dependency] {
    get { box?.extras.furtherDependencies ?? [] }
    set { setExtra(\.furtherDependencies, newValue) }
  }

  /// What it takes, known without running anything; `parameters` first.
  var dependencies: [Dependency] {
    box.map { $0.extras.parameters + $0.extras.furtherDependencies } ?? []
  }

  /// What a factory closure is said to take. Apart from `dependencies`, by which is told how a service can be built.
  var declaredDependencies: [Dependency] {
    get { box?.extras.declaredDependencies ?? [] }
    set { setExtra(\.declaredDependencies, newValue) }
  }

  /// What is done at the end of an instance, in order.
  var disposalHooks: [DisposalHook] {
    get { box?.extras.disposalHooks ?? [] }
    set { setExtra(\.disposalHooks, newValue) }
  }

  /// All have to hold when it is registered.
  var conditions: [@Sendable () -> Bool] {
    get { box?.extras.conditions ?? [] }
    set { setExtra(\.conditions, newValue) }
  }

  /// What is wrong with it, where it stands all the same.
  var fault: ResolutionError? {
    get { box?.extras.fault }
    set { setExtra(\.fault, newValue) }
  }

  /// What it says in the type of its service: a box of ``TypedExtras``.
  var typed: (any AnyObject & Sendable)? {
    get { box?.extras.typed }
    set { setExtra(\.typed, newValue) }
  }
}

/// What few registrations say in the type of their service.
struct TypedExtras<Service>: Sendable {
  /// Of a factory that may have to suspend.
  var makeAsync: Recipe<Service>.MakeAsync?
  /// Of an autowired one: the recipe that hands a key down to its dependencies.
  var inheriting: (@Sendable (Key) -> Recipe<Service>)?
  /// What runs after the factory, in order.
  var hooks: [CreationHook<Service>] = []
  /// The other types that it is found under.
  var forwards: [ForwardRecipe<Service>] = []
}
