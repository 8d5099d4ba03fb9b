/// Algorithms for the cycles of a graph whose nodes are numbers.
enum Cycles {
  /// The number of edges to examine before the search for more cycles stops. Only a tangle of many thousands of edges reaches
  /// it.
  private static let budget = 4_000_000

  struct Step: Hashable {
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
    var covered: Set<Step> = []
    var cycles: [[Int]] = []
    for source in order {
      for target in inner[source] where work < budget && !covered.contains(Step(source: source, target: target)) {
        let reach = Reach(from: [target], to: source) { node in
          work += inner[node].count
          return inner[node]
        }
        let cycle = [source] + reach.way(from: source).dropFirst().reversed()
        for (index, node) in cycle.enumerated() {
          covered.insert(Step(source: node, target: cycle[(index + 1) % cycle.count]))
        }
        cycles.append(cycle)
      }
    }
    return cycles
  }

  /// The number of each node's strongly connected component, by Tarjan's algorithm.
  ///
  /// An explicit stack replaces the recursion, since a chain may exceed the depth of the call stack.
  static func components(of successors: [[Int]]) -> [Int] {
    var component = [Int](repeating: -1, count: successors.count)
    var number = component
    var low = component
    var open: [Int] = []
    var path: [(node: Int, next: Int)] = []
    var (numberCount, componentCount) = (0, 0)
    func enter(_ node: Int) {
      number[node] = numberCount
      low[node] = numberCount
      numberCount += 1
      open.append(node)
      path.append((node, 0))
    }
    for root in successors.indices where number[root] < 0 {
      enter(root)
      while let (node, next) = path.last {
        if next < successors[node].count {
          path[path.count - 1].next += 1
          let target = successors[node][next]
          if number[target] < 0 {
            enter(target)
          } else if component[target] < 0 {
            low[node] = min(low[node], number[target])
          }
          continue
        }
        path.removeLast()
        if let parent = path.last?.node { low[parent] = min(low[parent], low[node]) }
        guard low[node] == number[node] else { continue }
        while let member = open.popLast() {
          component[member] = componentCount
          if member == node { break }
        }
        componentCount += 1
      }
    }
    return component
  }
}
