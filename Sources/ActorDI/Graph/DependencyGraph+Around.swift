extension DependencyGraph {
  /// The part of the graph around a service: its dependencies and dependents, direct and indirect.
  ///
  /// ```swift
  /// print(app.dependencyGraph().around(Database.self, depth: 2).mermaid)
  /// ```
  ///
  /// Services that only share a dependency or a dependent with the service are not included.
  ///
  /// - Parameters:
  ///   - service: The type of the service.
  ///   - key: The key of the service.
  ///   - depth: The maximum number of edges between the service and a node of the part.
  /// - Returns: The nodes, with new numbers, and all edges between them. Empty if the graph does not have the service.
  /// - Complexity: O(*n* + *d* · *e*), where *d* is the depth of the part.
  public func around(_ service: any Any.Type, key: (any Hashable & Sendable)? = nil, depth: Int = 1) -> DependencyGraph
  {
    let key = key.flatMap { Key.of($0) }
    let centre = nodes.map { $0.service == service && $0.identity.key == key }
    let below = reached(from: centre, depth, isUpwards: false)
    let above = reached(from: centre, depth, isUpwards: true)
    var numbers = [Int](repeating: -1, count: nodes.count)
    var part = DependencyGraph(containers: containers, nodes: [], edges: [])
    for var node in nodes where below[node.id] || above[node.id] {
      numbers[node.id] = part.nodes.count
      node.id = part.nodes.count
      part.nodes.append(node)
    }
    for var edge in edges {
      (edge.from, edge.to) = (numbers[edge.from], numbers[edge.to])
      if edge.from >= 0 && edge.to >= 0 { part.edges.append(edge) }
    }
    return part
  }

  /// Marks the nodes that at most `depth` steps reach, one mark for each node.
  private func reached(from centre: [Bool], _ depth: Int, isUpwards: Bool) -> [Bool] {
    var reached = centre
    for _ in 0..<max(0, depth) {
      var next = reached
      for edge in edges where reached[isUpwards ? edge.to : edge.from] { next[isUpwards ? edge.from : edge.to] = true }
      if next == reached { break }
      reached = next
    }
    return reached
  }
}
