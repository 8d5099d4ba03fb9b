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
      guard scope.isKeptByAsker, !scope.isBuiltByOwner, located.binding.primary == nil,
        scope.containerName.map({ $0 == name }) ?? isOpenScope
      else { return false }
      // A nearer registration may hide this one.
      return locate(located.binding.identity)?.binding.undecorated === located.binding.undecorated
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
    let inScopes = walk.nodes.indices.filter {
      walk.nodes[$0].lifetime.isInFutureScope && !walk.nodes[$0].descriptor.scope.isBuiltByOwner
    }
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

  /// The unregistered dependencies of a node that are left to the scopes.
  func expected(of index: Int) -> [Dependency] {
    walk.nodes[index].missing.map(\.dependency).filter { isExpected($0.wantedIdentity, of: index) }
  }
}

/// A service in a container that something else retains.
struct ServiceInContainer: Hashable {
  let identity: ServiceIdentity
  let container: ObjectIdentifier
}
