internal import Synchronization

/// A type that says how a service is wanted, rather than which: `T?`, `[T]`, ``Lazy``, ``Provider``.
///
/// They are told apart after a lookup has missed, so that the read path knows nothing of them, and an explicit
/// registration of `T?` or `[T]` itself wins.
protocol RelationshipType {
  /// What it needs to be there, for analysis without running anything.
  static func dependency(key: Key?) -> Dependency

  /// Resolves it. The run-time arguments are those of the service that it is about.
  ///
  /// - Returns: a `Box<Self>`.
  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) throws -> AnyObject
  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) async throws -> AnyObject
}

/// What a registration takes from the container.
@usableFromInline
struct Dependency: Sendable {
  enum Need: Sendable {
    /// It has to be there.
    case required
    /// Nil if it is not.
    case optional
    /// As many as there are.
    case all
    /// Later, when it is first used.
    case deferred
  }

  let identity: ServiceIdentity
  let need: Need

  init<Service>(_ type: Service.Type, key: Key? = nil) {
    if let relationship = type as? any RelationshipType.Type {
      self = relationship.dependency(key: key)
    } else {
      self.init(ServiceIdentity(type, key: key), .required)
    }
  }

  init(_ identity: ServiceIdentity, _ need: Need) {
    self.identity = identity
    self.need = need
  }
}

extension Optional: RelationshipType {
  static func dependency(key: Key?) -> Dependency {
    let wrapped = Dependency(Wrapped.self, key: key)
    return Dependency(wrapped.identity, wrapped.need == .required ? .optional : wrapped.need)
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) throws -> AnyObject {
    Box<Wrapped?>(
      try resolver.makeWithArgumentsIfPresent(
        Wrapped.self, nil, key: key, arguments: repeat each arguments))
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) async throws -> AnyObject {
    Box<Wrapped?>(
      try await resolver.makeWithArgumentsIfPresent(
        Wrapped.self, nil, key: key, arguments: repeat each arguments))
  }
}

extension Array: RelationshipType {
  static func dependency(key: Key?) -> Dependency {
    Dependency(ServiceIdentity(Element.self, key: key), .all)
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) throws -> AnyObject {
    let record = unsafe ThreadRecordPointer.current
    // One call tree for all elements: they share `.graph` instances.
    return try unsafe record.holdingCall { _ in
      while true {
        if let elements = try elements(from: resolver, key, repeat each arguments) {
          return Box(elements)
        }
      }
    }
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) async throws -> AnyObject {
    let resolver = resolver.inOneCall
    while true {
      if let elements = try await elements(from: resolver, key, repeat each arguments) {
        return Box(elements)
      }
    }
  }

  /// The elements, of one listing of the registry. Nil when one of them was replaced or removed before it was its turn.
  private static func elements<each Argument: Sendable>(
    from resolver: Resolver, _ key: Key?, _ arguments: repeat each Argument
  ) throws -> [Element]? {
    let identity = ServiceIdentity(
      Element.self, arguments: repeat (each Argument).self, key: key)
    var elements: [Element] = []
    for located in resolver.container.visibleBindings(of: identity) {
      defer { withExtendedLifetime(located) {} }
      let binding = unsafe unsafeDowncast(located.binding, to: ServiceBinding<Element>.self)
      let recipe = binding.recipe(with: repeat each arguments)
      guard let element = try binding.instance(recipe, for: resolver) else { return nil }
      elements.append(element)
    }
    return elements
  }

  private static func elements<each Argument: Sendable>(
    from resolver: Resolver, _ key: Key?, _ arguments: repeat each Argument
  ) async throws -> [Element]? {
    let identity = ServiceIdentity(
      Element.self, arguments: repeat (each Argument).self, key: key)
    var elements: [Element] = []
    for located in resolver.container.visibleBindings(of: identity) {
      defer { withExtendedLifetime(located) {} }
      let binding = unsafe unsafeDowncast(located.binding, to: ServiceBinding<Element>.self)
      let recipe = binding.recipe(with: repeat each arguments)
      guard let element = try await binding.instance(recipe, for: resolver) else { return nil }
      elements.append(element)
    }
    return elements
  }
}

extension Resolver {
  /// A resolver all of whose calls belong to one call tree.
  var inOneCall: Resolver {
    if liveFrame != nil { return self }
    let frame = ResolutionFrame.ofCurrentTask ?? ResolutionFrame(graph: ResolutionGraph())
    return Resolver(container: container, frame: frame)
  }

  /// The graph of the call in progress; one of its own outside of any.
  var currentGraph: ResolutionGraph {
    if let frame = liveFrame ?? ResolutionFrame.ofCurrentTask { return frame.graph }
    let record = unsafe ThreadRecordPointer.current
    let isInCall = unsafe record.pointee.depth.load(ordering: .relaxed) > record.pointee.base
    return isInCall ? unsafe record.callContext.graph : ResolutionGraph()
  }
}
