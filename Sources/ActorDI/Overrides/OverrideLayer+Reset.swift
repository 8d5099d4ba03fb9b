extension OverrideLayer {
  /// Drops the instances that layers in force keep in place of a container, as part of a reset of that container.
  ///
  /// - Parameter isWanted: Whether to drop the instances of a service in a scope.
  static func reset(in container: Container, where isWanted: (ServiceIdentity, Scope) -> Bool) async {
    for layer in inForce {
      let other = layer.keepers.withLock { $0[ObjectIdentifier(container)] }
      let keeper = layer.container === container ? layer.overlay : other
      await keeper?.forgetInstances(where: isWanted).dispose()
    }
  }
}
