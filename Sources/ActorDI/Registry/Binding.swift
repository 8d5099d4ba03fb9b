public import Synchronization

/// A registration in its internal form: its descriptor, its factory and the kept instance.
///
/// A ``Registration`` has a binding as its storage until a container places it. Like any value with reference storage,
/// it changes the binding only while it has the sole reference. A container takes over a binding without other
/// references, and copies any other. Most registrations are made for one container, and creating each binding twice
/// would dominate the cost of a large batch. A published binding does not change (S0).
///
/// The fast path reads bindings, so the fields of a lookup come first: `instance`, then `isPlainTransient`. A registry
/// may have many bindings; rarely used fields are in ``BindingExtras`` and in the extras of the descriptor.
///
/// Neither the class nor anything else between a resolve and a factory has a type parameter: an ``Instance`` erases the
/// type of the product. The runtime would create the metadata of a generic class at the first use of each service type,
/// and unspecialised code would look that metadata up at each step.
///
/// Lifetime (S1): the registry holds a binding while a snapshot contains it, then hands its reference to the
/// ``Reclaimer``. A thread that found the binding by its address may use it under a pin or in a hazard slot, or may
/// retain it.
///
/// `@unchecked Sendable` because fields that change after publication are atomic or guarded by the registry's lock. All
/// other fields are written before publication, by the only thread that knows the binding. For the same reason
/// exclusivity needs no run-time checks.
@usableFromInline
final class Binding: InstanceHolder, @unchecked Sendable {
  /// The last dynamic type whose instances needed no completion after the factory; see ``DynamicTypeProbe``.
  let completeType = Atomic<UInt>(0)

  /// Rarely used fields, created on demand.
  let lazyExtras = LazyReference<BindingExtras>()

  // This order avoids padding: a large registry has a hundred thousand bindings.
  @exclusivity(unchecked) private var storedDerived: DerivedTraits
  /// The index in the registry's list; -1 if the binding is not listed. Under the registry's lock.
  @exclusivity(unchecked) private var storedListIndex: Int32 = -1
  @usableFromInline @exclusivity(unchecked) var described: Descriptor

  /// The storage of ``isPlainTransient``.
  @usableFromInline @exclusivity(unchecked) var storedIsPlainTransient = false

  /// The storage of ``isBuiltAtOnce``.
  let builtAtOnce = Atomic<Bool>(false)

  /// Whether lookups find the binding. Unlike `listIndex`, it can be read without the registry's lock.
  @usableFromInline let isListed = Atomic<Bool>(false)

  /// Whether no lookup will find the binding again: it is neither listed, nor behind another binding, nor saved.
  let isRetired = Atomic<Bool>(false)

  /// Whether the key is a ``TextKey``.
  @usableFromInline @exclusivity(unchecked) var hasTextKey = false

  /// The synchronous factory. The fast path calls it directly for a plain transient.
  let factory: Factory

  /// Creates the binding of a registration with a synchronous factory.
  ///
  /// Takes the parts of a descriptor one by one, so that the call site copies none.
  ///
  /// - Parameter scope: nil for the default scope of the container that will place the binding.
  @usableFromInline
  init(_ service: any Any.Type, _ factory: Factory, _ scope: Scope?, _ fileID: StaticString, _ line: UInt) {
    unsafe described = Descriptor(
      ServiceIdentity(service: service, key: nil, word: 0), scope, .synchronous, RegistrationSource(fileID, line))
    unsafe storedDerived = DerivedTraits(.synchronous)
    self.factory = factory
  }

  init(_ descriptor: Descriptor, _ factory: Factory) {
    unsafe described = descriptor
    unsafe storedDerived = DerivedTraits(descriptor.factorySynchrony)
    self.factory = factory
  }

  /// Creates a binding from a recipe.
  ///
  /// - Parameter descriptor: States the same synchrony as the recipe.
  convenience init(_ descriptor: Descriptor, _ recipe: Recipe) {
    self.init(descriptor, recipe.factory)
    if recipe.makeAsync != nil || descriptor.hasOptions { describe { $0.options.making.makeAsync = recipe.makeAsync } }
  }

  // MARK: Before placement

  /// A copy of the binding that is not placed in a container.
  @usableFromInline
  func copy() -> Binding { Binding(descriptor, factory) }

