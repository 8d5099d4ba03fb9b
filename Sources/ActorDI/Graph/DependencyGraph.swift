/// What is registered in a container, and what takes what: see ``Container/dependencyGraph()``.
///
/// Nodes are registrations, and services that somebody takes and nobody has registered. Edges lead from what takes something to what
/// it takes. There are three renderings: ``dot`` for Graphviz, ``mermaid`` for Markdown, and ``json`` for programs.
public struct DependencyGraph: Sendable, Hashable {
  /// The names of the containers that the nodes belong to: first the one that was asked, then those that it led to.
  public let containers: [String]

  /// The registrations, by container, in order; then what is not registered.
  public let nodes: [Node]

  /// Who takes what, by node, and of one node in the order in which it says so.
  public let edges: [Edge]

  /// A registration, or a service that is not registered.
  ///
  /// One registration is one node. A transient one is built with the registrations of whoever asks for it; what it takes in
  /// one container and in another are edges of the same node.
  public struct Node: Sendable, Hashable, Identifiable {
    /// The number of the node: its place in ``DependencyGraph/nodes``.
    public let id: Int

    /// What it is in the graph.
    public internal(set) var kind: Kind

    let identity: ServiceIdentity

    /// How long its instances are kept; nil if it is not registered. That of an alias is the scope of what it stands for.
    public let scope: Scope?

    /// How long an instance is handed out, if the registration says so.
    public let timeToLive: Duration?

    /// The place of its container in ``DependencyGraph/containers``: where the registration stands; of what is missing, where it was
    /// looked for.
    public let container: Int

    /// Where the registration was written; nil if there is none.
    public let source: RegistrationSource?

    /// Whether nothing is known of what its factory takes: see ``ValidationReport/opaque``.
    public let isOpaque: Bool

    /// Whether ``Container/start()`` builds it.
    public let isEager: Bool

    /// Whether only asynchronous callers can have it built, whatever it takes.
    public let isAsynchronous: Bool

    /// Whether it is a mistake by itself, and throws when it is resolved.
    public let isFaulty: Bool

    /// The type that it is found under.
    public var service: any Any.Type { identity.service }

    /// The key that it is found under.
    public var key: (any Hashable & Sendable)? { identity.key?.value }

    /// The types of its run-time arguments, in order.
    public var arguments: [any Any.Type] { identity.arguments }

    /// Whether it is taken and not registered, nor left to scopes.
    public var isMissing: Bool { kind == .missing }
  }

  /// That one node takes another.
  public struct Edge: Sendable, Hashable {
    /// The ``Node/id`` of what takes something.
    public let from: Int

    /// The ``Node/id`` of what it takes.
    public let to: Int

    /// By what it is taken.
    public let kind: Kind

    /// How it is wanted.
    public let need: Need

    /// Whether it is part of a cycle that cannot be built.
    public internal(set) var isInCycle: Bool

    /// Whether it is on the way by which something is kept beyond its end.
    public internal(set) var isCaptive: Bool
  }
}

extension DependencyGraph.Node {
  /// What a node is.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    private enum Name: String, Sendable { case registration, alias, decorator, choice, expected, missing }

    private let name: Name

    /// A registration with a factory, or with an instance.
    public static let registration = Kind(name: .registration)
    /// Another type that a registration is found under: `implements`.
    public static let alias = Kind(name: .alias)
    /// What wraps a registration: `decorate`.
    public static let decorator = Kind(name: .decorator)
    /// What stands for several registrations of one service, and takes the one that fits best: see ``Registration/alternative()``.
    public static let choice = Kind(name: .choice)
    /// What scopes have to register: see ``ValidationReport/expectedFromScopes``.
    public static let expected = Kind(name: .expected)
    /// Nothing is registered.
    public static let missing = Kind(name: .missing)

    /// The kind's name.
    public var description: String { name.rawValue }
  }
}

extension DependencyGraph.Edge {
  /// By what something is taken.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    private enum Name: String, Sendable {
      case parameter, property, declared, aliases, decorates, chooses
    }

    private let name: Name

    /// A parameter of an autowired initialiser.
    public static let parameter = Kind(name: .parameter)
    /// An injected property.
    public static let property = Kind(name: .property)
    /// What `dependsOn(_:)` declares of a factory closure.
    public static let declared = Kind(name: .declared)
    /// From an alias to the registration whose instance it shows.
    public static let aliases = Kind(name: .aliases)
    /// From a decorator to what it wraps.
    public static let decorates = Kind(name: .decorates)
    /// From a choice to one of the registrations that it chooses from.
    public static let chooses = Kind(name: .chooses)

    /// The kind's name.
    public var description: String { name.rawValue }
  }

  /// How something is wanted.
  public struct Need: Sendable, Hashable, CustomStringConvertible {
    private enum Name: String, Sendable { case required, optional, element, later, possible }

    private let name: Name

    /// It has to be there.
    public static let required = Need(name: .required)
    /// As `T?`: it might as well not be there.
    public static let optional = Need(name: .optional)
    /// As one of `[T]` or `[Key: T]`.
    public static let element = Need(name: .element)
    /// Not before it is used: ``Lazy``, ``Provider``.
    public static let later = Need(name: .later)
    /// One of several, of which one will be taken: those of a choice that others were preferred to, and those that differ in their
    /// run-time arguments only.
    public static let possible = Need(name: .possible)

    /// The need's name.
    public var description: String { name.rawValue }
  }
}

extension Container {
  /// What is registered, and what takes what, without building anything: no factory, hook or condition runs.
  ///
  /// ```swift
  /// try container.dependencyGraph().dot.write(toFile: "graph.dot", atomically: true, encoding: .utf8)
  /// // dot -Tsvg graph.dot -o graph.svg
  /// ```
  ///
  /// It has the registrations of this container, and all that they lead to in its links and parents, found as a resolve would
  /// find them. What `validate()` does not see is not here either: what factory closures resolve without declaring it by
  /// `dependsOn(_:)`, and what decorators and hooks resolve by themselves.
  ///
  /// What the modules of the initial registrations register in ``Module/didLoad(_:)`` is there when they have run: see
  /// ``waitUntilLoaded()``.
  ///
  /// - Returns: the graph, which equals that of a container with the same registrations, and is rendered in the same way.
  /// - Complexity: O(*n* + *e*) in registrations and dependencies, and the time that looking for captive dependencies takes.
  /// - Concurrency: from any thread. Registrations that change meanwhile may be seen as they were or as they are.
  public nonisolated func dependencyGraph() -> DependencyGraph {
    DependencyGraph(of: DependencyWalk(from: self), from: self)
  }
}
