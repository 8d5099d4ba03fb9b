// Problems: services that hold other services beyond their end.
extension Validation {
  mutating func findCaptives() {
    for path in walk.pathsToCaptives {
      let holder = path[0]
      let captive = path[path.count - 1]
      let service = walk.nodes[captive].identity
      guard isNew(.captiveDependency, [holder], about: service) else { continue }
      let services = walk.identities(along: path)
      let ofHolder = walk.nodes[holder].lifetime
      let ofCaptive = walk.nodes[captive].lifetime
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
  ///
  /// Only the holder nearest to the service counts: a path does not lead through another one.
  var pathsToCaptives: [[Int]] {
    // One search for each distinct lifetime with an end; there are few.
    var ends: [Lifetime] = []
    for lifetime in nodes.map(\.lifetime) where lifetime.hasEnd && !ends.contains(lifetime) { ends.append(lifetime) }
    return ends.flatMap { end in
      paths(
        from: { nodes[$0].lifetime.outlasts(end) },
        through: { (!nodes[$0].lifetime.isHolding || nodes[$0].isCarrier) && !nodes[$0].lifetime.outlasts(end) },
        to: { nodes[$0].lifetime == end })
    }
  }
}
