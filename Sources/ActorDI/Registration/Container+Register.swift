internal import Synchronization

// MARK: - Registering

extension Container {
  /// Registers what the builder lists: all of it or, if it throws, nothing.
  ///
  /// An identity (type, arguments, key) that is registered already is replaced, unless ``Container/Configuration/duplicates`` forbids
  /// it; its kept instance is not handed out any more. Aliases that other registrations have there, by
  /// ``Registration/implements(_:_:)-(Other.Type,_)``, are hidden as long as it stands. Only a
  /// ``Registration/alternative()`` stands beside what is there.
  ///
  /// - Parameter registrations: see ``RegistrationBuilder``.
  /// - Throws: ``ResolutionError`` for a faulty or a duplicate registration; what a module's
  ///   ``Module/didLoad(_:)`` throws, with the registrations standing.
  /// - Complexity: amortised O(*k*) for *k* registrations, and one copy of the snapshot's directory.
  /// - Concurrency: isolated to the container. Readers on all threads see the whole batch or nothing of it.
  // Sendable, so that the main actor, or any other one, may pass a closure of its own.
  public func register(@RegistrationBuilder _ registrations: @Sendable () -> Registrations) async throws {
    let batch = registrations()
    let modules = batch.modules
    var wanted = (consume batch).takeWanted()
    try add(&wanted)
    for module in modules { try await module.didLoad(self) }
  }

  /// Registers one value, made elsewhere.
  ///
  /// - Parameter registration: what to register.
  /// - Throws: ``ResolutionError`` for a faulty or a duplicate registration.
  public func register<Service>(_ registration: consuming Registration<Service>) throws {
    guard registration.binding.isWanted else { return }
    var batch = [registration.takeBinding()]
    try add(&batch)
  }

  /// Waits until the modules of the initial registrations have run their ``Module/didLoad(_:)``. Called by one of these, it
  /// returns at once.
  ///
  /// - Throws: the first error that one of them threw.
  public func waitUntilLoaded() async throws {
    guard !Self.loadingContainers.contains(ObjectIdentifier(self)) else { return }
    try await loading.withLock { $0 }?.value
  }

  /// Whose initial modules the current task is running, or was started by: to wait for them would never end.
  @TaskLocal static var loadingContainers: [ObjectIdentifier] = []

  /// Whether there is anything to do for an initial batch.
  nonisolated func mayLoad(_ batch: borrowing Registrations) -> Bool {
    !(batch.isEmpty && batch.modules.isEmpty && settings.capacity == 0)
  }

  /// Registers the initial batch, which cannot fail: a mistake is resolved to its error.
  nonisolated func load(_ batch: consuming Registrations) {
    guard mayLoad(batch) else { return }
    let capacity = settings.capacity
    if capacity > 0 { registry.withLock { $0.reserve(capacity) } }
    let modules = batch.modules
    var wanted = (consume batch).takeWanted()
    do {
      try add(&wanted, isInitial: true)
    } catch {
      addSeparately(wanted)
    }
    guard !modules.isEmpty else { return }
    let task = Task {
      try await Self.$loadingContainers.withValue(Self.loadingContainers + [ObjectIdentifier(self)]) {
        for module in modules { try await module.didLoad(self) }
      }
    }
    loading.withLock { $0 = task }
  }

  /// Registers what a scope is opened with, before anybody else has the scope: without a registry, where it is little.
  nonisolated func loadScope(_ batch: consuming Registrations) {
    guard mayLoad(batch) else { return }
    guard batch.count <= Self.fewBindings, batch.modules.isEmpty, !BuildObservation.isPossible,
      !settings.isObserved, batch.isOfFactoriesAlone
    else { return load(batch) }
    var bindings = (consume batch).takeWanted()
    var order: UInt32 = 1
    for index in bindings.indices {
      Binding.makeUnique(&bindings[index])
      bindings[index].settle(in: self, order: order)
      bindings[index].isInitial = true
      bindings[index].place = index
      order += 1
    }
    snapshot.store(SnapshotDraft.snapshot(of: bindings), ordering: .sequentiallyConsistent)
    unsafe firstBindings = bindings
  }

  private static var fewBindings: Int { 4 }

