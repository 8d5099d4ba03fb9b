// How the instances of a binding are made.
extension Binding {
  /// The recipe of a service without run-time arguments.
  final var recipe: Recipe {
    Recipe(
      descriptor.nature.factorySynchrony, factory,
      makeAsync: descriptor.saysMore ? descriptor.making.makeAsync : nil)
  }

  /// What runs after the factory, in order; nil for nothing.
  final var hooks: [CreationHook]? { descriptor.nature.hasHooks ? descriptor.making.hooks : nil }

  /// The recipe that looks for dependencies under a key first, if the registration hands keys down.
  final func recipe(handingDown key: Key?) -> Recipe {
    guard let key, descriptor.nature.inheritsKey, let inheriting = descriptor.making.inheriting else { return recipe }
    return inheriting(key)
  }

  /// The recipe for run-time arguments of the types that the binding takes, or none.
  final func recipe<each Argument: Sendable>(with arguments: repeat each Argument) -> Recipe {
    if !identity.takesArguments { return recipe }
    return unsafe unsafeDowncast(self, to: ArgumentBinding<repeat each Argument>.self)
      .recipe(for: repeat each arguments)
  }

  /// Builds the instance, and leaves it to whatever keeps it.
  final func build(for resolver: Resolver) async throws {
    // Where it is overridden, it is that which has to be there.
    let isInForce = standIn(asking: resolver.container) == nil
    let found = isInForce ? unsafe Located(binding: self, container: owner) : nil
    _ = try await resolver.instanceIfPresent(of: identity, found)
  }
}
