// Instances that belong to a layer and are disposed of with it.
extension OverrideLayer {
  /// The container that keeps instances in place of their owner while the layer is in force.
  ///
  /// It is the overlay for the overridden container, and a separate container for any other one.
  func substitute(for owner: Container) -> Container {
    if owner === container || owner === overlay { return overlay }
    let id = ObjectIdentifier(owner)
    if let known = substitutes.withLock({ $0[id] }) { return known }
    let new = Container(overriding: owner)
    let kept = substitutes.withLock { $0.insert(new, ifNoneFor: id) }
    // The overlay closes its family members before itself.
    if kept === new { overlay.family.add(new) }
    return kept
  }

  /// The container that disposes of instances made with a container's registrations, for the calling task.
  static func substitute(inPlaceOf container: Container) -> Container {
    inForce.first { $0.applies(to: container) }?.substitute(for: container) ?? container
  }

  /// Closes the containers in which layers in force keep instances in place of a closing one, such as a scope within
  /// the operation.
  nonisolated(nonsending) static func closeSubstitutes(
    of container: Container, after outcome: ScopeOutcome
  ) async -> [ShutdownError.Failure] {
    var failures: [ShutdownError.Failure] = []
    for layer in inForce {
      let ended = layer.substitutes.withLock { $0.removeValue(forKey: ObjectIdentifier(container)) }
      if let ended { failures += await ended.close(after: outcome) }
    }
    return failures
  }

  /// Drops the instances that layers in force keep in place of a container, as part of a reset of that container.
  ///
  /// - Parameter isWanted: Whether to drop the instances of a service in a scope.
  static func reset(in container: Container, where isWanted: (ServiceIdentity, Scope) -> Bool) async {
    for layer in inForce {
      let other = layer.substitutes.withLock { $0[ObjectIdentifier(container)] }
      let substitute = layer.container === container ? layer.overlay : other
      await substitute?.forgetInstances(where: isWanted).dispose()
    }
  }

  // MARK: Injected properties

  /// The value of an injected property under a layer that is newer than the property. The property itself keeps the value that
  /// the real container provided.
  struct Shadow: Sendable {
    /// Retained, so that its identifier stays unique.
    let property: any AnyObject & Sendable
    let storage: any AnyObject & Sendable
  }

  /// The storage that replaces a property's own storage under the layer, created on first access.
  func shadow<Storage: AnyObject & Sendable>(of property: Storage, orMake make: () -> Storage) -> Storage {
    let id = ObjectIdentifier(property)
    if let known = shadows.withLock({ $0[id] })?.storage as? Storage { return known }
    let new = Shadow(property: property, storage: make())
    let kept = shadows.withLock { $0.insert(new, ifNoneFor: id) }
    return kept.storage as? Storage ?? property
  }
}

extension Dictionary {
  /// Inserts a value unless the key has one.
  ///
  /// - Returns: The value that the dictionary has for the key.
  fileprivate mutating func insert(_ new: Value, ifNoneFor key: Key) -> Value {
    if let known = self[key] { return known }
    self[key] = new
    return new
  }
}
