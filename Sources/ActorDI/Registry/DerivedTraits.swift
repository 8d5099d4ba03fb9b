/// The derived traits of a binding: facts that are computed when it joins a container.
@safe
struct DerivedTraits {
  /// The container that has the registration; nil until the binding is placed.
  unowned(unsafe) var owner: Container?
  var typeProbe = DynamicTypeProbe.fixed
  /// The policy of the scope.
  var policy = Scope.Policy(keeper: .caller)
  var synchrony: Synchrony
  var completion = Conformance.none
  var disposability = Conformance.none
  var traits: Traits = .endsSynchronously

  /// The boolean traits.
  struct Traits: OptionSet, Sendable {
    let rawValue: UInt8

    /// A resolve is a single call of the factory as long as nothing observes it.
    static let isPlainTransient = Traits(rawValue: 1 << 0)
    /// The binding is the default of a token, or an alias of it. It yields to all others.
    static let isTokenDefault = Traits(rawValue: 1 << 1)
    /// A resolve is a call of the factory and of synchronous hooks as long as nothing observes it.
    static let isTransientWithHooks = Traits(rawValue: 1 << 2)
    /// A resolve is little more than a call of the factory as long as nothing observes it: of a transient, or of an alias or a choice,
    /// which builds nothing itself.
    static let isMadeByOneCall = Traits(rawValue: 1 << 3)
    /// An uncontended build is little more than a call of the factory.
    static let isBuiltUncontended = Traits(rawValue: 1 << 4)
    /// Each tuple of run-time arguments has its own instance.
    static let keepsPerArguments = Traits(rawValue: 1 << 5)
    /// All disposal hooks are synchronous.
    static let endsSynchronously = Traits(rawValue: 1 << 6)
    /// The binding comes from the container's initial registrations.
    static let isInitial = Traits(rawValue: 1 << 7)
  }

  init(_ synchrony: Synchrony) { self.synchrony = synchrony }

  /// Derives the traits of a registration.
  ///
  /// Takes the parts of a descriptor one by one, since a descriptor is expensive to copy.
  ///
  /// - Parameter isPublished: Whether there is a single kept instance, which does not expire.
  init(
    _ registered: RegistrationTraits, _ synchrony: Synchrony, _ service: any Any.Type, _ scope: Scope,
    isPublished: Bool, keepsPerArguments: Bool = false, hasAliases: Bool = false,
    disposalHook: DisposalHook? = nil
  ) {
    self.init(synchrony)
    policy = scope.policy
    let isDecorated = registered.contains(.isDecorated)
    // An alias or a decorator relies on the checks of the inner binding. Instances made by the user are not checked.
    if registered.isDisjoint(with: [.isInstance, .isIndirect, .isDecorated]) {
      let facts = TypeFacts.of(service)
      completion = Conformance(of: facts.contains(.completesAsynchronously))
      disposability = Conformance(of: facts.contains(.isDisposable))
      typeProbe = DynamicTypeProbe(of: service)
      // A build costs more than a comparison of types, and an instance that goes unnoticed would never be disposed of.
      if typeProbe == .firstObject && !policy.isTransient { typeProbe = .object }
      if completion == .certain { self.synchrony = .asynchronous }
    }
    if let disposalHook, !disposalHook.isSynchronous { traits.remove(.endsSynchronously) }
    if keepsPerArguments { traits.insert(.keepsPerArguments) }

    if registered.contains(.isIndirect) { traits.insert(.isMadeByOneCall) }
    let mayBeSynchronous = self.synchrony == .synchronous || self.synchrony == .either
    guard mayBeSynchronous, !registered.contains(.isIndirect) else { return }

    // Only the once cell publishes an instance together with its conversions for aliases.
    let isShownByAliases = hasAliases && !policy.isKeptByCall && !policy.isKeptPerContainer && !policy.isWeak
    let isKeptPlainly = isPublished && (policy.isPlain || policy.isWeak)
    if !isDecorated && !keepsPerArguments && !isShownByAliases && (policy.isKeptByCall || isKeptPlainly) {
      traits.insert(.isBuiltUncontended)
    }
    guard policy.isTransient, disposalHook == nil, disposability != .certain else { return }
    traits.insert(.isMadeByOneCall)
    if registered.hasHooks { traits.insert(.isTransientWithHooks) }
    if !registered.hasHooks && !isDecorated { traits.insert(.isPlainTransient) }
  }

  /// Derives the traits of a registration with extras.
  init(_ descriptor: Descriptor) {
    self.init(
      descriptor.traits, descriptor.synchrony, descriptor.identity.service, descriptor.scope,
      isPublished: descriptor.isPublished,
      keepsPerArguments: descriptor.keepsPerArguments, hasAliases: !descriptor.aliases.isEmpty,
      disposalHook: descriptor.disposalHook)
  }
}
