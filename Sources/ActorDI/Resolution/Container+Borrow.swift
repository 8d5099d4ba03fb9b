public import Synchronization

// Access to existing instances: without a build, or without counting a reference. Emitted into the client and inlined, like `resolve`.
extension Container {
  /// Returns the kept instance of a service if it exists now. Never builds and never waits.
  ///
  /// - Parameter service: The service type, as registered.
  /// - Returns: The instance; nil if the service is not registered, not kept or not yet built.
  /// - Complexity: O(1)
  /// - Concurrency: Callable from any thread.
  @_alwaysEmitIntoClient @inline(__always)
  public nonisolated func resolveIfReady<Service: Sendable>(_ service: Service.Type = Service.self) -> Service? {
    let lookup = find(TypeAddress.of(service), nil)
    return lookup.isKept ? lookup.hit(service) : ready(service, lookup)
  }

  /// Returns the kept instance of a keyed service if it exists now. Never builds and never waits.
  ///
  /// - Parameters:
  ///   - service: The service type, as registered.
  ///   - key: The key that the service is registered under.
  /// - Returns: The instance; nil if the service is not registered, not kept or not yet built.
  /// - Complexity: O(1)
  /// - Concurrency: Callable from any thread.
  @_alwaysEmitIntoClient @inline(__always)
  public nonisolated func resolveIfReady<Service: Sendable>(
    _ service: Service.Type = Service.self, key: some Hashable & Sendable
  ) -> Service? {
    let lookup = find(TypeAddress.of(service), key: key, nil)
    return lookup.isKept ? lookup.hit(service) : ready(service, lookup, key: Key.of(key))
  }

  /// Returns the kept instance for a typed token if it exists now. Never builds and never waits.
  ///
  /// - Parameter token: The type and key that the service is registered under.
  /// - Returns: The instance; nil if the service is not registered, not kept or not yet built.
  /// - Complexity: O(1)
  /// - Concurrency: Callable from any thread.
  @_alwaysEmitIntoClient @inline(__always)
  public nonisolated func resolveIfReady<Service: Sendable>(_ token: ServiceKey<Service>) -> Service? {
    let lookup = find(token, nil)
    return lookup.isKept ? lookup.hit(Service.self) : ready(Service.self, lookup, key: token.key)
  }

  /// Searches with references: for a weakly kept instance, and where overrides, decorators or candidates may apply.
  ///
  /// - Parameter lookup: The result of a search without an instance, under its pin, which ends here.
  @usableFromInline
  nonisolated func ready<Service>(_ service: Service.Type, _ lookup: Lookup, key: Key? = nil) -> Service? {
    lookup.record.unpin()
    let identity = ServiceIdentity(service, key: key)
    Resolver.chainOfCaller(makingAttempts: true).attempt?.note(identity)
    let resolver = Resolver(container: self)
    guard resolver.isServed, let located = try? resolver.search(identity) else { return nil }
    defer { withExtendedLifetime(located) {} }
    return located.binding.existingInstance(for: resolver)?.value(as: Service.self)
  }

  /// Passes a service to a closure without retaining and releasing it.
  ///
  /// Threads that retain the same instance contend for its reference count; threads that borrow it do not. Borrowing therefore scales
  /// with the cores where `resolve(_:)` cannot.
  ///
  /// There is no asynchronous form, also in asynchronous code: the closure cannot suspend, and a service that is built asynchronously must
  /// exist before the call. Otherwise the call throws ``ResolutionError/Code/asyncRequired``.
  ///
  /// - Parameters:
  ///   - service: The service type, as registered.
  ///   - body: Receives the service for the duration of the call. The instance lives at least as long, even if it is reset during the
  ///     call.
  /// - Returns: The closure's result.
  /// - Throws: The errors of `resolve(_:)`, and the closure's errors.
  /// - Complexity: O(1) for an instance that exists.
  /// - Concurrency: Callable from any thread; the closure runs on the caller's thread.
  @_alwaysEmitIntoClient @inline(__always)
  public nonisolated func withResolved<Service, Result>(
    _ service: Service.Type, _ body: (borrowing Service) throws -> Result
  ) throws -> Result {
    let lookup = find(TypeAddress.of(service), nil)
    if lookup.isKept { return try lookup.borrow(service, body) }
    return try body(make(service, lookup, nil))
  }

