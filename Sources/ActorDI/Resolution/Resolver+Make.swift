// The slow path: overrides, relationship types, contended builds, asynchronous factories, errors. Nothing of it knows the service's type.
extension Resolver {
  /// The instance of a service, for a synchronous caller.
  ///
  /// - Parameters:
  ///   - found: what a search has found already, if it has.
  ///   - literal: the address that the key was given by, if it was.
  func instance(of identity: ServiceIdentity, _ found: Located?, literal: UInt = 0) throws -> Instance {
    if let instance = try instanceIfPresent(of: identity, found, literal: literal) { return instance }
    throw missing(identity)
  }

  /// The same for a caller that can suspend.
  func instance(of identity: ServiceIdentity, _ found: Located?, literal: UInt = 0) async throws -> Instance {
    if let instance = try await instanceIfPresent(of: identity, found, literal: literal) { return instance }
    throw missing(identity)
  }

  /// Nil when there is nothing to resolve; what the resolve throws is thrown.
  ///
  /// - Parameter inherited: a key for the service to hand down to what it takes, though it is not found by it.
  func instanceIfPresent(
    of identity: ServiceIdentity, _ found: Located? = nil, literal: UInt = 0, inheriting inherited: Key? = nil
  ) throws -> Instance? {
    try instanceIfPresent(of: identity, found, literal: literal) {
      $0.recipe(handingDown: inherited)
    } related: {
      try $0.resolve(from: self, key: identity.key)
    }
  }

  /// The same for a caller that can suspend.
  func instanceIfPresent(
    of identity: ServiceIdentity, _ found: Located? = nil, literal: UInt = 0, inheriting inherited: Key? = nil
  ) async throws -> Instance? {
    try await instanceIfPresent(of: identity, found, literal: literal) {
      $0.recipe(handingDown: inherited)
    } related: {
      try await $0.resolve(from: self, key: identity.key)
    }
  }

  /// - Parameters:
  ///   - recipe: gives that of a binding that was found, for the arguments of the call.
  ///   - related: resolves a relationship type with these arguments.
  private func instanceIfPresent(
    of identity: ServiceIdentity, _ found: Located?, literal: UInt = 0, by recipe: (Binding) -> Recipe,
    related: (any RelationshipType.Type) throws -> Instance
  ) throws -> Instance? {
    try checkOpen(for: identity)
    let record = unsafe ThreadRecordPointer.current
    return try unsafe record.continuing(liveFrame) {
      unsafe record.note(identity)
      var found = found
      while let located = found ?? container.locate(identity, literal: literal) {
        defer { withExtendedLifetime(located) {} }
        if let instance = try located.binding.instance(recipe(located.binding), for: self) { return instance }
        // It was replaced between search and build: search again.
        found = nil
      }
      if let instance = builtIn(identity) { return instance }
      try checkSearched(for: identity)
      guard let type = identity.service as? any RelationshipType.Type else { return nil }
      return try unsafe record.holdingCall { _ in try related(type) }
    }
  }

  private func instanceIfPresent(
    of identity: ServiceIdentity, _ found: Located?, literal: UInt = 0, by recipe: (Binding) -> Recipe,
    related: (any RelationshipType.Type) async throws -> Instance
  ) async throws -> Instance? {
    try checkOpen(for: identity)
    (liveFrame ?? ResolutionFrame.ofCurrentTask)?.attempt?.note(identity)
    var found = found
    while let located = found ?? container.locate(identity, literal: literal) {
      defer { withExtendedLifetime(located) {} }
      if let instance = try await located.binding.instance(recipe(located.binding), for: self) { return instance }
      found = nil
    }
    if let instance = builtIn(identity) { return instance }
    try checkSearched(for: identity)
    guard let type = identity.service as? any RelationshipType.Type else { return nil }
    return try await related(type)
  }

  // MARK: With arguments

  func instanceIfPresent<each Argument: Sendable>(
    of identity: ServiceIdentity, _ found: Located?, arguments: repeat each Argument
  ) throws -> Instance? {
    if identity.arguments.isEmpty { return try instanceIfPresent(of: identity, found) }
    return try instanceIfPresent(of: identity, found) {
      $0.recipe(with: repeat each arguments)
    } related: {
      try $0.resolve(from: self, key: identity.key, arguments: repeat each arguments)
    }
  }

  func instanceIfPresent<each Argument: Sendable>(
    of identity: ServiceIdentity, _ found: Located?, arguments: repeat each Argument
  ) async throws -> Instance? {
    if identity.arguments.isEmpty { return try await instanceIfPresent(of: identity, found) }
    return try await instanceIfPresent(of: identity, found) {
      $0.recipe(with: repeat each arguments)
    } related: {
      try await $0.resolve(from: self, key: identity.key, arguments: repeat each arguments)
    }
  }

  @usableFromInline
  func makeWithArguments<Service, each Argument: Sendable>(
    _ type: Service.Type, _ found: Located?, key: Key?, arguments: repeat each Argument
  ) throws -> Service {
    let identity = ServiceIdentity(type, arguments: repeat (each Argument).self, key: key)
    if let instance = try instanceIfPresent(of: identity, found, arguments: repeat each arguments) {
      return instance.value(as: type)
    }
    throw missing(identity)
  }

  @usableFromInline
  func makeWithArguments<Service, each Argument: Sendable>(
    _ type: Service.Type, _ found: Located?, key: Key?, arguments: repeat each Argument
  ) async throws -> Service {
    let identity = ServiceIdentity(type, arguments: repeat (each Argument).self, key: key)
    if let instance = try await instanceIfPresent(of: identity, found, arguments: repeat each arguments) {
      return instance.value(as: type)
    }
    throw missing(identity)
  }

  /// - Throws: ``ResolutionError/Code/closed``: neither the container nor what it would look in is to be asked any more.
  private func checkOpen(for identity: ServiceIdentity) throws {
    if !isServed { throw ResolutionError.closed(identity, currentChain, in: container) }
  }

  /// Checks once more after a search that may have found too little because containers closed meanwhile: this one, or one above.
  ///
  /// - Throws: ``ResolutionError/Code/closed``.
  func checkSearched(for identity: ServiceIdentity) throws {
    let lineage = sequence(first: container) { $0.parent }
    if lineage.contains(where: { $0.lifecycle.isClosed }) {
      throw ResolutionError.closed(identity, currentChain, in: container)
    }
  }

  /// Whether the container is open; for a factory, and for the operation of a scope, also as long as it waits for operations.
  var isServed: Bool {
    if container.lifecycle.isClosed { return false }
    return !container.lifecycle.isDraining || liveFrame != nil || !currentChain.path.isEmpty
      || container.isCallerInOpenScope
  }

  /// Container and resolver can be resolved, and so injected, without being registered.
  private func builtIn(_ identity: ServiceIdentity) -> Instance? {
    guard identity.arguments.isEmpty, identity.isBuiltIn else { return nil }
    return identity.service == Container.self ? Instance(holding: container) : Instance(holding: self)
  }

  /// The error for an identity that no container has.
  func missing(_ identity: ServiceIdentity) -> ResolutionError {
    ResolutionError.missing(identity, in: container, chain: currentChain)
  }

  /// The chain that this resolver's calls belong to.
  var currentChain: Chain {
    if let frame = liveFrame, frame.identity != nil { return Chain(frame) }
    return Self.chainOfCaller
  }
}
