// The slow path: overrides, relationship types, contended builds, asynchronous factories and errors. None of this code knows the
// service's static type.
extension Resolver {
  /// Finishes a service for an asynchronous caller, suspending if necessary.
  ///
  /// - Parameters:
  ///   - remaining: The work that remains.
  ///   - inherited: The key that the service's dependencies inherit; not part of the service's own identity.
  /// - Returns: Nil if the service is not registered, built in, or a relationship type.
  func finishIfPresent(
    _ identity: ServiceIdentity, _ remaining: Container.RemainingWork = .pending(nil), inheriting inherited: Key? = nil,
    arguments: Arguments? = nil
  ) async throws -> Instance? {
    if case .incomplete(let instance, let located) = remaining {
      return try await located.instance(completing: instance, for: self)
    }
    try checkOpen(for: identity)
    factoryFrame?.attempt?.note(identity)
    if !remaining.isAbsent(identity) {
      var found = remaining.located
      while let located = try found ?? search(identity) {
        let instance = try await located.instance(arguments, inheriting: inherited, for: self)
        if let instance { return instance }
        // The binding was replaced between the search and the build: search again.
        found = nil
      }
      if let instance = try builtIn(identity) { return instance }
    }
    guard let type = RelationshipTypes.relationship(identity.service) else { return nil }
    return try await type.instance(from: self, key: identity.key, arguments: arguments)
  }

  /// Resolves a service whose key and arguments, if any, have no static types.
  func resolve<Service>(
    _ type: Service.Type, erasedKey key: Key?, arguments: Arguments? = nil
  ) throws -> sending Service {
    let lookup = container.find(TypeAddress.of(type, taking: arguments), erasedKey: key, frame)
    if lookup.isKept { return lookup.hit(type) }
    return try container.make(type, lookup, frame, key: key, arguments: arguments)
  }

  func resolve<Service>(
    _ type: Service.Type, erasedKey key: Key?, arguments: Arguments? = nil
  ) async throws -> sending Service {
    let lookup = container.find(TypeAddress.of(type, taking: arguments), erasedKey: key, frame)
    if lookup.isKept { return lookup.hit(type) }
    return try await container.makeAsync(type, lookup, frame, key: key, arguments: arguments)
  }

  /// Resolves a service whose key and arguments, if any, have no static types.
  ///
  /// - Returns: Nil if the service is not registered, built in, or a relationship type.
  func resolveIfPresent<Service>(
    _ type: Service.Type, erasedKey key: Key?, arguments: Arguments?
  ) throws -> Service? {
    let lookup = container.find(TypeAddress.of(type, taking: arguments), erasedKey: key, frame)
    if lookup.isKept { return lookup.hit(type) }
    do {
      return try Container.tryReceiving(type) { memory in
        let isPresent = try container.makeIfPresent(type, key: key, arguments, lookup, frame, at: memory)
        return isPresent ? nil : .absent
      }
    } catch .remaining {
      return nil
    } catch .failed(let error) {
      throw error
    }
  }

  func resolveIfPresent<Service>(
    _ type: Service.Type, erasedKey key: Key?, arguments: Arguments?
  ) async throws -> Service? {
    let lookup = container.find(TypeAddress.of(type, taking: arguments), erasedKey: key, frame)
    if lookup.isKept { return lookup.hit(type) }
    let remaining: Container.RemainingWork
    do {
      return try Container.tryReceiving(type) { memory in
        try container.tryMaking(lookup, arguments, frame, for: .asynchronous, at: memory)
      }
    } catch {
      remaining = try error.remaining()
    }
    let identity = ServiceIdentity(type, key: key, taking: arguments)
    return try await finishIfPresent(identity, remaining, arguments: arguments)?.value(as: type)
  }

  /// The container or the resolver, which can be resolved without a registration; nil for any other identity.
  ///
  /// - Throws: ``ResolutionError/Code/closed`` if the search may have found too little.
  func builtIn(_ identity: ServiceIdentity) throws -> Instance? {
    guard identity.isBuiltIn else {
      try checkSearched(for: identity)
      return nil
    }
    return identity.service == Container.self ? Instance(holding: container) : Instance(holding: self)
  }

  /// The error for an identity that is not registered.
  func missing(_ identity: ServiceIdentity) -> ResolutionError {
    ResolutionError.missing(identity, in: container, chain: currentChain)
  }
}
