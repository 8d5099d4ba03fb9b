import ActorDI

// The forms of asynchronous code.
extension Form {
  static let asynchronous: [Form] = [
    awaitTransient, asyncFactory, current, overrides,
    emptyScope, scopedService, scopedDisposal, registeredRequest, nestedScopes,
  ]

  static let awaitTransient = Form("await, transient", .awaits) { world in
    try await world.container.resolve(FormWorld.Part.self).weight == 1
  } run: { world, count in
    for _ in 0..<count { consume(try await world.container.resolve(FormWorld.Part.self)) }
  }

  /// The factory suspends once.
  static let asyncFactory = Form("await, asynchronous factory", .awaits) { world in
    try await world.container.resolve(FormWorld.Loaded.self).weight == 1
  } run: { world, count in
    for _ in 0..<count { consume(try await world.container.resolve(FormWorld.Loaded.self)) }
  }

  static let current = Form("withCurrent", .awaits) { world in
    try await portOfCurrent(world) == FormWorld.Settings.port
  } run: { world, count in
    for _ in 0..<count { _ = opaque(try await portOfCurrent(world)) }
  }

  static let overrides = Form("withOverrides and a resolve", .awaits) { world in
    try await overriddenPort(world, 8_080) == 8_080
  } run: { world, count in
    for number in 0..<count { _ = opaque(try await overriddenPort(world, number)) }
  }

  @inline(__always)
  private nonisolated(nonsending) static func portOfCurrent(_ world: FormWorld) async throws -> Int {
    try await Container.withCurrent(world.container) { () async throws in
      try await Container.current.resolve(FormWorld.Settings.self).port
    }
  }

  @inline(__always)
  private nonisolated(nonsending) static func overriddenPort(_ world: FormWorld, _ port: Int) async throws -> Int {
    try await world.container.withOverrides {
      Registration(instance: FormWorld.Settings(port: port))
    } operation: { () async throws in
      try await world.container.resolve(FormWorld.Settings.self).port
    }
  }

  // MARK: - Scopes

  static let emptyScope = Form("scope, empty", .scopes) { world in
    try await world.container.withScope("request") { _ in true }
  } run: { world, count in
    for _ in 0..<count { try await world.container.withScope("request") { _ in } }
  }

  static let scopedService = Form("scope with one service", .scopes) { world in
    try await world.container.withScope("request") { scope in
      try await scope.resolve(FormWorld.Session.self) === scope.resolve(FormWorld.Session.self)
    }
  } run: { world, count in
    for _ in 0..<count {
      try await world.container.withScope("request") { consume(try await $0.resolve(FormWorld.Session.self)) }
    }
  }

  static let scopedDisposal = Form("scope with a disposal", .scopes) { world in
    try await world.container.withScope("request") { try await $0.resolve(FormWorld.Connection.self).weight == 1 }
  } run: { world, count in
    for _ in 0..<count {
      try await world.container.withScope("request") { consume(try await $0.resolve(FormWorld.Connection.self)) }
    }
  }

  static let registeredRequest = Form("scope with a registered request", .scopes) { world in
    try await handler(world, visit: 7) { $0.transaction.visit.number == 7 }
  } run: { world, count in
    for number in 0..<count { try await handler(world, visit: number) { consume($0) } }
  }

  static let nestedScopes = Form("nested scopes", .scopes) { world in
    try await world.container.withScope("request") { request in
      try await request.withScope("inner") { inner in
        try await inner.resolve(FormWorld.Session.self) === request.resolve(FormWorld.Session.self)
      }
    }
  } run: { world, count in
    for _ in 0..<count {
      try await world.container.withScope("request") { request in
        try await request.withScope("inner") { consume(try await $0.resolve(FormWorld.Session.self)) }
      }
    }
  }

  /// Resolves the handler of a request that its scope registers.
  @inline(__always)
  private nonisolated(nonsending) static func handler<Result>(
    _ world: FormWorld, visit: Int, _ use: (FormWorld.Handler) -> Result
  ) async throws -> Result {
    try await world.container.withScope("request") {
      Registration(instance: FormWorld.Visit(number: visit))
    } operation: { scope in
      use(try await scope.resolve(FormWorld.Handler.self))
    }
  }
}
