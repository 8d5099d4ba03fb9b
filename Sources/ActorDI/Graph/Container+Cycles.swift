extension Container {
  /// The registrations of this container whose services refer to one another, directly or through others: by their declarations, or by what
  /// their existing instances have requested.
  ///
  /// - Complexity: O(*n* + *e*) in registrations and dependencies.
  nonisolated var bindingsInCycles: [Binding] {
    let walk = DependencyWalk(from: self)
    let indices = Dictionary(grouping: walk.nodes.indices) { ObjectIdentifier(walk.nodes[$0].binding) }
    var targets = walk.targets { !$1.mayStayUnbuilt }
    for (index, node) in walk.nodes.enumerated() {
      for request in node.binding.existingHolder(for: node.context)?.requests ?? [] {
        guard let found = node.context.locate(request) else { continue }
        targets[index] += indices[ObjectIdentifier(found.binding)] ?? []
      }
    }
    let component = Cycles.components(of: targets)
    let sizes = Dictionary(grouping: component) { $0 }.mapValues(\.count)
    let members = Set(
      walk.nodes.indices.filter { sizes[component[$0], default: 0] > 1 }.map { walk.nodes[$0].binding.id })
    return registry.withLock { $0.bindings }.filter { members.contains($0.id) }
  }
}
