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
        if ofHolder.isInOpenScope && ofCaptive.isInFutureScope {
          "or open container \"\(walk.nodes[holder].context.name)\" within \(ofCaptive.scope)."
        } else if ofCaptive.isInFutureScope {
          "or resolve \(service) in its scope and pass it as an argument."
        } else {
          "or inject a Provider instead."
        }
      let text =
        "Captive dependency: \(services[0]) (\(ofHolder)) would hold \(service) (\(ofCaptive)) beyond its end: "
        + "\(arrows(services)). Give \(services[0]) a scope that ends no later, \(advice)"
      add(.captiveDependency, at: holder, path: services, text: text)
    }
  }
}
