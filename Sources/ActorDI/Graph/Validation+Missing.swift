// Problems: dependencies that are not registered.
extension Validation {
  /// The maximum number of searches for near misses, since each goes through all registrations.
  private static let searchLimit = 32

  mutating func findMissing() {
    var searches: [ServiceInContainer: NearMisses] = [:]
    let expectations = ScopeExpectations(of: walk)
    expectedFromScopes = expectations.dependencies.map { RegistrationInfo.Dependency(dependency: $0) }
    for (index, node) in walk.nodes.enumerated() {
      for dependency in node.missing.map(\.dependency) {
        let missing = dependency.wantedIdentity
        if expectations.isExpected(missing, of: index) { continue }
        guard isNew(.missingDependency, [index], about: missing) else { continue }
        let name = ServiceInContainer(identity: missing, container: ObjectIdentifier(node.context))
        if searches[name] == nil, searches.count < Self.searchLimit {
          searches[name] = NearMisses(of: missing, in: node.context)
        }
        add(
          .missingDependency, at: index, path: [node.identity, missing],
          suggestions: searches[name]?.suggestions ?? [],
          text: text(missing, for: node, dependency, searches[name]))
      }
    }
    // Transient services may pass the services of scopes on to a service that lives outside of scopes.
    let paths = walk.paths(
      from: { !walk.nodes[$0].isCarrier && walk.nodes[$0].descriptor.scope.isBuiltByOwner },
      through: { walk.nodes[$0].isCarrier },
      to: { walk.nodes[$0].isCarrier && !expectations.expected(of: $0).isEmpty })
    for path in paths {
      for dependency in expectations.expected(of: path[path.count - 1]) { add(path, dependency.wantedIdentity) }
    }
  }

  private mutating func add(_ path: [Int], _ missing: ServiceIdentity) {
    guard isNew(.missingDependency, [path[0]], about: missing) else { return }
    let services = walk.identities(along: path) + [missing]
    let text =
      "\(missing) is not registered in container \"\(walk.nodes[path[0]].context.name)\", but needed: "
      + "\(arrows(services)). Scopes may have it, but \(services[0]) is built outside of them. "
      + "Give \(services[0]) a scope that ends no later, or resolve \(services[1]) in the scope and pass it as an "
      + "argument."
    add(.missingDependency, at: path[0], path: services, text: text)
  }

  private func text(
    _ missing: ServiceIdentity, for node: DependencyWalk.Node, _ dependency: Dependency,
    _ search: NearMisses?
  ) -> String {
    let isWithArguments = search?.hasOtherArguments == true
    let state = isWithArguments ? "registered only with other run-time arguments" : "not registered"
    let path = arrows([node.identity, missing])
    var text = "\(missing) is \(state) in container \"\(node.context.name)\", but needed: \(path)."
    if let suggestions = search?.suggestions, !suggestions.isEmpty {
      text += " Registered: " + suggestions.joined(separator: "; ") + "."
    }
    switch (dependency.need, isWithArguments) {
    case (_, true): return text + " Inject a Provider of it, or resolve it with arguments in a factory closure."
    case (.deferred, _): return text + " Register it; otherwise the later resolve fails."
    default: return text + " Register it, or take it as an optional."
    }
  }
}

extension Dependency {
  /// The service that must be registered: for `Provider<Owned<Session>>`, the session.
  var wantedIdentity: ServiceIdentity {
    guard need == .deferred, let nested else { return identity }
    return nested.wantedIdentity
  }
}
