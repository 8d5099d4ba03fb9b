/// The dependency graph of a container's registrations. The walk runs no factories and no hooks, but it may place the default of a
/// token, whose closure is user code.
///
/// A node is a registration in a *context*: the container whose registrations it is built with. Dependencies are looked up as
/// a resolve would do it:
///
/// - for a singleton, in the container in which it is registered;
/// - for a scoped service, in the container that keeps it;
/// - for a transient service, in the container that is asked.
///
/// So one registration may have several nodes with different edges. The nodes are in order of discovery: the container's own
/// registrations, the registrations of its parents whose instances it keeps, and then all that these lead to in links and
/// parents.
///
/// The walk records facts; ``Validation`` judges them.
///
/// - Complexity: O(*n* + *e*) in nodes and edges. It uses a list instead of recursion, so chains may be of any length.
/// - Concurrency: The walk starts from a copy of the list of the container's registrations. Each lookup sees the current state.
///   No lock is held between lookups.
struct DependencyWalk {
  /// A registration in a context. It is a class, because a copy of a structure would count a reference for each of its fields.
  final class Node {
    let binding: Binding
    /// The container in which the binding is registered.
    let container: Container
    /// The container whose registrations the service is built with.
    let context: Container
    /// An inherited key to try for parameters, although the service was not found by it: ``Registration/inheritKey()``.
    let handedKey: Key?
    /// Whether the service is resolved from a scope of its own below the context: that of an ``Owned``.
    let isOwned: Bool
    let rank: Rank
    let lifetime: Lifetime

    fileprivate(set) var edges: [Edge] = []
    var missing: [Missing] = []
    /// The error of a choice for which several candidates fit equally well.
    fileprivate(set) var ambiguity: ResolutionError?

    fileprivate init(_ located: Located, in context: Container, handing key: Key?, isOwned: Bool, rank: Rank) {
      binding = located.binding
      container = located.container
      self.context = context
      handedKey = key
      self.isOwned = isOwned
      self.rank = rank
      lifetime = Lifetime(of: binding, in: context, isOwned: isOwned)
    }

    var descriptor: Descriptor { binding.descriptor }
    var identity: ServiceIdentity { binding.identity }

    /// Whether the node's instance lives with the service that takes it, and is built with the registrations of the container that this
    /// service asks: it is not kept, or only by the scope of an ``Owned``.
    var isCarrier: Bool { !binding.policy.isKept || isOwned && !isBuiltByOwner }

    /// Whether the node's instance is built with the registrations of the container that owns its registration.
    var isBuiltByOwner: Bool { binding.policy.isBuiltByOwner }

    /// Whether a synchronous caller finds the instance after ``Container/start()``.
    var isBuiltAtStart: Bool {
      binding.isEager && descriptor.keeping.timeToLive == nil && descriptor.scope == .singleton
    }
  }

  /// The sort position of a registration: by container in order of discovery, then by order of registration.
  struct Rank: Comparable {
    let container: Int
    let position: Int

    static func < (left: Rank, right: Rank) -> Bool {
      (left.container, left.position) < (right.container, right.position)
    }
  }

  /// A dependency that is not registered.
  struct Missing {
    let need: Dependency.Need
    let kind: DependencyGraph.Edge.Kind
    let service: MissingService
    /// Whether the service is left to future scopes.
    var isExpected = false
  }

  /// The service that must be registered, and the container in which it was looked up, which a node retains.
  struct MissingService: Hashable {
    let identity: ServiceIdentity
    let container: ObjectIdentifier
  }

  struct Edge {
    let target: Int
    let kind: DependencyGraph.Edge.Kind
    let need: DependencyGraph.Edge.Need
    /// Whether the node can be complete while the target is unbuilt: the target is that of a ``Lazy`` or a ``Provider``, or one of several
    /// with run-time arguments.
    var mayStayUnbuilt = false
    /// Whether the target takes run-time arguments, which may differ in each call.
    var takesArguments = false

    /// Whether the node returns or wraps the target's instance: it is a decorator, a choice or an alias.
    var isForwarding: Bool { kind == .decorates || kind == .chooses || kind == .aliases }

