/// What the registrations of a container lead to, found without running anything.
///
/// A node is a registration as it is built for somebody. Its dependencies are looked up as a resolve would do it: those of a singleton
/// in the container in which it stands, those of a scoped service in the one that keeps it, those of a transient one in the one that is
/// asked. So one registration may be several nodes, each with other edges. The nodes come in the order in which they were met:
/// first the container's own registrations, in order, then those of its parents that it keeps the instances of, then what all of these
/// lead to, in its links and parents.
///
/// It says what is there; what to think of it is for others: see ``Validation``.
///
/// - Complexity: O(*n* + *e*) in nodes and edges. It goes by a list, so chains may be of any length.
/// - Concurrency: the container's registrations are those of one moment; lookups see what stands when they are made. No lock is held
///   from one to the next.
struct DependencyWalk {
  struct Node {
    let binding: Binding
    /// The container in which it stands.
    let container: Container
    /// The container whose registrations it is built with.
    let context: Container
    /// A key to look for parameters under, though it was not found by it: ``Registration/inheritKey()``.
    let handedKey: Key?
    let rank: Rank

    fileprivate(set) var edges: [Edge] = []
    fileprivate(set) var missing: [Missing] = []
    /// For several alternatives of one identity: those that fit equally well, where that is more than one.
    fileprivate(set) var rivals: [Binding] = []

    var descriptor: Descriptor { binding.descriptor }
    var identity: ServiceIdentity { binding.identity }
  }

  /// Where a registration stands: the containers in the order in which they were met, each in the order of registration.
  struct Rank: Comparable {
    let container: Int
    let position: Int

    static func < (left: Rank, right: Rank) -> Bool {
      (left.container, left.position) < (right.container, right.position)
    }
  }

  struct Edge {
    enum Kind {
      /// A parameter of an initialiser.
      case parameter
      /// An injected property: taken when the instance is there.
      case hook
      /// What a factory closure is said to take.
      case declared
      /// The same, of something that wants run-time arguments: each call may be for other ones.
      case declaredWithArguments
      /// What stands behind it: what it decorates, the alternative that it takes, or whose instance it shows.
      case stands
      /// Not certain to be built with it: ``Lazy``, ``Provider``, or one of several with run-time arguments.
      case later
    }

    let target: Int
    let kind: Kind
    /// How it is taken, though it be later.
    let origin: Kind
    let need: Dependency.Need
  }

  /// What a node takes and is nowhere.
  struct Missing {
    let dependency: Dependency
    let origin: Edge.Kind
  }

  private struct Name: Hashable {
    let binding: ObjectIdentifier
    let context: ObjectIdentifier
    let handedKey: Key?
  }

  private(set) var nodes: [Node] = []
  private var indices: [Name: Int] = [:]
  private var containers: [ObjectIdentifier: Int] = [:]
  /// The places of the first container's registrations.
  private var positions: [ObjectIdentifier: Int] = [:]

  init(from container: Container) {
    let roots = container.registry.withLock { $0.bindings }
    for (position, root) in roots.enumerated() {
      for binding in root.withParts { positions[ObjectIdentifier(binding)] = position }
    }
    for root in roots { _ = index(of: root, in: container, for: container) }
    for root in container.scopedFromElsewhere { _ = index(of: root.binding, in: root.container, for: container) }
    var next = 0
    while next < nodes.count {
      expand(next)
      next += 1
    }
  }

  // MARK: Nodes

  /// - Parameters:
  ///   - binding: stands in `container`.
  ///   - context: the container that is asked for it.
  private mutating func index(
    of binding: Binding, in container: Container, for context: Container, handing key: Key? = nil
  ) -> Int {
    let context = binding.container(for: Resolver(container: context))
    let key = binding.takesHandedKey ? key : nil
    let name = Name(
      binding: ObjectIdentifier(binding), context: ObjectIdentifier(context), handedKey: key)
    if let index = indices[name] { return index }
    nodes.append(
      Node(
        binding: binding, container: container, context: context, handedKey: key,
        rank: rank(of: binding, in: container)))
    indices[name] = nodes.count - 1
    return nodes.count - 1
  }

