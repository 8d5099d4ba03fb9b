public import Synchronization

/// A registration as a container holds it: identity, scope, and the instance that is kept; or, before it stands in one, what
/// ``Registration`` is made of.
///
/// A registration changes its binding while nothing else refers to it, as any value with storage of its own does. A container takes over
/// the binding of a registration that nobody needs any more, and copies any other: most are made for one container, and to make
/// everything once is what a large batch spends its time with. From its publication on the binding stays as it is (S0).
///
/// This is the read path's view of a registration. What a lookup reads stands first: `instance`, then
/// `isPlainTransient`. There may be many: what few of them need stands in ``BindingExtras``, and in the descriptor's.
///
/// It has no type parameter, nor has anything between a resolve and a factory: what is made is passed on as an ``Instance``. For each type of
/// service the runtime would have to make tables of its own, and code that does not know the type looks it up at each step.
///
/// Lifetime (S1): the registry holds a binding while it stands in a snapshot, then hands its reference to the
/// ``Reclaimer``. A thread that found the binding by its address may use it under a pin or a slot, or retain it.
///
/// `@unchecked Sendable` because all that changes after publication is atomic; the rest is set before, by the only one who knows of it.
/// That is also why exclusivity needs no checks at run time.
@usableFromInline
class Binding: InstanceHolder, @unchecked Sendable {
  /// The last type whose instances were found to be complete after the factory; see ``DynamicTypeProbe``.
  @usableFromInline let completeType = Atomic<UInt>(0)

  /// What few bindings have; created when it is needed.
  @usableFromInline let lazyExtras = LazyReference<BindingExtras>()

  // In this order nothing is lost between them: what each binding takes, a large registry takes a hundred thousand times.
  @usableFromInline @exclusivity(unchecked) final var settled: Settlement
  /// Where the registry lists the binding; -1 when it does not. Only used under the registry's lock.
  @exclusivity(unchecked) private final var listedAt: Int32 = -1
  @exclusivity(unchecked) final var described: Descriptor

  /// Whether a resolve is one call of the factory: transient, synchronous, without hooks; and nobody wants to be told of it. Written
  /// under the registry's lock.
  @usableFromInline let isPlainTransient = Atomic<Bool>(false)

  /// See ``isBuiltAtOnce``.
  let builtAtOnce = Atomic<Bool>(false)

  /// Whether a lookup finds the binding: `place`, for those who do not hold the lock.
  @usableFromInline let isListed = Atomic<Bool>(false)

  /// Whether nobody will find it again: it is not listed, nor does it stand behind another one or is saved.
  final let isRetired = Atomic<Bool>(false)

  /// The synchronous factory, called straight from the read path for a plain transient.
  @usableFromInline final let factory: Factory

  /// Of a registration by a synchronous factory. Its parts come one by one, so that there is nothing to be copied where it is made.
  ///
  /// - Parameter scope: nil for the default of the container that it will stand in.
  @usableFromInline
  init(
    _ service: any Any.Type, _ factory: Factory, _ scope: Scope?, _ fileID: StaticString, _ line: UInt
  ) {
    unsafe described = Descriptor(
      ServiceIdentity(service: service, key: nil, word: 0), scope, .synchronous, RegistrationSource(fileID, line))
    unsafe settled = Settlement(.synchronous)
    self.factory = factory
  }

  init(_ descriptor: Descriptor, _ factory: Factory) {
    unsafe described = descriptor
    unsafe settled = Settlement(descriptor.nature.factorySynchrony)
    self.factory = factory
  }

  /// - Parameter descriptor: says what the recipe does of its synchrony.
  convenience init(_ descriptor: Descriptor, _ recipe: Recipe) {
    self.init(descriptor, recipe.factory)
    if recipe.makeAsync != nil || descriptor.saysMore { describe { $0.making.makeAsync = recipe.makeAsync } }
  }

  // MARK: Before it stands anywhere

  /// Another one that says the same, and stands nowhere.
  @usableFromInline
  func copy() -> Binding { Binding(descriptor, factory) }

