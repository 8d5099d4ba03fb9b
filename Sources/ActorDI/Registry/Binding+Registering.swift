internal import Synchronization

// From a registration to a binding that stands in a container.
extension Binding {
  /// Whether its conditions hold. Runs them.
  final var isWanted: Bool { descriptor.conditions.allSatisfy { $0() } }

  /// What is wrong with it, in a container whose default scope this is.
  final func fault(defaultScope: Scope) -> ResolutionError? {
    // Most have nothing to say that could be wrong.
    guard descriptor.saysMore || descriptor.nature.isEager else { return nil }
    let scope = descriptor.nature.hasScope ? descriptor.scope : defaultScope
    return descriptor.fault ?? descriptor.keeping.fault(of: identity, in: scope, descriptor.source) ?? eagerFault(scope)
  }

  /// Why ``Container/start()`` could not build it.
  private final func eagerFault(_ scope: Scope) -> ResolutionError? {
    guard descriptor.nature.isEager else { return nil }
    if identity.takesArguments {
      return .invalidRegistration(
        identity, descriptor.source, "It is eager, but start() has no run-time arguments to build it with.")
    }
    guard !scope.isKept else { return nil }
    return .invalidRegistration(
      identity, descriptor.source, "It is eager, but its scope is \(scope): what start() builds would not be kept.")
  }

  /// As `copy`, failing always.
  final func failing(with fault: ResolutionError) -> Binding {
    deriving(descriptor.failing(with: fault)) { _ in Recipe(failingWith: fault) }
  }

  /// Makes sure that nothing else refers to what is about to be changed.
  static func makeUnique(_ binding: inout Binding) {
    if !isKnownUniquelyReferenced(&binding) { binding = binding.copy() }
  }

  /// Gives a registration what a ``RegistrationGroup`` says, where it says nothing itself.
  static func complete(_ binding: inout Binding, scope: Scope?, key: Key?) {
    makeUnique(&binding)
    binding.describe {
      if let scope, !$0.nature.hasScope { $0.setScope(scope) }
      if let key, $0.identity.key == nil { $0.identity = $0.identity.with(key) }
    }
  }

  /// Makes a registration one that can be listed in a container, with its forwards. What else refers to the registration keeps it as it is.
  ///
  /// One that was refused may be placed once more.
  static func place(_ binding: inout Binding, in container: Container, order: UInt32) {
    makeUnique(&binding)
    guard binding.descriptor.saysMore else { return binding.settle(in: container, order: order) }
    binding = binding.readyToStand()
    binding.settle(in: container, order: order)
    binding.adopt(binding.makeForwards(in: container))
  }

  /// Gives it a place in a container, which has yet to list it.
  final func settle(in container: Container, order: UInt32) {
    if unsafe !described.nature.hasScope { unsafe described.assumeScope(container.settings.configuration.defaultScope) }
    // Not as a whole: that would be a copy.
    let (nature, scope, identity) = unsafe (described.nature, described.scope, described.identity)
    let saysMore = unsafe described.saysMore
    unsafe settled = Settlement(
      nature, identity.service, scope, takesArguments: identity.takesArguments,
      isPublished: saysMore ? descriptor.isPublished : scope.isKept,
      keepsPerArguments: saysMore && descriptor.keepsPerArguments,
      hasForwards: saysMore && !described.making.forwards.isEmpty, saysMore ? described.disposalHooks : [])
    unsafe settled.owner = container
    unsafe settled.order = order
    completeType.store(typeProbe == .fixed ? DynamicTypeProbe.settled : 0, ordering: .relaxed)
    useShortcut(true)
    unsafe builtAtOnce.store(settled.isBuiltAtOnce, ordering: .relaxed)
    noteKeptNumber()
    if unsafe described.needsExtras { unsafe _ = lazyExtras.storeIfNil(BindingExtras(for: described)) }
    // What is registered as an instance is there from the beginning.
    if nature.isInstance && !nature.hasHooks, scope.isPlainlyKept && !scope.isKeptByAsker {
      keepRegisteredInstance(of: identity.service, in: container)
    }
  }

  private final func keepRegisteredInstance(of service: any Any.Type, in container: Container) {
    guard shown == 0, let instance = try? factory.makeInstance(of: service, Resolver(container: container)),
      beginAlone()
    else { return }
    _ = finishAlone(instance)
  }

  /// Whether it has no forwards, and gives way to none.
  final var isNothingButItself: Bool { !descriptor.nature.yieldsToEarlier && forwards == nil }

  /// The binding, then its forwards.
  final var withForwards: [Binding] { [self] + (forwards?.all.map(\.binding) ?? []) }

  /// Lets go of the forwards: they and the binding refer to each other.
  final func dropForwards() { _ = forwards?.removeAll() }
}

extension RegistrationInfo {
  init(_ binding: Binding) {
    let descriptor = binding.descriptor
    self.init(
      descriptor.identity, binding.effectiveScope, isEager: binding.instanceOwner.isEager,
      descriptor.dependencies + descriptor.declaredDependencies, descriptor.source)
  }
}