  private mutating func rank(of binding: Binding, in container: Container) -> Rank {
    let number = containers[ObjectIdentifier(container)] ?? containers.count
    containers[ObjectIdentifier(container)] = number
    let position = positions[ObjectIdentifier(binding)] ?? Int(clamping: binding.order)
    return Rank(container: number, position: position)
  }

  // MARK: Edges

  private mutating func expand(_ index: Int) {
    let node = nodes[index]
    switch node.binding.standing {
    case .decorator: for inner in node.binding.stoodFor(in: node.container) { stand(index, for: inner) }
    case .group: choose(index)
    case .alone:
      // A faulty registration throws before it takes anything.
      guard node.descriptor.fault == nil else { return }
      if let primary = node.binding.primary {
        return stand(index, for: Located(binding: primary, container: node.container))
      }
      followDependencies(of: index)
    }
  }

  private mutating func stand(_ index: Int, for other: Located) {
    let target = self.index(of: other.binding, in: other.container, for: nodes[index].context)
    nodes[index].edges.append(Edge(target: target, kind: .stands, origin: .stands, need: .required))
  }

  private mutating func choose(_ index: Int) {
    let node = nodes[index]
    let best = Alternatives.best(of: node.binding.parts, for: Resolver(container: node.context))
    guard best.count == 1 else { return nodes[index].rivals = best }
    stand(index, for: Located(binding: best[0], container: node.container))
  }

  private mutating func followDependencies(of index: Int) {
    let node = nodes[index]
    let (descriptor, parameters) = (node.descriptor, node.descriptor.parameters)
    let key = descriptor.nature.inheritsKey ? node.handedKey ?? node.identity.key : nil
    for parameter in parameters { follow(parameter, as: .parameter, from: index, inheriting: key) }
    // The parameters, and then what hooks take.
    for dependency in descriptor.dependencies.dropFirst(parameters.count) {
      follow(dependency, as: .hook, from: index)
    }
    for dependency in descriptor.declaredDependencies {
      follow(dependency, as: .declared, from: index)
    }
  }

  private mutating func follow(
    _ dependency: Dependency, as origin: Edge.Kind, from index: Int, inheriting key: Key? = nil
  ) {
    let context = nodes[index].context
    var dependency = dependency
    var handedKey: Key?
    if let key {
      let keyed = dependency.with(key)
      if context.has(keyed, for: nodes[index].binding.address) {
        dependency = keyed
      } else if dependency.forms.isEmpty {
        // Relationship types do not hand it on.
        handedKey = key
      }
    }
    let search = DependencySearch(
      for: dependency, in: context, asker: nodes[index].binding, allowingArguments: origin == .declared)
    if search.isMissing { nodes[index].missing.append(Missing(dependency: dependency, origin: origin)) }
    let isOneOfSeveral = search.needsArguments && search.targets.count > 1
    let kind: Edge.Kind =
      search.isLater || isOneOfSeveral ? .later : search.needsArguments ? .declaredWithArguments : origin
    for located in search.targets {
      let target = self.index(
        of: located.binding, in: located.container, for: context, handing: handedKey)
      nodes[index].edges.append(Edge(target: target, kind: kind, origin: origin, need: dependency.need))
    }
  }
}

extension Binding {
  /// Whether it uses a key that somebody else was asked for with.
  fileprivate final var takesHandedKey: Bool {
    standing == .alone && descriptor.nature.inheritsKey && identity.arguments.isEmpty
  }
}

extension DependencyWalk {
  /// A way through nodes, as a reader of a resolution path knows it: what decorates or chooses is one step with what stands behind it.
  func identities(along way: [Int]) -> [ServiceIdentity] {
    way.reduce(into: []) { path, index in
      let identity = nodes[index].identity
      if let last = path.last, last.isSame(as: identity), identity.arguments.isEmpty { return }
      path.append(identity)
    }
  }
}
