/// How to make the instances of a service: its factories.
@usableFromInline
struct Recipe: Sendable {
  /// An asynchronous factory. It returns an ``Instance``, so that a product that is not Sendable can leave the
  /// factory's isolation.
  @usableFromInline typealias MakeAsync = @concurrent @Sendable (Resolver, Arguments?) async throws -> Instance

  let synchrony: Synchrony
  let factory: Factory
  let makeAsync: MakeAsync?

  init(_ synchrony: Synchrony, _ factory: Factory, makeAsync: MakeAsync? = nil) {
    self.synchrony = synchrony
    self.factory = factory
    self.makeAsync = makeAsync
  }

  // MARK: With run-time arguments, of which there may be none

  /// The asynchronous factory that contains a user's one, and erases the types of its product and of its arguments.
  // Emitted into the client, where the types are known: unspecialised code would allocate memory for the metadata of each.
  @_alwaysEmitIntoClient @inline(__always)
  static func makeAsync<Service, each Argument: Sendable>(
    by factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Service
  ) -> MakeAsync {
    { resolver, arguments in
      let values = try Arguments.values(of: arguments, for: Service.self, repeat (each Argument).self)
      return Instance(holding: try await factory(resolver, repeat each values))
    }
  }

  /// Creates the recipe of a service with an asynchronous factory.
  init(_ service: any Any.Type, _ makeAsync: @escaping MakeAsync) {
    self.init(
      .asynchronous, Factory(failingWith: ResolutionError(.asyncRequired, for: ServiceIdentity(service))),
      makeAsync: makeAsync)
  }

  init<Service, each Argument: Sendable>(
    mainActor factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service
  ) {
    self.init(
      mainActor: { (resolver, arguments: repeat each Argument) in try factory(resolver, repeat each arguments) },
      { resolver, arguments in
        let values = try Arguments.values(of: arguments, for: Service.self, repeat (each Argument).self)
        return Instance(holding: try factory(resolver, repeat each values))
      })
  }

  /// Creates the recipe of a factory that runs on the main actor.
  ///
  /// - Parameter makeAsync: The form for callers that can suspend.
  init<Service, each Argument: Sendable>(
    mainActor make: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service,
    _ makeAsync: @escaping @MainActor @Sendable (Resolver, Arguments?) async throws -> Instance
  ) {
    let factory = Factory(taking: { (resolver, arguments: repeat each Argument) in
      try MainExecutor.assumeIsolated { try make(resolver, repeat each arguments) }
    })
    self.init(.mainActor, factory, makeAsync: { try await makeAsync($0, $1) })
  }
}

extension Binding {
  /// The key that the parameters of the initialiser inherit, if any.
  ///
  /// - Parameter handed: The key that this binding's service has been asked for with, but is not registered under.
  func keyToInherit(handed: Key?) -> Key? { descriptor.traits.contains(.inheritsKey) ? handed ?? key : nil }

  /// The recipe that looks up dependencies under a key first; nil if the registration does not inherit keys.
  func recipeInheriting(_ key: Key?) -> Recipe? {
    guard let key, descriptor.traits.contains(.inheritsKey) else { return nil }
    return descriptor.inheriting?(key)
  }
}
