// Saving the registrations, and returning to them.
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
  /// - Returns: nil if nothing is saved, or the registry is frozen or withdrawn.
  mutating func pop(_ snapshot: Snapshot.Address) -> Publication? {
    guard !isFrozen, !isWithdrawn, let last = saved.popLast() else { return nil }
    for binding in last.bindings.flatMap(\.withParts) { binding.savedCount -= 1 }
    let kept = Set(last.bindings.map(ObjectIdentifier.init))
    var change = beginChange(snapshot)
    restore(last.decorators, &change)
    for binding in bindings where !kept.contains(ObjectIdentifier(binding)) { remove(binding, &change) }
    for binding in last.bindings where binding.listIndex == nil {
      binding.outer = nil
      binding.claimParts()
      insert(binding, before: change.find(binding.identity), &change)
    }
    reorder(last.bindings)
    revealLast(&change)
    return finish(change)
  }
}
