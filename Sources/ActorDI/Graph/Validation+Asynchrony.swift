// Problems: synchronous factories with dependencies that are built asynchronously.
extension Validation {
  mutating func findAsynchrony() {
    let next = stepsToAsynchronous()
    for (index, node) in walk.nodes.enumerated()
    where node.binding.standing == .alone && node.descriptor.traits.isSynchronousFactory {
      for edge in node.edges where edge.kind == .declared || edge.kind == .declaredWithArguments {
        guard next[edge.target] != nil,
          isNew(.asyncRequired, [index], about: walk.nodes[edge.target].identity)
        else { continue }
        let way = sequence(first: edge.target) { node in
          next[node].flatMap { $0 == node ? nil : $0 }
        }
        add(walk.identities(along: [index] + way), at: index)
      }
    }
  }

  private mutating func add(_ path: [ServiceIdentity], at index: Int) {
    let text =
      "\(path[0]) has a synchronous factory, but depends on a service that is built asynchronously: "
      + path.map(\.description).joined(separator: " -> ") + ". "
      + "Make the factory asynchronous, or autowire the initialiser."
    add(.asyncRequired, at: index, path: path, text: text)
  }

  /// For each node that requires an asynchronous caller, the next node on a path to the cause; the cause itself is its own
  /// next node. Nil for all other nodes.
  ///
  /// A main-actor factory is no such cause: a synchronous caller on the main thread can have it run.
  private func stepsToAsynchronous() -> [Int?] {
    var next = [Int?](repeating: nil, count: walk.nodes.count)
    var takers = [[Int]](repeating: [], count: walk.nodes.count)
    var queue: [Int] = []
    for (index, node) in walk.nodes.enumerated() where !node.isBuiltAtStart {
      // An alias is as asynchronous as its target.
      if node.binding.synchrony == .asynchronous, node.binding.primary == nil {
        next[index] = index
        queue.append(index)
      }
      for edge in node.edges where edge.suspends { takers[edge.target].append(index) }
    }
    var first = 0
    while first < queue.count {
      for taker in takers[queue[first]] where next[taker] == nil {
        next[taker] = queue[first]
        queue.append(taker)
      }
      first += 1
    }
    return next
  }
}

extension DependencyWalk.Node {
  /// Whether a synchronous caller finds the instance after ``Container/start()``.
  fileprivate var isBuiltAtStart: Bool {
    binding.isEager && descriptor.keeping.timeToLive == nil && descriptor.scope == .singleton
  }
}

extension DependencyWalk.Edge {
  /// Whether the node is built asynchronously if the target is.
  fileprivate var suspends: Bool {
    switch kind {
    case .parameter, .hook, .stands: true
    // A synchronous closure cannot adapt; it is reported as a problem of its own.
    case .declared, .declaredWithArguments, .later: false
    }
  }
}
