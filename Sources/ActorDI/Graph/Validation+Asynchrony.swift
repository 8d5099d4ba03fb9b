// Synchronous factories that take what is built asynchronously.
extension Validation {
  mutating func findAsynchrony() {
    let next = stepsToAsynchronous()
    for (index, node) in walk.nodes.enumerated()
    where node.binding.standing == .alone && node.descriptor.nature.isSynchronousFactory {
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
      "\(path[0]) has a synchronous factory, but takes what is built asynchronously: "
      + path.map(\.description).joined(separator: " -> ") + ". "
      + "Make the factory asynchronous, or autowire the initialiser."
    add(.asyncRequired, at: index, path: path, text: text)
  }

  /// For each node that only an asynchronous caller can have built: the next one on the way to the reason, which is its own
  /// next. Nil for all others.
  ///
  /// What runs on the main actor is none: on the main thread a synchronous caller can have it.
  private func stepsToAsynchronous() -> [Int?] {
    var next = [Int?](repeating: nil, count: walk.nodes.count)
    var takers = [[Int]](repeating: [], count: walk.nodes.count)
    var queue: [Int] = []
    for (index, node) in walk.nodes.enumerated() where !node.isBuiltAtStart {
      // What shows another one's instance is as that one is.
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
  /// A synchronous caller finds it, if he comes after ``Container/start()``.
  fileprivate var isBuiltAtStart: Bool {
    binding.isEager && descriptor.keeping.timeToLive == nil && descriptor.scope == .singleton
  }
}

extension DependencyWalk.Edge {
  /// Whether the node adapts to the target: it can be had synchronously if the target can.
  fileprivate var suspends: Bool {
    switch kind {
    case .parameter, .hook, .stands: true
    // A synchronous closure is the one to blame by itself.
    case .declared, .declaredWithArguments, .later: false
    }
  }
}
