// The general path: parents, relationship types, kept scopes, asynchronous factories, errors. Not specialised: it is
// taken once per kept instance, or where the factory costs more than the way to it.
extension Resolver {
  func makeGenerally<Service>(
    _ type: Service.Type, _ found: Binding?, key: Key?, literal: UInt = 0
  ) throws -> Service {
    if let service = try makeIfPresent(type, found, key: key, literal: literal) { return service }
    throw missing(ServiceIdentity(type, key: key))
  }

  @usableFromInline
  func makeGenerally<Service>(
    _ type: Service.Type, _ found: Binding?, key: Key?, literal: UInt = 0
  ) async throws -> Service {
    if let service = try await makeIfPresent(type, found, key: key, literal: literal) {
      return service
    }
    throw missing(ServiceIdentity(type, key: key))
  }

  /// Nil when there is nothing to resolve; what the resolve throws is thrown.
  ///
  /// - Parameter inherited: a key for the service to hand down to what it takes, though it is not found by it.
  func makeIfPresent<Service>(
    _ type: Service.Type, _ found: Binding?, key: Key?, literal: UInt = 0,
    inheriting inherited: Key? = nil
  ) throws -> Service? {
    let identity = ServiceIdentity(type, key: key)
    try checkOpen(for: identity)
    let record = unsafe ThreadRecordPointer.current
    return try unsafe record.continuing(liveFrame) {
      unsafe record.note(identity)
      let instance = try instance(of: identity, found, literal: literal) { $0.recipe(handingDown: inherited) }
      if let instance { return instance.value(as: type) }
      if let service = builtIn(type) { return service }
      guard let related = type as? any RelationshipType.Type else { return nil }
      return try unsafe record.holdingCall { _ in try related.resolve(from: self, key: key).value(as: type) }
    }
  }

  /// Nil when there is nothing to resolve; what the resolve throws is thrown.
  ///
  /// - Parameter inherited: a key for the service to hand down to what it takes, though it is not found by it.
  func makeIfPresent<Service>(
    _ type: Service.Type, _ found: Binding?, key: Key?, literal: UInt = 0,
    inheriting inherited: Key? = nil
  ) async throws -> Service? {
    let identity = ServiceIdentity(type, key: key)
    try checkOpen(for: identity)
    note(identity)
    let instance = try await instance(of: identity, found, literal: literal) { $0.recipe(handingDown: inherited) }
    if let instance { return instance.value(as: type) }
    if let service = builtIn(type) { return service }
    guard let related = type as? any RelationshipType.Type else { return nil }
    return try await related.resolve(from: self, key: key).value(as: type)
  }

  @usableFromInline
  func makeWithArguments<Service, each Argument: Sendable>(
    _ type: Service.Type, _ found: Binding?, key: Key?, arguments: repeat each Argument
  ) throws -> Service {
    let service = try makeWithArgumentsIfPresent(
      type, found, key: key, arguments: repeat each arguments)
    if let service { return service }
    throw missing(ServiceIdentity(type, arguments: repeat (each Argument).self, key: key))
  }

  @usableFromInline
  func makeWithArguments<Service, each Argument: Sendable>(
    _ type: Service.Type, _ found: Binding?, key: Key?, arguments: repeat each Argument
  ) async throws -> Service {
    let service = try await makeWithArgumentsIfPresent(
      type, found, key: key, arguments: repeat each arguments)
    if let service { return service }
    throw missing(ServiceIdentity(type, arguments: repeat (each Argument).self, key: key))
  }

  /// As the form without arguments, for any number of them.
  func makeWithArgumentsIfPresent<Service, each Argument: Sendable>(
    _ type: Service.Type, _ found: Binding?, key: Key?, arguments: repeat each Argument
  ) throws -> Service? {
    let identity = ServiceIdentity(type, arguments: repeat (each Argument).self, key: key)
    if identity.arguments.isEmpty { return try makeIfPresent(type, found, key: key) }
    try checkOpen(for: identity)
    let record = unsafe ThreadRecordPointer.current
    return try unsafe record.continuing(liveFrame) {
      unsafe record.note(identity)
      let instance = try instance(of: identity, found) { $0.recipe(with: repeat each arguments) }
      if let instance { return instance.value(as: type) }
      guard let related = type as? any RelationshipType.Type else { return nil }
      return try unsafe record.holdingCall { _ in
        try related.resolve(from: self, key: key, arguments: repeat each arguments).value(as: type)
      }
    }
  }

  /// As the form without arguments, for any number of them.
  func makeWithArgumentsIfPresent<Service, each Argument: Sendable>(
    _ type: Service.Type, _ found: Binding?, key: Key?, arguments: repeat each Argument
  ) async throws -> Service? {
    let identity = ServiceIdentity(type, arguments: repeat (each Argument).self, key: key)
    if identity.arguments.isEmpty { return try await makeIfPresent(type, found, key: key) }
    try checkOpen(for: identity)
    note(identity)
    let instance = try await instance(of: identity, found) { $0.recipe(with: repeat each arguments) }
    if let instance { return instance.value(as: type) }
    guard let related = type as? any RelationshipType.Type else { return nil }
    return try await related.resolve(from: self, key: key, arguments: repeat each arguments).value(as: type)
  }

  /// The instance of what is registered; nil when nothing is.
  ///
  /// - Parameter recipe: gives that of a binding that was found, for the arguments of the call.
  private func instance(
    of identity: ServiceIdentity, _ found: Binding?, literal: UInt = 0, by recipe: (Binding) -> Recipe
  ) throws -> Instance? {
    var found = found
    while let located = located(found, identity, literal: literal) {
      defer { withExtendedLifetime(located) {} }
      let binding = located.binding
      if let instance = try binding.instance(recipe(binding), for: self) {
        if located.container !== container { binding.standIn(in: container) }
        return instance
      }
      // It was replaced between lookup and build: look again.
      found = nil
    }
    return nil
  }

  /// The same for a caller that can suspend.
  private func instance(
    of identity: ServiceIdentity, _ found: Binding?, literal: UInt = 0, by recipe: (Binding) -> Recipe
  ) async throws -> Instance? {
    var found = found
    while let located = located(found, identity, literal: literal) {
      defer { withExtendedLifetime(located) {} }
      let binding = located.binding
      if let instance = try await binding.instance(recipe(binding), for: self) {
        if located.container !== container { binding.standIn(in: container) }
        return instance
      }
      found = nil
    }
    return nil
  }

  /// - Throws: ``ResolutionError/Code/closed``: neither the container nor what it would look in is to be asked any more.
  private func checkOpen(for identity: ServiceIdentity) throws {
    if container.lifecycle.isClosed { throw ResolutionError.closed(identity, currentChain, in: container) }
  }

  /// Notes what an asynchronous factory asks for.
  private func note(_ identity: ServiceIdentity) {
    (liveFrame ?? ResolutionFrame.ofCurrentTask)?.attempt?.note(identity)
  }

  /// What the read path has found, else what a search finds.
  func located(_ found: Binding?, _ identity: ServiceIdentity, literal: UInt = 0) -> Located? {
    guard let found else { return container.locate(identity, literal: literal) }
    return found.standsInFor ?? Located(binding: found, container: container)
  }

  /// Container and resolver can be resolved, and so injected, without being registered.
  private func builtIn<Service>(_ type: Service.Type) -> Service? {
    if Service.self == Container.self { return container as? Service }
    if Service.self == Resolver.self { return self as? Service }
    return nil
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
