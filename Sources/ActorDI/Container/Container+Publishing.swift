public import Synchronization

// Publishes changes of the registry, and retires what they replace.
extension Container {
  /// Changes the registry and publishes the result. Pending disposals run in the background.
  ///
  /// - Returns: Whether there was anything to publish.
  @discardableResult
  nonisolated func change<Failure: Error>(
    _ body: (inout Registry, Snapshot.Address) throws(Failure) -> Registry.Publication?
  ) throws(Failure) -> Bool {
    guard let disposals = try publishChange(body) else { return false }
    disposals.disposeInBackground()
    return true
  }

  /// Changes the registry and publishes the result. No other function replaces one snapshot with another.
  ///
  /// - Parameter sparesUsed: Whether the disposal of a replaced instance is left to the next reset if other instances may use it.
  /// - Returns: The pending disposals, for the caller to run; nil if there was nothing to publish.
  nonisolated func publishChange<Failure: Error>(
    sparingUsed sparesUsed: Bool = true,
    _ body: (inout Registry, Snapshot.Address) throws(Failure) -> Registry.Publication?
  ) throws(Failure) -> [Disposal]? {
    let cell = registry
    let publication = try cell.withLock { registry throws(Failure) -> Registry.Publication? in
      // L7
      if lifecycle.isClosed { registry.withdraw() }
      let current = Snapshot.Address(bits: snapshot.load(ordering: .acquiring))
      guard let publication = try body(&registry, current) else { return nil }
      if publication.changesRegistrations { cell.beginVersion() }
      // Releases, so that everything in the snapshot is complete for readers. Sequentially consistent, so that it
      // precedes any look at the pins: see `Reclaimer`, O1.
      snapshot.store(publication.snapshot.bits, ordering: .sequentiallyConsistent)
      if publication.changesRegistrations { cell.endVersion() }
      noteChange(publication)
      return publication
    }
    guard let publication else { return nil }
    // Most changes only add registrations.
    let successors = sparesUsed ? publication.added : []
    let disposals = publication.retired.isEmpty ? [] : retire(publication.retired, insteadOf: successors)
    for binding in publication.unused { binding.dropAliases() }
    elementLists.clear()
    Reclaimer.shared.retire(publication.replaced)
    Reclaimer.shared.collectAfterChange()
    deliverChanges()
    return disposals
  }

  /// Retires bindings that lookups no longer find.
  ///
  /// - Returns: The pending disposals, for the caller to run.
  private nonisolated func retire(_ retired: [Binding], insteadOf added: [Binding]) -> [Disposal] {
    // Computed only if there is something to dispose of.
    lazy var addedIdentities = Set(added.map(\.identity))
    var disposals: [Disposal] = []
    for binding in retired {
      let ended = binding.retire().reclaim()
      // Services built from a replaced instance continue to use it, so its disposal is deferred.
      let isUsed = !ended.isEmpty && addedIdentities.contains(binding.identity) && hasDependents(on: binding)
      if isUsed { ended.forEach { $0.leaveToReset() } } else { disposals += ended }
    }
    // Last: the search for dependents above asks by the aliases, too.
    for binding in retired {
      binding.dropAliases()
      Reclaimer.shared.retire(binding)
    }
    return disposals
  }

  /// Closes the registry, so that no search finds anything in this container. Its lifecycle is closed.
  ///
  /// The snapshot is the published one or, if the registry was withdrawn before, the last one. A scope whose bindings are those of its opening
  /// has no registry object, and no other thread changes them.
  ///
  /// - Parameter keepsSnapshot: Whether the snapshot's memory stays until the container is deallocated, rather than
  ///   being retired.
  nonisolated func closeRegistry(keepingSnapshot keepsSnapshot: Bool = false) {
    let old: Snapshot.Address
    if lazyRegistry.isSet {
      old = registry.withLock { registry in
        registry.withdraw()
        let old = publishClosed()
        if old != .closed || keepsSnapshot { return old }
        return Snapshot.Address(
          bits: lastSnapshot.exchange(Snapshot.Address.nothing.bits, ordering: .sequentiallyConsistent))
      }
    } else {
      // L7: no other thread changes the snapshot.
      for binding in openingBindings { binding.unlist() }
      old = publishClosed()
    }
    guard old.isSnapshot else { return }
    if keepsSnapshot { return lastSnapshot.store(old.bits, ordering: .releasing) }
    Reclaimer.shared.retire(SnapshotDraft.memory(of: old))
    Reclaimer.shared.collectAfterChange()
  }

  /// Publishes the mark of a closed container.
  ///
  /// - Returns: The address that was published before.
  private nonisolated func publishClosed() -> Snapshot.Address {
    // Sequentially consistent, as in `publishChange`.
    Snapshot.Address(bits: snapshot.exchange(Snapshot.Address.closed.bits, ordering: .sequentiallyConsistent))
  }

  /// Closes the registry for the fast path. The slow path still searches it, for permitted callers: see ``Draining``.
  /// Has no effect on a withdrawn or closed container.
  nonisolated func withdrawRegistry() {
    registry.withLock { registry in
      // L7
      if lifecycle.isClosed { return }
      registry.withdraw()
      let last = Snapshot.Address(bits: snapshot.load(ordering: .acquiring))
      guard last != .closed else { return }
      // In this order, so that a caller that finds the fast path closed finds the last snapshot.
      lastSnapshot.store(last.bits, ordering: .sequentiallyConsistent)
      _ = publishClosed()
    }
  }

  /// Whether the container drains and has withdrawn its registry, which changes no more.
  nonisolated var hasWithdrawnRegistry: Bool { publishedSnapshot == .closed && !lifecycle.isClosed }

  /// The snapshot that searches see, or a mark. Sequentially consistent: see `Reclaimer`, O1.
  // Emitted into the client for the fast path.
  @_alwaysEmitIntoClient @inline(__always)
  nonisolated var publishedSnapshot: Snapshot.Address {
    Snapshot.Address(bits: snapshot.load(ordering: .sequentiallyConsistent))
  }

  /// The address of the snapshot that the slow path searches. Under a pin or the registry's lock.
  nonisolated var slowPathSnapshot: Snapshot.Address {
    let address = publishedSnapshot
    guard address == .closed, isBelowDraining, !lifecycle.isClosed else { return address }
    return Snapshot.Address(bits: lastSnapshot.load(ordering: .sequentiallyConsistent))
  }

  /// Whether this container or one above it drains, up to the nearest scope. A scope's operation continues, also in the
  /// containers below the scope.
  ///
  /// A child may be asked after its parent has begun to refuse calls, and before the drainer has marked the child.
  nonisolated var isBelowDraining: Bool { UnheldReference(self).isBelowDraining }
}

extension UnheldReference<Container> {
  /// See ``Container/isBelowDraining``.
  var isBelowDraining: Bool {
    nearest { $0.lifecycle.isDraining || $0.lifecycle.isScope }?.borrow { $0.lifecycle.isDraining } ?? false
  }
}
