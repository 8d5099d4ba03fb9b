// Changes of the registry. Each function first makes all checks that can fail, then works on a draft.
extension Registry {
  // MARK: Adding

  /// Adds decorators, and registrations, each of which replaces the listed one with the same ``Binding/Role``.
  ///
  /// - Throws: ``ResolutionError/Code/frozen``, ``ResolutionError/Code/closed``, or ``ResolutionError/Code/duplicate``
  ///   if the policy forbids duplicates. The registry is then unchanged.
  mutating func add(
    _ batch: [Binding], _ decorators: [Decorator], to snapshot: Snapshot.Address, duplicates: DuplicatePolicy,
    container: String
  ) throws(ResolutionError) -> Publication {
    try checkNotFrozen(batch.first?.identity ?? decorators.first?.service, container)
    if duplicates == .error { try checkNoDuplicates(batch, container) { registered($0, in: snapshot) } }
    var change = beginChange(snapshot)
    for decorator in decorators { decorate(with: decorator, &change) }
    change.draft.reserve(room(forBatchOf: batch.count))
    insertAll(batch, &change)
    return finish(change)
  }

  /// Adds the registrations of a batch.
  ///
  /// Pure insertions at the beginning of the batch are recorded in bulk.
  private mutating func insertAll(_ batch: [Binding], _ change: inout Change) {
    makeRoom(for: batch.count)
    var index = 0
    if decorators.isEmpty {
      while index < batch.count {
        let binding = batch[index]
        let isSimple = !binding.yieldsToEarlier && binding.aliases.isEmpty
        guard isSimple, insertIfNew(binding, &change) else { break }
        index += 1
      }
      // Assigned, since appending would copy the batch. Without decorators, the change has added nothing before.
      change.added = index == batch.count ? batch : Array(batch[..<index])
    }
    for primary in batch[index...] { add(primary, &change) }
  }

  mutating func add(_ primary: Binding, _ change: inout Change) {
    if primary.yieldsToEarlier, let found = change.find(primary.identity),
      !found.innermost.isTokenDefault || primary.innermost.isTokenDefault
    {
      change.unused += primary.withAliases
      return
    }
    list(primary, &change)
  }

  /// Lists a registration, which yields to no other one, and its aliases.
  mutating func list(_ primary: Binding, _ change: inout Change) {
    let firstRemoved = change.removed.count
    let listed = put(primary, &change)
    for alias in listed.binding.aliases {
      // The aliases of a default yield, too.
      if alias.isTokenDefault, change.find(alias.identity) != nil { continue }
      put(alias, mayReplaceHidden: listed.hasReplaced, &change)
    }
    // Before the next registration of the batch, which may yield to what is listed.
    removeAliases(of: Array(change.removed[firstRemoved...]), &change)
  }

  /// Lists a binding in place of the one with the same role, decorated and joined with its other candidates.
  ///
  /// - Parameter mayReplaceHidden: Whether the binding to replace may be hidden. The aliases of a new registration
  ///   replace no hidden ones; without this shortcut a type with many aliases would take long to search.
  /// - Returns: The binding, or the choice from it and its other candidates, and whether a binding was replaced.
  @discardableResult
  private mutating func put(
    _ binding: Binding, mayReplaceHidden: Bool = true, _ change: inout Change
  ) -> (binding: Binding, hasReplaced: Bool) {
    let found = change.find(binding.identity)
    let listed = mayReplaceHidden ? listed(under: binding.identity, found: found) : found.map { [$0] } ?? []
    let replaced = listed.filter { $0.role == binding.role }
    let merged = replaced.first.flatMap { old in
      old.innermost.isTokenDefault ? nil : Candidates.merging(old.undecorated, binding)
    }
    if merged == nil { noteReplaced(replaced, by: binding, change) }
    let new = merged ?? binding
    insert(unsafe decorated(new, in: binding.owner), before: found, insteadOf: replaced, &change)
    return (new, !replaced.isEmpty)
  }

  /// Notes which of the replaced bindings are registrations of the same batch as the new one.
  private func noteReplaced(_ replaced: [Binding], by new: Binding, _ change: borrowing Change) {
    guard new.primary == nil else { return }
    // The initial registrations are one batch, even if they are added one by one.
    let ofBatch = replaced.filter { $0.listIndex ?? -1 >= change.firstIndex || ($0.isInitial && new.isInitial) }
    if ofBatch.isEmpty { return }
    new.noteReplaced(ofBatch.flatMap { Candidates.of($0.undecorated) }.flatMap(\.infosWithReplaced))
  }

  func checkNotFrozen(_ identity: ServiceIdentity?, _ container: String) throws(ResolutionError) {
    if isWithdrawn { throw ResolutionError(.closed, for: identity, container: container) }
    if isFrozen { throw ResolutionError(.frozen, for: identity, container: container) }
  }

  /// - Parameter registered: The registrations of an identity before the batch, candidates one by one.
  func checkNoDuplicates(
    _ batch: [Binding], _ container: String, _ registered: (ServiceIdentity) -> [Binding]
  ) throws(ResolutionError) {
    var earlier: [ServiceIdentity: [Binding]] = [:]
    func others(_ identity: ServiceIdentity) -> [Binding] { registered(identity) + (earlier[identity] ?? []) }
    for primary in batch {
      let isTaken = !others(primary.identity).isEmpty
      if primary.yieldsToEarlier && isTaken { continue }
      for binding in primary.withAliases {
        let others = others(binding.identity).filter { binding.isDuplicate(of: $0) }
        if let other = others.first(where: { !Candidates.canCoexist($0, binding) }) {
          throw ResolutionError(
            .duplicate, for: binding.identity, path: [binding.identity], container: container,
            note: "It was registered first at \(other.descriptor.source).")
        }
        earlier[binding.identity, default: []].append(binding)
      }
    }
  }

  /// The listed registrations of an identity, candidates one by one, without the default of its token.
  private func registered(_ identity: ServiceIdentity, in snapshot: Snapshot.Address) -> [Binding] {
    let listed = listed(under: identity, found: Snapshot(orEmptyAt: snapshot).find(identity))
    return listed.flatMap { Candidates.of($0.undecorated) }.filter { !$0.innermost.isTokenDefault }
  }

  // MARK: Removing

  /// Removes bindings with their aliases.
  ///
  /// - Returns: nil if there is nothing to remove, or the registry is frozen or withdrawn.
  mutating func remove(_ bindings: [Binding], from snapshot: Snapshot.Address) -> Publication? {
    let bindings = bindings.filter { $0.listIndex != nil }
    guard !bindings.isEmpty, !isFrozen, !isWithdrawn else { return nil }
    var change = beginChange(snapshot)
    for binding in bindings { remove(binding, &change) }
    removeAliases(of: change.removed, &change)
    return finish(change)
  }

  /// Removes the aliases of removed registrations, which no longer have an instance to return.
  mutating func removeAliases(of removed: [Binding], _ change: inout Change) {
    let aliases = removed.flatMap(\.gone).flatMap(\.aliases)
    for alias in aliases.map(\.outermost) where alias.listIndex != nil { remove(alias, &change) }
  }
}

extension Binding {
  /// Whether the registration gives way to one of its identity that is registered already.
  var yieldsToEarlier: Bool { descriptor.traits.contains(.yieldsToEarlier) }
}
