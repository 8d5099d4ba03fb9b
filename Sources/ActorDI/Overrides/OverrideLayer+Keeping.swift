// What is kept for a layer alone, and disposed of with it.
extension OverrideLayer {
  /// What keeps instances in the place of a container that must not.
  struct Keeper: Sendable {
    /// With it, so that its identifier stays its.
    let home: Container
    let keeper: Container
  }

  /// Who keeps what would be a container's without the layer: the overlay for the one that is overridden, for any other one a container of
  /// its own.
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
    // It ends with the overlay, and before it.
    if kept.keeper === new.keeper { overlay.family.add(new.keeper) }
    return kept.keeper
  }

  /// Who disposes of what is made with the registrations of a container, for the calling task.
  static func keeper(inPlaceOf container: Container) -> Container {
    guard let active else { return container }
    return active.inForce.first { $0.applies(to: container) }?.keeper(for: container) ?? container
  }

  /// Closes the overlay and what belongs to it, if nothing of that suspends; else begins it.
  func closeNow(after outcome: ScopeOutcome) -> [ShutdownError.Failure] {
    let all = keepers.withLock { $0.values.map(\.keeper) } + [overlay]
    guard all.allSatisfy(\.lifecycle.canCloseAtOnce) else {
      Task.detached { [overlay] in
        _ = await overlay.close(after: outcome)
        // The overlay does not hold them.
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

  /// Forgets what it has held. What had to be disposed of has been, or will be.
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

  /// As a reset of the container does for what that keeps: drops what the layers in force keep in its place.
  ///
  /// - Parameter scope: only instances of this scope; all if nil.
  static func reset(in container: Container, _ scope: Scope?) async {
    await reset(in: container) {
      scope == nil || $0.descriptor.scope == scope
    } slots: {
      scope == nil || $0.scope == scope
    }
  }

  /// The same for the services that fit.
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
        dropped += own.filter(bindings).flatMap { $0.forget() }
        dropped += layer.overlay.kept.forget(where: slots)
      } else if let keeper = layer.keepers.withLock({ $0[ObjectIdentifier(container)] })?.keeper {
        dropped += keeper.kept.forget(where: slots)
      }
      await dropped.dispose()
    }
  }

  /// With a container, such as a scope within the operation, what layers keep in its place ends, too.
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

/// An injected property that is older than the layer holds what it was given by the real container, and is not to hold anything else.
struct Shadow: Sendable {
  /// With it, so that the identifier stays its.
  let property: any AnyObject & Sendable
  let shadow: any AnyObject & Sendable
}

extension OverrideLayer {
  /// What a property has instead of its own value under the layer; made now if there was none.
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
