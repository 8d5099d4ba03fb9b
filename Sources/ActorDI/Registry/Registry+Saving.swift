// Return to an earlier state: to a saved one, or to the initial registrations.
extension Registry {
  /// The registrations and decorators at one moment.
  struct Saved: Sendable {
    let bindings: [Binding]
    let decorators: [ObjectIdentifier: [Decorator]]
  }

  /// Saves the current registrations. A saved binding keeps its instances even if it is replaced or removed meanwhile.
  mutating func push() {
    let current = bindings
    for binding in current.flatMap(\.withParts) { binding.savedCount += 1 }
    saved.append(Saved(bindings: current, decorators: decorators))
  }

  /// Restores the state that was saved last.
  ///
  /// - Returns: nil if nothing is saved, or the registry is frozen or closed.
  mutating func pop(_ snapshot: Snapshot.Address) -> Publication? {
    guard !isFrozen, !isClosed, let last = saved.popLast() else { return nil }
    for binding in last.bindings.flatMap(\.withParts) { binding.savedCount -= 1 }
    let kept = Set(last.bindings.map(ObjectIdentifier.init))
    var change = beginChange(snapshot)
    restore(last.decorators, &change)
    for binding in bindings where !kept.contains(ObjectIdentifier(binding)) { remove(binding, &change) }
    for binding in last.bindings where binding.listIndex == nil {
      binding.wrapper = nil
      binding.claimParts()
      insert(binding, before: change.find(binding.identity), &change)
    }
    reorder(last.bindings)
    unhideLast(&change)
    return finish(change)
  }

  /// Replaces the initial registrations with those of a new batch.
  ///
  /// Initial identities that the batch does not have are removed, listed ones stay unchanged, and new ones are added.
  mutating func rebuild(
    _ batch: [Binding], _ snapshot: Snapshot.Address, container: String
  ) throws(ResolutionError) -> Publication {
    try checkNotFrozen(nil, container)
    var ranks: [Binding.Role: Int] = [:]
    for (index, binding) in batch.flatMap(\.withAliases).enumerated() { ranks[binding.role] = index }
    let listedRoles = Set(bindings.map(\.role))
    var change = beginChange(snapshot)
    for binding in bindings where binding.isInitial && ranks[binding.role] == nil { remove(binding, &change) }
    removeAliases(of: change.removed, &change)
    for primary in batch {
      if listedRoles.contains(primary.role) && change.find(primary.identity) != nil {
        change.unused += primary.withAliases
      } else {
        add(primary, &change)
      }
    }
    removeAliases(of: change.removed, &change)
    // The initial registrations are ordered as in the batch, and followed by all others.
    func position(_ binding: Binding) -> Int { binding.isInitial ? ranks[binding.role] ?? .max : .max }
    reorder(bindings.sorted { position($0) < position($1) })
    unhideLast(&change)
    return finish(change)
  }
}
