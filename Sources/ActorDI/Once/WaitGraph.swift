/// Who waits for whom: the process's live wait edges between attempts, by which a cycle is seen before it hangs.
///
/// An edge `a -> b` says that the chain inside attempt `a` cannot go on before attempt `b` has ended: because it
/// suspended or blocked for `b`, or because it is building `b` itself, on its own stack. An edge is added before the
/// wait, under one lock, and removed after it (W1). So of two edges that close a cycle together, the second to be added
/// sees the first, and one of the two callers gets the error; nobody hangs (W2).
///
/// Edges start at attempts only. A caller outside any attempt is waited for by nobody, and needs no edge.
enum WaitGraph {
  struct Edge: Sendable {
    let from: UInt64
    let to: UInt64
    /// The services from `from`'s to `to`'s, both included.
    let path: [ServiceIdentity]
  }

  private struct State: Sendable {
    /// Edges by their end.
    var into: [UInt64: [Edge]] = [:]
  }

  private static let state = Lock(State())

  /// Adds an edge unless it closes a cycle.
  ///
  /// - Parameter isFresh: the attempt waited for was just started by this caller, waits for nothing, and so needs no search.
  /// - Returns: the closed path of the cycle, or nil when the edge was added.
  /// - Complexity: O(edges) in the worst case; O(1) for a fresh attempt.
  static func add(_ edge: Edge, isFresh: Bool) -> [ServiceIdentity]? {
    state.withLock { state in
      if !isFresh, let cycle = cycle(closedBy: edge, state) { return cycle }
      state.into[edge.to, default: []].append(edge)
      return nil
    }
  }

  static func remove(_ edge: Edge) {
    state.withLock { state in
      guard var edges = state.into.removeValue(forKey: edge.to) else { return }
      if let index = edges.firstIndex(where: { $0.from == edge.from }) { edges.remove(at: index) }
      if !edges.isEmpty { state.into[edge.to] = edges }
    }
  }

  /// Looks from the edge's start back along those who wait for it, for the edge's end.
  private static func cycle(closedBy closing: Edge, _ state: State) -> [ServiceIdentity]? {
    if closing.from == closing.to { return closing.path }
    /// For each attempt found, the edge by which it waits.
    var found: [UInt64: Edge] = [:]
    var frontier = [closing.from]
    while let attempt = frontier.popLast() {
      for edge in state.into[attempt] ?? [] where found[edge.from] == nil {
        found[edge.from] = edge
        if edge.from == closing.to { return path(from: closing.to, closing, found) }
        frontier.append(edge.from)
      }
    }
    return nil
  }

  private static func path(
    from start: UInt64, _ closing: Edge, _ found: [UInt64: Edge]
  ) -> [ServiceIdentity] {
    var path: [ServiceIdentity] = []
    var attempt = start
    while attempt != closing.from, let edge = found[attempt] {
      path += edge.path.dropLast()
      attempt = edge.to
    }
    return path + closing.path
  }
}
