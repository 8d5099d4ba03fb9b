// Whose an instance is: that of the container in which its registration stands, or of one that is asked for it.
extension Binding {
  /// The container that keeps the instance for one that is asked; nil when none has the name of its scope.
  final func keeper(for asked: Container) -> Container? { keeperReference(for: asked)?.object }

  /// The same without a reference: the asked container, or the binding, holds it.
  final func keeperReference(for asked: Container) -> UnheldReference<Container>? {
    switch descriptor.scope.kind {
    case .scopedByName(let name):
      var next: UnheldReference<Container>? = UnheldReference(asked)
      while let container = next {
        if container.lend({ $0.name == name }) { return container }
        next = container.lend { $0.parentToSearch }
      }
      return nil
    case .scoped, .pooled, .transient, .graph: return UnheldReference(asked)
    case .shared, .singleton, .automatic, .managed: return unsafe UnheldReference(owner)
    }
  }

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

  /// Where the instance that does not depend on arguments is kept for a container that is asked, if anything was ever built there.
  final func existingHolder(for asked: Container) -> InstanceHolder? {
    let stand = primary?.standIn(asking: asked)
    defer { withExtendedLifetime(stand) {} }
    let binding = stand?.binding ?? instanceOwner
    let placement = binding.placement(asking: asked)
    guard let keeper = placement?.keeper ?? binding.keeper(for: asked) else { return nil }
    return unsafe !binding.isKeptByAsker && keeper === binding.owner ? binding : keeper.kept.existing(binding)
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
