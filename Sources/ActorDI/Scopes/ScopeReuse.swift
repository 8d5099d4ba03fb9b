internal import Synchronization

// A server opens a scope for each request, and each has the same use for what was made for the one before: the container, its lifecycle,
// the cells of scoped services. They are used again where nobody can tell:
//
// - U1 *sole*: a container is kept for the next scope when it is closed, is not listed any more, and whoever ends it has the only
//   reference to it, as the object itself says: no other strong one, no weak one, no unowned one. So nobody can come by another one, or see
//   it come to life again. That reference lasts until its holder returns, a moment after the next scope may have begun; if it is still there
//   when that one ends, the container is not kept once more.
// - U2 *empty*: nothing is left of what it was filled with, as at the end of a container.
// - U3 *handed over under the lock* of the parent's lifecycle, which orders all that one scope did before all that the next one does.
extension Container {
  /// - Throws: ``ResolutionError/Code/closed`` if this container is closed.
  @usableFromInline
  nonisolated func openScope(
    _ name: String, _ registrations: @escaping @Sendable () -> Registrations
  ) throws(ResolutionError) -> Container {
    let batch = registrations()
    var opening = Opening(name: name, parent: self, registrations: registrations)
    guard mayLoad(batch) else {
      if let scope = lifecycle.takeSpare(for: &opening, listing: true) {
        scope.noteObservation()
        return scope
      }
      return try list(Container(scope: opening, of: self))
    }
    let scope = lifecycle.takeSpare(for: &opening, listing: false) ?? Container(scope: opening, of: self)
    scope.load(batch)
    return try list(scope)
  }

  private nonisolated func list(_ scope: Container) throws(ResolutionError) -> Container {
    guard lifecycle.add(scope) else { throw ResolutionError(.closed, for: nil, container: name) }
    scope.noteObservation()
    return scope
  }

  /// The end of a scope that has been closed: takes it off the list, and keeps it for the next one if it can.
  ///
  /// - Parameter scope: to which the caller has one reference, and which it does not use any more.
  @usableFromInline
  nonisolated func endScope(_ scope: Container) {
    var left = Opening.nothing
    // What it was filled with is the user's, and goes without a lock.
    if lifecycle.takeBack(scope, &left) == .notEmpty, scope.isEmptied() { _ = lifecycle.takeBack(scope, &left) }
  }

  /// Lets go of all that the container was filled with. Only where nobody else has it: whoever resolves holds it, so nobody is reading.
  nonisolated func empty() {
    let last = snapshot.load(ordering: .acquiring)
    if last != SnapshotDraft.empty {
      snapshot.store(SnapshotDraft.empty, ordering: .relaxed)
      SnapshotDraft.deallocate(last)
    }
    lazyLinks.take()?.removeAll()
    // Registrations and their forwards refer to each other.
    if let registry = lazyRegistry.take() {
      for binding in registry.withLock({ $0.everything }) {
        binding.dropForwards()
        // So do cells and what has to be disposed of: nobody will, now.
        for cell in binding.cells { cell.dropDisposal() }
        _ = binding.pool?.close()
      }
    }
    _ = lazyFamily.take()
    _ = lazyChangeFeed.take()
    _ = lazyEventFeed.take()
  }

  /// Empties it, unless tasks may remember it by its address: those that its modules have started.
  private nonisolated func isEmptied() -> Bool {
    guard loading.withLock({ $0 == nil }) else { return false }
    empty()
    return true
  }

  /// Whether nothing was ever put into it that ``empty()`` would have to take out.
  fileprivate nonisolated var isEmpty: Bool {
    unsafe lazyRegistry.loadUnretained() == nil && lazyLinks.loadUnretained() == nil
      && lazyFamily.loadUnretained() == nil && lazyChangeFeed.loadUnretained() == nil
      && lazyEventFeed.loadUnretained() == nil
  }
}

extension Container.Opening {
  /// What a container has that waits for the next scope.
  fileprivate static var nothing: Self { Self(name: "", parent: nil, registrations: { Registrations() }) }
}

extension Lifecycle {
  /// How many containers wait for the next scope at most.
  private static let limit = 16

  /// The container of a scope that has ended, opened for another one; nil when there is none.
  ///
  /// - Parameters:
  ///   - opening: what the scope is opened with. It is taken.
  ///   - listing: whether to list the scope now, as ``add(_:)-(Container)`` does.
  fileprivate func takeSpare(for opening: inout Container.Opening, listing: Bool) -> Container? {
    state.withLock { state in
      guard isOpen, let spare = state.spares.popLast() else { return nil }
      unsafe swap(&spare.opening, &opening)
      spare.lifecycle.reopen()
      if listing { state.scopes.append(spare.lifecycle) }
      return spare
    }
  }

  fileprivate enum Fate { case kept, dropped, notEmpty }

  /// Takes a scope off the list; and over, if it can be used again as it is.
  ///
  /// - Parameter left: gets what it was opened with, to go after the lock.
  fileprivate func takeBack(_ scope: Container, _ left: inout Container.Opening) -> Fate {
    // Unmanaged, for a reference that the closure holds would be one more.
    let reference = unsafe Unmanaged.passUnretained(scope)
    return state.withLock { state in
      _ = unsafe reference._withUnsafeGuaranteedRef { state.scopes.remove($0.lifecycle) }
      guard isOpen, state.spares.count < Self.limit, unsafe reference.isSole else { return .dropped }
      return unsafe reference._withUnsafeGuaranteedRef { scope in
        guard scope.lifecycle.isReusable else { return .dropped }
        guard scope.isEmpty else { return .notEmpty }
        unsafe swap(&scope.opening, &left)
        state.spares.append(scope)
        return .kept
      }
    }
  }
}
