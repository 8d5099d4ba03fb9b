/// What is known of a registration beside its factory. Shared by nothing, never changed.
struct Descriptor: Sendable {
  var identity: ServiceIdentity
  var scope: Scope
  var keeping = Keeping()
  var dependencies: [Dependency]
  var source: RegistrationSource
  /// Whether it shows another registration's instance.
  var isForward = false
  /// Whether it wraps another one's instance.
  var isDecorated = false
  /// Whether its parameters are dependencies, and which.
  var isAutowired = false
  var parameters: [Dependency] = []
  /// What a factory closure is said to take. Apart from `dependencies`, by which is told how a service can be built.
  var declaredDependencies: [Dependency] = []
  /// Whether ``Container/start()`` builds it.
  var isEager = false
  /// Whether it looks for its parameters under the key that it is asked for with.
  var inheritsKey = false
  /// Whether a synchronous factory closure resolves what it takes, and so can have nothing that has to be waited for.
  var isSynchronousFactory = false
  /// Whether nothing is known of what its factory takes.
  var isOpaque = false
  /// What is wrong with it, where it stands all the same.
  var fault: ResolutionError?

  /// Whether the instance that its own container keeps stands in the binding, where the read path finds it: there is but one, and it
  /// does not expire.
  var isPublished: Bool {
    guard keeping.timeToLive == nil, !keeping.isPerArguments else { return false }
    switch scope.kind {
    case .singleton, .managed, .shared, .automatic, .scoped, .pooled: return true
    case .transient, .graph: return false
    }
  }

  /// Whether each tuple of run-time arguments has an instance of its own.
  var keepsPerArguments: Bool { keeping.isPerArguments && !scope.isTransient }
}
