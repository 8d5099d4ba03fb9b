/// A binding whose factory takes run-time arguments.
///
/// `@unchecked Sendable` like its superclass; the additional fields are immutable.
final class ArgumentBinding<each Argument: Sendable>: Binding, @unchecked Sendable {
  private let argumentRecipe: ArgumentRecipe<repeat each Argument>

  init(_ descriptor: Descriptor, _ recipe: ArgumentRecipe<repeat each Argument>) {
    argumentRecipe = recipe
    // Callers that pass no arguments get this error.
    let service = ServiceIdentity(descriptor.identity.service)
    let error = descriptor.fault ?? ResolutionError(.argumentMismatch, for: service)
    super.init(descriptor, Factory(failingWith: error))
  }

  override func copy() -> Binding { ArgumentBinding(descriptor, argumentRecipe) }

  override func identity<Other>(of other: Other.Type) -> ServiceIdentity {
    ServiceIdentity(other, arguments: repeat (each Argument).self)
  }

  override func deriving(
    _ descriptor: Descriptor, _ derive: @escaping @Sendable (_ recipe: @escaping RecipeOfBinding) -> Recipe
  ) -> Binding {
    let recipe = ArgumentRecipe(descriptor.factorySynchrony) { (arguments: repeat each Argument) in
      derive { unsafe unsafeDowncast($0, to: Self.self).recipe(for: repeat each arguments) }
    }
    return ArgumentBinding(descriptor, recipe)
  }

  /// A copy of the binding with a second factory for callers that can suspend.
  ///
  /// - Parameter asynchronous: Makes the recipe of that factory.
  func suspending(_ descriptor: Descriptor, _ asynchronous: ArgumentRecipe<repeat each Argument>) -> Binding {
    let synchrony = descriptor.factorySynchrony
    let synchronous = argumentRecipe
    let recipe = ArgumentRecipe(synchrony) { (arguments: repeat each Argument) in
      Recipe(
        synchrony, synchronous.recipe(repeat each arguments).factory,
        makeAsync: asynchronous.recipe(repeat each arguments).makeAsync)
    }
    return ArgumentBinding(descriptor, recipe)
  }

  /// Calls the factory, which writes its product to the memory.
  func write(_ resolver: Resolver, to memory: UnsafeMutableRawPointer, _ arguments: repeat each Argument) throws {
    try unsafe argumentRecipe.write(resolver, memory, repeat each arguments)
  }

  func recipe(for arguments: repeat each Argument) -> Recipe {
    var recipe = argumentRecipe.recipe(repeat each arguments)
    if descriptor.keepsPerArguments { recipe.argumentValues = ArgumentValues(repeat each arguments) }
    return recipe
  }
}
