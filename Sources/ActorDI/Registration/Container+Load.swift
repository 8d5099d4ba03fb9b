internal import Synchronization

// Adds batches of registrations to a container: its initial ones, those of a scope, and later ones.
extension Container {
  /// Waits until the modules of the initial registrations have run ``Module/didLoad(_:)``. Returns at once if one of these modules
  /// calls it.
  ///
  /// The factory of a kept service that such a module resolves must not call it: the module would wait for the factory, and the factory for
  /// the module.
  ///
  /// - Throws: The first error that a module threw; ``ResolutionError/Code/closed`` instead if the container is closed, which cancels the
  ///   modules; `CancellationError` if the task is cancelled, without waiting for the modules.
  public func waitUntilLoaded() async throws {
    guard !Self.loadingContainers.contains(ObjectIdentifier(self)) else { return }
    do {
      try await lazyLoading.load()?.wait()
    } catch {
      if lifecycle.isClosed && !Task.isCancelled { throw ResolutionError(.closed, for: nil, container: name) }
      throw error
    }
  }

  /// The containers whose initial modules the current task is running, or whose modules started the task. Waiting for their modules
  /// would never end.
  @TaskLocal static var loadingContainers: [ObjectIdentifier] = []

  /// Registers the initial batch. A faulty registration does not fail the call: resolving it throws its error.
  nonisolated func load(_ batch: consuming Registrations) {
    var batch = (consume batch).takeWanted()
    addInitial(&batch)
    run(batch.modules)
  }

  /// Registers an initial batch, without running its modules.
  private nonisolated func addInitial(_ batch: inout Registrations.Batch) {
    let capacity = reservedCapacity
    if capacity > 0 { registry.withLock { $0.reserve(capacity) } }
    do {
      try add(&batch, isInitial: true)
    } catch {
      addSeparately(batch)
    }
  }

  /// Runs the modules of a batch in the calling task. A scope is listed before, since its modules may extend or close it.
  ///
  /// - Throws: The first error of a module.
  @usableFromInline
  nonisolated(nonsending) func runInCall(_ modules: [any Module]) async throws {
    for module in modules { try await module.didLoad(self) }
  }

  /// Starts a task that runs the modules of the initial registrations. A scope is listed before its modules run, since they may extend or
  /// close it.
  nonisolated func run(_ modules: [any Module]) {
    guard !modules.isEmpty else { return }
    let task = Task {
      try await Self.$loadingContainers.withValue(Self.loadingContainers + [ObjectIdentifier(self)]) {
        for module in modules { try await module.didLoad(self) }
      }
    }
    let loading = lazyLoading.storeIfNil(Loading(task))
    // The closing sets the closed bit, and then looks for the task. So one of the two sees the other. All four steps are
    // sequentially consistent.
    if lifecycle.isClosed { loading.cancel() }
  }

  /// Registers the initial batch of a scope, before the scope is shared. A faulty registration does not fail the call: resolving it throws
  /// its error.
  ///
  /// - Returns: The modules, for the caller to run.
  nonisolated func loadScope(_ batch: consuming Registrations) -> [any Module] {
    guard !batch.isEmpty || !batch.decorators.isEmpty || !batch.modules.isEmpty || reservedCapacity != 0 else {
      return []
    }
    var batch = (consume batch).takeWanted()
    if (try? check(batch.bindings)) == nil {
      addSeparately(batch)
    } else if !loadFew(&batch) {
      addInitial(&batch)
    }
    return batch.modules
  }

  /// Registers the initial batch of a scope, before the scope is shared.
  ///
  /// - Returns: The modules, for the caller to run.
  /// - Throws: The error of a faulty registration.
  nonisolated func loadCheckedScope(_ batch: consuming Registrations) throws(ResolutionError) -> [any Module] {
    var batch = (consume batch).takeWanted()
    try check(batch.bindings)
    if !loadFew(&batch) { try add(&batch, isInitial: true) }
    return batch.modules
  }

