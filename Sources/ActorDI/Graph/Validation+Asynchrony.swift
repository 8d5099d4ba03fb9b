// Problems: synchronous closures with dependencies that are built asynchronously.
extension Validation {
  mutating func findAsynchrony() {
    let asynchronous = leadingToAsynchronous()
    for (index, node) in walk.nodes.enumerated()
    where node.binding.isRegistration
      && (node.descriptor.isSynchronousFactory || node.descriptor.hasOnlySynchronousHooks)
    {
      for edge in node.edges
      where edge.kind == .declared && !edge.mayStayUnbuilt && asynchronous.contains(edge.target) {
        guard isNew(.asyncRequired, [index], about: walk.nodes[edge.target].identity) else { continue }
        let path = walk.identities(along: [index] + asynchronous.path(to: edge.target).reversed())
        let (closure, advice) =
          node.descriptor.isSynchronousFactory
          ? ("factory", "Make the factory asynchronous, or autowire the initialiser.")
          : ("hook", "Make the hook asynchronous.")
        let text =
          "\(path[0]) has a synchronous \(closure), but depends on a service that is built asynchronously: "
          + "\(arrows(path)). \(advice)"
        add(.asyncRequired, at: index, path: path, text: text)
      }
    }
  }

  /// The nodes that require an asynchronous caller, with the paths from the causes.
  ///
  /// A main-actor factory is no such cause: a synchronous caller on the main thread can have it run.
  private func leadingToAsynchronous() -> Reach {
    let nodes = walk.nodes
    // A node is asynchronous if a target is. The exception is a target that a factory closure declares: only a closure with a second,
    // asynchronous form adapts (`adaptsToDependencies`). Any other synchronous closure is reported as a problem of its own.
    let takers = sources(
      of: walk.targets { node, edge in
        let adapts = edge.kind != .declared || node.descriptor.traits.contains(.adaptsToDependencies)
        return adapts && !node.isBuiltAtStart && !edge.mayStayUnbuilt
      })
    // An alias is as asynchronous as its target.
    let causes = nodes.indices.filter {
      !nodes[$0].isBuiltAtStart && nodes[$0].binding.synchrony == .asynchronous && nodes[$0].binding.primary == nil
    }
    return Reach(from: causes) { takers[$0] }
  }
}
