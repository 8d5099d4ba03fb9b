/// The process-wide graph of waits between the ends of containers, which detects a wait that would deadlock.
///
/// An edge `a -> b` means that `a` does not end before `b` has ended. Either a disposer of `a` waits for `b`, or `b` is below `a`
/// and another closing closes it. The members of one ``Closing`` count as one node, because it ends them in turn. Tasks are nodes,
/// too: a task waits for the containers that it closes, and a container waits for the tasks that run operations in its scopes.
///
/// An edge is added before the wait, under one lock, and removed after it. So the last of the edges that close a cycle sees the
/// others, and its caller does not wait (L4).
enum ClosingOrder {
  private struct State: ~Copyable {
    /// The closings in progress that have several members, by member.
    var closings: [ObjectIdentifier: Closing] = [:]
    /// Edges by source.
    var edges: [Node: [Node]] = [:]

    mutating func add(_ edges: [Edge]) {
      for edge in edges { self.edges[edge.from, default: []].append(edge.to) }
    }

    /// Whether a node waits, directly or through others, for one of several nodes.
    func leads(from start: Node, to ends: Set<Node>) -> Bool {
      var found: Set = [start]
      var frontier = [start]
      var visited: Set<ObjectIdentifier> = []
      while let node = frontier.popLast() {
        if ends.contains(node) { return true }
        let nextNodes = steps(from: node, &visited) + (edges[node] ?? [])
        for next in nextNodes where found.insert(next).inserted { frontier.append(next) }
      }
      return false
    }

    /// The nodes that a node leads to without an edge of its own.
    ///
    /// - Parameter visited: The closings whose members have been returned. A closing may have many thousand.
    private func steps(from node: Node, _ visited: inout Set<ObjectIdentifier>) -> [Node] {
      switch node {
      case .id(let id):
        guard let closing = closings[id], visited.insert(ObjectIdentifier(closing)).inserted else { return [] }
        return closing.members.map { .container($0) }
      // Once the operation has returned, its task may wait for anything, even though the operation's waiters have not resumed yet.
      case .operation(let operation): return operation.task.map { [.task($0)] } ?? []
      case .task: return []
      }
    }
  }

  /// A container or a closing's member, an operation of a scope, or a task.
  enum Node: Hashable, Sendable {
    case id(ObjectIdentifier)
    case operation(ScopeOperation)
    case task(UInt)

    static func container(_ container: Container) -> Node { .id(ObjectIdentifier(container)) }
  }

  /// A wait of one node for another.
  struct Edge: Sendable {
    let from: Node
    let to: Node
  }

  private static let state = Lock(State())

  /// Begins to close a closed container and everything below it.
  ///
  /// The first look at a child already happens under the lock. So a disposer that finds a container closing also finds its closing.
  static func begin(
    _ root: Container, after outcome: ScopeOutcome, _ timeout: Timeout, byRunner isByRunner: Bool
  ) -> Closing {
    // Returns the containers that are not waited for, too: these may be the last references, which are released after the lock.
    state.withLock { state in
      let (members, others) = beginClosing(root)
      let ids = members.map { ObjectIdentifier($0) }
      let nodes = Set(ids.map { Node.id($0) })
      let awaited = others.filter { !state.leads(from: .container($0), to: nodes) }
      let closing = Closing(members, waitingFor: awaited, after: outcome, timeout, byRunner: isByRunner)
      state.add(closing.edges)
      if closing.isListed { for id in ids { state.closings[id] = closing } }
      return (closing: closing, others: others)
    }.closing
  }

  /// Begins to close everything below a container.
  ///
  /// - Returns: The containers that the caller closes, parents before their children, and those that another closing closes.
  private static func beginClosing(_ root: Container) -> (members: [Container], others: [Container]) {
    var members = [root]
    var others: [Container] = []
    var next = 0
    while next < members.count {
      for child in members[next].children {
        if child.lifecycle.beginClosing() { members.append(child) } else { others.append(child) }
      }
      next += 1
    }
    return (members, others)
  }

  /// Removes a member of a closing, because it has ended.
  static func end(_ member: ObjectIdentifier) {
    // This may be the last reference to the closing, so it is released after the lock.
    _ = state.withLock { $0.closings.removeValue(forKey: member) }
  }

  /// Adds the edges of a container that will wait for operations before it is closed.
  ///
  /// - Parameter edges: Further edges to add.
  /// - Returns: The operations that do not wait for the container themselves, and all added edges.
  static func awaiting(
    _ operations: [ScopeOperation], by container: Container, _ edges: [Edge]
  ) -> (operations: [ScopeOperation], edges: [Edge]) {
    let waiting = Node.container(container)
    return state.withLock { state in
      state.add(edges)
      let awaited = operations.filter { !state.leads(from: .operation($0), to: [waiting]) }
      let own = awaited.map { Edge(from: waiting, to: .operation($0)) }
      state.add(own)
      return (awaited, edges + own)
    }
  }

  /// Adds the edges of a call that will wait for the end of a container.
  ///
  /// - Parameter disposing: The containers whose disposers the call is part of.
  /// - Returns: The edges; nil if the container waits for the call, so that the wait would deadlock.
  static func add(from disposing: [Container], to container: Container) -> [Edge]? {
    let from = [Node.task(TaskAddress.current)] + disposing.map { .container($0) }
    let to = Node.container(container)
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

  /// Returns the closing that closes a container and one of several others.
  static func closing(of container: Container, andOneOf others: [Container]) -> Closing? {
    state.withLock { state in
      guard let closing = state.closings[ObjectIdentifier(container)] else { return nil }
      return others.contains { state.closings[ObjectIdentifier($0)] === closing } ? closing : nil
    }
  }
}