  private nonisolated func addSeparately(_ batch: [Binding]) {
    for binding in batch {
      do {
        var single = [binding]
        try add(&single, isInitial: true)
      } catch {
        // Failing registrations replace what they would have been refused beside.
        let fault = error as? ResolutionError ?? ResolutionError(.duplicate, for: nil)
        var single = [binding.failing(with: fault)]
        try? add(&single, isInitial: true, isForced: true)
      }
    }
  }

  /// - Parameter batch: becomes the bindings that stand in the container.
  nonisolated func add(
    _ batch: inout [Binding], isInitial: Bool = false, isForced: Bool = false
  ) throws {
    if !isForced { try check(batch) }
    guard !batch.isEmpty else { return }
    let duplicates = isForced ? .replace : settings.configuration.duplicates
    try publish(&batch, isInitial: isInitial) { registry, snapshot, batch throws(ResolutionError) in
      try registry.add(batch, to: snapshot, duplicates: duplicates, container: name)
    }
  }

  /// - Throws: what is wrong with one of them.
  nonisolated func check(_ batch: [Binding]) throws {
    let defaultScope = settings.configuration.defaultScope
    for binding in batch {
      if let fault = binding.fault(defaultScope: defaultScope) { throw fault }
    }
  }

  /// Places registrations, and changes the registry with them.
  ///
  /// - Parameter batch: becomes the bindings that stand in the container.
  nonisolated func publish(
    _ batch: inout [Binding], isInitial: Bool = false,
    _ body:
      (inout Registry, Snapshot.Address, [Binding]) throws(ResolutionError) ->
      Registry.Publication
  ) throws {
    var order = registry.takeOrder(batch.count)
    for index in batch.indices {
      Binding.place(&batch[index], in: self, order: order)
      order &+= 1
      if isInitial { for binding in batch[index].withForwards { binding.isInitial = true } }
    }
    do {
      try change { registry, snapshot throws(ResolutionError) in
        try body(&registry, snapshot, batch)
      }
    } catch {
      for binding in batch { binding.dropForwards() }
      throw error
    }
  }

  // MARK: Unregistering

  /// Removes a registration. Its kept instance is disposed of; builds in flight end for those who wait for them.
  ///
  /// What it has hidden, an earlier alias of the same type, is found again.
  ///
  /// - Parameter service: the type that it is found under.
  /// - Returns: whether there was one, in this container itself.
  /// - Concurrency: isolated to the container; readers see it at once.
  @discardableResult
  public func unregister<Service>(_ service: Service.Type) async -> Bool {
    await unregister(ServiceIdentity(service))
  }

  /// Removes a keyed registration. Its kept instance is disposed of; builds in flight end for those who wait for them.
  ///
  /// - Parameters:
  ///   - service: the type that it is found under.
  ///   - key: the key that it is found under.
  /// - Returns: whether there was one, in this container itself.
  /// - Concurrency: isolated to the container; readers see it at once.
  @discardableResult
  public func unregister<Service>(
    _ service: Service.Type, key: some Hashable & Sendable
  ) async -> Bool {
    await unregister(ServiceIdentity(service, key: Key.of(key)))
  }

  /// Removes what a typed token names. Its kept instance is disposed of; builds in flight end for those who wait for them.
  ///
  /// - Parameter token: the type and key that it is found under.
  /// - Returns: whether there was one, in this container itself.
  /// - Concurrency: isolated to the container; readers see it at once.
  @discardableResult
  public func unregister<Service>(_ token: ServiceKey<Service>) async -> Bool {
    await unregister(token.identity)
  }

  /// With any arguments: `unregister` names a service and a key.
  private func unregister(_ identity: ServiceIdentity) async -> Bool {
    let disposals = publishChange { registry, snapshot in
      registry.remove(registry.bindings(of: identity, in: snapshot), from: snapshot)
    }
    await disposals?.dispose()
    return disposals != nil
  }

  /// Removes all registrations of this container itself, as ``unregister(_:)-(Service.Type)`` does each. The container remains usable; what
  /// decorates services to come still does. Of a frozen container nothing is removed.
  ///
  /// - Concurrency: isolated to the container. Readers on all threads see all of the registrations or none.
  public func clear() async {
    let disposals = publishChange { registry, snapshot in
      registry.remove(registry.bindings, from: snapshot)
    }
    await disposals?.dispose()
  }

  /// Removes all registrations of this container and of all containers below it.
  ///
  /// - Concurrency: isolated to each container in turn. Each changes at once, but not all of them together.
  public func clearAll() async {
    for container in familyTree { await container.clear() }
  }
}
