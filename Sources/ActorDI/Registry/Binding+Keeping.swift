internal import Synchronization

// Where the instances of a binding are kept: in the binding, or in the container resolved from.
extension Binding {
  /// Creates a once cell, as a member of the managed scope if the registration has one.
  ///
  /// - Parameters:
  ///   - holder: The holder of the instance: the binding, or a slot of the keeper.
  ///   - lifecycle: The lifecycle of the keeper.
  func makeCell(_ holder: any InstanceHolder & ResettableHolder, in lifecycle: Lifecycle) -> OnceCell {
    let member = descriptor.scope.periods.map { periods in
      let container = lifecycle.container.map { ContainerReference($0) }
      return ValidityPeriods.Member(of: periods, holder) { container?.container }
    }
    return OnceCell(identity, binding: id, keeping: makeStorage(in: holder), membership: member, in: lifecycle)
  }

  /// Forgets the instances in all cells. A build in flight continues for its waiters.
  ///
  /// The slots of a scoped service are not included: ``KeptSlots/forget(where:)`` empties them. If a slot were emptied twice, a build
  /// that begins between the two would not be kept.
  ///
  /// - Returns: The forgotten instances, for the caller to release.
  func forget() -> [DroppedReference] {
    if descriptor.traits.contains(.isInstance) { return [] }
    let own = forgetInstance()
    // Instances of a scoped service in other containers stay, and so do their wrappers.
    let wrapped = policy.isKeptPerContainer ? [] : forEachWrapperElsewhere(removing: false) { $0.forget() }
    return own + wrapped + (argumentCells?.forget() ?? []) + (pool?.empty() ?? [])
  }

  /// Forgets the instances for good, because the container has ended. No build begins in it any more, so its cells stay.
  func end() -> [DroppedReference] {
    // Before the look at the wrappers: see `Registry.wrap`.
    isRetired.store(true, ordering: .sequentiallyConsistent)
    let own = forgetInstance()
    let wrapped = forEachWrapperElsewhere(removing: true) { $0.retire() }
    return own + wrapped + (argumentCells?.forget() ?? []) + (pool?.close() ?? [])
  }

  /// Takes the instance that a named container above the binding's own keeps for it.
  ///
  /// - Parameter parent: The parent of the binding's container.
  /// - Returns: The instance that was kept, for the caller to release.
  func takeInstanceAbove(_ parent: Container?) -> [DroppedReference] {
    guard let keeper = keeperAbove(parent) else { return [] }
    // Before the look at the slots: a thread that adds one afterwards finds the binding retired.
    isRetired.store(true, ordering: .sequentiallyConsistent)
    guard let slot = keeper.kept.existing(self) else { return [] }
    return slot.retire { makeCell(slot, in: keeper.lifecycle) }
  }

  /// The slot in which a named container above the binding's own keeps the instance; nil if there is none.
  ///
  /// - Parameter parent: The parent of the binding's container.
  func existingSlotAbove(_ parent: Container?) -> KeptSlot? { keeperAbove(parent)?.kept.existing(self) }

  private func keeperAbove(_ parent: Container?) -> Container? {
    guard let name = descriptor.scope.containerName else { return nil }
    return parent?.lineage.first { $0.name == name }
  }

  /// Breaks the reference cycles with aliases, retires the wrappers of other containers, and closes the pool, to which other containers may
  /// still return instances. Only while the container is deallocated.
  func breakCycles() {
    guard lazyExtras.isSet else { return }
    forEachWrapperElsewhere(removing: true) { $0.retire() }.release()
    dropAliases()
    _ = pool?.close()
  }

  /// Forgets the instances for good, because the registration is gone.
  func retire() -> [DroppedReference] {
    // Before the look at the wrappers: see `Registry.wrap`.
    isRetired.store(true, ordering: .sequentiallyConsistent)
    // Create the cell even if there is none. A thread that found the binding earlier and now asks for its cell finds
    // the cell retired and searches again. Otherwise the cell would keep an instance that no caller can ask for.
    var own: [DroppedReference]
    if policy.isKeptPerContainer {
      let slot = unsafe owner.kept.slot(for: self, in: owner.lifecycle)
      own = slot.retire { unsafe makeCell(slot, in: owner.lifecycle) }
      if unsafe owner.lifecycle.mayHaveInstancesAbove { own += unsafe takeInstanceAbove(owner.parent) }
    } else {
      own = policy.isKept ? ownCell.retire() : []
    }
    let wrapped = forEachWrapperElsewhere(removing: true) { $0.retire() }
    return own + wrapped + (argumentCells?.retire() ?? []) + (pool?.close() ?? [])
  }

  /// The ``KeptNumber`` under which containers and calls keep an instance of the registration, made on first use.
  var keptNumber: KeptNumber {
    // Without `??`, whose closure would retain the binding.
    if let number = knownKeptNumber { return number }
    return extras.keptNumber
  }

  /// The number; nil if nothing can have been kept under it.
  var knownKeptNumber: KeptNumber? {
    if let number = word.number { return number }
    return lazyExtras.load()?.keptNumber
  }

  /// Stores the kept number in `instance` if the container resolved from keeps the instances, or the call. Before publication.
  func noteKeptNumber() {
    // A registration that one container refused can be placed in another, where it may get another scope.
    let isNumbered = policy.isKeptPerContainer || policy.isKeptByCall
    guard word.isNumber || isNumbered else { return }
    let isByName = isKeptByNamed
    // A layer keeps the instances of an override in containers of its own.
    if isByName, unsafe owner.parentReference.unheld != nil && owner.replacedContainer == nil,
      unsafe owner.name != descriptor.scope.containerName
    {
      unsafe owner.lifecycle.noteInstancesAbove()
    }
    let new = isNumbered ? HolderWord(KeptNumber(isByName: isByName)) : .free
    instance.store(new.bits, ordering: .relaxed)
  }

