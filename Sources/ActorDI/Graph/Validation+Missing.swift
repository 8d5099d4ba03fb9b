// Problems: dependencies that are not registered.
extension Validation {
  /// The maximum number of searches for near misses, since each goes through all registrations.
  private static let searchLimit = 32

  private struct FoundNearMisses {
    var suggestions: [String] = []
    var adviceOnConformingTypes: String?
    var adviceOnKeyOfParameter: String?
  }

  mutating func findMissing() {
    var searches: [DependencyWalk.MissingService: FoundNearMisses] = [:]
    for (index, node) in walk.nodes.enumerated() {
      for missing in node.missing where !missing.isExpected {
        let service = missing.service
        let identity = service.identity
        guard isNew(.missingDependency, [index], about: identity) else { continue }
        if searches[service] == nil, searches.count < Self.searchLimit {
          let nearMisses = NearMisses(of: identity, in: SearchedRegistries(node.context.searchOrder))
          searches[service] = FoundNearMisses(
            suggestions: nearMisses.suggestions, adviceOnConformingTypes: nearMisses.adviceOnConformingTypes,
            adviceOnKeyOfParameter: nearMisses.adviceOnKeyOfParameter)
        }
        let found = searches[service] ?? FoundNearMisses()
        add(
          .missingDependency, at: index, path: [node.identity, identity], suggestions: found.suggestions,
          text: text(missing, for: node, found))
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
    _ missing: DependencyWalk.Missing, for node: DependencyWalk.Node, _ found: FoundNearMisses
  ) -> String {
    let identity = missing.service.identity
    let isWithArguments = node.context.searchOrder.contains { $0.hasOtherArguments(identity) }
    let state = isWithArguments ? "registered only with other run-time arguments" : "not registered"
    let path = arrows([node.identity, identity])
    var text = "\(identity) is \(state) in container \"\(node.context.name)\", but needed: \(path)."
    if !found.suggestions.isEmpty {
      text += " Registered: " + found.suggestions.joined(separator: "; ") + "."
    }
    if isWithArguments {
      text += " Inject a Provider of it, or resolve it with arguments in a factory closure."
    } else if missing.kind == .parameter, let advice = found.adviceOnKeyOfParameter {
      text += " " + advice
    } else if missing.need == .deferred {
      text += " Register it; otherwise the later resolve fails."
    } else {
      text += " Register it, or take it as an optional."
    }
    return text + (found.adviceOnConformingTypes.map { " \($0)" } ?? "")
  }
}
