/// What is known of a registration beside its factory.
///
/// It is as short as it can be, since each registration has one: what few registrations say stands apart, in a box of its own.
struct Descriptor: Sendable {
  var identity: ServiceIdentity
  let source: RegistrationSource
  private var box: ExtrasBox?
  /// The container's default scope, once it stands in a container, where it says none itself.
  private(set) var scope: Scope
  var nature: Nature

  /// - Parameter scope: nil for the default of the container that it will stand in.
  init(
    _ identity: ServiceIdentity, _ scope: Scope?, _ factorySynchrony: Synchrony, _ source: RegistrationSource
  ) {
    self.identity = identity
    self.source = source
    self.scope = scope ?? .transient
    nature = Nature(factorySynchrony)
    if scope != nil { nature.hasScope = true }
  }
}

// MARK: - Standing for another one

extension Descriptor {
  /// For a binding that has the instance made by another one.
  ///
  /// - Parameter synchrony: how that can be had.
  mutating func leaveMaking(_ synchrony: Synchrony) {
    nature.leaveMaking(synchrony)
    guard saysMore else { return }
    making = Making()
    disposalHooks = []
  }

  /// The same, failing always.
  func failing(with fault: ResolutionError) -> Descriptor {
    var failing = self
    failing.fault = fault
    failing.making.makeAsync = nil
    // With no recipe to hand a key down by, that cannot take the place of the one that fails.
    failing.making.inheriting = nil
    failing.nature.fail()
    return failing
  }
}

// MARK: - How instances are kept

extension Descriptor {
  mutating func setScope(_ scope: Scope) {
    self.scope = scope
    nature.hasScope = true
  }

  /// - Parameter scope: that of the container it stands in.
  mutating func assumeScope(_ scope: Scope) {
    if !nature.hasScope { self.scope = scope }
  }

  /// Whether the instance that its own container keeps stands in the binding, where the read path finds it: there is but one, and it
  /// does not expire.
  var isPublished: Bool {
    guard !saysMore || (keeping.timeToLive == nil && !keeping.isPerArguments) else { return false }
    return scope.isKept
  }

  /// Whether each tuple of run-time arguments has an instance of its own.
  var keepsPerArguments: Bool { saysMore && keeping.isPerArguments && !scope.isTransient }
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
    var making = Making()
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

  /// How instances are made, beside a synchronous factory.
  var making: Making {
    get { box?.extras.making ?? Making() }
    set { setExtra(\.making, newValue) }
  }
}

/// What few registrations say of how instances are made and shown.
struct Making: Sendable {
  /// Of a factory that may have to suspend.
  var makeAsync: Recipe.MakeAsync?
  /// Of an autowired one: the recipe that hands a key down to its dependencies.
  var inheriting: (@Sendable (Key) -> Recipe)?
  /// What runs after the factory, in order.
  var hooks: [CreationHook] = []
  /// The other types that it is found under.
  var forwards: [ForwardRecipe] = []
}
