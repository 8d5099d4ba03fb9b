/// How an instance is made from run-time arguments: what they make a ``Recipe``.
@usableFromInline
struct ArgumentRecipe<each Argument: Sendable>: Sendable {
  let synchrony: Synchrony

  /// The recipe for given arguments.
  let recipe: @Sendable (repeat each Argument) -> Recipe

  init(_ synchrony: Synchrony, _ recipe: @escaping @Sendable (repeat each Argument) -> Recipe) {
    self.synchrony = synchrony
    self.recipe = recipe
  }

  init<Service>(synchronous make: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service) {
    self.init(.synchronous) { (arguments: repeat each Argument) in
      Recipe(.synchronous, Factory { try make($0, repeat each arguments) })
    }
  }

  @usableFromInline
  init<Service>(
    asynchronous service: Service.Type,
    _ makeAsync: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Instance
  ) {
    self.init(.asynchronous) { (arguments: repeat each Argument) in
      Recipe(asynchronous: service) { try await makeAsync($0, repeat each arguments) }
    }
  }

  init<Service>(
    mainActor factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service
  ) {
    self.init(.mainActor) { (arguments: repeat each Argument) in
      Recipe(mainActor: { try factory($0, repeat each arguments) })
    }
  }
}
