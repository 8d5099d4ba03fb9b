// Facts about scopes that are known without opening one.
extension Container {
  /// Whether the container is an open scope of ``withScope(_:_:operation:)``.
  nonisolated var isOpenScope: Bool { parent?.scopes.contains { $0 === self } ?? false }

  /// The scoped registrations of parents and links for which this container is the scope. Only this container determines what
  /// they find.
  nonisolated var scopedFromElsewhere: [Located] {
    let isOpenScope = isOpenScope
    return searchOrder.filter { $0 !== self }.flatMap { container in
      container.registry.withLock { $0.bindings }.map { Located(binding: $0, container: container) }
    }.filter { located in
      let scope = located.binding.effectiveScope
      guard scope.isKeptByAsker, !scope.isBuiltByOwner, located.binding.primary == nil,
        scope.containerName.map({ $0 == name }) ?? isOpenScope
      else { return false }
      // A nearer registration may hide this one.
      return locate(located.binding.identity)?.binding.undecorated === located.binding.undecorated
    }
  }
}

extension DependencyWalk {
  /// Finds the lifetime of each node's instances.
  ///
  /// The instances live in a future scope, whose own registrations are unknown:
  ///
  /// - ``Scope/scoped(_:)``: if neither the asked container nor one above it has that name.
  /// - ``Scope/scoped``: unless the asked container is an open scope. Other containers can resolve such services, but
  ///   rarely do.
  /// - ``Scope/pooled(max:)``: always.
  func findLifetimes() -> [Lifetime] {
    var known: [ObjectIdentifier: Bool] = [:]
    for node in nodes where known[ObjectIdentifier(node.context)] == nil {
      known[ObjectIdentifier(node.context)] = node.context.isOpenScope
    }
    return nodes.map { node in
      let scope = node.descriptor.scope
      let isInFutureScope =
        switch scope.keeper {
        case .named: node.binding.keeper(for: node.context) == nil
        case .asker: scope.isBuiltByOwner || known[ObjectIdentifier(node.context)] == false
        case .caller, .call, .owner: false
        }
      return Lifetime(node.descriptor, isInFutureScope: isInFutureScope)
    }
  }
}

/// The services that future scopes have to register: unregistered dependencies of services that live in these scopes.
struct ScopeExpectations {
  private let walk: DependencyWalk
  private var expected = UnspecializedSet<ServiceInContainer>()
  /// The dependencies, in order of discovery.
  private(set) var dependencies: [Dependency] = []

  init(of walk: DependencyWalk) {
    self.walk = walk
    let lifetimes = walk.lifetimes
    let inScopes = lifetimes.indices.filter { lifetimes[$0].isInFutureScope && !lifetimes[$0].scope.isBuiltByOwner }
    let targets = walk.targets { walk.nodes[$1.target].isCarrier }
    // The nodes that live in future scopes, and the nodes that are built for them without being kept.
    let builtInScopes = Reach(from: inScopes) { targets[$0] }
    var known = UnspecializedSet<ServiceIdentity>()
    for (index, node) in walk.nodes.enumerated() where builtInScopes.contains(index) {
      for dependency in node.missing.map(\.dependency) {
        let identity = dependency.wantedIdentity
        expected.insert(ServiceInContainer(identity: identity, container: ObjectIdentifier(node.context)))
        if known.insert(identity) { dependencies.append(Dependency(identity, dependency.need)) }
      }
    }
  }

  /// Whether an unregistered dependency of a node is left to the scopes.
  ///
  /// Two conditions must hold. The node is, or may be, built in a scope. A node of the same context that is built in a scope
  /// has the same dependency.
  func isExpected(_ identity: ServiceIdentity, of index: Int) -> Bool {
    let node = walk.nodes[index]
    return !node.descriptor.scope.isBuiltByOwner
      && expected.contains(ServiceInContainer(identity: identity, container: ObjectIdentifier(node.context)))
  }

  // MARK: Paths from outside of scopes

  /// Paths from nodes that live outside of scopes to nodes with dependencies that only scopes will have, through nodes that
  /// are not kept.
  func pathsFromOutside() -> [(path: [Int], missing: Dependency)] {
    guard !dependencies.isEmpty else { return [] }
    let sources = sources(of: walk.targets { _, edge in !edge.isLater })
    return dependencies.flatMap { dependency in
      paths(to: dependency.identity, sources).map { ($0, dependency) }
    }
  }

  private func paths(to identity: ServiceIdentity, _ sources: [[Int]]) -> [[Int]] {
    let nodes = walk.nodes
    let takers = nodes.indices.filter { index in
      nodes[index].isCarrier && isExpected(identity, of: index)
        && nodes[index].missing.contains { $0.dependency.wantedIdentity == identity }
    }
    let reach = Reach(from: takers) { node in
      guard nodes[node].isCarrier else { return [] }
      return sources[node].filter { nodes[$0].isCarrier || nodes[$0].descriptor.scope.isBuiltByOwner }
    }
    return reach.nodes.filter { !nodes[$0].isCarrier }.ordered(by: <).map { reach.path(from: $0) }
  }
}

/// A service in a container that something else retains.
struct ServiceInContainer: Hashable {
  let identity: ServiceIdentity
  let container: ObjectIdentifier
}
