/// The process-wide graph of waits for the ends of containers, which detects a wait that would deadlock.
///
/// An edge `a -> b` means that `a` does not end before `b` has ended. The nodes are containers, the operations of their scopes, disposals
/// that a caller waits for, and tasks. A call that waits for the end of a container has these edges, to the container (``callers``):
///
/// - from its task,
/// - from the disposals that it is part of,
/// - from each container for which it disposes of an instance or builds one, and from all containers above,
/// - the same for each call that already waits, directly or through others, for a build that the call is part of.
///
/// A call that waits for disposals has the same edges, to the disposals. If its own disposals must wait for others that are in progress,
/// they have edges to these. A container has edges to the operations that it waits for, and to containers below it that another closing
/// closes. The members of one ``Closing`` count as one node, because it ends them in turn.
///
/// An edge is added before the wait, under one lock, and removed after it. So the last of the edges that close a cycle sees the
/// others, and its caller does not wait (L4). Disposals that have not begun lead nowhere, so a wait for them closes no cycle.
///
/// A call that comes to wait for a build after the build's own call has begun has no edge. One that is cancelled meanwhile keeps its edges.
///
/// Containers are known by number: another one may get the address of one that is freed.
enum ClosingOrder {
  private struct State: ~Copyable {
    /// The closings in progress that have several members, by member.
    var closings: [UInt64: Closing] = [:]
    /// Edges by source.
    var edges: [Node: [Node]] = [:]

    mutating func add(_ edges: [Edge]) {
      for edge in edges { self.edges[edge.from, default: []].append(edge.to) }
    }

