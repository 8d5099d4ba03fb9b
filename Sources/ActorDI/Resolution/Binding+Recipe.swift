// The recipes that build a binding's instances.
extension Binding {
  /// The recipe of a service without run-time arguments.
  final var recipe: Recipe { Recipe(descriptor.factorySynchrony, factory, makeAsync: descriptor.makeAsync) }

  /// Calls the synchronous factory.
  ///
  /// - Parameter memory: Receives the product.
  final func write<each Argument: Sendable>(
    _ resolver: Resolver, to memory: UnsafeMutableRawPointer, with arguments: repeat each Argument
  ) throws {
    guard identity.takesArguments else { return try unsafe factory.write(resolver, memory) }
    try unsafe unsafeDowncast(self, to: ArgumentBinding<repeat each Argument>.self)
      .write(resolver, to: memory, repeat each arguments)
  }

  /// Calls the synchronous factory.
  ///
  /// - Parameter memory: Receives the product.
  final func write(_ resolver: Resolver, to memory: UnsafeMutableRawPointer, taking arguments: Arguments?) throws {
    guard identity.takesArguments, let arguments else { return try unsafe factory.write(resolver, memory) }
    try unsafe arguments.write(self, resolver, to: memory)
  }

  /// The first of the hooks that run after the factory. The binding holds it.
  final var hooks: UnheldReference<CreationHook>? { descriptor.hooks.map { UnheldReference($0) } }

  /// The recipe for a resolve with run-time arguments of the types that the binding takes.
  ///
  /// Without arguments, the recipe looks up dependencies under the key first, if the registration inherits keys.
  final func recipe(inheriting key: Key? = nil, with arguments: Arguments?) -> Recipe {
    guard identity.takesArguments else { return inheriting(key).recipe }
    // No arguments are passed only if the registration is eager. The recipe throws its error.
    return arguments?.recipe(of: self) ?? recipe
  }

  /// The binding whose recipe looks up dependencies under the key first, if the registration inherits keys; otherwise this one.
  final func inheriting(_ key: Key?) -> Binding {
    guard let key, descriptor.traits.contains(.inheritsKey), let derive = descriptor.inheriting else { return self }
    return derive(descriptor, key)
  }

  /// Builds the instance for its scope to keep.
  final func build(for resolver: Resolver) async throws {
    // If an override is in force, the override is built instead.
    let isInForce = standIn(asking: resolver.container) == nil
    let found = isInForce ? unsafe Located(binding: self, container: owner) : nil
    _ = try await resolver.instanceIfPresent(of: identity, found)
  }
}
