/// Which container's end waits for which: the process's live edges between containers, by which a wait is seen that would never end.
///
/// An edge `a -> b` says that `a` does not end before `b` has: because a disposer of `a` waits for it, or because `b` stands below `a` and
/// somebody else closes it. What one ``Closing`` closes counts as one: it ends in turn. A task has a place in it as well: it waits for the
/// containers that it closes, and is waited for by those that it runs an operation in. An edge is added before the wait, under one lock, and
/// removed after it. So of the edges that close a cycle together, the last to be added sees the others, and its wait is left out (L4).
enum ClosingOrder {
  private struct State: Sendable {
    /// What closes a container, as long as it does.
    var closings: [ObjectIdentifier: Closing] = [:]
    /// Edges by their beginning.
    var edges: [Node: [Node]] = [:]

    mutating func add(_ edges: [Edge]) {
      for edge in edges { self.edges[edge.from, default: []].append(edge.to) }
    }

    /// Whether the end of a container waits, by way of whatever others, for one of those.
    func leads(from start: Node, to ends: Set<Node>) -> Bool {
      var (found, frontier) = (Set([start]), [start])
      while let node = frontier.popLast() {
        if ends.contains(node) { return true }
        for next in steps(from: node) + (edges[node] ?? []) where found.insert(next).inserted { frontier.append(next) }
      }
      return false
    }

    private func steps(from node: Node) -> [Node] {
      switch node {
      case .id(let id): closings[id]?.memberIDs.map { .id($0) } ?? []
      // As soon as it has returned, its task may do what it likes, though whoever waits for it has not gone on.
      case .operation(let operation): operation.hasReturned ? [] : [.task(operation.task)]
      case .task: []
      }
    }
  }

  enum Node: Hashable, Sendable {
    case id(ObjectIdentifier)
    case operation(AwaitedOperation)
    case task(UInt)

    static func container(_ container: Container) -> Node { .id(ObjectIdentifier(container)) }
  }

  struct Edge: Sendable {
    let from: Node
    let to: Node
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
      let nodes = Set(ids.map { Node.id($0) })
      let awaited = others.filter { !state.leads(from: .container($0), to: nodes) }
      let edges = awaited.map { Edge(from: .container(root), to: .container($0)) }
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

  /// Adds the edges of a container that is to wait for operations before it is closed.
  ///
  /// - Parameter edges: what is to be added besides.
  /// - Returns: the operations that do not wait for the container themselves; the edges.
  static func awaiting(
    _ operations: [AwaitedOperation], by container: Container, _ edges: [Edge]
  ) -> ([AwaitedOperation], [Edge]) {
    let waiting = Node.container(container)
    return state.withLock { state in
      state.add(edges)
      let awaited = operations.filter { !state.leads(from: .operation($0), to: [waiting]) }
      let own = awaited.map { Edge(from: waiting, to: .operation($0)) }
      state.add(own)
      return (awaited, edges + own)
    }
  }

  /// Adds the edges of a call that is to wait for the end of a container, unless that waits for the call.
  ///
  /// - Parameter disposing: whose disposers the call is part of.
  static func add(from disposing: [Container], to container: Container) -> [Edge]? {
    let (from, to) = ([Node.task(TaskAddress.current)] + disposing.map { .container($0) }, Node.container(container))
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
