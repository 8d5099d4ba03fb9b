internal import Synchronization

// The relationships that the standard library has types for.

extension Optional: RelationshipType {
  static func dependency(key: Key?) -> Dependency {
    let wrapped = Dependency(Wrapped.self, key: key)
    let need = wrapped.need == .required ? .optional : wrapped.need
    return Dependency(wrapped.identity, need, forms: wrapped.forms)
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) throws -> Instance {
    guard isWrappedAvailable(from: resolver.container, key, repeat (each Argument).self) else {
      return Instance(holding: Wrapped?.none)
    }
    let identity = ServiceIdentity(Wrapped.self, arguments: repeat (each Argument).self, key: key)
    let wrapped = try resolver.instanceIfPresent(of: identity, nil, arguments: repeat each arguments)
    return Instance(holding: wrapped?.value(as: Wrapped.self))
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) async throws -> Instance {
    guard isWrappedAvailable(from: resolver.container, key, repeat (each Argument).self) else {
      return Instance(holding: Wrapped?.none)
    }
    let identity = ServiceIdentity(Wrapped.self, arguments: repeat (each Argument).self, key: key)
    let wrapped = try await resolver.instanceIfPresent(of: identity, nil, arguments: repeat each arguments)
    return Instance(holding: wrapped?.value(as: Wrapped.self))
  }

  /// Whether it is no relationship type that would throw for want of its service. An explicit registration of it counts.
  private static func isWrappedAvailable<each Argument: Sendable>(
    from container: Container, _ key: Key?, _ arguments: repeat (each Argument).Type
  ) -> Bool {
    guard let related = Wrapped.self as? any RelationshipType.Type else { return true }
    return related.isAvailable(from: container, key: key, arguments: repeat each arguments)
      || container.locate(
        ServiceIdentity(Wrapped.self, arguments: repeat each arguments, key: key)) != nil
  }
}

extension Array: RelationshipType {
  static func dependency(key: Key?) -> Dependency {
    Dependency(ServiceIdentity(Element.self, key: key), .all)
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) throws -> Instance {
    let record = unsafe ThreadRecordPointer.current
    // One call tree for all elements: they share `.graph` instances.
    return try unsafe record.holdingCall { _ in
      while true {
        if let elements = try elements(from: resolver, key, repeat each arguments) {
          return Instance(holding: elements)
        }
      }
    }
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) async throws -> Instance {
    try await resolver.inOneCall { resolver in
      while true {
        if let elements = try await elements(from: resolver, key, repeat each arguments) {
          return Instance(holding: elements)
        }
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
    for located in resolver.container.elements(of: identity, for: resolver.currentChain.asker) {
      defer { withExtendedLifetime(located) {} }
      let binding = located.binding
      let recipe = binding.recipe(with: repeat each arguments)
      guard let element = try binding.instance(recipe, for: resolver) else { return nil }
      elements.append(element.value())
    }
    return elements
  }

  private static func elements<each Argument: Sendable>(
    from resolver: Resolver, _ key: Key?, _ arguments: repeat each Argument
  ) async throws -> [Element]? {
    let identity = ServiceIdentity(
      Element.self, arguments: repeat (each Argument).self, key: key)
    var elements: [Element] = []
    for located in resolver.container.elements(of: identity, for: resolver.currentChain.asker) {
      defer { withExtendedLifetime(located) {} }
      let binding = located.binding
      let recipe = binding.recipe(with: repeat each arguments)
      guard let element = try await binding.instance(recipe, for: resolver) else { return nil }
      elements.append(element.value())
    }
    return elements
  }
}

extension Resolver {
  /// Runs several resolves that belong to one call tree.
  func inOneCall<Result>(_ body: (Resolver) async throws -> Result) async throws -> Result {
    let outer = liveFrame ?? ResolutionFrame.ofCurrentTask
    let frame: ResolutionFrame
    if let outer, !outer.isOutermost {
      frame = outer
    } else {
      frame = ResolutionFrame(
        graph: outer?.graph ?? ResolutionGraph(), attempt: outer?.attempt, isShared: true)
    }
    guard frame !== outer else { return try await body(Resolver(container: container, frame: frame)) }
    defer { frame.endSharedCall() }
    let result = try await body(Resolver(container: container, frame: frame))
    try await frame.tellAtEndOfSharedCall()
    return result
  }

  /// The graph of the call in progress; one of its own outside of any.
  var currentGraph: ResolutionGraph {
    if let frame = liveFrame ?? ResolutionFrame.ofCurrentTask { return frame.graph }
    let record = unsafe ThreadRecordPointer.current
    let isInCall = unsafe record.pointee.depth.load(ordering: .relaxed) > record.pointee.base
    return isInCall ? unsafe record.ownContext.graph : ResolutionGraph()
  }
}
