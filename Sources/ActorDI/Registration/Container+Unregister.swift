extension Container {
  /// Removes a registration.
  ///
  /// The container disposes of its kept instance. Builds in flight complete for their waiters, and their instances are not kept. An
  /// earlier alias that the registration hid is found again. Registrations with run-time arguments are removed, too.
  ///
  /// - Parameter service: The service type.
  /// - Returns: Whether this container had such a registration, and removed it. A frozen or closed registry removes none.
  /// - Concurrency: Isolated to the container. Readers see the removal at once.
  @discardableResult
  public func unregister<Service>(_ service: Service.Type) async -> Bool { await unregister(ServiceIdentity(service)) }

  /// Removes a keyed registration.
  ///
  /// The container disposes of its kept instance. Builds in flight complete for their waiters, and their instances are not kept.
  /// Registrations with run-time arguments are removed, too.
  ///
  /// - Parameters:
  ///   - service: The service type.
  ///   - key: The key of the service.
  /// - Returns: Whether this container had such a registration, and removed it. A frozen or closed registry removes none.
  /// - Concurrency: Isolated to the container. Readers see the removal at once.
  @discardableResult
  public func unregister<Service>(_ service: Service.Type, key: some Hashable & Sendable) async -> Bool {
    await unregister(ServiceIdentity(service, key: Key.of(key)))
  }

  /// Removes the registration of a typed token.
  ///
  /// The container disposes of its kept instance. Builds in flight complete for their waiters, and their instances are not kept.
  /// Registrations with run-time arguments are removed, too.
  ///
  /// - Parameter token: The service type and key.
  /// - Returns: Whether this container had such a registration, and removed it. A frozen or closed registry removes none.
  /// - Concurrency: Isolated to the container. Readers see the removal at once.
  @discardableResult
  public func unregister<Service>(_ token: ServiceKey<Service>) async -> Bool { await unregister(token.identity) }

  /// Removes the registrations of a service and key, whatever their run-time arguments.
  private func unregister(_ identity: ServiceIdentity) async -> Bool {
    await remove { registry, snapshot in
      registry.isWithdrawn ? [] : registry.bindingsFound(under: identity, in: snapshot)
    }
  }

  /// Removes bindings, and waits for the disposals of their instances.
  ///
  /// - Returns: Whether there was anything to remove.
  private func remove(_ bindings: (inout Registry, Snapshot.Address) -> [Binding]) async -> Bool {
    let disposals = publishChange { registry, snapshot in
      registry.remove(bindings(&registry, snapshot), from: snapshot)
    }
    await disposals?.dispose()
    return disposals != nil
  }

  /// Removes all registrations of this container, as ``unregister(_:)-(Service.Type)`` does.
  ///
  /// The container remains usable, and its decorators apply to later registrations. The registrations of a frozen container stay.
  ///
  /// - Concurrency: Isolated to the container. Readers on all threads see all of the registrations or none.
  public func clear() async { _ = await remove { registry, _ in registry.bindings } }

  /// Removes all registrations of this container and all its descendants.
  ///
  /// - Concurrency: Isolated to each container in turn. Each container changes at once, but not all containers together.
  public func clearAll() async { for container in familyTree { await container.clear() } }
}
