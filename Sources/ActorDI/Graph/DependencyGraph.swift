/// The registrations of a container and their dependencies: see ``Container/dependencyGraph()``.
///
/// The nodes are registrations, and dependencies that are not registered. Each edge leads from a service to one of its
/// dependencies. There are three renderings: ``dot`` for Graphviz, ``mermaid`` for Markdown, and ``json`` for programs.
public struct DependencyGraph: Sendable, Hashable {
  /// The names of the nodes' containers, beginning with the asked one.
  public let containers: [String]

  /// The registrations, ordered by container and registration, followed by the services that are not registered.
  public internal(set) var nodes: [Node]

  /// The dependencies, ordered by dependent node, then as that node declares them.
  public internal(set) var edges: [Edge]

  /// A registration, or a service that is not registered.
  ///
  /// Each registration is one node. A transient service is built with the registrations of the container that is asked. Its
  /// dependencies in different containers are edges of the same node.
  public struct Node: Sendable, Hashable, Identifiable {
    /// The number of the node: its index in ``DependencyGraph/nodes``.
    public internal(set) var id: Int

    /// The kind of node.
    public internal(set) var kind: Kind

    let identity: ServiceIdentity
    let implementingService: ServiceIdentity?

    /// The scope of the registration; nil if the service is not registered. An alias has the scope of its target.
    public let scope: Scope?

    /// The registration's time to live, if it sets one.
    public let timeToLive: Duration?

    /// The index in ``DependencyGraph/containers`` of the registration's container. For a missing service, this is the
    /// container in which it was looked up.
    public let container: Int

    /// The source location of the registration; nil if there is none.
    public let source: RegistrationSource?

    /// Whether the dependencies of the factory are unknown: see ``ValidationReport/opaque``.
    public let isOpaque: Bool

    /// Whether ``Container/start()`` builds the service.
    public let isEager: Bool

    /// Whether the registration itself requires an asynchronous caller, independent of its dependencies.
    public let isAsynchronous: Bool

    /// Whether the registration is invalid by itself and throws when it is resolved.
    public let isFaulty: Bool

    /// The type under which the service is found.
    public var service: any Any.Type { identity.service }

    /// The key under which the service is found.
    public var key: (any Hashable & Sendable)? { identity.key?.value }

    /// The types of the run-time arguments, in order.
    public var arguments: [any Any.Type] { identity.arguments }

    /// The type of the instances if the registration states it and it is not ``service``: the service of an alias's target, or
    /// the type of a registered instance. Nil for a factory.
    public var implementation: (any Any.Type)? {
      // Not inlined: the compiler of Swift 6.3 crashes when it inlines this into an optimised program built with `-enable-testing`.
      @inline(never) get { implementingService?.service }
    }

    /// The name of the Swift module that declares the type of the service. Empty for a tuple or a function.
    public var module: String {
      var name = _typeName(service, qualified: true)[...]
      if name.hasPrefix("any ") { name = name.dropFirst(4) }
      // A type that an extension declares: "(extension in Module):Other.Type.Nested".
      let ofExtension = "(extension in "
      let module =
        name.hasPrefix(ofExtension)
        ? name.dropFirst(ofExtension.count).prefix { $0 != ")" } : name.prefix { $0 != "." }
      return module.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? String(module) : ""
    }

    /// Whether the service is not registered and is not expected from scopes either.
    public var isMissing: Bool { kind == .missing }

    /// The kinds of nodes.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
      /// A registration with a factory or an instance.
      public static let registration = Kind(description: "registration")
      /// An alias, another type under which a registration is found: `implements`.
      public static let alias = Kind(description: "alias")
      /// A decorator of a registration: `decorate`.
      public static let decorator = Kind(description: "decorator")
      /// A choice between several registrations of one service, which takes the best fit: see ``Registration/alternative()``.
      public static let choice = Kind(description: "choice")
      /// A service that scopes have to register: see ``ValidationReport/expectedFromScopes``.
      public static let expected = Kind(description: "expected")
      /// A service that is not registered.
      public static let missing = Kind(description: "missing")

      /// The kind's name.
      public let description: String
    }
  }

  /// A dependency of one node on another.
  public struct Edge: Sendable, Hashable {
    /// The ``Node/id`` of the dependent node.
    public internal(set) var from: Int

    /// The ``Node/id`` of the dependency.
    public internal(set) var to: Int

    /// The kind of dependency.
    public let kind: Kind

    /// How the dependency is needed.
    public let need: Need

    /// Whether the edge is part of a cycle that cannot be built.
    public internal(set) var isInCycle = false

    /// Whether the edge is on the path to a captive dependency.
    public internal(set) var isCaptive = false

    /// The kinds of dependencies.
    public struct Kind: Sendable, Hashable, CustomStringConvertible {
      /// A parameter of an autowired initialiser.
      public static let parameter = Kind(description: "parameter")
      /// An injected property.
      public static let property = Kind(description: "property")
      /// A dependency of a factory closure, declared by `dependsOn(_:)`.
      public static let declared = Kind(description: "declared")
      /// From an alias to the registration whose instance it shows.
      public static let aliases = Kind(description: "aliases")
      /// From a decorator to the registration that it wraps.
      public static let decorates = Kind(description: "decorates")
      /// From a choice to one of its registrations.
      public static let chooses = Kind(description: "chooses")

      /// The kind's name.
      public let description: String
    }

    /// The ways in which a dependency is needed.
    public struct Need: Sendable, Hashable, CustomStringConvertible {
      /// The service must be registered.
      public static let required = Need(description: "required")
      /// The service may be absent: `T?`.
      public static let optional = Need(description: "optional")
      /// The service is an element of `[T]` or `[Key: T]`.
      public static let element = Need(description: "element")
      /// The service is resolved on use: ``Lazy``, ``Provider``.
      public static let later = Need(description: "later")
      /// One of several services that may be taken: an alternative that was not chosen, or one of the registrations that differ
      /// only in their run-time arguments.
      public static let possible = Need(description: "possible")

      /// The need's name.
      public let description: String
    }
  }
}

extension Container {
  /// The registrations and their dependencies, found without building anything: no factory, hook or condition runs.
  ///
  /// ```swift
  /// let graph = container.dependencyGraph()
  /// try graph.dot.write(toFile: "graph.dot", atomically: true, encoding: .utf8)
  /// // dot -Tsvg graph.dot -o graph.svg
  /// ```
  ///
  /// The graph contains the registrations of this container, and all that they lead to in its links and parents. It looks up each
  /// dependency as a resolve would, whatever overrides are in force. Like `validate()`, it does not see what factory closures resolve
  /// without a `dependsOn(_:)` declaration, nor what decorators and hooks resolve by themselves.
  ///
  /// Registrations that modules make in ``Module/didLoad(_:)`` are included once the modules have run: see
  /// ``waitUntilLoaded()``.
  ///
  /// - Returns: The graph. Containers with the same registrations have equal graphs with equal renderings.
  /// - Complexity: O(*n* + *e*) in registrations and dependencies, plus the search for captive dependencies.
  /// - Concurrency: Callable from any thread. The graph may or may not include concurrent changes of registrations.
  public nonisolated func dependencyGraph() -> DependencyGraph {
    let drawing = GraphDrawing(of: self)
    return DependencyGraph(containers: drawing.walk.containers.map(\.name), nodes: drawing.nodes, edges: drawing.edges)
  }
}
