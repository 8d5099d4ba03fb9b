/// A registration of any service, as collections and containers handle it.
protocol AnyRegistration: Sendable {
  /// What is wrong with it, in a container whose default scope this is.
  func fault(defaultScope: Scope) -> ResolutionError?

  /// The same, failing always: what a container that cannot throw registers in the place of a mistake.
  func failing(with fault: ResolutionError) -> any AnyRegistration

  /// The same with what a ``Group`` says, where the registration itself says nothing.
  func defaulting(scope: Scope?, key: Key?) -> any AnyRegistration

  /// Whether its conditions hold. Runs them.
  var isWanted: Bool { get }

  /// The bindings that the registration comes to in a container: its own, then its forwards.
  func bind(in container: Container, defaultScope: Scope) -> BoundRegistration
}

extension Registration: AnyRegistration {
  /// What is wrong with its factory.
  var fault: ResolutionError? { recipe.fault }

  var isWanted: Bool { conditions.allSatisfy { $0() } }

  func fault(defaultScope: Scope) -> ResolutionError? {
    let scope = chosenScope ?? defaultScope
    return fault ?? keeping.fault(of: recipe.identity.with(key), in: scope, source)
      ?? eagerFault(scope)
  }

  /// Why ``Container/start()`` could not build it.
  private func eagerFault(_ scope: Scope) -> ResolutionError? {
    guard isEager else { return nil }
    let identity = recipe.identity.with(key)
    if !identity.arguments.isEmpty {
      return .invalidRegistration(
        identity, source, "It is eager, but start() has no run-time arguments to build it with.")
    }
    guard !scope.isKept else { return nil }
    return .invalidRegistration(
      identity, source, "It is eager, but its scope is \(scope): what start() builds would not be kept.")
  }

  /// Whether what the factory takes has to be there without waiting. An asynchronous hook may be what takes it.
  private var isSynchronousFactory: Bool {
    if recipe.isAutowired { return false }
    if hooks.hasCreation && hooks.creation.contains(where: { $0.synchrony == .asynchronous }) { return false }
    return recipe.synchrony == .synchronous || recipe.synchrony == .mainActor
  }

  func failing(with fault: ResolutionError) -> any AnyRegistration {
    with { $0.recipe = recipe.failing(with: fault) }
  }

  func defaulting(scope: Scope?, key: Key?) -> any AnyRegistration {
    with {
      $0.chosenScope = $0.chosenScope ?? scope
      $0.key = $0.key ?? key
    }
  }

  func bind(in container: Container, defaultScope: Scope) -> BoundRegistration {
    let recipe = inheritsKey ? self.recipe.inheriting(key) : self.recipe
    let descriptor = Descriptor(
      identity: recipe.identity.with(key), scope: chosenScope ?? defaultScope, keeping: keeping,
      dependencies: recipe.dependencies + hookDependencies, source: source,
      isAutowired: recipe.isAutowired, parameters: recipe.dependencies,
      declaredDependencies: declaredDependencies, isEager: isEager,
      inheritsKey: inheritsKey && recipe.isAutowired,
      isSynchronousFactory: isSynchronousFactory,
      isOpaque: !recipe.isAutowired && !declaresDependencies, fault: recipe.fault)
    let primary = recipe.bind(descriptor, hooks: hooks, container.nextPlace())
    guard forwards.count > 0 else {
      return BoundRegistration(bindings: [primary], yields: yieldsToEarlier)
    }
    let forwarded = forwards.map { $0.bind(primary, recipe, container.nextPlace()) }
    primary.adopt(forwarded)
    return BoundRegistration(
      bindings: [primary] + forwarded.map(\.binding), yields: yieldsToEarlier)
  }
}