  /// Registers the initial batch of a scope if it is so small that it needs no registry until it is changed. It has no faulty registration.
  ///
  /// - Returns: False if the batch needs a registry. In that case, nothing has happened.
  private nonisolated func loadFew(_ batch: inout Registrations.Batch) -> Bool {
    guard batch.bindings.count <= Self.fewBindings, batch.modules.isEmpty, !batch.hasDecorators, !isObserved
    else { return false }
    var hasAliases = false
    for index in batch.bindings.indices {
      Binding.place(&batch.bindings[index], in: self, isInitial: true)
      if !batch.bindings[index].aliases.isEmpty { hasAliases = true }
    }
    let listed = hasAliases ? batch.bindings.flatMap(\.withAliases) : batch.bindings
    guard let first = SnapshotDraft.snapshot(of: listed) else {
      for binding in batch.bindings { binding.dropAliases() }
      return false
    }
    for index in listed.indices { listed[index].listIndex = index }
    snapshot.store(first.bits, ordering: .sequentiallyConsistent)
    setOpeningBindings(listed)
    return true
  }

  private static var fewBindings: Int { 32 }

  /// Registers the bindings of a refused batch one by one. A refused binding is replaced by one that throws its error on resolve.
  private nonisolated func addSeparately(_ batch: Registrations.Batch) {
    try? add([], decorators: batch.decorators, isInitial: true)
    for binding in batch.bindings {
      do throws(ResolutionError) {
        try add([binding], isInitial: true)
      } catch {
        // Forced, so that the failing registration replaces the duplicate that refused it.
        try? add([binding.failing(with: error)], isInitial: true, isForced: true)
      }
    }
  }

  /// Registers a batch.
  ///
  /// - Parameters:
  ///   - batch: The registrations and decorators. A refused batch can be registered again.
  ///   - isInitial: Whether they are initial registrations, which ``rebuild()`` compares.
  ///   - isForced: Whether to skip the checks, and to replace duplicates even if the configuration forbids them.
  nonisolated func add(
    _ batch: inout Registrations.Batch, isInitial: Bool = false, isForced: Bool = false
  ) throws(ResolutionError) {
    let decorators = isInitial ? batch.decorators.map { $0.asInitial } : batch.decorators
    guard !batch.bindings.isEmpty || !decorators.isEmpty else { return }
    if !isForced { try check(batch.bindings) }
    let duplicates = isForced ? .replace : settings.configuration.duplicates
    sendSearchesToSlowPath(for: decorators)
    let disposals = try publish(&batch.bindings, isInitial: isInitial) {
      registry, snapshot, bindings throws(ResolutionError) in
      try registry.add(bindings, decorators, to: snapshot, duplicates: duplicates, container: name)
    }
    disposals.disposeInBackground()
  }

  /// Registers bindings or decorators.
  private nonisolated func add(
    _ bindings: [Binding], decorators: [Decorator] = [], isInitial: Bool = false, isForced: Bool = false
  ) throws(ResolutionError) {
    var batch = Registrations.Batch(bindings: bindings, decorators: decorators, modules: [])
    try add(&batch, isInitial: isInitial, isForced: isForced)
  }

  /// Checks each binding of a batch.
  ///
  /// - Throws: The first fault.
  nonisolated func check(_ batch: [Binding]) throws(ResolutionError) {
    // By index, because an iterator would retain each binding.
    for index in batch.indices {
      if let fault = batch[index].fault(defaultScope: settings.defaultScope) { throw fault }
    }
  }

  /// Places bindings in the container and publishes the change of the registry.
  ///
  /// - Parameters:
  ///   - batch: The registrations' bindings; on return, the bindings placed in the container.
  ///   - isInitial: Whether they are initial registrations, which ``rebuild()`` compares.
  ///   - sparesUsed: Whether the disposal of a replaced instance is left to the next reset if other instances may use it.
  ///   - body: Changes the registry.
  /// - Returns: The pending disposals, for the caller to run.
  /// - Throws: The error of `body`.
  nonisolated func publish(
    _ batch: inout [Binding], isInitial: Bool = false, sparingUsed sparesUsed: Bool = true,
    _ body: (inout Registry, Snapshot.Address, [Binding]) throws(ResolutionError) -> Registry.Publication
  ) throws(ResolutionError) -> [Disposal] {
    for index in batch.indices { Binding.place(&batch[index], in: self, isInitial: isInitial) }
    do throws(ResolutionError) {
      return try publishChange(sparingUsed: sparesUsed) { registry, snapshot throws(ResolutionError) in
        try body(&registry, snapshot, batch)
      } ?? []
    } catch {
      for index in batch.indices { Binding.unplace(&batch[index]) }
      throw error
    }
  }
}
