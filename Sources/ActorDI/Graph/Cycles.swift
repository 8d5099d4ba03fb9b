/// Algorithms for the cycles of a graph whose nodes are numbers.
enum Cycles {
  /// The number of edges to examine before the search for more cycles stops. Only a tangle of many thousands of edges reaches
  /// it.
  private static let budget = 4_000_000

  struct Edge: Hashable {
    let source: Int
    let target: Int
  }

  /// A set of cycles that covers every edge of any cycle.
  ///
  /// All cycles would be too many: their number can be exponential. Each cycle is a shortest one through its first edge. Its
  /// first node is not repeated at the end.
  ///
  /// - Parameter order: All nodes, in the order in which to examine their edges.
  /// - Complexity: O(*n* + *e*) without cycles; otherwise that for each cycle, within its component.
  static func covering(_ successors: [[Int]], order: [Int]) -> [[Int]] {
    let component = components(of: successors)
    let inner = successors.enumerated().map { node, targets in targets.filter { component[$0] == component[node] } }
    var work = 0
    var covered: Set<Edge> = []
    var cycles: [[Int]] = []
    for source in order {
      for target in inner[source] where work < budget && !covered.contains(Edge(source: source, target: target)) {
        let reach = Reach(from: [target], to: source) { node in
          work += inner[node].count
          return inner[node]
        }
        let cycle = [source] + reach.path(to: source).dropLast()
        for (index, node) in cycle.enumerated() {
          covered.insert(Edge(source: node, target: cycle[(index + 1) % cycle.count]))
        }
        cycles.append(cycle)
      }
    }
    return cycles
  }

  /// For each node, a number of its strongly connected component, by Kosaraju's algorithm.
  ///
  /// An explicit stack replaces the recursion, since a chain may exceed the depth of the call stack.
  static func components(of successors: [[Int]]) -> [Int] {
    var isEntered = [Bool](repeating: false, count: successors.count)
    var left: [Int] = []
    // A node stays in the list until all nodes that it leads to have been left.
    var pending = successors.indices.map { (node: $0, isToLeave: false) }
    while let (node, isToLeave) = pending.popLast() {
      if isToLeave {
        left.append(node)
      } else if !isEntered[node] {
        isEntered[node] = true
        pending.append((node, true))
        pending += successors[node].map { ($0, false) }
      }
    }
    let sources = sources(of: successors)
    var component = [Int](repeating: -1, count: successors.count)
    for root in left.reversed() where component[root] < 0 {
      let reach = Reach(from: [root]) { node in sources[node].filter { component[$0] < 0 } }
      for member in reach.nodes { component[member] = root }
    }
    return component
  }
}
