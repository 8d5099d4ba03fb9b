// The recipe by which a binding's instances are built.
extension Binding {
  /// The recipe that looks up dependencies under a key first; nil if the registration does not inherit keys.
  func recipeInheriting(_ key: Key?) -> Recipe? {
    guard let key, descriptor.traits.contains(.inheritsKey) else { return nil }
    return descriptor.inheriting?(key)
  }

  /// The first of the hooks that run after the factory. The binding holds it.
  var hooks: UnheldReference<CreationHook>? { descriptor.hooks.map { UnheldReference($0) } }

  /// Builds the instance for its scope to keep.
  func build(for resolver: Resolver) async throws {
    // If an override is in force, the override is built instead.
    let isInForce = standIn(asking: resolver.container) == nil
    let found = isInForce ? unsafe Located(binding: self, container: owner) : nil
    _ = try await resolver.finishIfPresent(identity, .pending(found))
  }
}