    /// Lists a closing. Its members wait for no operation any more.
    mutating func list(_ closing: Closing) {
      for member in closing.members {
        closings[member.id] = closing
        guard var all = edges.removeValue(forKey: .container(member)) else { continue }
        all.removeAll(where: \.isOperation)
        if !all.isEmpty { edges[.container(member)] = all }
      }
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
      case .container(id: let number):
        guard let closing = closings[number], visited.insert(ObjectIdentifier(closing)).inserted else { return [] }
        return closing.members.map { .container($0) }
      // Once the operation has returned, its task may wait for anything, even though the operation's waiters have not resumed yet.
      case .operation(let operation): return operation.task.map { [.task($0)] } ?? []
      case .task, .disposals: return []
      }
    }
  }

  /// A container or a closing's member, an operation of a scope, disposals, or a task.
  enum Node: Hashable, Sendable {
    case container(id: UInt64)
    case operation(ScopeOperation)
    case disposals(DisposalBatch)
    case task(UInt)

    static func container(_ container: Container) -> Node { .container(id: container.id) }

    fileprivate var isOperation: Bool { if case .operation = self { true } else { false } }
  }

  /// A wait of one node for another.
  struct Edge: Sendable {
    let from: Node
    let to: Node
  }

  private static let state = Lock(State())

  // MARK: Closings

  /// Makes the closing of a closed container, and begins to close everything below it.
  ///
  /// The first look at a child already happens under the lock. So a disposer that finds a container closing also finds its closing.
  static func makeClosing(
    of root: Container, after outcome: ScopeOutcome, _ timeout: Timeout, finishedBy finisher: Closing.Finisher
  ) -> Closing {
    // Returns the containers that are not waited for, too: these may be the last references, which are released after the lock.
    state.withLock { state in
      let (members, others) = beginClosing(below: root, after: outcome)
      let nodes = Set(members.map { Node.container($0) })
      let awaited = others.filter { !state.leads(from: .container($0), to: nodes) }
      let closing = Closing(members, waitingFor: awaited, after: outcome, timeout, finishedBy: finisher)
      if closing.isListed { state.list(closing) }
      state.add(closing.edges)
      return (closing: closing, others: others)
    }.closing
  }

  /// Begins to close everything below a container.
  ///
  /// - Returns: The containers that the caller closes, the given one first and parents before their children, and those that another closing
  ///   closes.
  private static func beginClosing(
    below root: Container, after outcome: ScopeOutcome
  ) -> (members: [Container], others: [Container]) {
    var members = [root]
    var others: [Container] = []
    var next = 0
    while next < members.count {
      for child in members[next].subordinates {
        if child.lifecycle.beginClosing(after: outcome) { members.append(child) } else { others.append(child) }
      }
      next += 1
    }
    return (members, others)
  }

  /// Removes a member of a closing, because it has ended.
  static func remove(_ member: Container) {
    let number = member.id
    // This may be the last reference to the closing, so it is released after the lock.
    _ = state.withLock { $0.closings.removeValue(forKey: number) }
  }

  /// Returns the closing that closes a container and one of several others.
  static func closing(of container: Container, andOneOf others: [Container]) -> Closing? {
    state.withLock { state in
      guard let closing = state.closings[container.id] else { return nil }
      return others.contains { state.closings[$0.id] === closing } ? closing : nil
    }
  }

  // MARK: Waits

  /// The nodes that do not end before a call of the current task has returned.
  ///
  /// The calls of a task that a factory or a disposer has started count as the factory's or the disposer's. The nodes include those of the
  /// calls that wait for a factory's build.
  private static var callers: Set<Node> {
    var nodes: Set<Node> = []
    var frames: Set<ObjectIdentifier> = []
    var builds: Set<UInt64> = []
    var calls = [WaitingCall.ofTask]
    while let call = calls.popLast() {
      nodes.insert(.task(call.task))
      nodes.formUnion(call.disposals.compactMap(\.batch).map { .disposals($0) })
      var containers = call.disposals.containers
      let factory = call.factoryFrame
      var next = factory
      while let frame = next, frames.insert(ObjectIdentifier(frame)).inserted {
        if let container = frame.container { containers.append(container) }
        next = frame.parent
      }
      // The end of a container waits for everything below it.
      for container in containers {
        for ancestor in container.lineage {
          guard nodes.insert(.container(ancestor)).inserted else { break }
        }
      }
      guard let attempt = factory?.attempt, !builds.contains(attempt.id) else { continue }
      for build in WaitGraph.builds(leadingTo: attempt) where builds.insert(build.id).inserted {
        calls += build.waitingCalls
      }
    }
    return nodes
  }

  /// Adds the edges of a call that will wait for the end of a container.
  ///
  /// - Returns: The edges; nil if the container waits for the call, so that the wait would deadlock.
  static func addEdgesUnlessAwaited(toEndOf container: Container) -> [Edge]? {
    addEdgesUnlessAwaited(from: callers, to: .container(container))
  }

  /// Adds the edges of a call that will wait for disposals in progress, before it begins its own.
  ///
  /// - Returns: The edges; nil if the disposals wait for the call, so that the wait would deadlock.
  static func addEdgesUnlessAwaited(toEndOf batch: DisposalBatch, by own: DisposalBatch) -> [Edge]? {
    addEdgesUnlessAwaited(from: callers.union([.disposals(own)]), to: .disposals(batch))
  }

  private static func addEdgesUnlessAwaited(from callers: Set<Node>, to end: Node) -> [Edge]? {
    let edges = callers.map { Edge(from: $0, to: end) }
    return state.withLock { state in
      if state.leads(from: end, to: callers) { return nil }
      state.add(edges)
      return edges
    }
  }

  /// Adds the edges of a call that will begin disposals and wait for them.
  static func addEdges(to batch: DisposalBatch) -> [Edge] {
    let edges = callers.map { Edge(from: $0, to: .disposals(batch)) }
    state.withLock { $0.add(edges) }
    return edges
  }

  /// Adds the edges of a container that will wait for operations before it is closed.
  ///
  /// - Returns: The operations that do not wait for the container themselves, and the edges to them.
  static func addEdges(
    to operations: [ScopeOperation], from container: Container
  ) -> (operations: [ScopeOperation], edges: [Edge]) {
    if operations.isEmpty { return ([], []) }
    let waiting = Node.container(container)
    return state.withLock { state in
      let awaited = operations.filter { !state.leads(from: .operation($0), to: [waiting]) }
      let edges = awaited.map { Edge(from: waiting, to: .operation($0)) }
      state.add(edges)
      return (awaited, edges)
    }
  }

  static func remove(_ edges: [Edge]) {
    if edges.isEmpty { return }
    state.withLock { state in
      for edge in edges {
        guard var all = state.edges.removeValue(forKey: edge.from) else { continue }
        if let index = all.firstIndex(of: edge.to) { all.remove(at: index) }
        if !all.isEmpty { state.edges[edge.from] = all }
      }
    }
  }
}

extension Container {
  /// Waits for disposals, with the edges of the wait in the ``ClosingOrder``.
  static func awaiting(_ batch: DisposalBatch, _ wait: () async -> Void) async {
    let edges = ClosingOrder.addEdges(to: batch)
    await wait()
    ClosingOrder.remove(edges)
  }

  static func waitUnlessAwaited(for batch: DisposalBatch, by own: DisposalBatch, until end: Latch) async {
    guard let edges = ClosingOrder.addEdgesUnlessAwaited(toEndOf: batch, by: own) else { return }
    _ = await end.wait()
    ClosingOrder.remove(edges)
  }
}

extension [DisposalRun] {
  /// The containers whose ends wait for the disposals.
  var containers: [Container] { flatMap(\.owners).compactMap { $0 as? Container } }
}

extension WaitingCall {
  /// A call of the current task.
  static var ofTask: Self {
    Self(task: TaskAddress.current, disposals: DisposalRun.ofTask, frame: ResolutionFrame.ambient)
  }

  /// The frame of the factory that makes the call or has started its task, while the factory runs.
  fileprivate var factoryFrame: ResolutionFrame? {
    guard let frame = frame as? ResolutionFrame, frame.isLive else { return nil }
    return frame
  }
}
