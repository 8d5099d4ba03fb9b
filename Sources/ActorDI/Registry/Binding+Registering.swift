internal import Synchronization

// Turns a registration into a binding that is placed in a container.
extension Binding {
  /// Whether all conditions hold. Runs them.
  var isWanted: Bool { descriptor.conditions.allSatisfy { $0() } }
  var hasConditions: Bool { !descriptor.conditions.isEmpty }

  /// The fault of the registration in a container with the given default scope; nil if it is valid.
  func fault(defaultScope: @autoclosure () -> Scope) -> ResolutionError? {
    // Only extras and eagerness can be at fault.
    guard descriptor.hasOptions || descriptor.traits.contains(.isEager) else { return nil }
    let scope = descriptor.traits.contains(.hasScope) ? descriptor.scope : defaultScope()
    let reason =
      descriptor.keeping.reason(against: identity, scope) ?? reasonAgainstEagerness(scope) ?? reasonAgainstDisposal
      ?? reasonAgainstAliases
    return descriptor.fault ?? reason.map { invalid($0) }
  }

  /// The reason why a disposal hook would never run.
  private var reasonAgainstDisposal: String? {
    guard descriptor.traits.contains(.isInstance), descriptor.disposalHook != nil else { return nil }
    return "It has a disposal hook, but the container does not own an instance that it was given: "
      + "register a factory that makes the instance, or dispose of it where it was made, and remove onDispose(_:)."
  }

  /// The reason why an alias adds nothing.
  private var reasonAgainstAliases: String? {
    guard descriptor.aliases.contains(where: { $0.isSame(as: identity) }) else { return nil }
    return "The alias \(identity) is the registration itself. "
      + "Remove it, or leave the registration without a key, and give the key to the alias."
  }

  /// The reason why ``Container/start()`` could not build an eager registration.
  private func reasonAgainstEagerness(_ scope: Scope) -> String? {
    guard descriptor.traits.contains(.isEager) else { return nil }
    if identity.takesArguments {
      return "It is eager, but start() has no run-time arguments to build it with: remove eager()."
    }
    guard !scope.policy.isKept else { return nil }
    return "It is eager, but the scope \(scope) keeps no instance. "
      + "Give it a scope that keeps instances, or remove eager()."
  }

  /// The error of the registration if its modifiers contradict one another.
  func invalid(_ reason: String) -> ResolutionError { .invalid(identity, reason, at: descriptor.source) }

  /// A copy of the binding that always fails.
  func failing(with fault: ResolutionError) -> Binding {
    var failing = descriptor
    failing.options.fault = { _ in fault }
    failing.options.making.makeAsync = nil
    // Otherwise a binding that hands a key down would replace the failing one.
    failing.options.making.inheriting = nil
    failing.factorySynchrony = .synchronous
    return Binding(failing, Factory(failingWith: fault))
  }

  /// Notes the registrations of the same batch that this one replaces. Under the registry's lock.
  ///
  /// Excludes an alternative, which is meant to stand beside others, and a refused duplicate, which is a fault of its own.
  ///
  /// - Returns: Those that were noted before.
  @discardableResult
  func noteReplaced(_ others: [RegistrationInfo]) -> [RegistrationInfo] {
    let isRefused = descriptor.fault?.code == .duplicate
    let replaced = isRefused || descriptor.traits.contains(.isAlternative) ? [] : others
    let earlier = self.replaced
    if !replaced.isEmpty || !earlier.isEmpty { extras.replaced = replaced }
    return earlier
  }

  /// The registration, after those that it has replaced.
  var infosWithReplaced: [RegistrationInfo] { replaced + [RegistrationInfo(self)] }

  /// Replaces a shared binding with a copy, so that it can be changed.
  @inlinable
  static func makeUnique(_ binding: inout Binding) {
    if !isKnownUniquelyReferenced(&binding) { binding = binding.copy() }
  }

  /// Applies the scope and key of a ``RegistrationGroup`` to a registration that states none.
  static func complete(_ binding: inout Binding, scope: Scope?, key: Key?) {
    makeUnique(&binding)
    binding.describe {
      if let scope, !$0.traits.contains(.hasScope) { $0.setScope(scope) }
      if let key, $0.identity.key == nil { $0.identity = $0.identity.with(key) }
    }
  }

