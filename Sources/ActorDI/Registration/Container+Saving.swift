// Saving, restoring and freezing the registry.
extension Container {
  /// Saves the current registrations and their kept instances for ``pop()``. Calls nest. A `reset` drops the saved instances, too.
  ///
  /// - Complexity: O(*n*) in the number of registrations.
  /// - Concurrency: Isolated to the container.
  public func push() { registry.withLock { $0.push() } }

  /// Restores the registrations that the last ``push()`` saved.
  ///
  /// Later registrations are removed. Registrations that were removed since return with the instances they kept. The kept instances of
  /// removed registrations are disposed of, in a task if a disposer suspends. If a registration returns in the place of a removed one that
  /// other instances may use, that happens at the next reset.
  ///
  /// - Returns: false if nothing is saved, or if the registry is frozen or closed; then nothing changes.
  /// - Complexity: O(*n*) in the number of registrations.
  /// - Concurrency: Isolated to the container. Readers see all of the change or none of it.
  @discardableResult
  public func pop() -> Bool { change { registry, snapshot in registry.pop(snapshot) } }

  /// Freezes the registry.
  ///
  /// Registering, decorating and rebuilding then throw ``ResolutionError/Code/frozen``, and no registration is removed. Instances are
  /// still built, kept and reset.
  ///
  /// - Concurrency: Isolated to the container. Children have registries of their own.
  public func freeze() { registry.withLock { $0.freeze() } }
}
