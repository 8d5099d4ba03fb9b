@testable import ActorDI

/// One scope of every kind without a name.
let allScopes: [Scope] = [
  .transient, .graph, .shared, .singleton, .automatic, .managed(by: ManagedScope("all")),
]
