import ActorDITestSupport
import Testing

@testable import ActorDI

/// A service that resolves its lazy dependency in its initialiser.
private final class Eager: Sendable {
  let needed: Needed
  init(needed: Lazy<Needed>) throws { self.needed = try needed() }
  init(waitingFor needed: Lazy<Needed>) async throws { self.needed = try await needed() }
  init(providedBy needed: Provider<Needed>) throws { self.needed = try needed() }
  init(waitingForProvided needed: Provider<Needed>) async throws {
    self.needed = try await needed()
  }
}

private final class Needed: Sendable {
  let eager: Eager
  init(eager: Eager) { self.eager = eager }
}

/// Relationships that do not break a cycle: lazy or provided services that are used during the build of the service that asked for them.
@Suite("Relationships and cycles", .timeLimit(.minutes(5)))
struct RelationshipCycleTests {
  private func expectCycle(_ error: ResolutionError, at location: SourceLocation) {
    #expect(error.code == .cycle, sourceLocation: location)
    #expect(
      error.path == ["Eager", "Needed", "Eager"] || error.path == ["Needed", "Eager", "Needed"],
      "\(error.path)", sourceLocation: location)
  }

  private func check(
    _ container: Container, synchronously: Bool, location: SourceLocation = #_sourceLocation
  ) async throws {
    // Twice, since the container must work after the error.
    for _ in 1...2 {
      if synchronously {
        expectCycle(try resolutionError { try container.resolve(Eager.self) }, at: location)
        expectCycle(try resolutionError { try container.resolve(Needed.self) }, at: location)
      }
      expectCycle(
        try await asyncResolutionError { try await container.resolve(Eager.self) }, at: location)
      expectCycle(
        try await asyncResolutionError { try await container.resolve(Needed.self) }, at: location)
    }
  }

  /// How the initialiser uses the relationship.
  enum Use: CaseIterable, Sendable { case lazy, asynchronousLazy, provider, asynchronousProvider }

  @Test(arguments: [Scope.transient, .graph, .shared, .singleton], Use.allCases)
  func usingARelationshipDuringItsBuildIsACycle(scope: Scope, use: Use) async throws {
    let container = Container {
      switch use {
      case .lazy: Registration(autowired: Eager.self, scope: scope, initializer: Eager.init(needed:))
      case .asynchronousLazy: Registration(autowired: Eager.self, scope: scope, initializer: Eager.init(waitingFor:))
      case .provider: Registration(autowired: Eager.self, scope: scope, initializer: Eager.init(providedBy:))
      case .asynchronousProvider:
        Registration(autowired: Eager.self, scope: scope, initializer: Eager.init(waitingForProvided:))
      }
      Registration(autowired: Needed.self, scope: scope, initializer: Needed.init)
    }
    try await check(container, synchronously: use == .lazy || use == .provider)
  }

  @Test func aFactoryCanCatchTheCycleErrorOfItsLazy() async throws {
    let caught = Counter()
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in
        let lazy = try await r.resolve(Lazy<Leaf>.self)
        do {
          return try await Root(lazy())
        } catch let error as ResolutionError where error.code == .cycle {
          caught.increment()
          return Root()
        }
      }
      Registration(Leaf.self, scope: .singleton) { r in Leaf(try await r.resolve(Root.self)) }
    }
    let root = try await container.resolve(Root.self)
    #expect(root.next == nil && caught.count == 1)
    #expect(try await container.resolve(Leaf.self).next as? Root === root)
  }

  /// One task builds `Root`, which uses a lazy `Leaf`; the other builds `Leaf`, which uses a lazy
  /// `Root`.
  @Test func aCycleOfLaziesAcrossTasksThrowsInBoth() async throws {
    let rootBegan = Gate()
    let leafBegan = Gate()
    let container = Container {
      Registration(Root.self, scope: .singleton) { r in
        let lazy = try await r.resolve(Lazy<Leaf>.self)
        rootBegan.open()
        await leafBegan.wait()
        return try await Root(lazy())
      }
      Registration(Leaf.self, scope: .singleton) { r in
        let lazy = try await r.resolve(Lazy<Root>.self)
        leafBegan.open()
        await rootBegan.wait()
        return try await Leaf(lazy())
      }
    }
    async let root = Result { try await container.resolve(Root.self) }
    async let leaf = Result { try await container.resolve(Leaf.self) }
    let errors = [await root.error, await leaf.error].compactMap { $0 as? ResolutionError }
    #expect(errors.count == 2)
    for error in errors {
      #expect(error.code == .cycle)
      #expect(error.path.first == error.path.last)
      #expect(Set(error.path) == ["Root", "Leaf"])
    }
  }

  @Test func collectionsAndOptionalsDoNotBreakACycle() async throws {
    let container = Container {
      Registration(Root.self) { r in Root(try r.resolve([Leaf].self).first) }
      Registration(Leaf.self) { r in Leaf(try r.resolve(Root?.self)) }
    }
    for error in [
      try resolutionError { try container.resolve(Root.self) },
      try await asyncResolutionError { try await container.resolve(Root.self) },
    ] {
      #expect((error.code, error.path) == (.cycle, ["Root", "Leaf", "Root"]))
    }
  }
}
