internal import Synchronization

// What is kept of a binding, and by whom: by the container in which its registration stands, or by one that is asked for it.
extension Binding {
  /// The cell of a scope in which the binding itself keeps the instance.
  ///
  /// - Parameter values: the run-time arguments, if each tuple of them has an instance of its own.
  final func cell(for values: ArgumentValues?) -> OnceCell {
    if let argumentCells, let values { return argumentCells.cell(for: values) { makeCell() } }
    return ownCell
  }

  /// Makes a cell, of which a managed scope knows from then on.
  ///
  /// - Parameters:
  ///   - holder: where the instance stands: the binding, or a slot of the container that keeps it.
  ///   - lifecycle: that of the container which keeps the instance.
  final func makeCell(_ holder: any InstanceHolder & InstanceKeeper, in lifecycle: Lifecycle) -> OnceCell {
    let member = descriptor.scope.periods.map { periods in
      let container = lifecycle.container.map { ContainerReference($0) }
      return periods.member(holder) { container?.container }
    }
    return OnceCell(for: self, keeping: makeStorage(in: holder), membership: member, in: lifecycle)
  }

  /// How many tuples of arguments have a cell; nil where they do not have cells of their own.
  final var argumentCellCount: Int? { argumentCells?.count }

  /// Forgets what is kept, in all cells. Builds in flight go on for those who wait for them.
  ///
  /// - Returns: what was kept, for the caller to let go of.
  // Not inlined: several loops call it, and none of them is worth its size.
  @inline(never)
  final func forget() -> [DroppedInstance] {
    if descriptor.nature.isInstance { return [] }
    let own = unsafe descriptor.scope.isKeptByAsker ? owner.kept.existing(self)?.forget() ?? [] : forgetInstance()
    let wrapped = forEachWrapperElsewhere(removing: false) { $0.forget() }
    return own + wrapped + (argumentCells?.forget() ?? []) + (pool?.empty() ?? [])
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
    let wrapped = forEachWrapperElsewhere(removing: true) { $0.retire() }
    return own + wrapped + (argumentCells?.retire() ?? []) + (pool?.close() ?? [])
  }

  /// The number under which containers keep an instance of the registration as a ``KeptSlot``: a ``KeptNumber``.
  final var keptNumber: UInt {
    let word = instance.load(ordering: .relaxed)
    return InstanceHolder.isKeptNumber(word) ? word : extras.keptNumber
  }

  /// Where the containers that are asked keep instances, this one has none itself: in the place of one it has the number. Before publication.
  final func noteKeptNumber() {
    // One that was refused by a container may come to another one, and have another scope there.
    let isNoted = InstanceHolder.isKeptNumber(instance.load(ordering: .relaxed))
    guard isNoted || isKeptByAsker else { return }
    instance.store(isKeptByAsker ? KeptNumber.next(isByName: isKeptByName) : Mark.free, ordering: .relaxed)
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
}

// MARK: - Whose an instance is

extension Binding {
  /// The container that keeps the instance for one that is asked; nil when none has the name of its scope.
  final func keeper(for asked: Container) -> Container? { keeperReference(for: asked)?.object }

  /// The same without a reference: the asked container, or the binding, holds it.
  final func keeperReference(for asked: Container) -> UnheldReference<Container>? {
    switch descriptor.scope.keeper {
    case .named:
      guard let name = descriptor.scope.containerName else { return nil }
      var next: UnheldReference<Container>? = UnheldReference(asked)
      while let container = next {
        if container.lend({ $0.name == name }) { return container }
        next = container.lend { $0.parentToSearch }
      }
      return nil
    case .asker, .nobody, .call: return UnheldReference(asked)
    case .owner: return unsafe UnheldReference(owner)
    }
  }

  /// The container whose registrations a kept instance of this binding is made with: for an override, the one that is overridden.
  final var ownContainer: Container { unsafe owner.overridden ?? owner }

  /// The container whose registrations an instance is built with: its own for one that lives as long as that, or longer than others
  /// (CONTRACT: a parent's singleton never sees a child's overrides); else the one that keeps it, or is asked.
  final func container(for resolver: Resolver) -> Container {
    if descriptor.scope.isBuiltByOwner { return ownContainer }
    return keeper(for: resolver.container) ?? resolver.container
  }

  /// The cell in which a container keeps the instance.
  ///
  /// - Parameter values: the run-time arguments, if each tuple of them has an instance of its own.
  final func cell(in keeper: Container, for values: ArgumentValues?) -> OnceCell {
    if unsafe !isKeptByAsker && keeper === owner { return cell(for: values) }
    let slot = keeper.kept.slot(for: self, in: keeper.lifecycle)
    if let values, let cells = slot.argumentCells {
      return cells.cell(for: values) { makeCell(slot, in: keeper.lifecycle) }
    }
    return slot.cell { makeCell(slot, in: keeper.lifecycle) }
  }
}

extension InstanceHolder {
  /// The instance, if there is one now; never builds, never waits.
  final func existing() -> Instance? {
    if let cell = existingCell { return cell.existing() }
    let record = unsafe ThreadRecordPointer.current
    unsafe record.pin()
    let found = current
    unsafe record.unpin()
    return found
  }

  /// What the factory and the hooks of the instance have asked for, beside what its registration says; nil when there is no instance now, or
  /// it is not known.
  final var observed: [ServiceIdentity]? {
    if existingCell == nil, let instance = existing() {
      // Only now is it known that no cell has made it: that keeps the notes of what it makes itself.
      if existingCell == nil { return instance.box.notes.map(\.all) ?? [] }
    }
    return existingCell?.observed
  }
}

extension OnceCell {
  convenience init(
    for binding: Binding, keeping storage: any InstanceStorage, membership: ValidityPeriods.Member? = nil,
    in home: Lifecycle?
  ) {
    self.init(binding.identity, binding: binding.address, keeping: storage, membership: membership, in: home)
  }
}

extension KeptSlots {
  /// The slot of a registration, if anything was ever kept of it.
  func existing(_ binding: Binding) -> KeptSlot? { existing(binding.keptNumber) }

  /// The slot of a registration, made now if there was none.
  ///
  /// - Parameter home: the life of the container.
  func slot(for binding: Binding, in home: Lifecycle) -> KeptSlot {
    slot(binding.keptNumber) {
      KeptSlot(
        binding.keptNumber, binding.identity, binding.descriptor.scope, binding: binding.address,
        keepsPerArguments: binding.keepsPerArguments, in: home)
    }
  }
}
