/// How to make an instance once the run-time arguments are known.
struct Recipe: Sendable {
  /// An asynchronous factory. It returns an ``Instance``, so that a product that is not Sendable can leave the
  /// factory's isolation.
  typealias MakeAsync = @concurrent @Sendable (Resolver) async throws -> Instance

  let synchrony: Synchrony
  let factory: Factory
  let makeAsync: MakeAsync?

  /// The argument values that identify the instance, if each tuple of them has its own instance.
  var argumentValues: ArgumentValues?

  init(_ synchrony: Synchrony, _ factory: Factory, makeAsync: MakeAsync? = nil) {
    self.synchrony = synchrony
    self.factory = factory
    self.makeAsync = makeAsync
  }

  init<Service>(asynchronous service: Service.Type, _ makeAsync: @escaping MakeAsync) {
    self.init(
      .asynchronous, Factory(failingWith: ResolutionError(.asyncRequired, for: ServiceIdentity(service))),
      makeAsync: makeAsync)
  }

  init<Service>(
    mainActor make: @escaping @MainActor @Sendable (Resolver) throws -> Service,
    _ makeAsync: @escaping @MainActor @Sendable (Resolver) async throws -> Instance
  ) {
    self.init(
      .mainActor, Factory { resolver in try MainExecutor.assumeIsolated { try make(resolver) } },
      makeAsync: { resolver in try await makeAsync(resolver) })
  }
}
