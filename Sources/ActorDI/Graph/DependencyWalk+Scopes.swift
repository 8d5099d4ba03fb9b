// Facts about scopes that are known without opening one.
extension Container {
  /// Whether the container is an open scope of ``withScope(_:_:operation:)``.
  nonisolated var isOpenScope: Bool { lifecycle.isScope && !lifecycle.isClosed }

  /// The scoped registrations of parents and links for which this container is the scope. Only this container determines what
  /// they find.
  nonisolated var scopedFromElsewhere: [Located] {
    searchOrder.filter { $0 !== self }.flatMap { container in
      container.registry.withLock { $0.bindings }.map { Located(binding: $0, container: container) }
    }.filter { located in
      let scope = located.binding.effectiveScope
      guard scope.policy.isKeptPerContainer, !scope.policy.isBuiltByOwner, located.binding.primary == nil,
        scope.containerName.map({ $0 == name }) ?? isOpenScope
      else { return false }
      // A nearer registration may hide this one.
      return locate(located.binding.identity)?.binding.undecorated === located.binding.undecorated
    }
  }
}

extension DependencyWalk {
  /// Marks the unregistered dependencies that are left to future scopes: those of services that live in these scopes.
  ///
  /// Two conditions must hold. The dependent node is, or may be, built in a scope. A node of the same context that is built
  /// in a scope has the same dependency.
  ///
  /// - Returns: The dependencies, in order of discovery.
  func markExpected() -> [Dependency] {
    let inScopes = nodes.indices.filter { nodes[$0].lifetime.isInFutureScope && !nodes[$0].isBuiltByOwner }
    let targets = targets { nodes[$1.target].isCarrier }
    // The nodes that live in future scopes, and the nodes that are built for them without being kept.
    let builtInScopes = Reach(from: inScopes) { targets[$0] }
    let missing = nodes.indices.filter(builtInScopes.contains).flatMap { nodes[$0].missing }
    let expected = Set(missing.map(\.service))
    for node in nodes where !node.isBuiltByOwner {
      for index in node.missing.indices {
        node.missing[index].isExpected = expected.contains(node.missing[index].service)
      }
    }
    var known: Set<ServiceIdentity> = []
    return missing.filter { known.insert($0.service.identity).inserted }.map {
      Dependency($0.service.identity, $0.need)
    }
  }
}