  /// Changes the descriptor. Only while nothing else refers to the binding.
  func describe(_ change: (inout Descriptor) -> Void) { unsafe change(&described) }

  @usableFromInline
  func setKey(_ key: consuming Key?, word: UInt) { unsafe described.identity.setKey(key, word: word) }

  // MARK: Descriptor and derived traits

  /// The registration's descriptor, borrowed rather than copied.
  var descriptor: Descriptor { _read { yield unsafe described } }

  var identity: ServiceIdentity { descriptor.identity }
  // Inlined, because a call would return a reference for the caller to release.
  @_alwaysEmitIntoClient @inline(__always) var key: Key? { unsafe described.identity.key }

  /// The first of the hooks that run after the factory. The binding holds it.
  var hooks: UnheldReference<CreationHook>? { descriptor.hooks.map { UnheldReference($0) } }

  /// The last of the hooks that run when an instance is disposed of. The binding holds it.
  var disposalHook: UnheldReference<DisposalHook>? { descriptor.disposalHook.map { UnheldReference($0) } }

  /// The hook for a disposal to hold: ``disposalHook``, or the calling thread's copy if there may be many disposals.
  var heldDisposalHook: DisposalHook? {
    let hasManyInstances = policy.isKeptPerContainer || policy.isTransient
    return disposalHook?.borrow { hasManyInstances ? $0.ofThread : $0 }
  }

  /// Whether the synchronous factory can make the instance for an asynchronous caller.
  ///
  /// True if the build needs nothing that suspends, or did not suspend when it was last tried.
  var isBuiltAtOnce: Bool { builtAtOnce.load(ordering: .relaxed) }
  func noteBuiltAtOnce(_ new: Bool) { if isBuiltAtOnce != new { builtAtOnce.store(new, ordering: .relaxed) } }

  /// The traits derived when the binding joined its container. Set before publication, by the only thread that knows the binding, so no
  /// two accesses can overlap.
  var derived: DerivedTraits {
    _read { yield unsafe storedDerived }
    _modify { yield unsafe &storedDerived }
  }

  private var traits: DerivedTraits.Traits { derived.traits }

  /// Whether a resolve is a single call of the factory, unless it is observed: transient, synchronous, without hooks.
  @_alwaysEmitIntoClient @inline(__always) var isPlainTransient: Bool { unsafe storedIsPlainTransient }

  /// Whether an uncontended build is little more than a call of the factory.
  var isBuiltUncontended: Bool { traits.contains(.isBuiltUncontended) }

  /// Whether a resolve is little more than a call of the factory, unless it is observed.
  var isMadeByOneCall: Bool { traits.contains(.isMadeByOneCall) }

  /// Whether a resolve is a call of the factory and of synchronous hooks, unless it is observed.
  var isTransientWithHooks: Bool { traits.contains(.isTransientWithHooks) }

  /// Who keeps the instances, and how: the policy of the scope.
  var policy: Scope.Policy { derived.policy }

  /// Whether each tuple of run-time arguments has its own instance.
  var keepsPerArguments: Bool { traits.contains(.keepsPerArguments) }

  /// The way to read the dynamic type of an instance.
  var typeProbe: DynamicTypeProbe { derived.typeProbe }

  /// Whether a synchronous caller can have an instance built, as far as this registration alone determines it.
  var synchrony: Synchrony { derived.synchrony }

  /// Whether instances conform to ``PostInitialization`` or ``ResolutionAware``. If they certainly do, only an
  /// asynchronous caller can build one.
  var completion: Conformance { derived.completion }

  /// Whether instances conform to ``Disposable``.
  var disposability: Conformance { derived.disposability }

  /// Whether all disposal hooks are synchronous.
  var endsSynchronously: Bool { traits.contains(.endsSynchronously) }

  /// Whether the binding is the registration of a token's default, or an alias of it. All others of its identity come before it.
  var isTokenDefault: Bool { traits.contains(.isTokenDefault) }

  /// Marks the placed registration, or an alias of it, as the default of a token.
  func noteTokenDefault() { derived.traits.insert(.isTokenDefault) }

  /// Whether the binding comes from the container's initial registrations. Set before publication.
  var isInitial: Bool {
    get { traits.contains(.isInitial) }
    set {
      if newValue {
        derived.traits.insert(.isInitial)
      } else {
        derived.traits.remove(.isInitial)
      }
    }
  }

