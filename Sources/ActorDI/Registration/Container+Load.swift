internal import Synchronization

// Adds batches of registrations to a container: its initial ones, those of a scope, and later ones.
extension Container {
  /// Waits until the modules of the initial registrations have run ``Module/didLoad(_:)``. Returns at once if one of these modules
  /// calls it.
  ///
  /// - Throws: The first error that a module threw.
  public func waitUntilLoaded() async throws {
    guard !Self.loadingContainers.contains(ObjectIdentifier(self)) else { return }
    try await lazyLoading.load()?.task.value
  }

  /// The containers whose initial modules the current task is running, or whose modules started the task. Waiting for their modules
  /// would never end.
  @TaskLocal static var loadingContainers: [ObjectIdentifier] = []

  /// Registers the initial batch. A faulty registration does not fail the call: resolving it throws its error.
  nonisolated func load(_ batch: consuming Registrations) {
    let (wanted, modules) = (consume batch).takeWanted()
    load(consume wanted, modules)
  }

  /// Registers the bindings of an initial batch, and starts a task that runs its modules.
  private nonisolated func load(_ wanted: consuming [Binding], _ modules: [any Module]) {
    let capacity = reservedCapacity
    if capacity > 0 { registry.withLock { $0.reserve(capacity) } }
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
    _ = lazyLoading.storeIfNil(Loading(task))
  }

  /// Registers the initial batch of a scope, before the scope is shared. A small batch needs no registry until it is changed.
  nonisolated func loadScope(_ batch: consuming Registrations) {
    guard !batch.isEmpty || !batch.modules.isEmpty || reservedCapacity != 0 else { return }
    var (bindings, modules) = (consume batch).takeWanted()
    guard bindings.count <= Self.fewBindings, modules.isEmpty, !BuildObservation.isPossible, !hasObservers,
      (try? check(bindings)) != nil
    else { return load(consume bindings, modules) }
    var hasAliases = false
    for index in bindings.indices {
      Binding.place(&bindings[index], in: self, isInitial: true)
      if !bindings[index].aliases.isEmpty { hasAliases = true }
    }
    let listed = hasAliases ? bindings.flatMap(\.withAliases) : bindings
    guard let first = SnapshotDraft.snapshot(of: listed) else {
      for binding in bindings { binding.dropAliases() }
      return load(bindings, modules)
    }
    for index in listed.indices { listed[index].listIndex = index }
    snapshot.store(first, ordering: .sequentiallyConsistent)
    unsafe firstBindings = listed
  }

  private static var fewBindings: Int { 32 }

  /// Registers the bindings of a refused batch one by one. A refused binding is replaced by one that throws its error on resolve.
  private nonisolated func addSeparately(_ batch: [Binding]) {
    for binding in batch {
      do throws(ResolutionError) {
        var single = [binding]
        try add(&single, isInitial: true)
      } catch {
        // Forced, so that the failing registration replaces the duplicate that refused it.
        var single = [binding.failing(with: error)]
        try? add(&single, isInitial: true, isForced: true)
      }
    }
  }

  /// Registers a batch.
  ///
  /// - Parameters:
  ///   - batch: The registrations' bindings; on return, the bindings placed in the container.
  ///   - isInitial: Whether they are initial registrations, which ``rebuild()`` compares.
  ///   - isForced: Whether to skip the checks, and to replace duplicates even if the configuration forbids them.
  nonisolated func add(
    _ batch: inout [Binding], isInitial: Bool = false, isForced: Bool = false
  ) throws(ResolutionError) {
    guard !batch.isEmpty else { return }
    if !isForced { try check(batch) }
    let duplicates = isForced ? .replace : settings.configuration.duplicates
    try publish(&batch, isInitial: isInitial) { registry, snapshot, batch throws(ResolutionError) in
      try registry.add(batch, to: snapshot, duplicates: duplicates, container: name)
    }
  }

  /// Checks each binding of a batch.
  ///
  /// - Throws: The first fault.
  nonisolated func check(_ batch: [Binding]) throws(ResolutionError) {
    // By index, because an iterator would retain each binding.
    for index in batch.indices {
      if let fault = batch[index].fault(defaultScope: settings.configuration.defaultScope) { throw fault }
    }
  }

  /// Places bindings in the container and publishes the change of the registry.
  ///
  /// - Parameters:
  ///   - batch: The registrations' bindings; on return, the bindings placed in the container.
  ///   - isInitial: Whether they are initial registrations, which ``rebuild()`` compares.
  ///   - body: Changes the registry.
  /// - Throws: The error of `body`.
  nonisolated func publish(
    _ batch: inout [Binding], isInitial: Bool = false,
    _ body: (inout Registry, Snapshot.Address, [Binding]) throws(ResolutionError) -> Registry.Publication
  ) throws(ResolutionError) {
    for index in batch.indices { Binding.place(&batch[index], in: self, isInitial: isInitial) }
    do throws(ResolutionError) {
      try change { registry, snapshot throws(ResolutionError) in try body(&registry, snapshot, batch) }
    } catch {
      for binding in batch { binding.dropAliases() }
      throw error
    }
  }
}
