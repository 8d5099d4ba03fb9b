// Problems: services that need each other to be built.
extension Validation {
  mutating func findCycles() {
    for cycle in Cycles.covering(walk.neededToBuild, order: walk.order) {
      let members = startingAtFirst(merged(cycle))
      guard isNew(.cycle, members) else { continue }
      let path = (members + [members[0]]).map { walk.nodes[$0].identity }
      let text =
        "Dependency cycle detected: \(arrows(path)). " + ResolutionError.adviceOnCycles
      add(.cycle, at: members[0], path: path, text: text)
    }
  }

  /// Merges a decorator or choice with its target into one step.
  ///
  /// Not by names, as ``Chain/merged(_:)`` does: the problem is reported at nodes.
  private func merged(_ cycle: [Int]) -> [Int] {
    var members: [Int] = []
    var previous = cycle[cycle.count - 1]
    for index in cycle {
      let isPart = walk.nodes[previous].edges.contains { $0.target == index && $0.isForwarding }
      let isSame = walk.nodes[previous].identity.isSame(as: walk.nodes[index].identity)
      if !(isPart && isSame) { members.append(index) }
      previous = index
    }
    return members.isEmpty ? cycle : members
  }

  /// Rotates a cycle so that it begins with its first registered member.
  private func startingAtFirst(_ cycle: [Int]) -> [Int] {
    let start = cycle.indices.min { walk.nodes[cycle[$0]].rank < walk.nodes[cycle[$1]].rank } ?? 0
    return Array(cycle[start...] + cycle[..<start])
  }
}