    /// Whether the node needs the target to be complete.
    ///
    /// A hook may lead back to its own instance. That instance exists by then, and the same call can resolve it unless it is
    /// transient. With run-time arguments, a chain may meet a service again and still end.
    func isNeededToBuild(_ node: Node) -> Bool {
      !mayStayUnbuilt && !takesArguments && (kind != .property || node.binding.policy.isTransient)
    }
  }

  private(set) var nodes: [Node] = []
  /// The unregistered dependencies that are left to future scopes, in order of discovery.
  private(set) var expectedFromScopes: [Dependency] = []
  private var indices: [NodeName: Int] = [:]
  /// The containers of the nodes, in order of discovery, beginning with the asked one.
  private(set) var containers: [Container]

  /// Walks the registrations of the container itself, without any overrides in force.
  static func ofRegistrations(from container: Container) -> DependencyWalk {
    OverrideLayer.$current.withValue(nil) { DependencyWalk(from: container) }
  }

  init(from container: Container) {
    containers = [container]
    let roots = container.registry.withLock { $0.bindings }
    for root in roots.map({ Located(binding: $0, container: container) }) + container.scopedFromElsewhere {
      addNode(for: root, in: container)
    }
    var next = 0
    while next < nodes.count {
      expand(next)
      next += 1
    }
    expectedFromScopes = markExpected()
  }

  /// The indices of the nodes by rank.
  var order: [Int] { nodes.indices.sorted { nodes[$0].rank < nodes[$1].rank } }

  /// The identities along a path, as in a resolution path: a decorator or choice and its target are one step.
  func identities(along path: [Int]) -> [ServiceIdentity] { Chain.merged(path.map { nodes[$0].identity }) }

  /// For each node, the targets of its edges that meet a condition.
  func targets(where isIncluded: (Node, Edge) -> Bool) -> [[Int]] {
    nodes.map { node in node.edges.filter { isIncluded(node, $0) }.map(\.target) }
  }

  /// For each node, the nodes that it needs to be complete.
  var neededToBuild: [[Int]] { targets { $1.isNeededToBuild($0) } }

  // MARK: Nodes

  private struct NodeName: Hashable {
    let binding: BindingInContext
    let isOwned: Bool
  }

  /// Adds the node for a binding in its context, unless there is one.
  ///
  /// - Parameters:
  ///   - located: A binding and the container in which it is registered.
  ///   - context: The container that is asked for the service.
  ///   - isOwned: Whether a scope of its own below the context is asked.
  /// - Returns: The index of the node.
  @discardableResult
  private mutating func addNode(
    for located: Located, in context: Container, handing key: Key? = nil, isOwned: Bool = false
  ) -> Int {
    let binding = located.binding
    let context = binding.container(for: context)
    let key = binding.takesHandedKey ? key : nil
    let isOwned = isOwned && binding.livesWithAsked
    let name = NodeName(binding: BindingInContext(binding, context, handedKey: key), isOwned: isOwned)
    if let index = indices[name] { return index }
    nodes.append(Node(located, in: context, handing: key, isOwned: isOwned, rank: rank(of: located)))
    indices[name] = nodes.count - 1
    return nodes.count - 1
  }

  private mutating func rank(of located: Located) -> Rank {
    let listed = located.container.registry.withLock { _ in
      // If the binding has been removed, this may be the last reference to it, which is released after the lock.
      let outermost = located.binding.outermost
      return (binding: outermost, index: outermost.listIndex)
    }
    // A decorator around another container's binding is not listed.
    return Rank(container: addContainer(located.container), position: listed.index ?? .max)
  }

  /// Adds a container, unless it is known.
  ///
  /// - Returns: The index of the container.
  mutating func addContainer(_ container: Container) -> Int {
    if let number = containers.firstIndex(where: { $0 === container }) { return number }
    containers.append(container)
    return containers.count - 1
  }

  // MARK: Edges

