// Problems: services that hold other services beyond their end.
extension Validation {
  mutating func findCaptives() {
    for path in walk.pathsToCaptives {
      let (holder, captive) = (path[0], path[path.count - 1])
      let service = walk.nodes[captive].identity
      guard isNew(.captiveDependency, [holder], about: service) else { continue }
      let services = walk.identities(along: path)
      let (ofHolder, ofCaptive) = (walk.lifetimes[holder], walk.lifetimes[captive])
      let advice =
        ofCaptive.isInFutureScope
        ? "or resolve \(service) in its scope and pass it as an argument."
        : "or inject a Provider instead."
      let text =
        "Captive dependency: \(services[0]) (\(ofHolder)) would hold \(service) (\(ofCaptive)) beyond its end: "
        + "\(arrows(services)). Give \(services[0]) a scope that ends no later, \(advice)"
      add(.captiveDependency, at: holder, path: services, text: text)
    }
  }
}

extension DependencyWalk {
  /// The paths from each node that holds a service beyond its end to that service, through nodes that pass it on.
  var pathsToCaptives: [[Int]] {
    // One search for each distinct lifetime with an end; there are few.
    var ends: [Lifetime] = []
    for lifetime in lifetimes where lifetime.hasEnd && !ends.contains(lifetime) { ends.append(lifetime) }
    guard !ends.isEmpty else { return [] }
    let targets = targets { _, edge in !edge.isLater }
    let sources = sources(of: targets)
    var paths: [[Int]] = []
    for end in ends {
      let members = lifetimes.indices.filter { lifetimes[$0] == end }
      // A node that holds what it takes ends the path.
      let leading = Reach(from: members) { lifetimes[$0].isHolding && lifetimes[$0] != end ? [] : sources[$0] }
      for holder in leading.nodes.ordered(by: <) where lifetimes[holder].outlasts(end) {
        let reach = Reach(from: [holder]) { node in
          node == holder || !lifetimes[node].isHolding ? targets[node].filter(leading.contains) : []
        }
        for captive in reach.nodes.dropFirst() where lifetimes[captive] == end {
          paths.append(reach.path(from: captive).reversed())
        }
      }
    }
    return paths
  }
}
