public import Synchronization

/// A registration as a container holds it: identity, scope, and the instance that is kept.
///
/// This is the read path's view of a registration. What a lookup reads stands first: `instance`, then
/// `isPlainTransient`. The typed subclass adds the factory; see ``ServiceBinding``.
///
/// Lifetime (S1): the registry holds a binding while it stands in a snapshot, then hands its reference to the
/// ``Reclaimer``. A thread that found the binding by its address may use it under a pin or a slot, or retain it.
///
/// `@unchecked Sendable` because all that changes is atomic; the rest is set before publication.
@usableFromInline
class Binding: @unchecked Sendable {
  /// The address of the kept instance's ``Box``, with a reference; 0 while there is none (B1). It is written
  /// under the once cell's lock only, and what is taken out goes to the ``Reclaimer`` (B2).
  @usableFromInline let instance = Atomic<UInt>(0)

  /// The address of the ``WeakBox`` of an instance that is kept weakly, with a reference; 0 while there is none. As `instance` in all else.
  @usableFromInline let weakInstance = Atomic<UInt>(0)

  /// Whether a resolve is one call of the factory: transient, synchronous, without hooks; and nobody wants to be told of it. Written
  /// under the registry's lock.
  @usableFromInline let isPlainTransient: Atomic<Bool>

  /// Whether a plain transient never has to suspend, not even for a dependency. As `isPlainTransient` in all else.
  @usableFromInline let isPlainSynchronous: Atomic<Bool>

  /// When a resolve may be one call of the factory, as long as nobody wants to be told of it.
  let shortcut: Shortcut

  /// How the type of an instance is told.
  @usableFromInline let typeProbe: DynamicTypeProbe

  /// The last type whose instances were found to be complete after the factory; see ``DynamicTypeProbe``.
  @usableFromInline let completeType: Atomic<UInt>

  let descriptor: Descriptor

  /// Whether a synchronous caller can have an instance built, as far as this registration alone can tell.
  final let synchrony: Synchrony

  /// What is done at the end of an instance.
  final let disposalHooks: [DisposalHook]

  /// Whether a kept instance is made by one call of a synchronous factory, and has no end but by `disposalHooks`, as far as the
  /// registration can tell.
  final let isMadeByOneCall: Bool

  /// Whether none of `disposalHooks` suspends.
  final let endsSynchronously: Bool

  /// The container in which the registration stands. Unowned, since that container owns the binding; who keeps
  /// a binding beyond a call keeps its container too.
  unowned(unsafe) let owner: Container

  /// The number of the registration in its registry, ascending.
  let order: UInt

  /// Where the registry lists the binding; nil when it does not. `nonisolated(unsafe)` because it is only used under
  /// the registry's lock.
  nonisolated(unsafe) private var listedAt = -1
  final var place: Int? {
    get { unsafe listedAt < 0 ? nil : listedAt }
    set {
      unsafe listedAt = newValue ?? -1
      isListed.store(newValue != nil, ordering: .releasing)
    }
  }

  /// Lets nobody find it any more, though it keeps its place: its container is closed.
  final func unlist() { isListed.store(false, ordering: .releasing) }

  /// Lets it be found though it has no place: a stand-in.
  final func list() { isListed.store(true, ordering: .releasing) }

  /// Whether a lookup finds the binding: `place`, for those who do not hold the lock.
  @usableFromInline let isListed = Atomic<Bool>(false)

  /// Whether nobody will find it again: it is not listed, nor does it stand behind another one or is saved.
  final let isRetired = Atomic<Bool>(false)

  /// The bindings that stand behind this one: what it decorates, or what it chooses from. Set before publication.
  private(set) final var parts: [Binding] = []
  private(set) final var standing = Standing.alone

  /// What a binding stands for.
  enum Standing { case alone, decorator, group }

  /// Whether it comes from the registrations that the container was made of. Set before publication.
  final var isInitial = false

  /// `nonisolated(unsafe)` because it is only used under the registry's lock.
  nonisolated(unsafe) private var lazyTies: BindingTies?
  final var existingTies: BindingTies? { unsafe lazyTies }
  final var ties: BindingTies {
    if let ties = unsafe lazyTies { return ties }
    let ties = BindingTies()
    unsafe lazyTies = ties
    return ties
  }

  /// What the managed scope knows of the binding.
  private let membership = LazyReference<ValidityPeriods.Member>()

  /// Where instances that are kept by the binding are made; created by the first build.
  private let lazyCell = LazyReference<OnceCell>()
  /// The same, where each tuple of run-time arguments has an instance of its own.
  private let argumentCells: ArgumentCells?

  /// Of a pooled service.
  let pool: Pool?

  /// Bindings that present this one's instance under another type: see ``Registration/implements(_:key:_:)``.
  private(set) final var forwards: ForwardList?

  /// The binding whose instance this one shows; nil for one with an instance of its own. Written once, before publication.
  final var primary: Binding?

  /// The binding that keeps the instance.
  final var instanceOwner: Binding { primary ?? self }

  /// When a resolve is one call of the factory.
  enum Shortcut { case none, forSynchronousCallers, always }

