/// The description of a registration, without its synchronous factory.
///
/// Small, since every registration has one: rarely used properties are in a separate box.
@usableFromInline
struct Descriptor: Sendable {
  @usableFromInline var identity: ServiceIdentity
  let source: RegistrationSource
  private var box: OptionsBox?
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
    guard hasOptions else { return }
    options.making = Making()
    options.disposalHook = nil
  }

  // MARK: Faults

  /// Notes that the modifiers of the registration contradict one another.
  mutating func noteFault(_ reason: String) {
    options.fault = { [source] in .invalid($0, reason, at: source) }
  }

  // MARK: Scope and keeping

  mutating func setScope(_ scope: Scope) {
    self.scope = scope
    traits.insert(.hasScope)
  }

  /// Whether the binding shows its instance to the fast path: there is a single instance, and it does not expire.
  var isPublished: Bool {
    guard let keeping = box?.options.keeping else { return scope.policy.isKept }
    return scope.policy.isKept && keeping.timeToLive == nil && !keeping.isPerArguments
  }

  /// Whether each tuple of run-time arguments has its own instance.
  var keepsPerArguments: Bool { box?.options.keeping.isPerArguments == true && !scope.policy.isTransient }

  // MARK: Rarely used properties

  struct Options: Sendable {
    /// The options for kept instances, besides the scope.
    var keeping = Keeping()
    /// The parameters of an autowired initialiser.
    var parameters: [Dependency] = []
    /// The dependencies of hooks, such as injected properties.
    ///
    /// For an alias, its registration; for a decorator, the dependencies of the inner binding.
    var furtherDependencies: [Dependency] = []
    /// The declared dependencies of a factory closure. They decide how a service can be built if the closure has a second, asynchronous
    /// form, and only then.
    var declaredDependencies: [Dependency] = []
    /// The last of the hooks that run when an instance is disposed of.
    var disposalHook: DisposalHook?
    /// The conditions that must all hold when the service is registered.
    var conditions: [@Sendable () -> Bool] = []
    /// Makes the error that a faulty registration throws, for the identity that its modifiers have given it in the end.
    var fault: (@Sendable (ServiceIdentity) -> ResolutionError)?
    /// How instances are made, apart from the synchronous factory.
    var making = Making()
  }

  private final class OptionsBox: Sendable {
    let options: Options
    init(_ options: Options) { self.options = options }
  }

  /// Each change makes a new box: a variable in it would be checked for exclusive access at each read.
  var options: Options {
    get { box?.options ?? Options() }
    set { box = OptionsBox(newValue) }
  }

  /// Whether any of the options has been set.
  var hasOptions: Bool { box != nil }

  // Each reads one property of the box. A read through `options` copies them all.

  var keeping: Keeping { box?.options.keeping ?? Keeping() }
  var parameters: [Dependency] { box?.options.parameters ?? [] }
  var furtherDependencies: [Dependency] { box?.options.furtherDependencies ?? [] }
  var declaredDependencies: [Dependency] { box?.options.declaredDependencies ?? [] }
  var conditions: [@Sendable () -> Bool] { box?.options.conditions ?? [] }
  /// The error of a registration that is faulty by itself; nil if it is valid.
  var fault: ResolutionError? { box?.options.fault?(identity) }
  /// The first of the hooks that run after the factory.
  var hooks: CreationHook? { box?.options.making.hooks }
  var aliases: [StatedAlias] { box?.options.making.aliases ?? [] }
  var decorators: [Decorator] { box?.options.making.decorators ?? [] }
  var inheriting: (@Sendable (_ inherited: Key?) -> Recipe)? { box?.options.making.inheriting }

  /// The last of the hooks that run when an instance is disposed of.
  var disposalHook: DisposalHook? { box?.options.disposalHook }

  /// Makes an instance for an asynchronous caller; nil if the synchronous factory does.
  var makeAsync: Recipe.MakeAsync? { box?.options.making.makeAsync }

  /// The dependencies that decide how the service can be built: autowired parameters, injected properties, and those that a closure with
  /// a second, asynchronous form declares.
  var dependencies: [Dependency] {
    guard let box else { return [] }
    let known = box.options.parameters + box.options.furtherDependencies
    return traits.contains(.adaptsToDependencies) ? known + box.options.declaredDependencies : known
  }

  /// All dependencies that are known without running anything.
  var knownDependencies: [Dependency] {
    box.map { $0.options.parameters + $0.options.furtherDependencies + $0.options.declaredDependencies } ?? []
  }
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
  var aliases: [StatedAlias] = []
  /// The registration's own decorators, innermost first.
  var decorators: [Decorator] = []
}

/// An alias that a registration states.
struct StatedAlias: Sendable {
  let service: any Any.Type
  /// nil for the key of the registration.
  let key: Key?
  /// Makes the alias of a binding that is placed in the container.
  let make: @Sendable (_ primary: Binding, _ container: Container) -> Binding

  /// Whether the alias is the registration itself, whose run-time arguments it takes.
  func isSame(as registration: ServiceIdentity) -> Bool {
    service == registration.service && (key == nil || key == registration.key)
  }
}