  private mutating func expand(_ index: Int) {
    let node = nodes[index]
    switch node.binding.kind {
    case .decorator:
      for inner in node.binding.wrapped(in: node.container) { addEdge(from: index, to: inner, .decorates) }
    case .choice(let candidates):
      let best = Candidates.best(of: candidates, for: Resolver(container: node.context))
      if best.count > 1 { node.ambiguity = .ambiguous(best, Chain(nil)) }
      if best.count == 1 { addEdge(from: index, to: Located(binding: best[0], container: node.container), .chooses) }
    case .alias(let primary, _):
      addEdge(from: index, to: Located(binding: primary, container: node.container), .aliases)
    case .registration:
      // A faulty registration throws before it requests anything.
      guard node.binding.ownFault == nil else { return }
      let descriptor = node.descriptor
      let key = node.binding.keyToInherit(handed: node.handedKey)
      for dependency in descriptor.parameters { follow(dependency, as: .parameter, from: index, inheriting: key) }
      for dependency in descriptor.furtherDependencies { follow(dependency, as: .property, from: index) }
      for dependency in descriptor.declaredDependencies { follow(dependency, as: .declared, from: index) }
    }
  }

  /// Adds the edge from a decorator, a choice or an alias to the binding whose instance it returns or wraps.
  private mutating func addEdge(from index: Int, to other: Located, _ kind: DependencyGraph.Edge.Kind) {
    let target = addNode(
      for: other, in: nodes[index].context, handing: nodes[index].handedKey, isOwned: nodes[index].isOwned)
    nodes[index].edges.append(Edge(target: target, kind: kind, need: .required))
  }

  private mutating func follow(
    _ dependency: Dependency, as kind: DependencyGraph.Edge.Kind, from index: Int, inheriting key: Key? = nil
  ) {
    let context = nodes[index].context
    let (dependency, handedKey) = context.parameter(dependency, inheriting: key, for: nodes[index].binding.id)
    let search = DependencySearch(
      for: dependency, in: context, asker: nodes[index].binding.id, allowingArguments: kind == .declared)
    if search.isMissing {
      let service = MissingService(identity: dependency.wantedIdentity, container: ObjectIdentifier(context))
      nodes[index].missing.append(Missing(need: dependency.need, kind: kind, service: service))
    }
    let mayStayUnbuilt = search.isLater || search.needsArguments && search.targets.count > 1
    let need: DependencyGraph.Edge.Need =
      switch search.need {
      case .optional: .optional
      case .all: .element
      case .deferred: .later
      case .required: mayStayUnbuilt ? .possible : .required
      }
    let isOwned = search.isOwned || nodes[index].isOwned && !nodes[index].isBuiltByOwner
    for located in search.targets {
      let target = addNode(for: located, in: context, handing: handedKey, isOwned: isOwned)
      nodes[index].edges.append(
        Edge(
          target: target, kind: kind, need: need, mayStayUnbuilt: mayStayUnbuilt,
          takesArguments: search.needsArguments))
    }
  }
}

extension Dependency {
  /// The service that must be registered: for `Provider<Owned<Session>>`, the session.
  fileprivate var wantedIdentity: ServiceIdentity {
    guard need == .deferred, let nested else { return identity }
    return nested.wantedIdentity
  }
}

extension Binding {
  /// Whether no container but the asked one keeps the instance.
  fileprivate var livesWithAsked: Bool {
    switch policy.keeper {
    case .caller, .call, .asked: true
    case .owner, .named: false
    }
  }

  /// Whether the binding uses the key of the dependent service. Only an autowired service does, and a decorator of one.
  fileprivate var takesHandedKey: Bool {
    (isRegistration || isDecorator) && descriptor.traits.contains(.inheritsKey) && identity.arguments.isEmpty
  }

  /// The fault of the registration; nil for a decorator or a choice, whose descriptor has a copy of an inner binding's fault.
  var ownFault: ResolutionError? { isRegistration ? descriptor.fault : nil }

  /// Whether the dependencies of the registration's factory are unknown.
  var isOpaque: Bool { isRegistration && descriptor.traits.isOpaque && ownFault == nil }
}