  init(
    _ descriptor: Descriptor, owner: Container, order: UInt, shortcut: Shortcut,
    synchrony: Synchrony, disposalHooks: [DisposalHook], isMadeByOneCall: Bool,
    typeProbe: DynamicTypeProbe
  ) {
    self.descriptor = descriptor
    self.synchrony = synchrony
    self.disposalHooks = disposalHooks
    self.isMadeByOneCall = isMadeByOneCall
    endsSynchronously = disposalHooks.allSatisfy { $0.run != nil }
    self.typeProbe = typeProbe
    completeType = Atomic(typeProbe == .fixed ? DynamicTypeProbe.settled : 0)
    unsafe self.owner = owner
    self.order = order
    argumentCells = descriptor.keepsPerArguments ? ArgumentCells() : nil
    pool = if case .pooled(let max) = descriptor.scope.kind { Pool(limit: max) } else { nil }
    self.shortcut = shortcut
    isPlainTransient = Atomic(shortcut != .none)
    isPlainSynchronous = Atomic(shortcut == .always)
  }

  deinit {
    for address in [
      instance.load(ordering: .acquiring), weakInstance.load(ordering: .acquiring),
    ] where address != 0 {
      let pointer = unsafe UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped
      unsafe Unmanaged<AnyObject>.fromOpaque(pointer).release()
    }
  }

  var identity: ServiceIdentity { descriptor.identity }
  @usableFromInline final var key: Key? { descriptor.identity.key }

  /// The once cell of a scope in which the binding itself keeps the instance.
  ///
  /// - Parameter values: the run-time arguments, if each tuple of them has an instance of its own.
  final func cell(for values: ArgumentValues?) -> OnceCell {
    if let argumentCells, let values {
      return argumentCells.cell(for: values) { makeCell() }
    }
    return lazyCell.load() ?? lazyCell.storeIfNil(makeCell())
  }

  /// Lets a managed scope know of the binding first. Not in `init`: bindings are made under the registry's lock, too.
  private func makeCell() -> OnceCell {
    if let periods = descriptor.scope.periods, membership.load() == nil {
      let member = unsafe ValidityPeriods.Member(self, in: owner)
      // Listed first: who sees the membership builds.
      periods.add(member)
      _ = membership.storeIfNil(member)
    }
    return unsafe OnceCell(for: self, keeping: makeStorage(isPublished: true), in: owner.lifecycle)
  }

  /// The cell that does not depend on arguments, if anything was ever built in it.
  final var existingCell: OnceCell? { lazyCell.load() }

  /// How many tuples of arguments have a cell; nil where they do not have cells of their own.
  final var argumentCellCount: Int? { argumentCells?.count }

  /// Forgets what is kept, in all cells. Builds in flight go on for those who wait for them.
  ///
  /// - Returns: what was kept, for the caller to let go of.
  final func forget() -> [DroppedInstance] {
    (lazyCell.load()?.forget() ?? []) + (argumentCells?.forget() ?? []) + (pool?.empty() ?? [])
  }

  /// As `forget`, for good: the registration is gone.
  final func retire() -> [DroppedInstance] {
    isRetired.store(true, ordering: .releasing)
    // Made now if there was none: who has found the binding before, and comes for its cell later, is to find it retired, and to look again.
    // What it would keep instead would be held by what has to be disposed of, and that by it.
    let cell = descriptor.scope.isKept ? lazyCell.load() ?? lazyCell.storeIfNil(makeCell()) : nil
    return (cell?.retire() ?? []) + (argumentCells?.retire() ?? []) + (pool?.close() ?? [])
  }

  /// All cells of the binding's own.
  final var cells: [OnceCell] { (lazyCell.load().map { [$0] } ?? []) + (argumentCells?.all ?? []) }

  /// Where a cell keeps its instance; the scope decides.
  ///
  /// - Parameter isPublished: whether it is the binding's own cell, whose instance the read path may find in the binding.
  func makeStorage(isPublished: Bool) -> any InstanceStorage { fatalError("abstract") }

  /// A binding of the same identity that chooses from candidates.
  func delegate(to candidates: [Binding]) -> Binding { fatalError("abstract") }

  /// Where the cell of a call tree keeps its instance.
  func makeGraphStorage() -> any InstanceStorage { fatalError("abstract") }

  /// The instance in a cell, for a caller outside of any factory, if it can be had without waiting.
  ///
  /// - Parameters:
  ///   - depth: the slot of the binding.
  ///   - isNew: gets whether it was made now.
  func immediateInstance(
    in cell: OnceCell, for resolver: Resolver, _ record: ThreadRecordPointer, at depth: Int, _ isNew: inout Bool
  ) throws -> Instance? { fatalError("abstract") }

  /// What to go on with, for one that only shows what a container keeps of a registration of its parents; see ``StandIn``.
  var standsInFor: Located? { nil }

  /// Builds the instance, and leaves it to whatever keeps it.
  func build(for resolver: Resolver) async throws { fatalError("abstract") }

  /// Whether it may take something from the container that is not among the known dependencies.
  var mayTakeMore: Bool { fatalError("abstract") }

  /// What autowiring takes from the container, known without running anything.
  var dependencies: [Dependency] { descriptor.dependencies }
}

extension Binding {
  /// Before publication, and under the registry's lock.
  final func stand(for parts: [Binding], as standing: Standing) {
    self.parts = parts
    self.standing = standing
    isInitial = parts.contains(where: \.isInitial)
    claimParts()
  }

  /// What stands behind this binding stands behind no other. Under the registry's lock.
  final func claimParts() {
    for part in parts {
      part.ties.wrapper = self
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
    parts.isEmpty ? descriptor.isEager : parts.contains(where: \.isEager)
  }

  /// Before publication.
  func adopt(_ forwards: [ForwardList.Forward]) {
    if !forwards.isEmpty { self.forwards = ForwardList(forwards) }
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