  /// Places a registration and its aliases in a container, which lists them later.
  ///
  /// A binding with other references is copied first and stays unchanged. A refused registration can be placed again.
  static func place(_ binding: inout Binding, in container: Container, isInitial: Bool) {
    makeUnique(&binding)
    if binding.descriptor.hasOptions, let recipe = binding.recipeInheriting(binding.key) {
      binding = Binding(binding.descriptor, recipe)
    }
    binding.deriveTraits(in: container)
    binding.isInitial = isInitial
    guard binding.descriptor.hasOptions else { return }
    let registered = binding
    for decorator in registered.descriptor.decorators { binding = binding.decorated(by: decorator, in: container) }
    binding.makeAliases(registered.descriptor.aliases, in: container)
  }

  /// Undoes the placement of a refused registration.
  static func unplace(_ binding: inout Binding) {
    binding.dropAliases()
    binding = binding.innermost
  }

  /// Derives the binding's traits for a container, which lists the binding later.
  func deriveTraits(in container: Container) {
    if !descriptor.traits.contains(.hasScope) {
      unsafe described.scope = container.settings.defaultScope
    }
    // Copy single fields: copying the whole descriptor is expensive.
    let traits = descriptor.traits
    let scope = descriptor.scope
    let identity = descriptor.identity
    derived =
      descriptor.hasOptions
      ? DerivedTraits(descriptor)
      : DerivedTraits(
        traits, traits.synchrony(ofFactory: descriptor.factorySynchrony), identity.service, scope,
        isPublished: scope.policy.isKept)
    unsafe derived.owner = container
    completeType.store(typeProbe == .fixed ? DynamicTypeProbe.settled : 0, ordering: .relaxed)
    unsafe storedIsPlainTransient = derived.traits.contains(.isPlainTransient)
    unsafe hasTextKey = identity.key is TextKey
    // The inner binding of a decorator may turn out to suspend.
    builtAtOnce.store(synchrony == .synchronous && !traits.contains(.isDecorated), ordering: .relaxed)
    noteKeptNumber()
    if keepsPerArguments { extras.argumentCells = ArgumentCells() }
    if let limit = scope.poolLimit { extras.pool = Pool(limit: limit) }
    keepRegisteredInstance(in: container)
  }

  /// Keeps a registered instance from the beginning.
  private func keepRegisteredInstance(in container: Container) {
    guard descriptor.traits.contains(.isInstance) && !descriptor.traits.hasHooks else { return }
    guard policy.isPlain && !policy.isKeptPerContainer, shown == 0 else { return }
    let instance = try? factory.makeInstance(of: identity.service, Resolver(container: container), nil)
    if let instance, beginUncontended() { _ = finishUncontended(instance) }
  }
}

extension ResolutionError {
  /// The error of a registration whose modifiers contradict one another.
  static func invalid(_ identity: ServiceIdentity, _ reason: String, at source: RegistrationSource) -> ResolutionError {
    ResolutionError(
      .invalidRegistration, for: identity, path: [identity], note: "\(reason) It is registered at \(source).")
  }
}

extension RegistrationInfo {
  init(_ binding: Binding) {
    let descriptor = binding.descriptor
    identity = descriptor.identity
    scope = binding.effectiveScope
    isEager = binding.instanceOwner.isEager
    isExternal = binding.instanceOwner.isExternal
    dependencies = descriptor.knownDependencies.map { Dependency(dependency: $0) }
    source = descriptor.source
  }
}

extension RegistrationSummary {
  init(_ binding: Binding) {
    // Most bindings have no other binding in front of them or behind them.
    let isPlain = !binding.lazyExtras.isSet
    self.init(
      identity: binding.identity, scope: isPlain ? binding.descriptor.scope : binding.effectiveScope,
      parameters: isPlain
        ? binding.descriptor.parameters
        : Candidates.of(binding.undecorated).flatMap(\.innermost.descriptor.parameters))
  }
}
