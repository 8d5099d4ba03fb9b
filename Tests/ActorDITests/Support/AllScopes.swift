package import ActorDI

/// One scope of every kind without a name.
package let allScopes: [Scope] = [
  .transient, .graph, .shared, .singleton, .automatic, .managed(by: ManagedScope("all")),
]

/// Scopes that keep an instance in the registration's container.
package let keepingScopes: [Scope] = [.singleton, .shared, .automatic, .managed(by: ManagedScope("period"))]
