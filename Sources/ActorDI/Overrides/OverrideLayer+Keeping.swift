// Instances that belong to a layer and are disposed of with it.
extension OverrideLayer {
  /// A container that keeps instances for the layer in place of another container.
  struct Keeper: Sendable {
    /// Retained, so that its identifier stays unique.
    let home: Container
    let keeper: Container
  }

  /// The container that keeps instances in place of `home` while the layer is in force.
  ///
  /// It is the overlay for the overridden container, and a separate container for any other one.
  func keeper(for home: Container) -> Container {
    if home === container || home === overlay { return overlay }
    let id = ObjectIdentifier(home)
    if let known = keepers.withLock({ $0[id] }) { return known.keeper }
    let new = Keeper(home: home, keeper: Container(overriding: home))
    let kept = keepers.withLock { keepers in
      if let known = keepers[id] { return known }
      keepers[id] = new
      return new
    }
    // The overlay closes its family members before itself.
    if kept.keeper === new.keeper { overlay.family.add(new.keeper) }
    return kept.keeper
  }

  /// The container that disposes of instances made with a container's registrations, for the calling task.
  static func keeper(inPlaceOf container: Container) -> Container {
    guard let active else { return container }
    return active.inForce.first { $0.applies(to: container) }?.keeper(for: container) ?? container
  }

  /// Closes what layers in force keep in place of a container that is closing, such as a scope within the operation.
  @inline(never)
  nonisolated(nonsending) static func closeKeepers(
    of container: Container, after outcome: ScopeOutcome
  ) async -> [ShutdownError.Failure] {
    guard let active else { return [] }
    var failures: [ShutdownError.Failure] = []
    for layer in active.inForce {
      let ended = layer.keepers.withLock { $0.removeValue(forKey: ObjectIdentifier(container)) }
      if let ended { failures += await ended.keeper.close(after: outcome) }
    }
    return failures
  }
}

// MARK: - Injected properties

/// The value of an injected property under a layer that is newer than the property. The property itself keeps the value that
/// the real container provided.
struct Shadow: Sendable {
  /// Retained, so that its identifier stays unique.
  let property: any AnyObject & Sendable
  let shadow: any AnyObject & Sendable
}

extension OverrideLayer {
  /// The storage that replaces a property's own storage under the layer, created on first access.
  func shadow<Storage: AnyObject & Sendable>(of property: Storage, orMake make: () -> Storage) -> Storage {
    let id = ObjectIdentifier(property)
    if let known = shadows.withLock({ $0[id] })?.shadow as? Storage { return known }
    let new = Shadow(property: property, shadow: make())
    let kept = shadows.withLock { shadows in
      if let known = shadows[id] { return known }
      shadows[id] = new
      return new
    }
    return kept.shadow as? Storage ?? property
  }
}
