// Saving, restoring and closing the registry.
extension Container {
  /// Saves the registrations as they stand, with the instances they keep, for ``pop()`` to restore. Can be nested.
  ///
  /// - Complexity: O(*n*) in the number of registrations.
  /// - Concurrency: isolated to the container.
  public func push() {
    registry.withLock { $0.push() }
  }

  /// Restores what the last ``push()`` saved: registrations that came since go, those that went come back, and still keep the
  /// instances that they kept.
  ///
  /// - Returns: false when nothing is saved, or the registry is frozen; nothing changes then.
  /// - Complexity: O(*n*) in the number of registrations.
  /// - Concurrency: isolated to the container. Readers see the change as a whole.
  @discardableResult
  public func pop() -> Bool {
    change { registry, snapshot in registry.pop(snapshot) }
  }

  /// Closes the registry: from now on registering, decorating and rebuilding throw ``ResolutionError/Code/frozen``, and
  /// nothing is removed. Instances are built, kept and reset as before.
  ///
  /// - Concurrency: isolated to the container. Its children have registries of their own.
  public func freeze() {
    registry.withLock { $0.freeze() }
  }
}
