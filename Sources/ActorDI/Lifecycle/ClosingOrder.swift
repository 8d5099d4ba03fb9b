/// Which container's end waits for which: the process's live edges between containers, by which a wait is seen that would never end.
///
/// An edge `a -> b` says that `a` does not end before `b` has: because a disposer of `a` waits for it, or because `b` stands below `a` and
/// somebody else closes it. What one ``Closing`` closes counts as one: it ends in turn. An edge is added before the wait, under one lock, and
/// removed after it. So of the edges that close a cycle together, the last to be added sees the others, and its wait is left out (L4).
///
/// A caller outside any disposer is waited for by nobody, and needs no edge.
enum ClosingOrder {
  private struct State: Sendable {
    /// What closes a container, as long as it does.
    var closings: [ObjectIdentifier: Closing] = [:]
    /// Edges by their beginning.
    var edges: [ObjectIdentifier: [ObjectIdentifier]] = [:]

    mutating func add(_ edges: [Edge]) {
      for edge in edges { self.edges[edge.from, default: []].append(edge.to) }
    }

    /// Whether the end of a container waits, by way of whatever others, for one of those.
    func leads(from start: ObjectIdentifier, to ends: Set<ObjectIdentifier>) -> Bool {
      var (found, frontier) = (Set([start]), [start])
      while let container = frontier.popLast() {
        if ends.contains(container) { return true }
        let next = (closings[container]?.memberIDs ?? []) + (edges[container] ?? [])
        for container in next where found.insert(container).inserted { frontier.append(container) }
      }
      return false
    }
  }

  struct Edge: Sendable {
    let from: ObjectIdentifier
    let to: ObjectIdentifier
  }

  private static let state = Lock(State())

  /// Begins to close a container that takes nothing on any more, and what is below it.
  ///
  /// Under the lock from the first look at a child on: a disposer that finds one closed finds by what.
  ///
  /// - Parameter make: gets the members, parents before their children; those that are below them, closed by somebody else, and to be waited
  ///   for; the edges to these.
  static func begin(_ root: Container, _ make: ([Container], [Container], [Edge]) -> Closing) -> Closing {
    // With the others that are not waited for: this may have the last references to them, which go after the lock.
    let (closing, others) = state.withLock { state in
      let (members, others) = collect(root)
      let ids = members.map { ObjectIdentifier($0) }
      let awaited = others.filter { !state.leads(from: ObjectIdentifier($0), to: Set(ids)) }
      let edges = awaited.map { Edge(from: ObjectIdentifier(root), to: ObjectIdentifier($0)) }
      state.add(edges)
      let closing = make(members, awaited, edges)
      for id in ids { state.closings[id] = closing }
      return (closing, others)
    }
    withExtendedLifetime(others) {}
    return closing
  }

  private static func collect(_ root: Container) -> (members: [Container], others: [Container]) {
    var (members, others, next) = ([root], [Container](), 0)
    while next < members.count {
      for child in members[next].children {
        if child.lifecycle.beginClosing() { members.append(child) } else { others.append(child) }
      }
      next += 1
    }
    return (members, others)
  }

  /// A member of a closing has ended.
  static func end(_ member: ObjectIdentifier) {
    // The last reference to the closing, perhaps: it goes after the lock.
    _ = state.withLock { $0.closings.removeValue(forKey: member) }
  }

  /// Adds the edges of a disposer that is to wait for the end of a container, unless that waits for the disposer's.
  ///
  /// - Parameter waiting: whose disposers wait.
  static func add(from waiting: [Container], to container: Container) -> [Edge]? {
    let (from, to) = (waiting.map { ObjectIdentifier($0) }, ObjectIdentifier(container))
    return state.withLock { state in
      if state.leads(from: to, to: Set(from)) { return nil }
      let edges = from.map { Edge(from: $0, to: to) }
      state.add(edges)
      return edges
    }
  }

  static func remove(_ edges: [Edge]) {
    state.withLock { state in
      for edge in edges {
        guard var all = state.edges.removeValue(forKey: edge.from) else { continue }
        if let index = all.firstIndex(of: edge.to) { all.remove(at: index) }
        if !all.isEmpty { state.edges[edge.from] = all }
      }
    }
  }

  /// What closes a container, and one of those as well.
  static func closing(of container: Container, andOneOf others: [Container]) -> Closing? {
    state.withLock { state in
      guard let closing = state.closings[ObjectIdentifier(container)] else { return nil }
      return others.contains { state.closings[ObjectIdentifier($0)] === closing } ? closing : nil
    }
  }
}