  /// Creates the storage of a cell, which depends on the scope.
  private func makeStorage(in holder: InstanceHolder) -> InstanceStorage {
    // Copy two fields only: copying the whole descriptor would take longer than the rest of the function.
    let scope = descriptor.scope
    let hasOptions = descriptor.hasOptions
    let isPublished = hasOptions ? descriptor.isPublished : scope.policy.isKept
    var expiry: Expiry?
    if hasOptions, let timeToLive = descriptor.keeping.timeToLive {
      expiry = unsafe Expiry(
        after: timeToLive.duration, by: timeToLive.clock ?? owner.settings.configuration.clock, ofWrappers: isDecorator)
    }
    return InstanceStorage(scope.policy.isWeak ? .weak : .strong, in: isPublished ? holder : nil, until: expiry)
  }

  // MARK: The keeper of an instance

  /// The keeper of the instance for a resolve from the given container; nil if no container has the name in the scope.
  func keeper(for asked: Container) -> Container? { keeperReference(for: asked)?.object }

  /// Whether a container that the scope names keeps the instance.
  var isKeptByNamed: Bool { policy.keeper == .named }

  /// The keeper of the instance, unretained: the container resolved from, or the binding, holds it.
  func keeperReference(for asked: Container) -> UnheldReference<Container>? {
    switch policy.keeper {
    case .named:
      guard let name = descriptor.scope.containerName else { return nil }
      return UnheldReference(asked).nearest { $0.name == name }
    case .asked, .caller, .call: return UnheldReference(asked)
    case .owner: return unsafe UnheldReference(owner)
    }
  }

  /// The container whose registrations build a kept instance of this binding: for an override, the container
  /// that its own replaces.
  ///
  /// A decorator among the overrides may wrap a service of a container that searches the overridden one, such as a child. It is built
  /// with the registrations of that container, which finds those of the overridden one, too.
  var ownContainer: Container {
    guard let replaced = unsafe owner.replacedContainer else { return unsafe owner }
    guard isDecorator, let found = unsafe wrapped(in: owner).first else { return replaced }
    let decorated = found.binding.ownContainer
    return decorated.searchOrder.contains { $0 === replaced } ? decorated : replaced
  }

  /// The container whose registrations build an instance for the asked container.
  ///
  /// This is the binding's own container for scopes that are built by their owner: a parent's singleton never sees a
  /// child's overrides. For other scopes it is the keeper of the instance, or the container resolved from.
  func container(for asked: Container) -> Container {
    policy.isBuiltByOwner ? ownContainer : keeper(for: asked) ?? asked
  }

  /// Whether the binding itself holds the instance that a container keeps. If not, a slot of that container does.
  func isHolder(in keeper: Container) -> Bool { unsafe !policy.isKeptPerContainer && keeper === owner }

  /// The once cell in which a container keeps the instance.
  ///
  /// - Parameter values: The run-time arguments, if each tuple of them has its own instance; nil otherwise.
  /// - Returns: The cell and its holder. The caller retains the holder while it uses the cell, which does not: the
  ///   container may drop the slot of a removed registration.
  func cell(in keeper: Container, for values: ArgumentValues?) -> (cell: OnceCell, holder: InstanceHolder) {
    if isHolder(in: keeper) {
      return (cell(for: values) { makeCell(self, in: keeper.lifecycle) }, self)
    }
    let slot = keeper.kept.slot(for: self, in: keeper.lifecycle)
    // The binding's own container has ended.
    if isRetired.load(ordering: .sequentiallyConsistent) {
      slot.retire { makeCell(slot, in: keeper.lifecycle) }.release()
    }
    return (slot.cell(for: values) { makeCell(slot, in: keeper.lifecycle) }, slot)
  }
}

extension InstanceHolder {
  /// The current instance, if there is one. Never builds and never waits.
  final func existing() -> Instance? {
    if let cell = existingCell { return cell.existing() }
    let record = ThreadRecordPointer.current
    record.pin()
    defer { record.unpin() }
    return current
  }

  /// The services that the factory and hooks of the current instance requested, besides the declared dependencies.
  ///
  /// Nil if there is no instance, or if its requests are unknown.
  final var requests: [ServiceIdentity]? {
    // If there is still no cell, an uncontended build made the instance and its notes are in the box. A cell has its
    // own notes.
    if existingCell == nil, let instance = existing(), existingCell == nil {
      return instance.box.notes.map(\.all) ?? []
    }
    return existingCell?.kept?.requests
  }
}

extension Sequence<Binding> {
  /// Forgets the instances of the bindings, of each binding once.
  func forget() -> [DroppedReference] {
    var seen: Set<UInt> = []
    return flatMap { seen.insert($0.address).inserted ? $0.forget() : [] }
  }
}

extension KeptSlots {
  /// The slot of a registration, if the container ever kept an instance of it.
  func existing(_ binding: Binding) -> KeptSlot? { binding.knownKeptNumber.flatMap { existing($0) } }

  /// The slot of a registration, created if there is none.
  ///
  /// - Parameter lifecycle: The lifecycle of the container.
  func slot(for binding: Binding, in lifecycle: Lifecycle) -> KeptSlot {
    slot(binding.keptNumber) {
      KeptSlot(
        binding.keptNumber, binding.identity, HeldScope(isNamed: binding.isKeptByNamed, binding.effectiveScope),
        binding: binding.id, keepsPerArguments: binding.keepsPerArguments, in: lifecycle)
    }
  }
}
