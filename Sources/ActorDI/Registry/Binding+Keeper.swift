// Whose an instance is: that of the container in which its registration stands, or of one that is asked for it.
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
    if let cell = existingCell { return cell.observed }
    guard let instance = existing() else { return nil }
    return instance.box.notes.map(\.all) ?? []
  }
}

extension OnceCell {
  convenience init(for binding: Binding, keeping storage: any InstanceStorage, in home: Lifecycle?) {
    self.init(
      binding.identity, binding: binding.address, keeping: storage, periods: binding.descriptor.scope.periods, in: home)
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
