internal import Synchronization

// The relationship types of the standard library: optionals, arrays and dictionaries.

extension Optional: RelationshipType {
  static var absent: Self? { .some(nil) }

  static func dependency(key: Key?) -> Dependency {
    let wrapped = Dependency(Wrapped.self, key: key)
    let need = wrapped.need == .required ? .optional : wrapped.need
    return Dependency(wrapped.identity, need, forms: wrapped.forms, isOptional: true)
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) throws -> Instance {
    guard let identity = try available(to: resolver, key, repeat (each Argument).self) else {
      return Instance(holding: Wrapped?.none)
    }
    let wrapped = try resolver.instanceIfPresent(of: identity, nil, arguments: repeat each arguments)
    return Instance(holding: wrapped?.value(as: Wrapped.self))
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) async throws -> Instance {
    guard let identity = try available(to: resolver, key, repeat (each Argument).self) else {
      return Instance(holding: Wrapped?.none)
    }
    let found = resolver.container.find(identity.signature, erasedKey: key, resolver.frame)
    let wrapped: Wrapped? =
      found.isKept
      ? found.hit(Wrapped.self)
      : try await resolver.makeIfPresent(Wrapped.self, found, key: key, arguments: repeat each arguments)
    return Instance(holding: wrapped)
  }

  static func write(from container: Container, key: Key?, to memory: UnsafeMutableRawPointer) throws {
    let found = container.find(TypeAddress.of(Wrapped.self), erasedKey: key, nil)
    let value: Wrapped?
    if found.isKept {
      value = found.hit(Wrapped.self)
    } else if Wrapped.self is any RelationshipType.Type {
      unsafe found.record.unpin()
      return unsafe try resolve(from: Resolver(container: container), key: key).write(to: memory)
    } else {
      // The memory of an optional has room for the wrapped value.
      let isPresent = unsafe try container.produceIfPresent(Wrapped.self, key: key, found, nil, at: memory)
      value = isPresent ? unsafe memory.assumingMemoryBound(to: Wrapped.self).move() : nil
    }
    unsafe memory.initializeMemory(as: Self.self, to: value)
  }

  /// The identity of the wrapped type; nil if it is an unavailable relationship without an explicit registration.
  ///
  /// Such a relationship would throw an error instead of yielding nil.
  private static func available<each Argument: Sendable>(
    to resolver: Resolver, _ key: Key?, _ arguments: repeat (each Argument).Type
  ) throws -> ServiceIdentity? {
    let identity = ServiceIdentity(Wrapped.self, arguments: repeat each arguments, key: key)
    guard let related = Wrapped.self as? any RelationshipType.Type,
      !related.isAvailable(from: resolver.container, key: key, arguments: repeat each arguments),
      resolver.container.locate(identity) == nil
    else { return identity }
    try resolver.checkSearched(for: identity)
    return nil
  }
}

extension Array: CollectionType {
  typealias Member = Element

  static var absent: Self? { [] }
  static func holds(_ key: Key?) -> Bool { true }
  static var hasEachKeyOnce: Bool { false }

  mutating func add(_ service: Element, under key: Key?) { append(service) }
}

/// A dictionary contains the services that are registered under keys of its key type.
extension Dictionary: CollectionType {
  typealias Member = Value

  static func holds(_ key: ActorDI.Key?) -> Bool { own(key) != nil }
  static var hasEachKeyOnce: Bool { true }

  private static func own(_ key: ActorDI.Key?) -> Key? { key?.value as? Key }

  mutating func add(_ service: Value, under key: ActorDI.Key?) { if let key = Self.own(key) { self[key] = service } }
}

// The elements are resolved in one call tree, so that they share `.graph` instances.
extension CollectionType {
  static func dependency(key: Key?) -> Dependency { Dependency(ServiceIdentity(Member.self, key: key), .all) }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) throws -> Instance {
    let identity = ServiceIdentity(Member.self, arguments: repeat (each Argument).self, key: key)
    let asker = resolver.asker
    let record = unsafe ThreadRecordPointer.current
    return try unsafe record.holdingCall { _ in
      listing: while true {
        var collection = Self()
        let elements = resolver.container.elements(of: identity, in: Self.self, for: asker)
        try resolver.checkSearched(for: identity)
        collection.reserveCapacity(elements.count)
        for located in elements {
          defer { withExtendedLifetime(located) {} }
          let binding = located.binding
          do {
            let element = try binding.current(as: Member.self, resolver) {
              try binding.current(resolver, binding.recipe(with: repeat each arguments))
            }
            collection.add(element, under: binding.key)
          } catch is PrimaryIsGone {
            // The element's registration was replaced or removed before its turn: start over with a new list.
            continue listing
          }
        }
        return Instance(holding: collection)
      }
    }
  }

  static func resolve<each Argument: Sendable>(
    from resolver: Resolver, key: Key?, arguments: repeat each Argument
  ) async throws -> Instance {
    let identity = ServiceIdentity(Member.self, arguments: repeat (each Argument).self, key: key)
    let asker = resolver.asker
    return try await resolver.inOneCall { resolver in
      listing: while true {
        var collection = Self()
        let elements = resolver.container.elements(of: identity, in: Self.self, for: asker)
        try resolver.checkSearched(for: identity)
        collection.reserveCapacity(elements.count)
        for located in elements {
          defer { withExtendedLifetime(located) {} }
          let element = try await located.binding.current(as: Member.self, resolver, with: repeat each arguments)
          guard let element else { continue listing }
          collection.add(element, under: located.binding.key)
        }
        return Instance(holding: collection)
      }
    }
  }
}

extension Resolver {
  /// The binding that asks; nil for a call from outside.
  fileprivate var asker: Asker? {
    let chain = currentChain
    guard let asker = chain.asker else { return nil }
    let isOnThread = !chain.slots.isEmpty
    let hasInstance =
      unsafe isOnThread
      ? ThreadRecordPointer.current.isInOtherHook(of: asker) : chain.attempt?.isInOtherHook(of: asker) ?? false
    return Asker(binding: asker, hasInstance: hasInstance)
  }

  /// Runs several resolves within one call tree.
  func inOneCall<Result>(_ body: (Resolver) async throws -> Result) async throws -> Result {
    let outer = liveFrame ?? ResolutionFrame.ofCurrentTask
    if let outer, !outer.isOutermost { return try await body(Resolver(container: container, frame: outer)) }
    let frame = ResolutionFrame(graph: outer?.graph ?? ResolutionGraph(), attempt: outer?.attempt, isShared: true)
    defer { frame.graph.endCall() }
    let result = try await body(Resolver(container: container, frame: frame))
    try await frame.notifyAtEndOfCall()
    return result
  }

  /// The graph of the call in progress; outside of any call, a new graph that no call ends.
  var currentGraph: ResolutionGraph {
    if let frame = liveFrame ?? ResolutionFrame.ofCurrentTask { return frame.graph }
    let record = unsafe ThreadRecordPointer.current
    return unsafe record.isInCall ? record.ownContext.graph : ResolutionGraph(hasEnded: true)
  }
}
