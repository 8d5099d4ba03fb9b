/// The description of a registration, without its synchronous factory.
///
/// Small, since every registration has one: rarely used properties are in a separate box.
@usableFromInline
struct Descriptor: Sendable {
  @usableFromInline var identity: ServiceIdentity
  let source: RegistrationSource
  private var box: ExtrasBox?
  /// The registration's scope. If it states none, the default scope of its container, once it is placed there.
  var scope: Scope
  var traits: RegistrationTraits = []
  /// Whether the factory may suspend.
  var factorySynchrony: Synchrony

  /// - Parameter scope: nil for the default scope of the container that will place the binding.
  init(_ identity: ServiceIdentity, _ scope: Scope?, _ factorySynchrony: Synchrony, _ source: RegistrationSource) {
    self.identity = identity
    self.source = source
    self.scope = scope ?? .transient
    self.factorySynchrony = factorySynchrony
    if scope != nil { traits.insert(.hasScope) }
  }

  // MARK: Descriptors of other bindings

  /// Turns the descriptor into that of a binding whose instances another binding makes.
  ///
  /// - Parameter synchrony: Whether the other binding can make an instance without suspending.
  mutating func delegateMaking(_ synchrony: Synchrony) {
    traits.delegateMaking()
    factorySynchrony = synchrony
    guard hasExtras else { return }
    extras.making = Making()
    extras.disposalHook = nil
  }

  // MARK: Scope and keeping

  mutating func setScope(_ scope: Scope) {
    self.scope = scope
    traits.insert(.hasScope)
  }

  /// Whether the binding shows its instance to the fast path: there is a single instance, and it does not expire.
  var isPublished: Bool {
    guard let keeping = box?.extras.keeping else { return scope.isKept }
    return scope.isKept && keeping.timeToLive == nil && !keeping.isPerArguments
  }

  /// Whether each tuple of run-time arguments has its own instance.
  var keepsPerArguments: Bool { box?.extras.keeping.isPerArguments == true && !scope.isTransient }

  // MARK: Rarely used properties

  struct Extras: Sendable {
    /// The options for kept instances, besides the scope.
    var keeping = Keeping()
    /// The parameters of an autowired initialiser.
    var parameters: [Dependency] = []
    /// The dependencies of hooks, such as injected properties.
    ///
    /// For an alias, its registration; for a decorator, the dependencies of the inner binding.
    var furtherDependencies: [Dependency] = []
    /// The declared dependencies of a factory closure. Unlike `dependencies`, they do not decide how a service can be
    /// built.
    var declaredDependencies: [Dependency] = []
    /// The last of the hooks that run when an instance is disposed of.
    var disposalHook: DisposalHook?
    /// The conditions that must all hold when the service is registered.
    var conditions: [@Sendable () -> Bool] = []
    /// The error that a faulty registration throws when it is resolved.
    var fault: ResolutionError?
    /// How instances are made, apart from the synchronous factory.
    var making = Making()
  }

  private final class ExtrasBox: Sendable {
    let extras: Extras
    init(_ extras: Extras) { self.extras = extras }
  }

  var extras: Extras {
    get { box?.extras ?? Extras() }
    set { box = ExtrasBox(newValue) }
  }

  /// Whether any of the extras has been set.
  var hasExtras: Bool { box != nil }

  // Each reads one property of the box. A read through `extras` copies them all.

  var keeping: Keeping { box?.extras.keeping ?? Keeping() }
  var parameters: [Dependency] { box?.extras.parameters ?? [] }
  var declaredDependencies: [Dependency] { box?.extras.declaredDependencies ?? [] }
  var conditions: [@Sendable () -> Bool] { box?.extras.conditions ?? [] }
  var fault: ResolutionError? { box?.extras.fault }
  /// The first of the hooks that run after the factory.
  var hooks: CreationHook? { box?.extras.making.hooks }
  var aliases: [Binding.MakeAlias] { box?.extras.making.aliases ?? [] }
  var decorators: [Decorator] { box?.extras.making.decorators ?? [] }
  var inheriting: (@Sendable (_ inherited: Key?) -> Recipe)? { box?.extras.making.inheriting }

  /// The last of the hooks that run when an instance is disposed of.
  var disposalHook: DisposalHook? { box?.extras.disposalHook }

  /// Makes an instance for an asynchronous caller; nil if the synchronous factory does.
  var makeAsync: Recipe.MakeAsync? { box?.extras.making.makeAsync }

  /// The dependencies that are known without running anything, `parameters` first.
  var dependencies: [Dependency] { box.map { $0.extras.parameters + $0.extras.furtherDependencies } ?? [] }
}

/// The rarely used options for making an instance and for resolving it by other types.
struct Making: Sendable {
  /// Makes an instance for an asynchronous caller; nil if the synchronous factory does.
  var makeAsync: Recipe.MakeAsync?
  /// The recipe that hands a key down to autowired dependencies.
  var inheriting: (@Sendable (_ inherited: Key?) -> Recipe)?
  /// The first of the hooks that run after the factory.
  var hooks: CreationHook?
  /// The aliases of the registration.
  var aliases: [Binding.MakeAlias] = []
  /// The registration's own decorators, innermost first.
  var decorators: [Decorator] = []
}
