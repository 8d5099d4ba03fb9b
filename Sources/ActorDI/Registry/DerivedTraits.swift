/// The derived traits of a binding: facts that are computed when it joins a container.
@safe
struct DerivedTraits {
  /// The container that has the registration; nil until the binding is placed.
  unowned(unsafe) var owner: Container?
  var typeProbe = DynamicTypeProbe.fixed
  var synchrony: Synchrony
  var completion = Conformance.none
  var disposability = Conformance.none
  private var traits = Bits16()

  enum Trait: UInt16 {
    /// A resolve is a single call of the factory as long as nothing observes it.
    case isPlainTransient
    /// A resolve with run-time arguments is a single call of the factory as long as nothing observes it.
    case isPlainWithArguments
    /// A resolve is a call of the factory and of synchronous hooks as long as nothing observes it.
    case isTransientWithHooks
    /// A resolve calls the factory of a decorator, which fails if the inner binding is gone.
    case isDecoratedTransient
    /// An uncontended build is little more than a call of the factory.
    case isBuiltUncontended
    /// An asynchronous caller need not suspend for a build, as far as the registration alone determines it.
    case isBuiltAtOnce
    case isKeptByCall
    case isKeptByAsker
    case keepsPerArguments
    case isBuiltByOwner
    case isWeak
    case endsSynchronously
    case isInitial
  }

  subscript(trait: Trait) -> Bool {
    get { traits[trait.rawValue] }
    set { traits[trait.rawValue] = newValue }
  }

  init(_ synchrony: Synchrony) {
    self.synchrony = synchrony
    self[.endsSynchronously] = true
  }

  /// Derives the traits of a registration.
  ///
  /// Takes the parts of a descriptor one by one, since a descriptor is expensive to copy.
  ///
  /// - Parameter isPublished: Whether there is a single kept instance, which does not expire.
  init(
    _ traits: RegistrationTraits, _ service: any Any.Type, _ scope: Scope, takesArguments: Bool, isPublished: Bool,
    keepsPerArguments: Bool = false, hasAliases: Bool = false, disposalHook: DisposalHook? = nil
  ) {
    self.init(traits.synchrony)
    // An alias or a decorator relies on the checks of the inner binding. Instances made by the user are not checked.
    if !traits[.isInstance] && !traits[.isIndirect] && !traits[.isDecorated] {
      let facts = TypeFacts.of(service)
      completion = Conformance(of: facts.contains(.completesAsynchronously))
      disposability = Conformance(of: facts.contains(.isDisposable))
      typeProbe = DynamicTypeProbe(of: service)
      if completion == .certain { synchrony = .asynchronous }
    }
    if let disposalHook { self[.endsSynchronously] = disposalHook.isSynchronous }
    self[.isKeptByCall] = scope.keeper == .call
    self[.isKeptByAsker] = scope.isKeptByAsker
    self[.isWeak] = scope.isWeak
    self[.isBuiltByOwner] = scope.isBuiltByOwner
    self[.keepsPerArguments] = keepsPerArguments
    // The inner binding of a decorator may turn out to suspend.
    self[.isBuiltAtOnce] = synchrony == .synchronous && !traits[.isDecorated]
    let mayBeSynchronous = synchrony == .synchronous || synchrony == .either
    let isMadeInPlace = mayBeSynchronous && !traits[.isIndirect]
    // Only the once cell publishes an instance together with its conversions for aliases.
    let isShownByAliases = hasAliases && !self[.isKeptByCall] && !self[.isKeptByAsker] && !self[.isWeak]
    self[.isBuiltUncontended] =
      isMadeInPlace && !traits[.isDecorated] && !keepsPerArguments && !isShownByAliases
      && (self[.isKeptByCall] || isPublished && (scope.isPlainlyKept || scope.isWeak))
    let isTransient = isMadeInPlace && scope.isTransient && disposalHook == nil && disposability != .certain
    self[.isPlainTransient] = isTransient && !traits.hasHooks && !takesArguments && !traits[.isDecorated]
    self[.isDecoratedTransient] = isTransient && !takesArguments && traits[.isDecorated]
    self[.isPlainWithArguments] = isTransient && !traits.hasHooks && takesArguments
    self[.isTransientWithHooks] = isTransient && traits.hasHooks
  }

  /// Derives the traits of a registration with extras.
  init(_ descriptor: Descriptor) {
    self.init(
      descriptor.traits, descriptor.identity.service, descriptor.scope,
      takesArguments: descriptor.identity.takesArguments, isPublished: descriptor.isPublished,
      keepsPerArguments: descriptor.keepsPerArguments, hasAliases: !descriptor.aliases.isEmpty,
      disposalHook: descriptor.disposalHook)
  }
}
