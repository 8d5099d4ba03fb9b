// Going back: to what was saved, or to what the container was made of.
extension Registry {
  /// The registrations of one moment.
  struct Saved: Sendable {
    let bindings: [Binding]
    let decorators: [ObjectIdentifier: [Decorator]]
  }

  /// Saves the registrations as they stand. What is replaced or removed from now on keeps its instances until it comes back.
  mutating func push() {
    let standing = bindings
    for binding in standing.flatMap(\.withParts) { binding.savedCount += 1 }
    saved.append(Saved(bindings: standing, decorators: decorators))
  }

  /// Restores what was saved last.
  ///
  /// - Returns: nil when nothing is saved, or the registry is frozen.
  mutating func pop(_ snapshot: Snapshot.Address) -> Publication? {
    guard !isFrozen, !isClosed, let last = saved.popLast() else { return nil }
    for binding in last.bindings.flatMap(\.withParts) { binding.savedCount -= 1 }
    let kept = Set(last.bindings.map(ObjectIdentifier.init))
    var change = beginChange(snapshot)
    restore(last.decorators, &change)
    for binding in bindings where !kept.contains(ObjectIdentifier(binding)) {
      leave(binding, &change)
    }
    for binding in last.bindings where binding.place == nil {
      binding.wrapper = nil
      binding.claimParts()
      enter(binding, &change)
    }
    reorder(last.bindings)
    findLast(&change)
    return finish(change)
  }

  /// Makes the registrations those of a batch, as far as they came from one before: identities that it does not have any
  /// more go, those that stand already stay as they are, new ones come.
  mutating func rebuild(
    _ batch: [Binding], _ snapshot: Snapshot.Address, container: String
  ) throws(ResolutionError) -> Publication {
    try checkNotFrozen(nil, container)
    let wanted = Set(batch.flatMap { $0.withForwards.map(\.role) })
    let standing = Set(bindings.map(\.role))
    var change = beginChange(snapshot)
    for binding in bindings where binding.isInitial && !wanted.contains(binding.role) {
      leave(binding, &change)
    }
    removeForwards(of: change.removed, &change)
    for primary in batch {
      if standing.contains(primary.role) && change.find(primary.identity) != nil {
        change.unused += primary.withForwards
      } else {
        add(primary, &change)
      }
    }
    removeForwards(of: change.removed, &change)
    restoreOrder(of: batch)
    findLast(&change)
    return finish(change)
  }

  /// The batch's order for what came from it; all else behind.
  private mutating func restoreOrder(of batch: [Binding]) {
    var rank: [Binding.Role: Int] = [:]
    for (index, binding) in batch.flatMap(\.withForwards).enumerated() {
      rank[binding.role] = index
    }
    func position(_ binding: Binding) -> Int {
      binding.isInitial ? rank[binding.role] ?? .max : .max
    }
    let ordered = bindings.enumerated().sorted {
      (position($0.element), $0.offset) < (position($1.element), $1.offset)
    }
    reorder(ordered.map(\.element))
  }
}
