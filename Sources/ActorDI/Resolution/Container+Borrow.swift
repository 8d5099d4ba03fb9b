public import Synchronization

// What exists, without building it, and without counting a reference.
extension Container {
  /// The kept instance of a service, if it exists now. Never builds, never waits.
  ///
  /// - Parameter service: the type that it is found under.
  /// - Returns: the instance, or nil when it is not registered, not kept, or not built.
  /// - Complexity: O(1)
  /// - Concurrency: from any thread.
  public nonisolated func resolveIfReady<Service: Sendable>(
    _ service: Service.Type = Service.self
  ) -> Service? {
    ready(ServiceIdentity(service))
  }

  /// The kept instance of a keyed service, if it exists now. Never builds, never waits.
  ///
  /// - Parameters:
  ///   - service: the type that it is found under.
  ///   - key: the key that it is found under.
  /// - Returns: the instance, or nil when it is not registered, not kept, or not built.
  /// - Complexity: O(1)
  /// - Concurrency: from any thread.
  public nonisolated func resolveIfReady<Service: Sendable>(
    _ service: Service.Type = Service.self, key: some Hashable & Sendable
  ) -> Service? {
    ready(ServiceIdentity(service, key: Key.of(key)))
  }

  /// The kept instance of what a typed token names, if it exists now. Never builds, never waits.
  ///
  /// - Parameter token: the type and key that it is found under.
  /// - Returns: the instance, or nil when it is not registered, not kept, or not built.
  /// - Complexity: O(1)
  /// - Concurrency: from any thread.
  public nonisolated func resolveIfReady<Service: Sendable>(
    _ token: ServiceKey<Service>
  ) -> Service? {
    ready(token.identity)
  }

  private nonisolated func ready<Service>(_ identity: ServiceIdentity) -> Service? {
    Resolver.chainOfCaller.attempt?.note(identity)
    guard Resolver(container: self).isServed, let located = locate(identity) else { return nil }
    defer { withExtendedLifetime(located) {} }
    var binding = located.binding
    if binding.isGroup {
      let resolver = Resolver(container: self)
      guard let chosen = try? Alternatives.choose(binding.parts, for: resolver) else { return nil }
      binding = chosen
    }
    guard let instance = binding.existingHolder(for: self)?.existing() else { return nil }
    guard let primary = binding.primary else {
      return instance.value()
    }
    let forward = primary.forwards?.all.first { $0.binding === binding }
    return forward?.convert(instance).value()
  }

  /// Lends a service to a closure, without a retain and release of it.
  ///
  /// Threads that retain the same instance contend for its reference count; threads that borrow it do not. So this scales with
  /// the cores where `resolve(_:)` cannot.
  ///
  /// - Parameters:
  ///   - service: the type that it is found under.
  ///   - body: gets the service, for the time of the call. The instance lives at least as long, even if it is reset meanwhile.
  /// - Returns: what the closure returns.
  /// - Throws: as `resolve(_:)`, and what the closure throws.
  /// - Complexity: O(1) for an instance that exists.
  /// - Concurrency: from any thread; the closure runs on the caller's.
  @inlinable
  @inline(__always)
  public nonisolated func withResolved<Service, Result>(
    _ service: Service.Type, _ body: (borrowing Service) throws -> Result
  ) throws -> Result {
    var found = lookup(TypeAddress.of(service))
    if found.isToSearch(for: nil) { found = search(found, TypeAddress.of(service), nil) }
    if found.isKept { return try found.lend(service, body) }
    return try body(make(service, found, nil))
  }

  /// Lends a keyed service to a closure, without a retain and release of it.
  ///
  /// - Parameters:
  ///   - service: the type that it is found under.
  ///   - key: the key that it is found under.
  ///   - body: gets the service, for the time of the call.
  /// - Returns: what the closure returns.
  /// - Throws: as `resolve(_:key:)`, and what the closure throws.
  @inlinable
  @inline(__always)
  public nonisolated func withResolved<Service, Result>(
    _ service: Service.Type, key: some Hashable & Sendable,
    _ body: (borrowing Service) throws -> Result
  ) throws -> Result {
    let word = KeyWord.hash(key)
    var found = lookup(TypeAddress.of(service), key: key, word: word)
    if found.isToSearch(for: nil) {
      found = search(found, TypeAddress.of(service), word: word, nil) { Binding.hasKey($0, key) }
    }
    if found.isKept { return try found.lend(service, body) }
    return try body(make(service, found, nil, key: Key.of(key), literal: 0))
  }

  /// Lends what a typed token names to a closure, without a retain and release of it.
  ///
  /// - Parameters:
  ///   - token: the type and key that it is found under.
  ///   - body: gets the service, for the time of the call.
  /// - Returns: what the closure returns.
  /// - Throws: as `resolve(_:)`, and what the closure throws.
  /// - Complexity: O(1) for an instance that exists. A token made of a literal costs no more than a type.
  @inlinable
  @inline(__always)
  public nonisolated func withResolved<Service, Result>(
    _ token: ServiceKey<Service>, _ body: (borrowing Service) throws -> Result
  ) throws -> Result {
    var found = lookup(token)
    if found.isToSearch(for: nil) { found = search(found, token, nil) }
    if found.isKept { return try found.lend(Service.self, body) }
    return try body(make(Service.self, found, nil, key: token.key, literal: token.literalWord))
  }
}

extension Lookup {
  /// Lends the kept instance: its slot keeps it alive (R2), so the closure may take as long as it likes, and nothing else
  /// waits for it.
  @inlinable
  @inline(__always)
  func lend<Service, Result>(
    _ type: Service.Type, _ body: (borrowing Service) throws -> Result
  ) rethrows -> Result {
    let depth = unsafe record.pointee.depth.load(ordering: .relaxed)
    // For the instance and, if it was found by links, for those, which hold its container.
    if unsafe _slowPath(depth &+ 1 >= record.pointee.capacity) {
      unsafe Reclaimer.shared.growSlots(of: record)
    }
    // The lowest bit tells what is no step of the path from a binding.
    unsafe record.push(instance | 1, at: depth)
    if links != 0 { unsafe record.push(links | 1, at: depth &+ 1) }
    unsafe record.unpin()
    // Outside of any call tree, each resolve in the closure is a top-level call of its own.
    let base = unsafe record.pointee.base
    if depth == base { unsafe record.pointee.base = record.pointee.depth.load(ordering: .relaxed) }
    defer {
      unsafe record.pointee.base = base
      unsafe record.pop(to: depth)
    }
    let pointer = unsafe UnsafeRawPointer(bitPattern: instance).unsafelyUnwrapped
    return try unsafe Unmanaged<Box>.fromOpaque(pointer)
      ._withUnsafeGuaranteedRef { try unsafe Instance.lend($0.memory(of: type), to: body) }
  }
}
