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
  @exclusivity(unchecked) private final var described: Descriptor

  /// Whether a resolve is one call of the factory: transient, synchronous, without hooks; and nobody wants to be told of it. Written
  /// under the registry's lock.
  @usableFromInline let isPlainTransient = Atomic<Bool>(false)

  /// See ``isBuiltAtOnce``.
  private let builtAtOnce = Atomic<Bool>(false)

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
  final func setKey(_ key: consuming Key, word: UInt) {
    unsafe described.identity.setKey(key, word: word)
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
      unsafe listedAt = newValue.map { Int32($0) } ?? -1
      isListed.store(newValue != nil, ordering: .releasing)
    }
  }

  /// Lets nobody find it any more, though it keeps its place: its container is closed.
  final func unlist() { isListed.store(false, ordering: .releasing) }

  // MARK: What few have

  final var extras: BindingExtras { lazyExtras.load() ?? lazyExtras.storeIfNil(BindingExtras()) }

  /// The bindings that stand behind this one: what it decorates, or what it chooses from.
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
  private final var argumentCells: ArgumentCells? { lazyExtras.load()?.argumentCells }
  final var existingArgumentCells: ArgumentCells? { argumentCells }

  // MARK: What is kept

  /// The cell of a scope in which the binding itself keeps the instance.
  ///
  /// - Parameter values: the run-time arguments, if each tuple of them has an instance of its own.
  final func cell(for values: ArgumentValues?) -> OnceCell {
    if let argumentCells, let values { return argumentCells.cell(for: values) { makeCell() } }
    return ownCell
  }

  final override var shownBy: [InstanceHolder] { forwards?.all.map(\.binding) ?? [] }

  final override func showWeakly(_ new: WeakBox?) -> [DroppedInstance] {
    let address = new.map { UInt(bitPattern: unsafe Unmanaged.passRetained($0).toOpaque()) } ?? 0
    let old = extras.weakInstance.exchange(address, ordering: .acquiringAndReleasing)
    return old == 0 ? [] : [.published(address: old)]
  }

  final override func makeCell() -> OnceCell { unsafe makeCell(self, in: owner.lifecycle) }

  /// Lets a managed scope know of the binding first. Not in `init`: bindings are made under the registry's lock, too.
  ///
  /// - Parameters:
  ///   - holder: where the instance stands: the binding, or a slot of the container that keeps it.
  ///   - lifecycle: that of the container which keeps the instance.
  final func makeCell(_ holder: InstanceHolder, in lifecycle: Lifecycle) -> OnceCell {
    if let periods = descriptor.scope.periods, extras.membership.load() == nil {
      let container = unsafe ContainerReference(owner)
      let member = ValidityPeriods.Member(self) { container.container }
      // Listed first: who sees the membership builds.
      periods.add(member)
      _ = extras.membership.storeIfNil(member)
    }
    return OnceCell(for: self, keeping: makeStorage(in: holder), in: lifecycle)
  }

  /// How many tuples of arguments have a cell; nil where they do not have cells of their own.
  final var argumentCellCount: Int? { argumentCells?.count }

  /// Forgets what is kept, in all cells. Builds in flight go on for those who wait for them.
  ///
  /// - Returns: what was kept, for the caller to let go of.
  final func forget() -> [DroppedInstance] {
    if descriptor.nature.isInstance { return [] }
    let own = unsafe descriptor.scope.isKeptByAsker ? owner.kept.existing(self)?.forget() ?? [] : forgetInstance()
    return own + (argumentCells?.forget() ?? []) + (pool?.empty() ?? [])
  }

  /// As `forget`, for good: the registration is gone.
  final func retire() -> [DroppedInstance] {
    isRetired.store(true, ordering: .releasing)
    // A cell is made now if there was none: who has found the binding before, and comes for its cell later, is to find it retired, and to look
    // again. What it would keep instead would be held by what has to be disposed of, and that by it.
    let own: [DroppedInstance]
    if descriptor.scope.isKeptByAsker {
      let slot = unsafe owner.kept.slot(for: self, in: owner.lifecycle)
      own = slot.retire { unsafe makeCell(slot, in: owner.lifecycle) }
    } else {
      own = descriptor.scope.isKept ? cell(for: nil).retire() : []
    }
    return own + (argumentCells?.retire() ?? []) + (pool?.close() ?? [])
  }

  /// The number under which containers keep an instance of the registration as a ``KeptSlot``: unique in the process.
  @inline(__always)
  final var keptNumber: UInt {
    if let extras = unsafe lazyExtras.loadUnretained() {
      return unsafe extras._withUnsafeGuaranteedRef { $0.keptNumber }
    }
    return extras.keptNumber
  }

  /// All cells of the binding's own.
  final var cells: [OnceCell] { (existingCell.map { [$0] } ?? []) + (argumentCells?.all ?? []) }

  /// Where a cell keeps its instance; the scope decides.
  private final func makeStorage(in holder: InstanceHolder) -> any InstanceStorage {
    // The descriptor as a whole would be a copy of it, which takes longer than all else here.
    let (scope, saysMore) = unsafe (described.scope, described.saysMore)
    let isPublished = saysMore ? descriptor.isPublished : scope.isKept
    let isOwn = holder === self
    let storage: any InstanceStorage =
      if scope.isWeak {
        SharedStorage(publishingIn: isPublished && isOwn ? self : nil)
      } else if isPublished {
        HolderStorage(holder)
      } else {
        OwnedStorage()
      }
    guard saysMore, let timeToLive = descriptor.keeping.timeToLive else { return storage }
    let standard = unsafe owner.settings.configuration.clock
    return ExpiringStorage(storage, after: timeToLive.duration, by: timeToLive.clock ?? standard)
  }

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
  /// Before publication, and under the registry's lock.
  final func stand(for parts: [Binding], as standing: Standing) {
    extras.stand(for: parts, as: standing)
    isInitial = parts.contains(where: \.isInitial)
    claimParts()
  }

  /// What stands behind this binding stands behind no other. Under the registry's lock.
  final func claimParts() {
    for part in parts {
      part.wrapper = self
      part.claimParts()
    }
  }

  final var isDecorator: Bool { standing == .decorator }
  final var isGroup: Bool { standing == .group }

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

  /// Before publication.
  func adopt(_ forwards: [ForwardList.Forward]) {
    if !forwards.isEmpty { extras.show(by: ForwardList(forwards)) }
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
