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
    let wanted = Standing(after: batch, and: registeredLater)
    let present = Dictionary(primaries.map { ($0.identity, $0) }) { first, _ in first }
    var standingBindings: Set<ObjectIdentifier> = []
    for old in primaries where wanted.bindings[old.identity] == nil { remove(old, &change) }
    var additions: [Binding] = []
    for new in wanted.bindingsInOrder {
      let old = present[new[0].identity]
      let candidates = old.map { Candidates.of($0.undecorated) } ?? []
      let all = Self.keeping(candidates, for: new, &change)
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
      list(binding, &change)
    }
    change.unused += batch.filter { !standingBindings.contains(ObjectIdentifier($0)) }.flatMap(\.withAliases)
    reorder(bindings.sorted { wanted.position(of: $0.role) < wanted.position(of: $1.role) })
    revealLast(&change)
    return finish(change)
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

  /// The registrations that stand after a batch and all later ones have been added to an empty registry.
  private struct Standing {
    /// The registrations of each identity.
    private(set) var bindings: [ServiceIdentity: [Binding]] = [:]
    /// The order in which they and their aliases are listed.
    private var positions: [Binding.Role: Int] = [:]
    private var lastPosition = 0

    init(after batch: [Binding], and later: [Binding]) {
      // The registrations of the batch that show an identity.
      var shown: [ServiceIdentity: [Binding]] = [:]
      for binding in batch where !(binding.yieldsToEarlier && shown[binding.identity] != nil) {
        for identity in binding.withAliases.map(\.identity) { shown[identity, default: []].append(binding) }
        add(binding)
      }
      // Later registrations stand beside one another already. They yield only to those of the batch that they have not replaced.
      for binding in later {
        if binding.yieldsToEarlier, let others = shown[binding.identity], others.contains(where: contains) { continue }
        add(binding)
      }
    }

    private func contains(_ binding: Binding) -> Bool {
      bindings[binding.identity]?.contains { $0 === binding } == true
    }

    private mutating func add(_ binding: Binding) {
      let earlier = bindings[binding.identity] ?? []
      let all = Candidates.joining(earlier, binding)
      if all.count == 1, binding.isInitial, !earlier.isEmpty {
        binding.noteReplaced(earlier.flatMap(\.infosWithReplaced))
      }
      bindings[binding.identity] = all
      // A registration takes the place behind all others, with the aliases of its candidates.
      for listed in [binding] + all.flatMap(\.aliases) {
        lastPosition += 1
        positions[listed.role] = lastPosition
      }
    }

    func position(of role: Binding.Role) -> Int { positions[role] ?? .max }

    var bindingsInOrder: [[Binding]] {
      bindings.values.sorted { position(of: $0[0].role) < position(of: $1[0].role) }
    }
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
