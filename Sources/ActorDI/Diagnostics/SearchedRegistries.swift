/// The registries that a request has searched, nearest first.
///
/// Retains no container: each empties its registry at its end, and leaves summaries of the registrations.
struct SearchedRegistries: Sendable {
  private let cells: [RegistryCell]

  init(_ searched: some Sequence<Container>) { cells = searched.compactMap(\.registryIfAny) }

  /// The identities of all registrations.
  var identities: [ServiceIdentity] { cells.flatMap { $0.withLock { $0.identities } } }

  /// The registration that a search finds.
  func registration(of identity: ServiceIdentity) -> RegistrationSummary? {
    for cell in cells {
      // Keys are compared outside the lock.
      let (bindings, dropped) = cell.withLock { ($0.bindings(of: identity.service), $0.dropped) }
      if let found = bindings.last(where: { $0.identity.isSame(as: identity) }) { return RegistrationSummary(found) }
      if let found = dropped.last(where: { $0.identity.isSame(as: identity) }) { return found }
    }
    return nil
  }
}
