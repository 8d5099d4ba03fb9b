extension OverrideLayer {
  /// Drops the instances that layers in force keep in place of a container, as part of a reset of that container.
  ///
  /// - Parameter isWanted: Whether to drop the instances of a service in a scope.
  static func reset(in container: Container, where isWanted: (ServiceIdentity, Scope) -> Bool) async {
    for layer in inForce {
      var own: [DroppedInstance] = []
      var keeper = layer.keepers.withLock { $0[ObjectIdentifier(container)] }
      if layer.container === container {
        keeper = layer.overlay
        own = layer.overlay.registry.withLock { $0.bindings.flatMap(\.keepers) }
          .filter { isWanted($0.identity, $0.descriptor.scope) }.forget()
      }
      let kept = keeper?.kept.forget { isWanted($0.identity, $0.scope) } ?? []
      await (own + kept).dispose()
    }
  }
}