  /// As it has to be to stand in a container: itself, or another one.
  func readyToStand() -> Binding {
    guard descriptor.nature.inheritsKey, let key, let recipe = descriptor.making.inheriting?(key) else { return self }
    return Binding(descriptor, recipe)
  }

  typealias RecipeOfBinding = @Sendable (Binding) -> Recipe

  /// Another one for the same run-time arguments, whose recipe is made from this one's, or from those of others.
  ///
  /// - Parameter derive: gets the recipes of bindings for the arguments of a resolve.
  func deriving(
    _ descriptor: Descriptor, _ derive: @escaping @Sendable (_ recipe: @escaping RecipeOfBinding) -> Recipe
  ) -> Binding {
    Binding(descriptor, derive { $0.recipe })
  }

  /// What another type is found under, if it is resolved with the same run-time arguments.
  func identity<Other>(of other: Other.Type) -> ServiceIdentity { ServiceIdentity(other) }

  /// Changes what it says. Only while nothing else refers to it.
  final func describe(_ change: (inout Descriptor) -> Void) {
    unsafe change(&described)
  }

  @usableFromInline
  final func setKey(_ key: consuming Key?, word: UInt) {
    unsafe described.identity.setKey(key, word: word)
  }

  // MARK: What it says

  /// Lent, not copied.
  final var descriptor: Descriptor { _read { yield unsafe described } }

  final var identity: ServiceIdentity { descriptor.identity }
  @usableFromInline final var key: Key? { descriptor.identity.key }

  /// What is done at the end of an instance.
  final var disposalHooks: [DisposalHook] { descriptor.disposalHooks }

  /// Whether a resolve may be one call of the factory, as long as nobody wants to be told of it.
  final var mayBePlainTransient: Bool { unsafe settled.isPlainTransient }

  /// Whether a synchronous factory can make the instance for an asynchronous caller: it needs nothing that has to be waited for, or did not
  /// when it was tried last.
  final var isBuiltAtOnce: Bool { builtAtOnce.load(ordering: .relaxed) }
  final func noteBuiltAtOnce(_ isSo: Bool) {
    if isBuiltAtOnce != isSo { builtAtOnce.store(isSo, ordering: .relaxed) }
  }

  /// Whether an uncontended build is a call of the factory, and little more.
  final var isBuiltAlone: Bool { unsafe settled.isBuiltAlone }

  /// Whether the instance is kept by the container that is asked, or by one above it that the scope names.
  final var isKeptByAsker: Bool { unsafe settled.isKeptByAsker }

  /// Whether each tuple of run-time arguments has an instance of its own.
  final var keepsPerArguments: Bool { unsafe settled.keepsPerArguments }

  /// Whether that container is known by its name.
  final var isKeptByName: Bool { unsafe settled.isKeptByName }

  /// Whether it is built with the registrations of its own container.
  final var isBuiltByOwner: Bool { unsafe settled.isBuiltByOwner }

  /// Whether the instance is held weakly.
  final var isWeak: Bool { unsafe settled.isWeak }

  /// How the type of an instance is told.
  @inlinable @inline(__always) final var typeProbe: DynamicTypeProbe { unsafe settled.typeProbe }

  /// Whether a synchronous caller can have an instance built, as far as this registration alone can tell.
  final var synchrony: Synchrony { unsafe settled.synchrony }

  /// What the container knows of the instances' own part in their creation.
  final var completion: Completion { unsafe settled.completion }

  /// What it knows of their end.
  final var disposability: Disposability { unsafe settled.disposability }

  /// Whether none of `disposalHooks` suspends.
  final var endsSynchronously: Bool { unsafe settled.endsSynchronously }

  /// Whether it comes from the registrations that the container was made of. Set before publication.
  final var isInitial: Bool {
    get { unsafe settled.isInitial }
    set { unsafe settled.isInitial = newValue }
  }

  /// The number of the registration in its registry, ascending: for those who show them in order.
  final var order: UInt32 { unsafe settled.order }

  // MARK: Where it stands

  /// The container in which the registration stands. Unowned, since that container owns the binding; who keeps a binding beyond a call
  /// keeps its container too.
  @unsafe final var owner: Container { unsafe settled.owner.unsafelyUnwrapped }

