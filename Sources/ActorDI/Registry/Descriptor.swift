/// The description of a registration, without its synchronous factory.
///
/// Small, since every registration has one: rarely used properties are in a separate box.
struct Descriptor: Sendable {
  var identity: ServiceIdentity
  let source: RegistrationSource
  private var box: ExtrasBox?
  /// The registration's scope. If it states none, the default scope of its container, once it is placed there.
  var scope: Scope
  var traits: RegistrationTraits

  /// - Parameter scope: nil for the default scope of the container that will place the binding.
  init(
    _ identity: ServiceIdentity, _ scope: Scope?, _ factorySynchrony: Synchrony, _ source: RegistrationSource
  ) {
    self.identity = identity
    self.source = source
    self.scope = scope ?? .transient
    traits = RegistrationTraits(factorySynchrony)
    if scope != nil { traits[.hasScope] = true }
  }
}

// MARK: - Descriptors of other bindings

extension Descriptor {
  /// Turns the descriptor into that of a binding whose instances another binding makes.
  ///
  /// - Parameter synchrony: Whether the other binding can make an instance without suspending.
  mutating func leaveMaking(_ synchrony: Synchrony) {
    traits.leaveMaking(synchrony)
    guard saysMore else { return }
    making = Making()
    disposalHook = nil
  }

  /// A copy of the descriptor for a binding that always fails.
  func failing(with fault: ResolutionError) -> Descriptor {
    var failing = self
    failing.fault = fault
    failing.making.makeAsync = nil
    // Otherwise a binding that hands a key down would replace the failing one.
    failing.making.inheriting = nil
    failing.traits.factorySynchrony = .synchronous
    return failing
  }
}

// MARK: - Scope and keeping

extension Descriptor {
  mutating func setScope(_ scope: Scope) {
    self.scope = scope
    traits[.hasScope] = true
  }

  /// Whether the binding shows its instance to the read path: there is a single instance, and it does not expire.
  var isPublished: Bool {
    scope.isKept && (!saysMore || (keeping.timeToLive == nil && !keeping.isPerArguments))
  }

  /// Whether each tuple of run-time arguments has its own instance.
  var keepsPerArguments: Bool { saysMore && keeping.isPerArguments && !scope.isTransient }
}

// MARK: - Rarely used properties

extension Descriptor {
  private struct Extras: Sendable {
    var keeping = Keeping()
    var parameters: [Dependency] = []
    var furtherDependencies: [Dependency] = []
    var declaredDependencies: [Dependency] = []
    var disposalHook: DisposalHook?
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

  /// Whether any of the properties below has been set.
  var saysMore: Bool { box != nil }

  /// The options for kept instances, besides the scope.
  var keeping: Keeping {
    get { box?.extras.keeping ?? Keeping() }
    set { setExtra(\.keeping, newValue) }
  }

  /// The parameters of an autowired initialiser.
  var parameters: [Dependency] {
    get { box?.extras.parameters ?? [] }
    set { setExtra(\.parameters, newValue) }
  }

  /// The dependencies of hooks, such as injected properties.
  ///
  /// For an alias, its registration; for a decorator, the dependencies of the inner binding.
  var furtherDependencies: [Dependency] {
    get { box?.extras.furtherDependencies ?? [] }
    set { setExtra(\.furtherDependencies, newValue) }
  }

  /// The dependencies that are known without running anything, `parameters` first.
  var dependencies: [Dependency] {
    box.map { $0.extras.parameters + $0.extras.furtherDependencies } ?? []
  }

  /// The declared dependencies of a factory closure. Unlike `dependencies`, they do not decide how a service can be
  /// built.
  var declaredDependencies: [Dependency] {
    get { box?.extras.declaredDependencies ?? [] }
    set { setExtra(\.declaredDependencies, newValue) }
  }

  /// The last of the hooks that run when an instance is disposed of.
  var disposalHook: DisposalHook? {
    get { box?.extras.disposalHook }
    set { setExtra(\.disposalHook, newValue) }
  }

  /// The conditions that must all hold when the service is registered.
  var conditions: [@Sendable () -> Bool] {
    get { box?.extras.conditions ?? [] }
    set { setExtra(\.conditions, newValue) }
  }

  /// The error that a faulty registration throws when it is resolved.
  var fault: ResolutionError? {
    get { box?.extras.fault }
    set { setExtra(\.fault, newValue) }
  }

  /// How instances are made, apart from the synchronous factory.
  var making: Making {
    get { box?.extras.making ?? Making() }
    set { setExtra(\.making, newValue) }
  }
}

/// The rarely used options for making an instance and for resolving it by other types.
struct Making: Sendable {
  /// Makes an instance for an asynchronous caller; nil if the synchronous factory does.
  var makeAsync: Recipe.MakeAsync?
  /// Makes a binding like the described one, which hands a key down to autowired dependencies.
  var inheriting: (@Sendable (Descriptor, Key) -> Binding)?
  /// The hooks that run after the factory, in order.
  var hooks: [CreationHook] = []
  /// The aliases of the registration.
  var aliases: [Binding.MakeAlias] = []
}
