/// The graph under construction. The walk has one node for each context that a registration is built in; the graph has one
/// for each registration.
struct GraphDrawing {
  private(set) var walk: DependencyWalk
  private(set) var nodes: [DependencyGraph.Node] = []
  private(set) var edges: [DependencyGraph.Edge] = []

  /// The indices of the graph's nodes by binding.
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var missingNumbers: [DependencyWalk.MissingService: Int] = [:]
  private var edgeNumbers: [DependencyGraph.Edge: Int] = [:]
  /// The strongly connected component of each of the walk's nodes, by the dependencies needed to build them.
  private let components: [Int]
  private var captiveEdges: Set<Cycles.Edge> = []

  init(of container: Container) {
    walk = .ofRegistrations(from: container)
    components = Cycles.components(of: walk.neededToBuild)
    for path in walk.pathsToCaptives {
      for (source, target) in zip(path, path.dropFirst()) {
        captiveEdges.insert(Cycles.Edge(source: source, target: target))
      }
    }
    let order = walk.order
    for index in order {
      let node = walk.nodes[index]
      addNode(node.binding, in: node.rank.container)
      // The walk has not visited the alternatives that were not chosen.
      for part in (node.binding.candidates ?? []).flatMap(\.withParts) { addNode(part, in: node.rank.container) }
    }
    let numbers = walk.nodes.map { number(of: $0.binding) }
    for index in order.sorted(by: { numbers[$0] < numbers[$1] }) { addEdges(of: index) }
  }

  // MARK: Nodes

  private func number(of binding: Binding) -> Int { numbers[ObjectIdentifier(binding), default: 0] }

  private mutating func addNode(_ binding: Binding, in container: Int) {
    guard numbers[ObjectIdentifier(binding)] == nil else { return }
    numbers[ObjectIdentifier(binding)] = nodes.count
    let scope = binding.effectiveScope
    let kind: DependencyGraph.Node.Kind =
      switch binding.kind {
      case .decorator: .decorator
      case .choice: .choice
      case .registration: .registration
      case .alias: .alias
      }
    nodes.append(
      DependencyGraph.Node(
        id: nodes.count, kind: kind, identity: binding.identity, implementingService: binding.implementingService,
        scope: scope, timeToLive: scope.policy.isKept ? binding.effectiveKeeping.timeToLive?.duration : nil,
        container: container, source: binding.descriptor.source, isOpaque: binding.isOpaque,
        isEager: binding.instanceOwner.isEager, isAsynchronous: binding.synchrony == .asynchronous,
        isFaulty: binding.ownFault != nil))
  }

  private mutating func number(of missing: DependencyWalk.Missing, in container: Container) -> Int {
    if let number = missingNumbers[missing.service] {
      if !missing.isExpected { nodes[number].kind = .missing }
      return number
    }
    missingNumbers[missing.service] = nodes.count
    nodes.append(
      DependencyGraph.Node(
        id: nodes.count, kind: missing.isExpected ? .expected : .missing, identity: missing.service.identity,
        implementingService: nil, scope: nil, timeToLive: nil, container: walk.addContainer(container), source: nil,
        isOpaque: false, isEager: false, isAsynchronous: false, isFaulty: false))
    return nodes.count - 1
  }

  // MARK: Edges

  private mutating func addEdges(of index: Int) {
    let node = walk.nodes[index]
    let source = number(of: node.binding)
    for edge in node.edges {
      let isNeeded = edge.isNeededToBuild(node)
      add(
        source, to: number(of: walk.nodes[edge.target].binding), edge.kind, edge.need,
        isInCycle: isNeeded && components[index] == components[edge.target],
        isCaptive: !edge.mayStayUnbuilt && captiveEdges.contains(Cycles.Edge(source: index, target: edge.target)))
    }
    for missing in node.missing {
      let target = number(of: missing, in: node.context)
      add(source, to: target, missing.kind, missing.need == .deferred ? .later : .required)
    }
    // At most one candidate is chosen.
    for part in node.binding.candidates ?? []
    where !node.edges.contains(where: { walk.nodes[$0.target].binding === part }) {
      add(source, to: number(of: part), .chooses, .possible)
      for decorator in part.withParts {
        for inner in decorator.parts { add(number(of: decorator), to: number(of: inner), .decorates, .required) }
      }
    }
  }

  private mutating func add(
    _ source: Int, to target: Int, _ kind: DependencyGraph.Edge.Kind, _ need: DependencyGraph.Edge.Need,
    isInCycle: Bool = false, isCaptive: Bool = false
  ) {
    let edge = DependencyGraph.Edge(from: source, to: target, kind: kind, need: need)
    let number = edgeNumbers[edge] ?? edges.count
    edgeNumbers[edge] = number
    if number == edges.count { edges.append(edge) }
    if isInCycle { edges[number].isInCycle = true }
    if isCaptive { edges[number].isCaptive = true }
  }
}

extension Binding {
  /// The type of the instances, as a service, if the registration states it: the service of an alias's target, or the type of a registered
  /// instance.
  fileprivate var implementingService: ServiceIdentity? {
    guard wrapped.isEmpty else { return nil }
    let owner = instanceOwner
    let traits = owner.descriptor.traits
    var type = owner.identity.service
    // Unless a hook has to run first, a registered instance exists from the beginning.
    if traits.contains(.isInstance), !traits.hasHooks, let instance = owner.existing() {
      type = Swift.type(of: instance.anyValue)
    }
    return type == identity.service ? nil : ServiceIdentity(type)
  }
}
