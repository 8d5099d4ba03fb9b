extension OverrideLayer {
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
}
