// Problems: dependencies that are not registered.
extension Validation {
  /// The maximum number of searches for near misses, since each goes through all registrations.
  private static let searchLimit = 32

  mutating func findMissing() {
    var searches: [DependencyWalk.MissingService: [String]] = [:]
    for (index, node) in walk.nodes.enumerated() {
      for missing in node.missing where !missing.isExpected {
        let service = missing.service
        let identity = service.identity
        guard isNew(.missingDependency, [index], about: identity) else { continue }
        if searches[service] == nil, searches.count < Self.searchLimit {
          searches[service] = NearMisses(of: identity, in: SearchedRegistries(node.context.searchOrder)).suggestions
        }
        let suggestions = searches[service] ?? []
        add(
          .missingDependency, at: index, path: [node.identity, identity], suggestions: suggestions,
          text: text(missing, for: node, suggestions))
      }
    }
    findExpectedOutsideOfScopes()
  }

  /// Transient services may pass the services of scopes on to a service that lives outside of scopes.
  private mutating func findExpectedOutsideOfScopes() {
    let paths = walk.paths(
      from: { !walk.nodes[$0].isCarrier && walk.nodes[$0].isBuiltByOwner }, through: { walk.nodes[$0].isCarrier },
      to: { walk.nodes[$0].isCarrier && walk.nodes[$0].missing.contains(where: \.isExpected) })
    for path in paths {
      for missing in walk.nodes[path[path.count - 1]].missing where missing.isExpected {
        let identity = missing.service.identity
        guard isNew(.missingDependency, [path[0]], about: identity) else { continue }
        let services = walk.identities(along: path) + [identity]
        let text =
          "\(identity) is not registered in container \"\(walk.nodes[path[0]].context.name)\", but needed: "
          + "\(arrows(services)). Scopes may have it, but \(services[0]) is built outside of them. "
          + "Give \(services[0]) a scope that ends no later, or resolve \(services[1]) in the scope and pass it as an "
          + "argument."
        add(.missingDependency, at: path[0], path: services, text: text)
      }
    }
  }

  private func text(
    _ missing: DependencyWalk.Missing, for node: DependencyWalk.Node, _ suggestions: [String]
  ) -> String {
    let identity = missing.service.identity
    let isWithArguments = node.context.searchOrder.contains { $0.hasOtherArguments(identity) }
    let state = isWithArguments ? "registered only with other run-time arguments" : "not registered"
    let path = arrows([node.identity, identity])
    var text = "\(identity) is \(state) in container \"\(node.context.name)\", but needed: \(path)."
    if !suggestions.isEmpty {
      text += " Registered: " + suggestions.joined(separator: "; ") + "."
    }
    switch (missing.need, isWithArguments) {
    case (_, true): return text + " Inject a Provider of it, or resolve it with arguments in a factory closure."
    case (.deferred, _): return text + " Register it; otherwise the later resolve fails."
    default: return text + " Register it, or take it as an optional."
    }
  }
}
