// Problems: services that are kept beyond their end by services that took them.
extension Validation {
  mutating func findCaptives() {
    let lifetimes = walk.lifetimes()
    for way in walk.waysToCaptives(lifetimes) { add(way, lifetimes) }
  }

  private mutating func add(_ way: [Int], _ lifetimes: [Lifetime]) {
    let (holder, captive) = (way[0], way[way.count - 1])
    let path = walk.identities(along: way)
    guard isNew(.captiveDependency, [holder], about: walk.nodes[captive].identity) else { return }
    let advice =
      lifetimes[captive].isInScopeToCome
      ? "or resolve \(walk.nodes[captive].identity) in its scope and pass it as an argument."
      : "or inject a Provider instead."
    let text =
      "Captive dependency: \(path[0]) (\(lifetimes[holder])) would hold "
      + "\(walk.nodes[captive].identity) (\(lifetimes[captive])) beyond its end: "
      + "\(path.map(\.description).joined(separator: " -> ")). "
      + "Give \(path[0]) a scope that ends no later, \(advice)"
    add(.captiveDependency, at: holder, path: path, text: text)
  }
}

extension DependencyWalk {
  /// The paths from each node that holds a service beyond its end to that service, through nodes that pass it on.
  ///
  /// - Parameter lifetimes: The lifetimes of the nodes.
  func waysToCaptives(_ lifetimes: [Lifetime]) -> [[Int]] {
    // One search for each distinct lifetime with an end; there are few.
    let members = Dictionary(grouping: nodes.indices.filter { lifetimes[$0].hasEnd }) { lifetimes[$0] }
    guard !members.isEmpty else { return [] }
    let carrying = Carrying(self, lifetimes)
    var ways: [[Int]] = []
    for (end, members) in members.ordered(by: { $0.value[0] < $1.value[0] }) {
      let leading = carrying.nodesLeading(to: members)
      for holder in leading.ordered(by: <) where lifetimes[holder].outlasts(end) {
        ways += carrying.ways(from: holder, to: end, through: leading)
      }
    }
    return ways
  }
}

/// A graph of holders and the services that they reach through carriers, which hold nothing themselves.
private struct Carrying {
  private let lifetimes: [Lifetime]
  private let successors: [[Int]]
  private let predecessors: [[Int]]

  init(_ walk: DependencyWalk, _ lifetimes: [Lifetime]) {
    self.lifetimes = lifetimes
    successors = walk.nodes.map { $0.edges.filter { $0.kind != .later }.map(\.target) }
    var predecessors = [[Int]](repeating: [], count: successors.count)
    for (source, targets) in successors.enumerated() {
      for target in targets { predecessors[target].append(source) }
    }
    self.predecessors = predecessors
  }

  /// The nodes that take one of the given nodes, directly or through carriers.
  func nodesLeading(to members: [Int]) -> Set<Int> {
    var leading: Set<Int> = []
    var queue = members
    var next = 0
    while next < queue.count {
      for source in predecessors[queue[next]] where leading.insert(source).inserted {
        // A holder ends the path. A carrier that is also a member is visited twice, without effect.
        if !lifetimes[source].isHolding { queue.append(source) }
      }
      next += 1
    }
    return leading
  }

  /// The shortest path to each service of the given lifetime that the holder reaches.
  func ways(from holder: Int, to end: Lifetime, through leading: Set<Int>) -> [[Int]] {
    var origin: [Int: Int] = [holder: -1]
    var queue = [holder]
    var next = 0
    var ways: [[Int]] = []
    while next < queue.count {
      let node = queue[next]
      next += 1
      for target in successors[node] where origin[target] == nil {
        let isEnd = lifetimes[target] == end
        guard isEnd || leading.contains(target) else { continue }
        origin[target] = node
        if isEnd {
          ways.append(sequence(first: target) { origin[$0].flatMap { $0 < 0 ? nil : $0 } }.reversed())
        }
        if leading.contains(target) && !lifetimes[target].isHolding { queue.append(target) }
      }
    }
    return ways
  }
}
