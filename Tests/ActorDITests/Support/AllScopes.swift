@testable import ActorDI

/// Every scope there is.
let allScopes: [Scope] = [
  .transient, .graph, .shared, .singleton, .automatic, .managed(by: ManagedScope("all")),
]
