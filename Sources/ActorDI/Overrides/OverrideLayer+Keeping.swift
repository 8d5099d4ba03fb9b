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

  /// Closes the overlay and its related containers at once if no disposal suspends; otherwise starts closing them in the
  /// background.
  func closeNow(after outcome: ScopeOutcome) -> [ShutdownError.Failure] {
    let all = keepers.withLock { $0.values.map(\.keeper) } + [overlay]
    guard all.allSatisfy(\.lifecycle.canCloseAtOnce) else {
      Task.detached { [overlay] in
        _ = await overlay.close(after: outcome)
        // The overlay does not keep these containers alive.
        withExtendedLifetime(all) {}
      }
      return []
    }
    return all.flatMap { keeper -> [ShutdownError.Failure] in
      guard keeper.lifecycle.beginClosing() else { return [] }
      keeper.closeRegistry()
      if let failures = keeper.closeAtOnce(after: outcome) { return failures }
      keeper.closeInBackground(after: outcome)
      return []
    }
  }

  /// Releases everything that the layer has held. All disposals are complete or have begun.
  func letGo() {
    let held = (
      keepers.withLock { Self.take(&$0) }, decisions.withLock { Self.take(&$0) },
      shadows.withLock { Self.take(&$0) }
    )
    withExtendedLifetime(held) {}
  }

  private static func take<Key, Value>(_ dictionary: inout [Key: Value]) -> [Value] {
    let all = Array(dictionary.values)
    dictionary = [:]
    return all
  }

  /// Drops the instances that layers in force keep in place of a container, as part of a reset of that container.
  ///
  /// - Parameter scope: The scope whose instances to drop; nil drops all instances.
  static func reset(in container: Container, _ scope: Scope?) async {
    await reset(in: container) {
      scope == nil || $0.descriptor.scope == scope
    } slots: {
      scope == nil || $0.scope == scope
    }
  }

  /// Drops the instances of matching services that layers in force keep in place of a container.
  static func reset(in container: Container, where isWanted: (ServiceIdentity) -> Bool) async {
    await reset(in: container) {
      isWanted($0.identity)
    } slots: {
      isWanted($0.identity)
    }
  }

  private static func reset(
    in container: Container, bindings: (Binding) -> Bool, slots: (KeptSlot) -> Bool
  ) async {
    guard let active else { return }
    for layer in active.inForce {
      var dropped: [DroppedInstance] = []
      if layer.container === container {
        let own = layer.overlay.registry.withLock { $0.bindings.flatMap(\.keepers) }
        dropped += own.filter(bindings).forget()
        dropped += layer.overlay.kept.forget(where: slots)
      } else if let keeper = layer.keepers.withLock({ $0[ObjectIdentifier(container)] })?.keeper {
        dropped += keeper.kept.forget(where: slots)
      }
      await dropped.dispose()
    }
  }

  /// Closes what layers in force keep in place of a container that is closing, such as a scope within the operation.
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