  /// Passes a keyed service to a closure without retaining and releasing it.
  ///
  /// - Parameters:
  ///   - service: The service type, as registered.
  ///   - key: The key that the service is registered under.
  ///   - body: Receives the service for the duration of the call.
  /// - Returns: The closure's result.
  /// - Throws: The errors of `resolve(_:key:)`, and the closure's errors.
  /// - Complexity: O(1) for an instance that exists, and one hash of the key.
  /// - Concurrency: Callable from any thread; the closure runs on the caller's thread.
  @_alwaysEmitIntoClient @inline(__always)
  public nonisolated func withResolved<Service, Result>(
    _ service: Service.Type, key: some Hashable & Sendable, _ body: (borrowing Service) throws -> Result
  ) throws -> Result {
    let lookup = find(TypeAddress.of(service), key: key, nil)
    if lookup.isKept { return try lookup.borrow(service, body) }
    return try body(make(service, lookup, nil, key: Key.of(key)))
  }

  /// Passes the service of a typed token to a closure without retaining and releasing it.
  ///
  /// - Parameters:
  ///   - token: The type and key that the service is registered under.
  ///   - body: Receives the service for the duration of the call.
  /// - Returns: The closure's result.
  /// - Throws: The errors of `resolve(_:)`, and the closure's errors.
  /// - Complexity: O(1) for an instance that exists. A token made of a literal costs no more than a type.
  /// - Concurrency: Callable from any thread; the closure runs on the caller's thread.
  @_alwaysEmitIntoClient @inline(__always)
  public nonisolated func withResolved<Service, Result>(
    _ token: ServiceKey<Service>, _ body: (borrowing Service) throws -> Result
  ) throws -> Result {
    let lookup = find(token, nil)
    if lookup.isKept { return try lookup.borrow(Service.self, body) }
    return try body(make(Service.self, lookup, nil, key: token.key))
  }
}

extension Binding {
  /// The instance that a resolve would yield without a build: that of the target of an alias, or of the chosen candidate.
  fileprivate func existingInstance(for resolver: Resolver) -> Instance? {
    if let primary {
      let active = primary.activeOverride(asking: resolver.container)
      defer { withExtendedLifetime(active) {} }
      return (active?.binding ?? primary).existingInstance(for: resolver).map(converted)
    }
    guard let candidates else { return existingHolder(for: resolver.container)?.existing() }
    return (try? Candidates.choose(candidates, for: resolver))?.existingInstance(for: resolver)
  }
}

extension Lookup {
  /// Borrows the kept instance for a closure. A hazard slot keeps the instance alive (R2), so the closure may run for any length of
  /// time without delaying other threads.
  @_alwaysEmitIntoClient @inline(__always)
  func borrow<Service, Result>(_ type: Service.Type, _ body: (borrowing Service) throws -> Result) rethrows -> Result {
    let depth = record.pointee.depth.load(ordering: .relaxed)
    // One slot for the instance, and one for the link array if the instance was found by links: the array holds the instance's
    // container.
    if _slowPath(depth &+ 1 >= record.pointee.capacity) { Reclaimer.shared.growSlots(of: record) }
    record.push(HazardSlot(holding: holderWord.bits), at: depth)
    if links != .none { record.push(HazardSlot(links), at: depth &+ 1) }
    record.unpin()
    // Outside of any call tree, each resolve in the closure is a top-level call.
    let base = record.pointee.base
    if depth == base { record.pointee.base = record.pointee.depth.load(ordering: .relaxed) }
    defer {
      record.pointee.base = base
      record.pop(to: depth)
    }
    return try holderWord.box.borrow {
      try unsafe Instance.borrow($0.memory(of: type), to: body)
    }
  }
}
