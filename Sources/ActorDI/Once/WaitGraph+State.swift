extension WaitGraph {
  /// The edges, ties and held builds. Makes decisions, calls no user code and releases nothing.
  ///
  /// A decision also marks the attempts that it is about: as taken and tied, held, finished or failed, and (G4) as yielding or about to wait.
  struct State: Sendable {
    typealias ID = UInt64

    /// A build that is tied to others.
    private struct Tied {
      let attempt: Attempt
      /// The unfinished builds that it is tied to.
      var targets: [ID: Attempt] = [:]
      /// Its result, once its factory and hooks have run.
      var held: Held?
      /// Whether a build that it was tied to has failed.
      var isDoomed = false
    }

    /// Edges by target.
    private var into: [ID: [Edge]] = [:]
    private var tied: [ID: Tied] = [:]
    /// Removed ties. Their paths contain keys of user-defined types, so the caller releases them after the lock.
    private var removed: [Edge] = []

    var isEmpty: Bool { into.isEmpty && tied.isEmpty }

    /// Returns the removed ties, for the caller to release.
    mutating func takeRemoved() -> [Edge] { exchange(&removed, with: []) }

    // MARK: Edges

    mutating func add(_ edge: Edge) { into[edge.target.id, default: []].append(edge) }

    /// Adds the edge of a wait, or answers the caller if the edge closes a cycle.
    ///
    /// - Returns: The answer, and the waits whose waiters must ask again.
    mutating func wait(_ edge: Edge) -> (Answer, recalled: [Edge]) {
      var recalled: [Edge] = []
      // The edge may close several cycles. A waiter that asks again opens its own.
      while let cycle = cycle(closedBy: edge, without: recalled) {
        if let instance = tie(edge) { return (.takes(instance), []) }
        // The new edge may allow a waiter in the cycle to take the instance of a build that is held, or whose injection waits.
        var waits = cycle.filter { $0.isWait && (tied[$0.target.id]?.held != nil || $0.target.isOpen) }
        if waits.isEmpty, case .askAgain(let wait) = letInjectionWait(in: cycle, closedBy: edge) { waits = [wait] }
        if waits.isEmpty {
          // A finished build is about to wake its waiters, which opens the cycle.
          if edge.source.has(.finished) || edge.target.has(.finished) { break }
          return (.cycle(Self.path(along: cycle, closedBy: edge)), [])
        }
        recalled += waits
      }
      add(edge)
      return (.waits, recalled)
    }

    mutating func remove(_ edge: Edge) {
      guard var edges = into.removeValue(forKey: edge.target.id) else { return }
      if let index = edges.firstIndex(where: { $0.isSame(as: edge) }) { edges.remove(at: index) }
      if !edges.isEmpty { into[edge.target.id] = edges }
    }

    /// Searches for a cycle: follows the waits backwards from the edge's source to its target.
    ///
    /// - Parameter recalled: Waits that are about to end.
    /// - Returns: The edges from the target to the source; nil if there are none. Empty if source and target are the same build.
    func cycle(closedBy closing: Edge, without recalled: [Edge] = []) -> [Edge]? {
      if closing.source === closing.target { return [] }
      /// For each build found, the edge by which it waits.
      var found: [ID: Edge] = [:]
      var frontier = [closing.source.id]
      while let attempt = frontier.popLast() {
        for edge in into[attempt] ?? [] where found[edge.source.id] == nil && isBlocking(edge) {
          if recalled.contains(where: { $0.isSame(as: edge) }) { continue }
          found[edge.source.id] = edge
          if edge.source === closing.target { return Self.edges(from: edge, to: closing.source, among: found) }
          frontier.append(edge.source.id)
        }
      }
      return nil
    }

    /// A build, and the builds that wait for it, directly or through others.
    func builds(leadingTo attempt: Attempt) -> [Attempt] {
      var found = [attempt.id: attempt]
      var frontier = [attempt.id]
      while let next = frontier.popLast() {
        for edge in into[next] ?? [] where found.updateValue(edge.source, forKey: edge.source.id) == nil {
          frontier.append(edge.source.id)
        }
      }
      return Array(found.values)
    }

    /// Has the innermost injection of a cycle wait for the build that the cycle leads to (G4).
    ///
    /// The injection runs on the stack of a build in the cycle, so its caller cannot take its instance before it returns. The builds that
    /// the injection has begun fail for that, for their callers on this stack only.
    ///
    /// - Returns: Nil if the cycle has no such injection.
    private func letInjectionWait(in cycle: [Edge], closedBy edge: Edge) -> Postponement? {
      guard let last = cycle.lastIndex(where: { $0.kind == .build && $0.target.has(.injecting) }) else { return nil }
      if let wait = cycle[(last + 1)...].first(where: \.isWait) { return .askAgain(wait) }
      cycle[last].target.mustWait(for: edge.target)
      for begun in cycle[(last + 1)...] { begun.target.set(.yielding) }
      return .failsRequest
    }

    /// How an injection comes to wait.
    private enum Postponement {
      /// The request that closes the cycle fails, and the injection waits instead.
      case failsRequest
      /// Another thread or task runs a part of the cycle, and the injection's own part waits for it by this edge. The waiter asks again,
      /// and finds a cycle that only its own thread runs.
      case askAgain(Edge)
    }

    /// Answers a request that cannot wait.
    ///
    /// - Returns: Nil if a wait would close no cycle, or if the cycle can be opened by no such request.
    mutating func answer(_ edge: Edge) -> Answer? {
      guard let cycle = cycle(closedBy: edge) else { return nil }
      if let instance = tie(edge) { return .takes(instance) }
      guard case .failsRequest = letInjectionWait(in: cycle, closedBy: edge) else { return nil }
      return .cycle(Self.path(along: cycle, closedBy: edge))
    }

    /// The edges from a first one to a build.
    ///
    /// - Parameter found: For each build on the way, the edge by which it waits.
    private static func edges(from first: Edge, to end: Attempt, among found: [ID: Edge]) -> [Edge] {
      var edges = [first]
      var last = first
      while last.target !== end, let edge = found[last.target.id] {
        edges.append(edge)
        last = edge
      }
      return edges
    }

    /// The services of a cycle, from the target of the edge that closes it.
    private static func path(along cycle: [Edge], closedBy closing: Edge) -> [ServiceIdentity] {
      cycle.flatMap { $0.path.dropLast() } + closing.path
    }

    /// A tie blocks only a build that has run; until then, the tied build waits for nothing.
    private func isBlocking(_ edge: Edge) -> Bool { edge.kind != .tie || tied[edge.source.id]?.held != nil }

    // MARK: Ties

    /// Ties the source of an edge to its target, and returns the target's provisional instance.
    ///
    /// - Returns: Nil if there is no such instance, or if one of the two builds has ended.
    mutating func tie(_ edge: Edge) -> Instance? {
      let source = edge.source
      let target = edge.target
      guard let instance = target.provisional else { return nil }
      // A build takes its own instance: a hook asks for it, directly or through a transient.
      if source === target { return instance }
      guard target.setUnlessFinished(.taken), source.setUnlessFinished(.tied) else { return nil }
      if tied[source.id, default: Tied(attempt: source)].targets.updateValue(target, forKey: target.id) == nil {
        into[target.id, default: []].append(Edge(source: source, target: target, path: edge.path, kind: .tie))
      }
      return instance
    }

    /// Concludes a build whose factory and hooks have run: holds it, or ends it together with others.
    ///
    /// If it is held, the ``holdings`` have changed.
    mutating func conclude(_ attempt: Attempt, _ held: Held?, failingTakersWith error: (any Error)? = nil) -> Conclusion
    {
      let id = attempt.id
      guard let held, tied[id]?.isDoomed != true else {
        attempt.set(.finished)
        let inherited = error ?? attempt.failureOfPart
        return .ends(isDropped: held != nil, others: end([id], isDropped: true, inherited))
      }
      var ending: [ID] = [id]
      if tied[id] != nil {
        tied[id]?.held = held
        attempt.set(.held)
        let (all, isComplete) = companions(of: id)
        if !isComplete { return .held }
        ending = all
      }
      attempt.set(.finished)
      let others = end(ending, isDropped: false).filter { $0.held.attempt !== attempt }
      return .ends(isDropped: false, others: others)
    }

    /// The builds that a held build is tied to, directly or through others, and the build itself.
    ///
    /// - Returns: All of these builds, and whether all of them have run.
    private func companions(of id: ID) -> (all: [ID], isComplete: Bool) {
      var found: Set<ID> = [id]
      var frontier = [id]
      var isComplete = true
      while let next = frontier.popLast() {
        for target in (tied[next]?.targets ?? [:]).keys where found.insert(target).inserted {
          frontier.append(target)
          if tied[target]?.held == nil { isComplete = false }
        }
      }
      return (Array(found), isComplete)
    }

    /// The held builds, and what they wait for now.
    var holdings: [Holding] {
      var asynchronous: Set<ID> = []
      var frontier: [ID] = []
      for node in tied.values {
        for (target, attempt) in node.targets where tied[target]?.held == nil && attempt.endsInTask {
          if asynchronous.insert(target).inserted { frontier.append(target) }
        }
      }
      while let next = frontier.popLast() {
        for tie in into[next] ?? [] where tie.kind == .tie && asynchronous.insert(tie.source.id).inserted {
          frontier.append(tie.source.id)
        }
      }
      return tied.values.compactMap { node in
        node.held.map { Holding(held: $0, isAsynchronous: asynchronous.contains(node.attempt.id)) }
      }
    }

    /// Ends complete builds, together with the builds that were tied only to them. Or drops builds, together with all builds that are
    /// tied to them.
    ///
    /// - Returns: The builds that were held.
    private mutating func end(_ ids: [ID], isDropped: Bool, _ error: (any Error)? = nil) -> [Ended] {
      var ended = ids
      var held = ids.compactMap { release($0) }
      while let id = ended.popLast() {
        let ties = (into[id] ?? []).filter { $0.kind == .tie }
        for tie in ties { remove(tie) }
        removed += ties
        for source in ties.map(\.source.id) {
          tied[source]?.targets[id] = nil
          if isDropped {
            tied[source]?.isDoomed = true
            if let error { tied[source]?.attempt.fail(with: error) }
          }
          guard tied[source]?.held != nil else { continue }
          let (companions, isComplete) = companions(of: source)
          guard isDropped || isComplete else { continue }
          let next = isDropped ? [source] : companions
          held += next.compactMap { release($0) }
          ended += next
        }
      }
      return held.map { Ended(held: $0, isDropped: isDropped) }
    }

    /// Removes a build that ends, and its ties to others.
    private mutating func release(_ id: ID) -> Held? {
      guard let node = tied.removeValue(forKey: id) else { return nil }
      node.attempt.set(.finished)
      for target in node.targets.keys {
        guard let tie = into[target]?.first(where: { $0.kind == .tie && $0.source === node.attempt }) else { continue }
        remove(tie)
        removed.append(tie)
      }
      return node.held
    }
  }
}