  /// Where the registry lists the binding; nil when it does not. Under the registry's lock.
  final var place: Int? {
    get { unsafe listedAt < 0 ? nil : Int(listedAt) }
    set {
      let isNew = unsafe (listedAt < 0) == (newValue != nil)
      unsafe listedAt = newValue.map { Int32($0) } ?? -1
      // Another place leaves a hidden binding hidden.
      if isNew { isListed.store(newValue != nil, ordering: .releasing) }
    }
  }

  /// Hides the binding from lookups, though it keeps its place: its container is closed, or a later alias of the identity is found.
  final func unlist() { isListed.store(false, ordering: .releasing) }

  /// Lets lookups find the binding again.
  final func relist() { isListed.store(true, ordering: .releasing) }

  // MARK: What few have

  final var extras: BindingExtras { lazyExtras.load() ?? lazyExtras.storeIfNil(BindingExtras()) }

  /// The bindings that stand behind this one, in its container: what it decorates, or what it chooses from.
  final var parts: [Binding] { lazyExtras.load()?.parts ?? [] }
  final var standing: Standing { lazyExtras.load()?.standing ?? .alone }

  /// What a binding stands for.
  enum Standing { case alone, decorator, group }

  /// Bindings that present this one's instance under another type: see ``Registration/implements(_:key:_:)``.
  final var forwards: ForwardList? { lazyExtras.load()?.forwards }

  /// The binding whose instance this one shows; nil for one with an instance of its own.
  final var primary: Binding? { lazyExtras.load()?.primary }

  /// The binding that keeps the instance.
  final var instanceOwner: Binding { primary ?? self }

  /// Of a pooled service.
  final var pool: Pool? { lazyExtras.load()?.pool }

  /// Where each tuple of run-time arguments has an instance of its own.
  final var argumentCells: ArgumentCells? { lazyExtras.load()?.argumentCells }

  // MARK: What is kept

  final override var shownBy: [InstanceHolder] { forwards?.all.map(\.binding) ?? [] }

  final override func showWeakly(_ new: WeakBox?) -> [DroppedInstance] {
    let address = new.map { UInt(bitPattern: unsafe Unmanaged.passRetained($0).toOpaque()) } ?? 0
    let old = extras.weakInstance.exchange(address, ordering: .acquiringAndReleasing)
    return old == 0 ? [] : [.published(address: old)]
  }

  final override func makeCell() -> OnceCell { unsafe makeCell(self, in: owner.lifecycle) }

  /// Whether it may take something from the container that is not among the known dependencies.
  final var mayTakeMore: Bool {
    let nature = descriptor.nature
    return nature.isOpaque || nature.hasOpaqueHooks || isDecorator
  }

  /// What autowiring takes from the container, known without running anything.
  var dependencies: [Dependency] { descriptor.dependencies }
}

extension Binding: InstanceKeeper {}

extension Binding {
  /// How long the instance is kept, whichever binding keeps it.
  final var effectiveScope: Scope {
    if let primary { return primary.effectiveScope }
    guard isGroup, let first = parts.first else { return descriptor.scope }
    return parts.allSatisfy { $0.descriptor.scope == first.descriptor.scope } ? first.descriptor.scope : .transient
  }

  /// How the instance is kept beside its scope, whichever binding keeps it.
  final var effectiveKeeping: Keeping {
    if let primary { return primary.effectiveKeeping }
    return isGroup ? Keeping(merging: parts.map(\.descriptor.keeping)) : descriptor.keeping
  }

  /// Whether ``Container/start()`` builds it: of several alternatives, whichever is taken if one of them is eager.
  final var isEager: Bool {
    parts.isEmpty ? descriptor.nature.isEager : parts.contains(where: \.isEager)
  }

  /// The binding at an address that was found in a snapshot. Under a pin or slot.
  @inlinable
  @inline(__always)
  static func at(_ address: UInt) -> Unmanaged<Binding> {
    unsafe Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
  }

  @inlinable
  @inline(__always)
  final var address: UInt { UInt(bitPattern: unsafe Unmanaged.passUnretained(self).toOpaque()) }
}
