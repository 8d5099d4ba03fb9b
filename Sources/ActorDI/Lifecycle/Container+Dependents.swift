// What goes on using an instance that nobody gets any more.
extension Container {
  /// Whether something that is kept, here or below, was made from the instance of a registration: as far as it was noted what that has
  /// asked for, and if that is not known.
  ///
  /// - Complexity: O(*n*) in the instances that are kept.
  nonisolated func hasDependents(on binding: Binding) -> Bool {
    let shown = binding.withForwards.map(\.identity)
    return familyTree.contains { container in
      container.cells.contains { $0.isMade(from: shown) }
    }
  }

  /// All cells of what this container keeps.
  nonisolated var cells: [OnceCell] {
    (lazyRegistry.load()?.withLock { $0.everything } ?? []).flatMap(\.cells) + lifecycle.cells.all
  }
}

extension OnceCell {
  /// Whether there is an instance that may be made from one of these services.
  fileprivate func isMade(from services: [ServiceIdentity]) -> Bool {
    guard existing() != nil else { return false }
    guard let observed else { return true }
    return observed.map { Dependency(on: $0) }.contains { dependency in
      // Who takes the container may have asked it for anything.
      dependency.identity.isBuiltIn
        || services.contains { service in
          dependency.identity.service == service.service
            && (dependency.need == .all || dependency.identity.key == service.key)
        }
    }
  }
}
