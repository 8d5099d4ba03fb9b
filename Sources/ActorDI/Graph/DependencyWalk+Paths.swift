// Paths between nodes.
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

  /// The paths from holders to ends, through nodes that pass on what they take.
  ///
  /// - Parameters:
  ///   - isHolder: Whether a path may begin at a node.
  ///   - isPassing: Whether a path may lead through a node.
  ///   - isEnd: Whether a path may end at a node.
  /// - Returns: A shortest path from each holder to each end, ordered by holder, and for each holder by length.
  func paths(from isHolder: (Int) -> Bool, through isPassing: (Int) -> Bool, to isEnd: (Int) -> Bool) -> [[Int]] {
    let ends = nodes.indices.filter(isEnd)
    guard !ends.isEmpty else { return [] }
    let targets = targets { _, edge in !edge.mayStayUnbuilt }
    let sources = sources(of: targets)
    let leading = Reach(from: ends) { isPassing($0) || isEnd($0) ? sources[$0] : [] }
    return leading.nodes.sorted(by: <).filter(isHolder).flatMap { holder in
      let reach = Reach(from: [holder]) { node in
        node == holder || isPassing(node) ? targets[node].filter(leading.contains) : []
      }
      return reach.nodes.filter { $0 != holder && isEnd($0) }.map { reach.path(to: $0) }
    }
  }
}
