/// Makes a ``Recipe`` from run-time arguments, of which there may be none.
@safe
struct ArgumentRecipe<each Argument: Sendable>: Sendable {
  let synchrony: Synchrony

  /// Returns the recipe for the given arguments.
  let recipe: @Sendable (repeat each Argument) -> Recipe

  /// Calls the synchronous factory. Without a recipe if the registration has one, because a recipe costs an allocation.
  let write: Write

  typealias Write = @Sendable (Resolver, UnsafeMutableRawPointer, repeat each Argument) throws -> Void

  init(_ synchrony: Synchrony, _ recipe: @escaping @Sendable (repeat each Argument) -> Recipe) {
    unsafe self.init(synchrony, recipe) { (resolver, memory, arguments: repeat each Argument) in
      unsafe try recipe(repeat each arguments).factory.write(resolver, memory)
    }
  }

  private init(
    _ synchrony: Synchrony, _ recipe: @escaping @Sendable (repeat each Argument) -> Recipe, _ write: @escaping Write
  ) {
    self.synchrony = synchrony
    self.recipe = recipe
    unsafe self.write = write
  }

  init<Service>(synchronous factory: @escaping @Sendable (Resolver, repeat each Argument) throws -> Service) {
    unsafe self.init(.synchronous) { (arguments: repeat each Argument) in
      Recipe(.synchronous, Factory { try factory($0, repeat each arguments) })
    } _: { (resolver, memory, arguments: repeat each Argument) in
      unsafe memory.initializeMemory(as: Service.self, to: try factory(resolver, repeat each arguments))
    }
  }

  init<Service>(
    asynchronous factory: @escaping @concurrent @Sendable (Resolver, repeat each Argument) async throws -> Service
  ) {
    self.init(.asynchronous) { (arguments: repeat each Argument) in
      Recipe(asynchronous: Service.self) { Instance(holding: try await factory($0, repeat each arguments)) }
    }
  }

  init<Service>(mainActor factory: @escaping @MainActor @Sendable (Resolver, repeat each Argument) throws -> Service) {
    self.init(.mainActor) { (arguments: repeat each Argument) in
      Recipe(mainActor: { try factory($0, repeat each arguments) }) {
        Instance(holding: try factory($0, repeat each arguments))
      }
    }
  }

  /// The recipe of a factory without arguments; nil for a factory with arguments.
  var withoutArguments: Recipe? {
    for _ in repeat (each Argument).self { return nil }
    // Never called, because the pack is empty.
    func argument<Value>(_ type: Value.Type) -> Value { fatalError("An empty pack has no element.") }
    return recipe(repeat argument((each Argument).self))
  }
}