  // MARK: Placement

  /// The container that has the registration.
  ///
  /// Unowned, since that container holds the binding. Code that keeps a binding beyond a call keeps its container too.
  @unsafe var owner: Container { unsafe derived.owner.unsafelyUnwrapped }

  /// The index in the registry's list; nil if the binding is not listed. Under the registry's lock.
  var listIndex: Int? {
    get { unsafe storedListIndex < 0 ? nil : Int(storedListIndex) }
    set {
      let isNew = unsafe (storedListIndex < 0) == (newValue != nil)
      unsafe storedListIndex = newValue.map { Int32($0) } ?? -1
      // A binding that moves keeps its visibility.
      if isNew { isListed.store(newValue != nil, ordering: .releasing) }
    }
  }

  /// Hides the binding from lookups but keeps its list index: its container is closed, or a later binding of the
  /// identity is found instead.
  func unlist() { isListed.store(false, ordering: .releasing) }

  /// Lets lookups find the binding again.
  func relist() { isListed.store(true, ordering: .releasing) }

  // MARK: Extras

  var extras: BindingExtras { lazyExtras.load(orStore: BindingExtras()) }

  /// The registrations of the same batch that this one has replaced. Under the registry's lock.
  var replaced: [RegistrationInfo] { lazyExtras.load()?.replaced ?? [] }

  /// The pool of a pooled service; nil for other services.
  var pool: Pool? { lazyExtras.load()?.pool }

  override var argumentCells: ArgumentCells? { lazyExtras.load()?.argumentCells }

  // MARK: Kept instance

  override var shownBy: [InstanceHolder] { aliases }

  override func makeCell() -> OnceCell { unsafe makeCell(self, in: owner.lifecycle) }

  /// Whether a build may take services from the container besides the known dependencies.
  var mayTakeMore: Bool {
    let traits = descriptor.traits
    return traits.isOpaque || traits.hasOpaqueHooks || isDecorator
  }
}

extension Binding: ResettableHolder {}  // `forget()` is in Binding+Keeping.

extension Binding {
  /// The scope of the instance. For an alias, its target's scope; for a choice, the common scope of the candidates, or
  /// transient.
  var effectiveScope: Scope {
    switch kind {
    case .registration: return descriptor.scope
    case .decorator(let inner, _): return inner.effectiveScope
    case .alias(let primary, _): return primary.effectiveScope
    case .choice(let candidates):
      guard let scope = candidates.first?.descriptor.scope, candidates.allSatisfy({ $0.descriptor.scope == scope })
      else { return .transient }
      return scope
    }
  }

  /// The keeping options of the instance. For an alias, its target's options; for a choice, those of all candidates.
  var effectiveKeeping: Keeping {
    switch kind {
    case .registration: descriptor.keeping
    case .decorator: descriptor.keeping
    case .choice(let candidates): Keeping(merging: candidates.map(\.descriptor.keeping))
    case .alias(let primary, _): primary.effectiveKeeping
    }
  }

  /// Whether ``Container/start()`` builds the service. A decorator or choice is eager if one of its parts is.
  var isEager: Bool { parts.isEmpty ? descriptor.traits.contains(.isEager) : parts.contains(where: \.isEager) }

  /// Whether the service touches the world outside the program. A decorator or choice does if one of its parts does.
  var isExternal: Bool {
    parts.isEmpty ? descriptor.traits.contains(.isExternal) : parts.contains(where: \.isExternal)
  }

  // Emitted into the client for the fast path, as is the address below.

  /// A binding that was found in a snapshot. Under a pin or in a hazard slot.
  @_alwaysEmitIntoClient @inline(__always)
  static func at(_ found: FoundBinding) -> UnheldReference<Binding> { UnheldReference(at: found.bits) }

  /// The binding's identity, for comparison after the binding may have been freed.
  var id: BindingID { BindingID(at: address) }

  /// The binding as a lookup finds it.
  @_alwaysEmitIntoClient @inline(__always)
  var found: FoundBinding { FoundBinding(bits: address) }

  @_alwaysEmitIntoClient @inline(__always)
  var address: UInt { UnheldReference(self).address }
}
