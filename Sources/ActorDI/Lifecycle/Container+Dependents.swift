// What goes on using an instance that nobody gets any more.
extension Container {
  /// Whether something that is kept, here or below, was made from the instance of a registration: as far as it was noted what that has
  /// asked for, and if that is not known.
  ///
  /// - Complexity: O(*n*) in the instances that are kept.
  nonisolated func hasDependents(on binding: Binding) -> Bool {
    let shown = binding.withForwards.map(\.identity)
    return familyTree.contains { container in
      container.ownRegistrations.contains { $0.keepsSomething(madeFrom: shown) }
        || container.keepsSomething(madeFrom: shown)
    }
  }

  /// All bindings of this container, found or not.
  nonisolated var ownRegistrations: [Binding] { existingRegistry?.withLock { $0.everything } ?? [] }

  /// All cells of what this container keeps.
  nonisolated var cells: [OnceCell] { ownRegistrations.flatMap(\.cells) + kept.all.flatMap(\.cells) }

  /// Whether there is an instance that may be made from one of these services among those that stand in other containers, or that each
  /// container has one of.
  private nonisolated func keepsSomething(madeFrom services: [ServiceIdentity]) -> Bool {
    let slots = kept.all
    guard !slots.isEmpty else { return false }
    var known: [UInt: [Dependency]] = [:]
    for binding in searchOrder.flatMap(\.ownRegistrations) where binding.isKeptByAsker {
      known[binding.keptNumber] = binding.descriptor.dependencies
    }
    return slots.contains { slot in
      slot.holders.contains { $0.isMade(from: services, known[slot.number] ?? []) }
    }
  }
}

extension KeptSlot {
  fileprivate var holders: [any InstanceSource] { [self] + (argumentCells?.all ?? []) }
}

extension Binding {
  fileprivate func keepsSomething(madeFrom services: [ServiceIdentity]) -> Bool {
    let holders: [any InstanceSource] = [self] + (argumentCells?.all ?? [])
    return holders.contains { $0.isMade(from: services, descriptor.dependencies) }
  }
}

/// What may have an instance that knows what it was made from.
private protocol InstanceSource {
  func existing() -> Instance?
  var observed: [ServiceIdentity]? { get }
}

extension InstanceHolder: InstanceSource {}
extension OnceCell: InstanceSource {}

extension InstanceSource {
  /// Whether there is an instance that may be made from one of these services.
  ///
  /// - Parameter dependencies: what its registration says that it takes.
  fileprivate func isMade(from services: [ServiceIdentity], _ dependencies: [Dependency]) -> Bool {
    guard existing() != nil else { return false }
    guard let observed else { return true }
    return (dependencies + observed.map { Dependency(on: $0) }).contains { dependency in
      // Who takes the container may have asked it for anything.
      dependency.identity.isBuiltIn
        || services.contains { service in
          dependency.identity.service == service.service
            && (dependency.need == .all || dependency.identity.key == service.key)
        }
    }
  }
}
