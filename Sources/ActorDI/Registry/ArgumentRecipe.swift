/// How an instance is made from run-time arguments: they yield a ``Recipe``. There may be none.
@usableFromInline
struct ArgumentRecipe<each Argument: Sendable>: Sendable {
  let synchrony: Synchrony

  /// The recipe for given arguments.
  let recipe: @Sendable (repeat each Argument) -> Recipe

  init(_ synchrony: Synchrony, _ recipe: @escaping @Sendable (repeat each Argument) -> Recipe) {
    self.synchrony = synchrony
    self.recipe = recipe
  }

  init<Service>(synchronous factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service) {
    self.init(.synchronous) { (arguments: repeat each Argument) in
      Recipe(.synchronous, Factory { try factory($0, repeat each arguments) })
    }
  }

  init<Service>(
    asynchronous factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Service
  ) {
    self.init(.asynchronous) { (arguments: repeat each Argument) in
      Recipe(asynchronous: Service.self) { Instance(holding: try await factory($0, repeat each arguments)) }
    }
  }

  init<Service>(
    mainActor factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service
  ) {
    self.init(.mainActor) { (arguments: repeat each Argument) in
      Recipe(mainActor: { try factory($0, repeat each arguments) })
    }
  }

  /// The recipe of a factory without arguments; nil for one with arguments.
  var withoutArguments: Recipe? {
    for _ in repeat (each Argument).self { return nil }
    // The pack is empty: the function is never called.
    func argument<Value>(_ type: Value.Type) -> Value { fatalError("An empty pack has no element.") }
    return recipe(repeat argument((each Argument).self))
  }
}
