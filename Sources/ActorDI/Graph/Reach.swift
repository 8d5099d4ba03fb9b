/// The nodes that a breadth-first search reaches in a graph whose nodes are numbers.
struct Reach {
  /// The nodes in order of discovery, beginning with the starts.
  private(set) var nodes: [Int]
  /// For each node, the node that it was reached from. A start is its own origin.
  private var origins: [Int: Int] = [:]

  /// Searches from all starts at once.
  ///
  /// - Parameters:
  ///   - goal: A node at which to stop; nil to find all nodes.
  ///   - next: The successors of a node.
  init(from starts: [Int], to goal: Int? = nil, _ next: (Int) -> [Int]) {
    nodes = starts
    for start in starts { origins[start] = start }
    var position = 0
    while position < nodes.count {
      let node = nodes[position]
      if node == goal { return }
      position += 1
      for target in next(node) where origins[target] == nil {
        origins[target] = node
        nodes.append(target)
      }
    }
  }

  func contains(_ node: Int) -> Bool { origins[node] != nil }

  /// A shortest path from a start to a reached node, including both.
  func path(to node: Int) -> [Int] {
    var path = [node]
    while let last = path.last, let origin = origins[last], origin != last { path.append(origin) }
    return path.reversed()
  }
}

/// The nodes that lead to each node of a graph.
func sources(of targets: [[Int]]) -> [[Int]] {
  var sources = [[Int]](repeating: [], count: targets.count)
  for (source, targets) in targets.enumerated() {
    for target in targets { sources[target].append(source) }
  }
  return sources
}
