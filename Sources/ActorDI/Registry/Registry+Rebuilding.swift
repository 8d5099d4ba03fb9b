// Replacing the initial registrations.
extension Registry {
  /// Replaces the initial registrations with those of a new batch.
  ///
  /// Afterwards the registry is as if the batch had been there from the beginning, and the other registrations had been added to it. A
  /// registration stays unchanged, with its instances, if the batch has one of the same identity and source line.
  ///
  /// - Throws: As ``add(_:_:to:duplicates:container:)``. The registry is then unchanged.
  mutating func rebuild(
    _ batch: [Binding], _ decorators: [Decorator], _ snapshot: Snapshot.Address, duplicates: DuplicatePolicy,
    container: String
  ) throws(ResolutionError) -> Publication {
    try checkNotFrozen(nil, container)
    let registeredLater = bindings.filter { $0.role.primary == nil }.flatMap { Candidates.of($0.undecorated) }
      .filter { !$0.isInitial }
    if duplicates == .error {
      let checked = batch + registeredLater.filter { !$0.innermost.isTokenDefault }
      try checkNoDuplicates(checked, container) { _ in [] }
    }

    var change = beginChange(snapshot)
    replaceInitialDecorators(by: decorators, &change)
    let primaries = bindings.filter { $0.role.primary == nil }
    let wanted = Self.standing(batch + registeredLater)
    let present = Dictionary(primaries.map { ($0.identity, $0) }) { first, _ in first }
    var ranks: [Binding.Role: Int] = [:]
    for (index, binding) in batch.flatMap(\.withAliases).enumerated() { ranks[binding.role] = index }
    var standingBindings: Set<ObjectIdentifier> = []
    for old in primaries where wanted[old.identity] == nil { remove(old, &change) }
    var additions: [Binding] = []
    for (identity, new) in wanted.sorted(by: { $0.value.position < $1.value.position }) {
      let old = present[identity]
      let candidates = old.map { Candidates.of($0.undecorated) } ?? []
      let all = Self.keeping(candidates, for: new.bindings, &change)
      standingBindings.formUnion(all.map(ObjectIdentifier.init))
      if let old {
        if all.elementsEqual(candidates, by: ===), !old.isInitial || old.hasAllAliasesListed { continue }
        remove(old, &change)
      }
      additions += all
    }
    removeAliases(of: change.removed, &change)
    for binding in additions {
      // A kept registration is no longer behind the decorator or the choice that was listed for it.
      change.unused += binding.renewRetiredAliases()
      for shown in binding.withAliases where shown.outer != nil { shown.outer = nil }
      add(binding, &change)
    }
    change.unused += batch.filter { !standingBindings.contains(ObjectIdentifier($0)) }.flatMap(\.withAliases)
    reorderAsRebuilt(by: ranks, &change)
    return finish(change)
  }

  /// Orders the initial registrations by their ranks in the batch, and all others behind them.
  private mutating func reorderAsRebuilt(by ranks: [Binding.Role: Int], _ change: inout Change) {
    func position(_ binding: Binding) -> Int { binding.isInitial ? ranks[binding.role] ?? .max : .max }
    reorder(bindings.sorted { position($0) < position($1) })
    revealLast(&change)
  }

  /// The new registrations of an identity, with the listed ones in place of those that they stay for.
  private static func keeping(
    _ listed: [Binding], for new: [Binding], _ change: inout Change
  ) -> [Binding] {
    var rest = listed
    return new.map { binding in
      guard let index = rest.firstIndex(where: { $0.standsFor(binding) }) else { return binding }
      let kept = rest.remove(at: index)
      if kept !== binding { change.released.infos += kept.noteReplaced(binding.replaced) }
      return kept
    }
  }

  /// The registrations of one identity that stand after a batch, and the position of the first of the batch.
  private struct Standing {
    let position: Int
    var bindings: [Binding]
  }

  /// The registrations of each identity that stand after a batch has been added to an empty registry.
  private static func standing(_ batch: [Binding]) -> [ServiceIdentity: Standing] {
    var standing: [ServiceIdentity: Standing] = [:]
    var taken: Set<ServiceIdentity> = []
    for (position, binding) in batch.enumerated() {
      if binding.descriptor.traits.contains(.yieldsToEarlier) && taken.contains(binding.identity) { continue }
      // All others come before a default and its aliases.
      if !binding.innermost.isTokenDefault { taken.formUnion(binding.withAliases.map(\.identity)) }
      guard let earlier = standing[binding.identity] else {
        standing[binding.identity] = Standing(position: position, bindings: [binding])
        continue
      }
      let all = Candidates.joining(earlier.bindings, binding)
      if all.count == 1, binding.isInitial { binding.noteReplaced(earlier.bindings.flatMap(\.infosWithReplaced)) }
      standing[binding.identity]?.bindings = all
    }
    return standing
  }
}

extension Binding {
  /// Whether each identity of the aliases of this listed binding has an alias that is listed, too.
  fileprivate var hasAllAliasesListed: Bool {
    let aliases = undecorated.aliases
    let listed = Set(aliases.filter { $0.outermost.listIndex != nil }.map(\.identity))
    return aliases.allSatisfy { listed.contains($0.identity) }
  }

  /// Whether this listed registration stays where a batch has another one: they have the same source line, and this one works.
  fileprivate func standsFor(_ new: Binding) -> Bool {
    if self === new { return true }
    return isInitial && descriptor.fault == nil && descriptor.source == new.descriptor.source
      && aliases.map(\.identity) == new.aliases.map(\.identity)
  }
}
