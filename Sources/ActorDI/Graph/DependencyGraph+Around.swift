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
  public func around<Service>(
    _ service: Service.Type, key: (any Hashable & Sendable)? = nil, depth: Int = 1
  ) -> DependencyGraph {
    let key = key.flatMap { Key.of($0) }
    let centre = nodes.map { $0.service == service && $0.identity.key == key }
    let below = reached(from: centre, depth) { ($0.from, $0.to) }
    let above = reached(from: centre, depth) { ($0.to, $0.from) }
    var numbers = [Int?](repeating: nil, count: nodes.count)
    var part: [Node] = []
    for var node in nodes where below[node.id] || above[node.id] {
      numbers[node.id] = part.count
      node.id = part.count
      part.append(node)
    }
    let links = edges.compactMap { edge -> Edge? in
      guard let from = numbers[edge.from], let to = numbers[edge.to] else { return nil }
      var edge = edge
      (edge.from, edge.to) = (from, to)
      return edge
    }
    return DependencyGraph(containers: containers, nodes: part, edges: links)
  }

  /// Marks the nodes that at most `depth` steps reach, one mark for each node.
  private func reached(from centre: [Bool], _ depth: Int, _ step: (Edge) -> (from: Int, to: Int)) -> [Bool] {
    var reached = centre
    for _ in 0..<max(0, depth) {
      var next = reached
      for edge in edges where reached[step(edge).from] { next[step(edge).to] = true }
      if next == reached { break }
      reached = next
    }
    return reached
  }
}
