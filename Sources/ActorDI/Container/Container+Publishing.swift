internal import Synchronization

// How a change of the registry comes to be seen, and what it leaves behind.
extension Container {
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
        let old = snapshot.exchange(Snapshot.closed, ordering: .sequentiallyConsistent)
        if old != Snapshot.closed || keepsSnapshot { return old }
        return lastSnapshot.exchange(Snapshot.nothing, ordering: .sequentiallyConsistent)
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

  /// Lets nothing be found in this container any more but by the slow path, which asks for whom: see ``Draining``.
  nonisolated func withdrawRegistry() {
    registry.withLock { registry in
      registry.close()
      let old = snapshot.exchange(Snapshot.closed, ordering: .sequentiallyConsistent)
      if old > Snapshot.closed { lastSnapshot.store(old, ordering: .sequentiallyConsistent) }
    }
  }

  /// The address of the snapshot for the slow path. Under a pin or the registry's lock.
  nonisolated var snapshotAtLength: Snapshot.Address {
    let address = snapshot.load(ordering: .sequentiallyConsistent)
    guard address == Snapshot.closed, lifecycle.isDraining, !lifecycle.isClosed else { return address }
    return lastSnapshot.load(ordering: .sequentiallyConsistent)
  }

  /// Remembers that a literal's address means a binding.
  nonisolated func addAlias(_ literal: UInt, of binding: Binding) {
    change { registry, snapshot in
      registry.addAlias(literal, of: binding, to: snapshot)
    }
  }
}
