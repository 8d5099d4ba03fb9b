internal import Synchronization

// MARK: - Registering

extension Container {
  /// Registers what the builder lists: all of it or, if it throws, nothing.
  ///
  /// An identity (type, arguments, key) that is registered already is replaced, unless ``Container/Configuration/duplicates`` forbids
  /// it; its kept instance is not handed out any more.
  ///
  /// - Parameter registrations: see ``RegistrationBuilder``.
  /// - Throws: ``ResolutionError`` for a faulty or a duplicate registration; what a module's
  ///   ``Module/didLoad(_:)`` throws, with the registrations standing.
  /// - Complexity: amortised O(*k*) for *k* registrations, and one copy of the snapshot's directory.
  /// - Concurrency: isolated to the container. Readers on all threads see the whole batch or nothing of it.
  public func register(@RegistrationBuilder _ registrations: () -> Registrations) async throws {
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
    await unregister(ServiceIdentity(service, key: TypedKey(key)))
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

  // MARK: Publishing

  /// Changes the registry and publishes the result: the one place where a snapshot is swapped for another.
  ///
  /// What has to be disposed of is, without anybody waiting for it.
  ///
  /// - Returns: whether there was anything to publish.
  @discardableResult
  nonisolated func change<Failure: Error>(
    _ body: (inout Registry, Snapshot.Address) throws(Failure) -> Registry.Publication?
  ) throws(Failure) -> Bool {
    guard let disposals = try publishChange(body) else { return false }
    disposals.disposeInBackground()
    return true
  }

  /// As ``change(_:)``.
  ///
  /// - Returns: what has to be disposed of, by the caller; nil when there was nothing to publish.
  nonisolated func publishChange<Failure: Error>(
    _ body: (inout Registry, Snapshot.Address) throws(Failure) -> Registry.Publication?
  ) throws(Failure) -> [Disposal]? {
    let cell = registry
    let publication = try cell.withLock {
      registry throws(Failure) -> Registry.Publication? in
      if lifecycle.isClosed { registry.close() }
      let current = snapshot.load(ordering: .acquiring)
      guard let publication = try body(&registry, current) else { return nil }
      withholdShortcuts(of: publication.added)
      if publication.changesRegistrations { cell.beginVersion() }
      // Release: what the snapshot leads to is complete. Reclaimer, O1: before any look at the pins.
      snapshot.store(publication.snapshot, ordering: .sequentiallyConsistent)
      if publication.changesRegistrations { cell.endVersion() }
      noteChange(publication)
      return publication
    }
    guard let publication else { return nil }
    // Most changes only add something.
    let disposals = publication.retired.isEmpty ? [] : retire(publication.retired, insteadOf: publication.added)
    for binding in publication.unused { binding.dropForwards() }
    unsafe Reclaimer.shared.retire(
      publication.replacedMemory.blocks, byteCount: publication.replacedMemory.byteCount)
    Reclaimer.shared.collectAfterChange()
    deliverChanges()
    return disposals
  }

  /// - Returns: what has to be disposed of.
  private nonisolated func retire(_ retired: [Binding], insteadOf added: [Binding]) -> [Disposal] {
    // Looked at for what has to be disposed of alone.
    lazy var stands = Set(added.map(\.identity.name))
    var disposals: [Disposal] = []
    for binding in retired {
      let ended = binding.retire().reclaim()
      // What took it before goes on using it.
      let isUsed = !ended.isEmpty && stands.contains(binding.identity.name) && hasDependents(on: binding)
      if isUsed { lifecycle.leave(ended) } else { disposals += ended }
      binding.dropForwards()
      Reclaimer.shared.retire(binding)
    }
    return disposals
  }

  /// Lets nothing be found in this container any more.
  ///
  /// - Parameter keepsSnapshot: whether the snapshot's memory is left for the end of the container, rather than retired.
  nonisolated func closeRegistry(keepingSnapshot keepsSnapshot: Bool = false) {
    // As in `publishChange`.
    let old: Snapshot.Address
    if let registry = lazyRegistry.load() {
      old = registry.withLock { registry in
        registry.close()
        return snapshot.exchange(Snapshot.closed, ordering: .sequentiallyConsistent)
      }
    } else {
      // Who makes it later sees that the container is closed.
      for binding in unsafe firstBindings { binding.unlist() }
      old = snapshot.exchange(Snapshot.closed, ordering: .sequentiallyConsistent)
    }
    guard old > Snapshot.closed else { return }
    if keepsSnapshot { return lastSnapshot.store(old, ordering: .releasing) }
    let (blocks, byteCount) = unsafe SnapshotDraft.memory(of: old)
    unsafe Reclaimer.shared.retire(blocks, byteCount: byteCount)
    Reclaimer.shared.collectAfterChange()
  }

  /// Remembers that a literal's address means a binding.
  nonisolated func addAlias(_ literal: UInt, of binding: Binding) {
    change { registry, snapshot in
      registry.addAlias(literal, of: binding, to: snapshot)
    }
  }
}
