// Finding the kept instances that were made from a replaced instance.
extension Container {
  /// Whether a kept instance, in this container or below it, was made from the instance of a registration. Instances that named containers
  /// above keep for registrations of these containers count.
  ///
  /// The instances that override layers keep in place of these containers count. An override may be in any of them.
  ///
  /// Also true if the requests of a kept instance are unknown.
  ///
  /// - Complexity: O(*n*) in the number of kept instances.
  nonisolated func hasDependents(on binding: Binding) -> Bool {
    let services = registry.withLock { _ in binding.shownIdentities }
    return original.subordinateTree.contains { container in
      container.allBindings.contains { $0.keepsInstance(madeFrom: services, $0.descriptor.dependencies) }
        || container.hasKeptInstance(madeFrom: services) || container.hasInstanceAbove(madeFrom: services)
    }
  }

  /// Whether an instance that a named container above keeps for a registration of this one may have been made from one of several services.
  private nonisolated func hasInstanceAbove(madeFrom services: [ServiceIdentity]) -> Bool {
    lifecycle.mayHaveInstancesAbove
      && allBindings.contains { binding in
        binding.existingSlotAbove(parent)?.keepsInstance(madeFrom: services, binding.descriptor.dependencies) ?? false
      }
  }

  /// Whether an instance in this container's kept slots may have been made from one of several services.
  private nonisolated func hasKeptInstance(madeFrom services: [ServiceIdentity]) -> Bool {
    let slots = kept.all
    guard !slots.isEmpty else { return false }
    var known: [KeptNumber: [Dependency]] = [:]
    for binding in searchOrder.flatMap(\.allBindings) {
      if let number = binding.knownKeptNumber { known[number] = binding.descriptor.dependencies }
    }
    return slots.contains { $0.keepsInstance(madeFrom: services, known[$0.number] ?? []) }
  }
}

extension InstanceHolder {
  /// Whether a kept instance may have been made from one of several services.
  ///
  /// - Parameter dependencies: The dependencies that the registration declares.
  fileprivate func keepsInstance(madeFrom services: [ServiceIdentity], _ dependencies: [Dependency]) -> Bool {
    func isMade(from requests: [ServiceIdentity]?) -> Bool {
      guard let requests else { return true }
      return (dependencies + requests.map { Dependency(on: $0) }).contains { dependency in
        // A factory that takes the container may have requested anything.
        dependency.identity.isBuiltIn || services.contains(where: dependency.mayTake)
      }
    }
    return existing() != nil && isMade(from: requests)
      || argumentCells?.all.contains { cell in cell.kept.map { isMade(from: $0.requests) } ?? false } ?? false
  }
}
