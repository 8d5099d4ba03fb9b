// The instance of a binding for another one, which it stands behind or which shows it.
extension Binding {
  /// Asks the binding, or what takes its place where overrides are in force, for a forward.
  final func inForce(
    _ resolver: Resolver, _ body: (Binding, Resolver) throws -> Instance
  ) throws -> Instance {
    let stand = standIn(asking: resolver.container)
    defer { withExtendedLifetime(stand) {} }
    return try body(stand?.binding ?? self, resolver)
  }

  final func inForce(
    _ resolver: Resolver, _ body: (Binding, Resolver) async throws -> Instance
  ) async throws -> Instance {
    let stand = standIn(asking: resolver.container)
    defer { withExtendedLifetime(stand) {} }
    return try await body(stand?.binding ?? self, resolver)
  }

  /// The instance, for a binding that this one stands behind.
  final func current(_ resolver: Resolver, _ recipe: Recipe) throws -> Instance {
    guard let instance = try instance(recipe, for: resolver) else { throw PrimaryIsGone() }
    return instance
  }

  final func current(_ resolver: Resolver, _ recipe: Recipe) async throws -> Instance {
    guard let instance = try await instance(recipe, for: resolver) else { throw PrimaryIsGone() }
    return instance
  }
}
